"""The command ``calibrate`` of the product, which also fits a probability here."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from searchain import console
from searchain.errors import UsageError
from searchain.verification.probability import place_of
from ui.cli.calibrate import calibrate as thresholds


@click.command(params=[*thresholds.params])
@click.option(
    "--questions",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Fit a probability instead: questions with answers, in the form that eval reads (repeatable). The figures are "
    "those of the first file.",
)
@click.option(
    "--left-out",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --questions: questions that are looked up without the titles that answer them (repeatable).",
)
@click.option(
    "--rows",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --questions: keep the look-ups there; an interrupted run goes on where it ended.",
)
@click.option(
    "--repeats",
    default=20,
    show_default=True,
    type=click.IntRange(1),
    metavar="N",
    help="With --questions: how often ten folds are drawn.",
)
@click.option(
    "--index", default="default", show_default=True, metavar="NAME", help="With --questions: what is searched."
)
@console.one_line_errors()
@click.pass_context
def calibrate(
    context: click.Context,
    questions: tuple[Path, ...],
    left_out: tuple[Path, ...],
    rows: Path | None,
    repeats: int,
    index: str,
    **named: Any,
) -> None:
    """Measure how likely answers are right, and store it.

    With --questions a probability is fitted; without, a Reader's thresholds are found.

    θ is the relevance above which a reading may contradict the language model: the threshold with the greatest F1 of
    "can this passage answer the query" (step 0.1). Below the floor a passage is taken to hold no answer. The default
    profile goes by the probability where there is one, the paper profile by θ.
    """
    if questions:
        _fit_probability(questions, left_out, rows, repeats, index, named["reader"], named["out"])
        return
    if left_out or rows:
        raise UsageError("--left-out and --rows belong to --questions; name a file of questions as well")
    context.invoke(thresholds, **named)


def _fit_probability(
    questions: tuple[Path, ...],
    left_out: tuple[Path, ...],
    rows: Path | None,
    repeats: int,
    index: str,
    reader: Path | None,
    out: Path | None,
) -> None:
    from lab.training import probability

    if find_spec("sklearn") is None:
        raise UsageError("fitting a probability needs scikit-learn; install it: pip install -r requirements-train.txt")
    folder = out or reader or place_of(index)
    files = [*((file, False) for file in questions), *((file, True) for file in left_out)]
    with tempfile.TemporaryDirectory() as scratch:
        kept = rows or Path(scratch) / "rows.jsonl"
        probability.collect(files, kept, index, reader)
        lines = probability.stored_rows(kept)
    found = probability.calibrate(lines, probability.name_of(questions[0]), repeats=repeats)
    for line in probability.figures_table(found):
        click.echo(line)
    data = {probability.name_of(file): probability.digest(file) for file, _ in files}
    probability.store(
        folder, {"reading": found.trees.as_json(), "steps": found.steps, "threshold": found.threshold, "data": data}
    )
    click.echo(f"threshold {found.threshold:.3f} from {found.lookups:,} look-ups, stored in {folder}")
