"""The scores that evaluations are expected to give, stored beside their commands in ``expected.json``.

Usage:
    python -m lab.evaluation.expected                       print them
    python -m lab.evaluation.expected --check OUT.summary.json …     compare summaries with them
    python -m lab.evaluation.expected --store OUT.summary.json …     put the summaries' scores in their place
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from searchain.console import one_line_errors
from searchain.errors import SearChainError, UsageError

FILE = Path(__file__).with_name("expected.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """A score in percent with its 95 % interval over ``n`` questions, and what gave it."""

    mean: float
    low: float
    high: float
    n: int
    model: str
    content: str
    """The weights and prompts, as the summary's ``run`` names them."""
    date: str


@dataclass(frozen=True, slots=True)
class Expected:
    """One evaluation: ``$DATA`` in its command is the folder of the data sets."""

    command: str
    system: str
    data: str
    """The data set's name and the beginning of its hash."""
    score: str
    goal: float | None
    measured: Measured | None
    """``None`` until it is stored."""

    def fits(self, summary: Mapping[str, Any]) -> bool:
        """Whether ``summary`` is of this evaluation."""
        run = summary["run"]
        return run["system"] == self.system and run["data"].split()[-1] == self.data.split()[-1]


def load(path: Path) -> list[Expected]:
    """The stored evaluations, in order."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [Expected(**row | {"measured": row["measured"] and Measured(**row["measured"])}) for row in rows]


def save(rows: Sequence[Expected], path: Path) -> None:
    """Store ``rows`` in place of what was there."""
    path.write_text(json.dumps([asdict(row) for row in rows], indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measured(row: Expected, summary: Mapping[str, Any]) -> Measured:
    """What a summary that fits ``row`` says of its score.

    Raises:
        UsageError: the summary lacks the score.
    """
    figures = summary.get("trust", {}).get("figures", {})
    score, run = (summary["scores"] | figures).get(row.score), summary["run"]
    if not score:
        raise UsageError(f"the summary of {row.system!r} on {row.data!r} has no {row.score}; run its command again")
    return Measured(**score, model=run["model"], content=run["content"], date=f"{datetime.now(UTC):%Y-%m-%d}")


def table(rows: Sequence[Expected]) -> Iterator[str]:
    """Every command with its score and goal."""
    for row in rows:
        goal = f", goal {row.goal:g}" if row.goal is not None else ""
        yield f"{row.system} on {row.data}: {row.score} {_told(row.measured)}{goal}"
        yield f"    {row.command}"


def _told(score: Measured | None) -> str:
    return f"{score.mean:.1f} [{score.low:.1f}, {score.high:.1f}], n = {score.n}" if score else "not measured yet"


@click.command(help=__doc__.partition("\n")[0])
@click.option("--check", "is_check", is_flag=True, help="Compare the summaries with what is stored.")
@click.option("--store", "is_store", is_flag=True, help="Store the summaries' scores.")
@click.option(
    "--file",
    default=FILE,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Another file of expected scores than the project's.",
)
@click.argument("summaries", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@one_line_errors()
def main(is_check: bool, is_store: bool, file: Path, summaries: tuple[Path, ...]) -> None:
    rows = load(file)
    if is_check == is_store and summaries or (is_check or is_store) and not summaries:
        raise UsageError("give summaries with either --check or --store")
    wrong = []
    for path in summaries:
        summary = _read(path)
        place = next((i for i, row in enumerate(rows) if row.fits(summary)), None)
        if place is None:
            raise UsageError(
                f"{str(path)!r} is of no evaluation in {file.name}: {summary['run']['system']} on "
                f"{summary['run']['data']}"
            )
        now = measured(rows[place], summary)
        if is_store:
            rows[place] = replace(rows[place], measured=now)
            continue
        before = rows[place].measured
        is_inside = before is not None and before.low <= now.mean <= before.high
        click.echo(
            f"{'as expected' if is_inside else 'DIFFERENT'}: {rows[place].system} on {rows[place].data}: "
            f"{_told(now)}; expected {_told(before)}"
        )
        wrong += [] if is_inside else [path.name]
    if is_store:
        save(rows, file)
    if not is_check:
        for line in table(rows):
            click.echo(line)
    if wrong:
        raise SearChainError(
            f"outside of the expected interval: {', '.join(wrong)}; the summary's run says what it was made of"
        )


def _read(path: Path) -> dict[str, Any]:
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
        return {"run": summary["run"], "scores": summary["scores"], "trust": summary.get("trust", {})}
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{str(path)!r} is no summary of eval ({type(error).__name__})") from error


if __name__ == "__main__":
    main()
