"""The command ``tables``: the paper's tables beside what the systems reach here."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lab.cli.asking import Asking, answer
from lab.cli.options import ray as ray_option
from lab.systems.base import SYSTEMS, options_of
from searchain.errors import UsageError
from searchain.methods.base import System, find
from ui.cli import options

if TYPE_CHECKING:
    from lab.tables.paper import Plan
    from lab.tables.parts import Ran, Table

SMALL = 50
"""Questions of a data set with ``--small``; of our own, and of the long ones, all."""
WHOLE = ("eli5", "vital")
FILES = {
    "hotpotqa": ("hotpot_dev_fullwiki_v1.json", "multihop/tune.jsonl.gz"),
    "musique": ("musique_ans_v1.0_dev.jsonl",),
    "2wiki": ("2wiki/dev.json", "2wikimultihopqa/dev.json"),
    "strategyqa": ("strategyqa_train.json", "strategyqa/task.json", "yesno/dev.jsonl.gz"),
    "zsre": ("structured_zeroshot-dev-kilt.jsonl",),
    "trex": ("trex-dev-kilt.jsonl",),
    "fever": ("fever-dev-kilt.jsonl", "factcheck/dev.jsonl.gz"),
    "eli5": ("eli5-dev-kilt.jsonl", "longform/dev.jsonl.gz"),
    "vital": ("vital/dev.jsonl.gz",),
}
"""Where each data set is looked for in ``--data``: the official file, in a folder of its name or not, or ours, beside
which stand its passages, as ``tune_corpus.jsonl.gz``."""


@dataclass(frozen=True)
class _Found:
    """A data set that is there."""

    path: Path
    corpus: str


@click.command()
@click.argument("table")
@click.option(
    "--data",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    metavar="DIR",
    help="Where the data sets are: their official files by name, or multihop/tune.jsonl.gz and its like.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("tables"),
    show_default=True,
    metavar="DIR",
    help="Where the answers are kept, SYSTEM-DATASET.jsonl, and the tables written.",
)
@click.option("--systems", metavar="NAMES", help="Only these systems, separated by commas.")
@click.option("--datasets", metavar="NAMES", help="Only these data sets, separated by commas.")
@click.option("--corpus", metavar="FILE|INDEX", help="Search this for all; default: the passages beside each data set.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only so many questions of each data set.")
@click.option("--sample", type=int, metavar="SEED", help="With --limit: draw a random sample with this seed.")
@click.option("--small", "is_small", is_flag=True, help="Fewer samples, and at most 50 questions of a data set.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Questions at a time.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bootstrap intervals.")
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="A setting of every run; may be repeated.")
@click.option("--right-by", metavar="SYSTEM", help="Table 3b: whose right answers count, for all systems.")
@click.option("--paper", "is_paper", is_flag=True, help="Print the paper's figures alone.")
@click.option("--kept", "is_kept", is_flag=True, help="Ask nothing: make the tables from the answers in --out.")
@ray_option("Ask in --jobs processes of")
@options.careful("off")
@options.parts
@options.database
def tables(
    table: str,
    data: Path | None,
    out: Path,
    systems: str | None,
    datasets: str | None,
    corpus: str | None,
    limit: int | None,
    sample: int | None,
    is_small: bool,
    jobs: int,
    seed: int,
    changes: Sequence[str],
    right_by: str | None,
    is_paper: bool,
    is_kept: bool,
    ray: str | None,
    db: Path | None,
    **named: Any,
) -> None:
    """Make TABLE of the paper: paper | ours.

    TABLE is 1 to 8, v1-7, v1-8, tracing or all.

    The systems are asked what --out does not hold yet; a run that was stopped goes on. Cells without a figure are “–”.
    """
    from lab.tables import as_text
    from lab.tables import paper as of_paper

    wanted = list(of_paper.numbers(table))
    chosen = [find(name).name for name in _names(systems)] or list(SYSTEMS)
    if right_by and "3b" not in wanted:
        find(right_by)
        raise UsageError(f"--right-by changes table 3b alone, and table {table} was asked for; ask for table 3b")
    found = {} if is_paper or data is None else _found(data, _names(datasets), corpus)
    plans = [of_paper.misled(right_by) if number == "3b" and right_by else of_paper.plan(number) for number in wanted]
    needed: dict[Ran, Asking] = {}
    for plan in plans:
        for run in plan.runs(chosen, list(found)):
            needed[run] = _asking(run, found[run.dataset], is_small, limit, sample, changes)
    if not needed and not is_paper and any(number not in ("8", "tracing") for number in wanted):
        if data is not None:
            raise UsageError(_why_nothing(table, plans, data, found, _names(datasets), chosen))
        raise UsageError("name the data with --data DIR, or see the paper's figures alone with --paper")
    ran, headers = _run(needed, out, jobs, named, ray, is_kept=is_kept) if needed else ({}, [])
    for number, plan in zip(wanted, plans, strict=True):
        made = plan.make(ran, seed)
        if number == "tracing" and not is_paper:
            made = [_traced(made[0], db)]
        text = as_text.markdown(made, headers)
        click.echo(text)
        if not is_paper:
            _write(out / f"table-{number}.md", text)
            values = as_text.as_json(made, headers)
            _write(out / f"table-{number}.json", json.dumps(values, ensure_ascii=False, indent=2) + "\n")


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _found(data: Path, names: Sequence[str], corpus: str | None) -> dict[str, _Found]:
    """The data sets in ``data``, of ``names`` where there are any.

    Raises:
        UsageError: a named one is missing, or there is no such data set.
    """
    if unknown := set(names) - set(FILES):
        raise UsageError(f"no data set {min(unknown)!r}; there are: {', '.join(FILES)}")
    there: dict[str, _Found] = {}
    for name in names or FILES:
        places = [data / folder / file for file in FILES[name] for folder in ("", name)]
        path = next((place for place in places if place.is_file()), None)
        if path is not None:
            stem, _, ending = path.name.partition(".")
            beside = path.with_name(f"{stem}_corpus.{ending}")
            there[name] = _Found(path, corpus or (str(beside) if beside.is_file() else "default"))
        elif names:
            files = " and no ".join(map(repr, FILES[name]))
            raise UsageError(f"no {files} in {str(data)!r}; put the data set {name!r} there")
    return there


def _why_nothing(
    table: str, plans: Sequence[Plan], data: Path, found: Collection[str], names: Sequence[str], chosen: Sequence[str]
) -> str:
    """Why no run of the table can be made of the data sets ``found`` and the systems ``chosen``, and the next step."""
    needed = list(dict.fromkeys(run.dataset for plan in plans for run in plan.runs(list(SYSTEMS), list(FILES))))
    there = [name for name in needed if name in found]
    if there:
        asked = dict.fromkeys(run.system for plan in plans for run in plan.runs(list(SYSTEMS), there))
        return f"table {table} asks no {' and no '.join(chosen)}; name one of these with --systems: {', '.join(asked)}"
    if names:
        return f"table {table} has no {' and no '.join(names)}; name one of these with --datasets: {', '.join(needed)}"
    files = ", ".join(file for name in needed for file in FILES[name])
    return f"no data set of table {table} in {str(data)!r}; put one of these files there: {files}"


def _asking(
    run: Ran, found: _Found, is_small: bool, limit: int | None, sample: int | None, changes: Sequence[str]
) -> Asking:
    from lab.cli.evaluate import settings_of

    system = find(run.system)
    if limit is None and is_small and run.dataset not in WHOLE:
        limit = SMALL
    given = {name: value for name, value in settings_of(changes).items() if _knows(system, name)}
    return Asking(
        system=system,
        settings=system.settings(is_small=is_small, **{**given, **dict(run.changes)}),
        data=found.path,
        corpus=found.corpus,
        limit=limit,
        sample=sample,
        as_steps=run.form == "steps",
    )


def _knows(system: System, name: str) -> bool:
    """Whether a setting means something to the system: an option of others does not."""
    others = {option for one in SYSTEMS.values() for option in options_of(one)}
    return name in options_of(system) or name not in others


def _run(
    needed: dict[Ran, Asking], out: Path, jobs: int, named: dict[str, Any], ray: str | None, *, is_kept: bool
) -> tuple[dict[Ran, Sequence[dict[str, Any]]], list[dict[str, Any]]]:
    """The lines of every run by its name, asked where they are not there yet, and what each has in common."""
    from lab.evaluation.outfile import read_lines
    from searchain.assemble import Choice, Parts

    choice = Choice(**{**named, "careful": named["careful"] or "off"})  # else it would check SearChain's replies alone
    parts = Parts(choice)
    if not is_kept:
        for line in _estimate(needed, out):
            click.echo(line, err=True)
    lines: dict[Ran, Sequence[dict[str, Any]]] = {}
    headers: list[dict[str, Any]] = []
    for run, asking in needed.items():
        path = out / f"{run.name}.jsonl"
        if is_kept:
            known = {example.id for example in asking.examples()[1]}
            kept = [line for line in read_lines(path) if line["id"] in known] if path.is_file() else []
            header = kept[0]["run"] if kept else None
        else:
            click.echo(f"{run.name}:", err=True)
            header, kept = answer(asking, path, choice, parts=parts, jobs=jobs, ray=ray)
        if header is not None:
            lines[run] = kept
            headers.append(header)
    return lines, headers


def _estimate(needed: dict[Ran, Asking], out: Path) -> Iterator[str]:
    """How long the runs take that are not there yet, at the seconds a call of those that are."""
    from lab.evaluation.outfile import read_lines

    calls = asked = 0.0
    used = [(0, 0.0)]
    for run, asking in needed.items():
        path = out / f"{run.name}.jsonl"
        lines = read_lines(path) if path.is_file() and path.stat().st_size else []
        used += [(line["usage"]["llm_calls"], line["usage"]["seconds"]) for line in lines]
        left = max(len(asking.examples()[1]) - len(lines), 0)
        asked += left
        is_small = asking.settings.options.items() >= options_of(asking.system, is_small=True).items()
        calls += left * ((asking.system.small_calls if is_small else None) or asking.system.calls)
    known = sum(one for one, _ in used)
    pace = sum(seconds for _, seconds in used) / known if known else 1.0
    yield (
        f"{asked:,.0f} questions to ask, about {calls:,.0f} calls of the model: {calls * pace / 3600:.1f} hours at "
        f"{pace:.1f} seconds a call ({'as measured so far' if known else 'a guess'})"
    )


def _traced(table: Table, db: Path | None) -> Table:
    """The table of SKC and AMP with the estimates of the annotation in a database."""
    from dataclasses import replace

    from lab.tables.parts import Cell, Figure
    from storage.annotation import report
    from storage.database import Database, default_path

    store = Database(db or default_path())
    try:
        found = report.report(store)
    finally:
        store.close()
    rows = dict(table.rows)
    for name, measures in found.systems.items():
        told = rows.get(name, (Cell(), Cell()))
        ours = (
            None if one.value is None else Figure(round(one.value, 3), one.n, one.low, one.high)
            for one in (measures.skc_marked, measures.amp)
        )
        rows[name] = tuple(Cell(cell.paper, figure) for cell, figure in zip(told, ours, strict=True))
    return replace(table, rows=rows)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}; name another --out") from error
