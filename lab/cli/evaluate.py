"""The command ``eval``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from lab.cli.asking import Asking, answer
from lab.cli.options import ray as ray_option
from lab.systems.base import SYSTEMS
from searchain.errors import SearChainError, UsageError
from searchain.methods.base import find
from searchain.settings import NAMED_ELSEWHERE
from searchain.types import Status, TaskKind
from ui.cli import gate, options

_WORDS = ("reply", "reading", "search", "first_call", "without", "careful")
"""Settings whose values are words."""
_NO_NAMES = (*NAMED_ELSEWHERE, "beside", "is_small")
"""What ``--set`` does not set; the last two are parameters beside the settings."""


@click.command("eval")
@click.option("--system", "system_name", metavar="NAME", help=f"The method: {', '.join(SYSTEMS)}.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help='Questions, a line each: {"id", "question", "answers", "type"?, "supporting_titles"?, "answerable"?}; '
    "also .gz, in the Reader's form, and the official files of the paper's data sets.",
)
@click.option(
    "--corpus",
    default="default",
    show_default=True,
    metavar="FILE|INDEX",
    help="Passages to search: a corpus file, indexed once and kept, or the name of an index.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The answers, one JSON object a line; those that it holds already are not asked again.",
)
@click.option("--dataset", "form", metavar="NAME", help="The official form of --data; default: found by its keys.")
@click.option("--small", "is_small", is_flag=True, help="Let a system that draws samples draw fewer.")
@click.option(
    "--task",
    type=click.Choice(["auto", *(kind.value for kind in TaskKind)]),
    help="What all questions ask for; auto: by their words, as for a user's; default: by the type of each.",
)
@click.option(
    "--leave-out-titles",
    is_flag=True,
    help="Leave the supporting titles of each question out of its search: few can then be answered.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only so many questions: the first ones.")
@click.option("--sample", type=int, metavar="SEED", help="With --limit: draw a random sample with this seed.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Questions at a time.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bootstrap intervals.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the run, such as passages=10; may be repeated. Alone, the name of a set of own questions.",
)
@click.option(
    "--summary",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the summary goes; default: beside --out, as .summary.json.",
)
@click.option(
    "--analyse",
    is_flag=True,
    help="Tell at which stage wrong answers went wrong; without --system and --data: those that --out holds.",
)
@ray_option("Ask in --jobs processes of")
@options.careful("off")
@gate.gated
@options.parts
@options.database
@click.pass_context
def evaluate(
    context: click.Context,
    system_name: str | None,
    data: Path | None,
    corpus: str,
    out: Path | None,
    form: str | None,
    is_small: bool,
    task: str | None,
    leave_out_titles: bool,
    limit: int | None,
    sample: int | None,
    jobs: int,
    seed: int,
    changes: Sequence[str],
    summary: Path | None,
    analyse: bool,
    bounds: str | None,
    ray: str | None,
    collection: str | None,
    owner: str | None,
    is_judged: bool,
    db: Path | None,
    **named: Any,
) -> None:
    """Ask a system all questions of a file and score its answers.

    May be stopped and run again: it goes on after the last answer. A table goes to standard error, the summary as one
    line of JSON to standard output. Where questions say whether they are answerable, the tick is measured too, and
    drawn beside --out: .reliability.svg and .risk-coverage.svg.

    With `--set NAME` alone a named set of own questions is asked, and --gate exits with 1 where the answers fall short.
    """
    if len(changes) == 1 and "=" not in changes[0] and system_name is None and data is None:
        gate.run(lambda: context.obj(db=db, **named), db, changes[0], bounds, collection, owner, is_judged=is_judged)
        return
    if out is None:
        raise UsageError("name the file of the answers with --out, or a set of own questions with --set NAME")
    if analyse and system_name is None and data is None:
        from lab.evaluation.outfile import read_lines

        _analyse(read_lines(out), seed, err=False)
        return
    if system_name is None or data is None:
        raise UsageError(f"name --system and --data; systems: {', '.join(SYSTEMS)}")
    from lab.evaluation.summary import summarise
    from lab.evaluation.trust import trust
    from searchain.assemble import Choice

    if sample is not None and limit is None:
        raise UsageError("--sample draws --limit N questions; give both")
    system = find(system_name)
    asking = Asking(
        system=system,
        settings=system.settings(is_small=is_small, **settings_of(changes)),
        data=data,
        form=form,
        corpus=corpus,
        task=task,
        leaves_out=leave_out_titles,
        limit=limit,
        sample=sample,
    )
    run, lines = answer(asking, out, Choice(**{**named, "careful": named["careful"] or "off"}), jobs=jobs, ray=ray)
    values = {"run": run, **summarise(lines, seed), **trust(lines, seed)}
    _report(values, summary or out.with_suffix(".summary.json"))
    _draw(values, out)
    if analyse:
        _analyse(lines, seed, err=True)
    _check_none_failed(lines)


def _report(values: dict[str, Any], path: Path) -> None:
    from lab.evaluation.summary import summary_table
    from lab.evaluation.trust import trust_table

    for line in (*summary_table(values), *(trust_table(values["trust"]) if "trust" in values else ())):
        click.echo(line, err=True)
    click.echo(json.dumps(values, ensure_ascii=False).encode())  # JSON is UTF-8, whatever the terminal speaks
    try:
        path.write_text(json.dumps(values, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write the summary {str(path)!r}: {error.strerror}; name another --summary") from error


def _check_none_failed(lines: Sequence[dict[str, Any]]) -> None:
    failed = [line for line in lines if line["status"] == Status.FAILED]
    if failed:
        raise SearChainError(
            f"{len(failed)} of {len(lines)} questions failed, first {failed[0]['id']!r}: "
            f"{failed[0]['message']}; run this again to ask them anew"
        )


def _draw(values: dict[str, Any], out: Path) -> None:
    """Write the pictures of the tick beside ``out``, where its questions are known to be answerable or not."""
    from lab.evaluation.trust_plots import pictures

    for name, svg in pictures(values["trust"]) if "trust" in values else ():
        out.with_suffix(f".{name}.svg").write_text(svg, encoding="utf-8")


def _analyse(lines: Sequence[dict[str, Any]], seed: int, *, err: bool) -> None:
    from lab.evaluation import analysis

    for line in analysis.analysis_table(analysis.analyse(lines), seed=seed):
        click.echo(line, err=err)


def settings_of(changes: Sequence[str]) -> dict[str, Any]:
    """``NAME=VALUE`` as settings; values are numbers, true or false, but for those that are words."""
    values: dict[str, Any] = {}
    for change in changes:
        name, _, value = change.partition("=")
        try:
            values[name] = value if name in _WORDS else json.loads(value)
        except ValueError:
            values[name] = None
        if name in _NO_NAMES or not isinstance(values[name], int | float | str):
            raise UsageError(
                f"--set {change!r} cannot be used; write NAME=NUMBER, NAME=true or NAME=false, such as passages=10"
            )
    return values
