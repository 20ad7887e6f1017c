"""The command ``eval``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from searchain import console
from searchain.errors import SearChainError, UsageError
from searchain.systems.base import SYSTEMS, find
from searchain.types import Status, TaskKind
from ui.cli import options

if TYPE_CHECKING:
    from searchain.evaluation.citations import SupportCheck
    from searchain.evaluation.examples import Example
    from searchain.evaluation.outfile import OutFile
    from searchain.pipeline import SearChain
    from searchain.systems.base import Answerer

IN_A_ROW = 5
"""Failed questions after which a run ends: the next ones would fail as well."""


@click.command("eval")
@click.option("--system", "system_name", metavar="NAME", help=f"The method: {', '.join(SYSTEMS)}.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help='Questions, a line each: {"id", "question", "answers", "type"?, "supporting_titles"?, "answerable"?}; '
    "also .gz, and in the Reader's form.",
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
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The answers, one JSON object a line; those that it holds already are not asked again.",
)
@click.option(
    "--task",
    type=click.Choice(["auto", *(kind.value for kind in TaskKind)]),
    help="What all questions ask for; auto: by their words, as for a user's; default: by the type of each.",
)
@click.option(
    "--leave-out-titles",
    is_flag=True,
    help="Leave the supporting titles of each question out of its search: no question can be answered.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only so many questions: the first ones.")
@click.option("--sample", type=int, metavar="SEED", help="With --limit: draw them with this seed instead.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Questions at a time.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bootstrap intervals.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the run, such as passages=10; may be repeated.",
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
@options.careful("off")
@options.parts
def evaluate(
    system_name: str | None,
    data: Path | None,
    corpus: str,
    out: Path,
    task: str | None,
    leave_out_titles: bool,
    limit: int | None,
    sample: int | None,
    jobs: int,
    seed: int,
    changes: Sequence[str],
    summary: Path | None,
    analyse: bool,
    **named: Any,
) -> None:
    """Ask a system all questions of a file and score its answers.

    May be stopped and run again: it goes on after the last answer. A table goes to standard error, the summary as one
    line of JSON to standard output. Where questions say whether they are answerable, the tick is measured too, and
    drawn beside --out: .reliability.svg and .risk-coverage.svg.
    """
    if analyse and system_name is None and data is None:
        from searchain.evaluation.outfile import read_lines

        _analyse(read_lines(out), seed, err=False)
        return
    if system_name is None or data is None:
        raise UsageError(f"name --system and --data; systems: {', '.join(SYSTEMS)}")
    from searchain.assemble import Choice, Parts
    from searchain.evaluation import examples
    from searchain.evaluation.outfile import OutFile
    from searchain.evaluation.summary import summarise
    from searchain.evaluation.trust import trust

    system = find(system_name)
    settings = system.settings(**_settings(changes))
    if sample is not None and limit is None:
        raise UsageError("--sample draws --limit N questions; give both")
    dataset = examples.read_dataset(data)
    chosen = examples.choose(dataset.examples, limit, sample)
    if leave_out_titles:
        chosen = examples.leave_out(chosen)
    parts = Parts(Choice(**{**named, "careful": named["careful"] or "off"}))
    index = named["retriever"] or _index(corpus) if system.uses_ir else ""
    kinds = {example.id: _kind(task, example) for example in chosen}
    chains = {kind: parts.searchain(replace(settings, task=kind), index) for kind in dict.fromkeys(kinds.values())}
    made = system.make(next(iter(chains.values()))).settings.as_dict()
    run = {
        "system": system.name,
        "data": dataset.name,
        "index": index,
        "model": next(iter(chains.values())).model.name,
        "task": task or "by type",
        "settings": {name: value for name, value in made.items() if name != "task"},
        "content": _content(),
        **({"leave_out_titles": True} if leave_out_titles else {}),
    }
    with OutFile(out, run) as file:
        check = _support_check() if system.uses_ir else None
        _ask(file, chosen, lambda example: system.make(_for(example, chains[kinds[example.id]])), jobs, check)
        lines = [file.answered[example.id] for example in chosen if example.id in file.answered]
    values = {"run": run, **summarise(lines, seed), **trust(lines, seed)}
    _report(values, summary or out.with_suffix(".summary.json"))
    _draw(values, out)
    if analyse:
        _analyse(lines, seed, err=True)
    _check_none_failed(lines)


def _index(corpus: str) -> str:
    """The index that ``corpus`` names, built first where it is a file."""
    from searchain.evaluation import corpora

    with console.stages() as progress:
        return corpora.index_of(corpus, progress)


def _kind(task: str | None, example: Example) -> TaskKind | None:
    """What ``example`` is asked as; ``None`` where its words decide."""
    if task is None:
        return example.task
    return None if task == "auto" else TaskKind(task)


def _for(example: Example, chain: SearChain) -> SearChain:
    """``chain`` with the search that ``example`` may use; all that a run looks up goes through it."""
    from searchain.evaluation.left_out import LeavingOut

    if not example.is_left_out or chain.retriever is None:
        return chain
    searching = copy(chain)
    searching.retriever = LeavingOut(chain.retriever, example.supporting_titles)
    return searching


def _support_check() -> SupportCheck | None:
    """The embedded support check; ``None`` where its weights are not trained yet."""
    from searchain.reading import stance
    from searchain.reply import support_check

    is_trained = support_check.WEIGHTS.is_file() and (stance.WEIGHTS / "adapter.safetensors").is_file()
    return support_check.SupportCheck() if is_trained else None


def _ask(
    file: OutFile,
    examples: Sequence[Example],
    answerer_of: Callable[[Example], Answerer],
    jobs: int,
    check: SupportCheck | None,
) -> None:
    """Ask what is not answered yet, or failed, and write every answer as it comes."""
    from searchain.evaluation.harness import ask_all
    from searchain.evaluation.scoring import line_of

    failed = {"status": Status.FAILED.value}
    waiting = [one for one in examples if file.answered.get(one.id, failed)["status"] == Status.FAILED]
    in_a_row = 0
    with console.progress(len(examples), "asking") as advance, closing(ask_all(waiting, answerer_of, jobs)) as asked:
        advance(len(examples) - len(waiting))
        for example, turn in asked:
            file.write(line_of(example, turn, check))
            advance(1)
            in_a_row = in_a_row + 1 if turn.status is Status.FAILED else 0
            if in_a_row == IN_A_ROW:
                raise SearChainError(
                    f"{in_a_row} questions in a row failed, the last with: {turn.message}; the others "
                    "are kept: run this again to go on"
                )


def _report(values: dict[str, Any], path: Path) -> None:
    from searchain.evaluation.summary import summary_table
    from searchain.evaluation.trust import trust_table

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
    from ui.show.trust_plots import pictures

    for name, svg in pictures(values["trust"]) if "trust" in values else ():
        out.with_suffix(f".{name}.svg").write_text(svg, encoding="utf-8")


def _analyse(lines: Sequence[dict[str, Any]], seed: int, *, err: bool) -> None:
    from searchain.evaluation import analysis

    for line in analysis.analysis_table(analysis.analyse(lines), seed=seed):
        click.echo(line, err=err)


def _settings(changes: Sequence[str]) -> dict[str, Any]:
    """``NAME=VALUE`` as settings; values are numbers, true or false, but for the writer of the replies."""
    values: dict[str, Any] = {}
    for change in changes:
        name, _, value = change.partition("=")
        try:
            values[name] = value if name == "reply" else json.loads(value)
        except ValueError:
            values[name] = None
        if name in ("profile", "task") or not isinstance(values[name], int | float | str):
            raise UsageError(
                f"--set {change!r} cannot be used; write NAME=NUMBER, NAME=true or NAME=false, such as passages=10"
            )
    return values


def _content() -> str:
    """What answers depend on besides the settings, in 12 digits: the committed weights and the prompts."""
    from searchain.chain import prompts

    weights = Path(str(resources.files("searchain"))) / "weights"
    digest = hashlib.sha256()
    for file in sorted([*weights.rglob("*"), *prompts.FOLDER.rglob("*.md")]):
        if file.is_file():
            digest.update(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]
