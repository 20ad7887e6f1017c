"""The command ``calibrate`` of the product, which also fits a probability here."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path

import click

from lab.training import calibration
from searchain import console
from searchain.errors import UsageError
from searchain.verification.probability import place_of
from ui.cli import options
from ui.cli.calibrate import calibrate as tick

ROWS = 25
"""The most lines of the printed table."""


@click.command()
@click.option(
    "--data",
    type=options.FILE,
    metavar="FILE",
    help="Reader records (.jsonl or .jsonl.gz) that it was not trained on; default: the project's own.",
)
@click.option(
    "--reader", type=options.PATH, metavar="DIR", help="A DPR reader in a local directory; default: the embedded one."
)
@click.option(
    "--start", default=-5.0, help="Where the search for θ starts; the paper's started at 1.0 for DPR's own reader."
)
@click.option(
    "--refusal",
    default=0.95,
    type=options.Number(0, 1),
    help='The floor is set so that "this passage has no answer" is right at least this often below it.',
)
@click.option(
    "--out", type=options.FOLDER, metavar="DIR", help="Store the values there instead of with the Reader or the index."
)
@click.option(
    "--collection", metavar="NAME", help="Set the tick of this collection of own documents, by the replies judged."
)
@options.database
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
    data: Path | None,
    reader: Path | None,
    start: float,
    refusal: float,
    out: Path | None,
    collection: str | None,
    db: Path | None,
    questions: tuple[Path, ...],
    left_out: tuple[Path, ...],
    rows: Path | None,
    repeats: int,
    index: str,
) -> None:
    """Measure how likely answers are right, and store it.

    With --questions a probability is fitted; without, a Reader's thresholds are found.

    θ is the relevance above which a reading may contradict the language model: the threshold with the greatest F1 of
    "can this passage answer the query" (step 0.1). Below the floor a passage is taken to hold no answer. The default
    profile goes by the probability where there is one, the paper profile by θ.
    """
    if collection is not None:
        context.invoke(tick, collection=collection, db=db)
        return
    if questions:
        _fit_probability(questions, left_out, rows, repeats, index, reader, out)
        return
    if left_out or rows:
        raise UsageError("--left-out and --rows belong to --questions; name a file of questions as well")
    _find_thresholds(data, reader, start, refusal, out)


def _find_thresholds(data: Path | None, reader: Path | None, start: float, refusal: float, out: Path | None) -> None:
    from searchain.embedded.minilm import CALIBRATION_DATA, embedded_reader
    from searchain.reading.reader import DprReader

    records = calibration.read_records(data or CALIBRATION_DATA)
    directory = reader or embedded_reader()
    model = DprReader(directory)
    confidences = [
        model.read(record.question, [record.passage])[0].confidence for record in console.tracked(records, "reading")
    ]
    found = calibration.calibrate(confidences, [bool(record.spans) for record in records], start=start, refusal=refusal)
    _print(found)
    calibration.store_thresholds(out or directory, found.thresholds)
    click.echo(
        f"theta {found.thresholds.theta:.1f}, floor {found.thresholds.floor:.1f} "
        f"from {len(records):,} passages, stored in {out or directory}"
    )


def _print(found: calibration.Calibration) -> None:
    chosen = (found.thresholds.theta, found.thresholds.floor)
    every = max(1, len(found.candidates) // ROWS)
    click.echo("threshold  precision  recall     F1  no answer right below")
    for number, row in enumerate(found.candidates):
        if number % every == 0 or row.threshold in chosen:
            mark = {chosen[0]: "  θ", chosen[1]: "  floor"}.get(row.threshold, "")
            click.echo(
                f"{row.threshold:9.1f}  {row.precision:9.3f}  {row.recall:6.3f}  {row.f1:5.3f}  "
                f"{row.refusal:21.3f}{mark}"
            )


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
