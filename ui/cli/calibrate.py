"""The commands ``calibrate`` and ``check-support``."""

import json
from pathlib import Path
from typing import Any

import click

from searchain import console
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.reading.calibration import Calibration
from searchain.safe_text import one_line
from storage.collections import access, ticks
from storage.collections.access import Role
from storage.people.users import LOCAL
from ui.cli import options
from ui.cli.files import writable

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
    "--collection",
    metavar="NAME",
    help="Set the tick of this collection of own documents instead, by the replies that were judged good or bad.",
)
@options.database
@console.one_line_errors()
def calibrate(
    data: Path | None,
    reader: Path | None,
    start: float,
    refusal: float,
    out: Path | None,
    collection: str | None,
    db: Path | None,
) -> None:
    """Find a Reader's thresholds, and store them.

    θ is the relevance above which a reading may contradict the language model: the threshold with the greatest F1 of
    "can this passage answer the query" (step 0.1). Below the floor a passage is taken to hold no answer. The default
    profile goes by the probability where there is one, the paper profile by θ.
    """
    if collection is not None:
        _set_tick(collection, db)
        return
    from searchain.embedded.minilm import CALIBRATION_DATA, embedded_reader
    from searchain.reading import calibration
    from searchain.reading.calibration import read_records
    from searchain.reading.reader import DprReader
    from searchain.reading.thresholds import store_thresholds

    records = read_records(data or CALIBRATION_DATA)
    directory = reader or embedded_reader()
    model = DprReader(directory)
    confidences = [
        model.read(record.question, [record.passage])[0].confidence for record in console.tracked(records, "reading")
    ]
    found = calibration.calibrate(confidences, [bool(record.spans) for record in records], start=start, refusal=refusal)
    _print(found)
    store_thresholds(out or directory, found.thresholds)
    click.echo(
        f"theta {found.thresholds.theta:.1f}, floor {found.thresholds.floor:.1f} "
        f"from {len(records):,} passages, stored in {out or directory}"
    )


def _set_tick(name: str, db: Path | None) -> None:
    with writable(db) as store:
        one = access.named(store, LOCAL, name, Role.EDITOR)
        found = ticks.renew(store, one.id)
        click.echo(one_line(f"{one.name}: {ticks.described(found)}"))
        in_force = ticks.threshold(store, one.index)
        if in_force is None:
            click.echo("threshold: that of all own documents")
        else:
            click.echo(f"threshold: {f'{in_force:.3f}' if in_force <= 1 else 'none, no reply bears a tick'}")


def _print(found: Calibration) -> None:
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


@click.command("check-support")
@click.option(
    "--data",
    type=options.FILE,
    metavar="FILE",
    required=True,
    help='Lines (.jsonl or .jsonl.gz) {"id", "claim", "evidence"}; evidence may hold several passages, an '
    "empty line between two.",
)
@click.option(
    "--out", type=options.NEW, metavar="FILE", required=True, help='Where the lines {"id", "label", "score"} go.'
)
@console.one_line_errors()
def check_support(data: Path, out: Path) -> None:
    """Say how far passages support sentences: supported, partial or not_supported."""
    from searchain.reply.support_check import SupportCheck, paragraphs

    claims = read_jsonl(data, _claim, 'claim; wanted: {"id": text, "claim": text, "evidence": text}')
    check, labels = SupportCheck(), dict.fromkeys(("supported", "partial", "not_supported"), 0)
    with write_whole(out) as draft:
        try:
            file = draft.open("w", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {str(out)!r}: {error.strerror}; name another --out") from error
        with file:
            for name, claim, evidence in console.tracked(claims, "checking"):
                found = check.judge(claim, paragraphs(evidence))
                label = "not_supported" if found.label == "contradicted" else found.label
                labels[label] += 1
                line = {"id": name, "label": label, "score": round(found.score, 4)}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    click.echo(f"{len(claims):,} claims: {', '.join(f'{count:,} {label}' for label, count in labels.items())}")


def _claim(record: dict[str, Any]) -> tuple[str, str, str]:
    """Return the ID, claim and evidence of a line. Raises ``ValueError`` if one is not text."""
    claim = record["id"], record["claim"], record["evidence"]
    if not all(isinstance(part, str) for part in claim):
        raise ValueError("not all texts")
    return claim
