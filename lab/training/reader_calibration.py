"""Draw the data for ``calibrate``: ``python -m lab.training.reader_calibration --data FILE --out FILE``.

A search returns mostly passages that are near the query and do not answer it. So beside a sample of the records (which
the Reader must not have been trained on) stands, for each answerable question, a passage that shares its rare words.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path

import click

from lab.training.calibration import Record, read_records
from lab.training.reader_data import hard_negatives, leads
from searchain.console import one_line_errors

LEADS_LICENSE = "CC BY-SA 4.0"


def draw(records: Sequence[Record], *, count: int, seed: int) -> list[Record]:
    """``count`` of the ``records``, and a near miss for each answerable one; in order of title and text."""
    rng = random.Random(seed)
    chosen = rng.sample(list(records), min(count, len(records)))
    licenses = {record.passage.text: record.license for record in records}
    passages = list({record.passage.text: record.passage for record in records}.values()) + leads()
    near = [
        Record(record.question, (miss := rng.choice(misses)), (), licenses.get(miss.text, LEADS_LICENSE))
        for record, misses in zip(chosen, hard_negatives(chosen, passages, count=6), strict=True)
        if misses
    ]
    return sorted(chosen + near, key=lambda record: (record.passage.title, record.passage.text, record.question))


def write_records(records: Sequence[Record], file: Path) -> None:
    """Write ``file`` (.jsonl.gz) in the form that ``read_records`` reads; the same records give the same bytes."""
    lines = [
        {
            "id": record.passage.id,
            "question": record.question,
            "title": record.passage.title,
            "text": record.passage.text,
            "license": record.license,
            "answers": [
                {"text": answer, "start": span.start} for span, answer in zip(record.spans, record.answers, strict=True)
            ],
        }
        for record in records
    ]
    data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    with file.open("wb") as raw, gzip.GzipFile("", mode="wb", fileobj=raw, mtime=0) as packed:
        packed.write(data)


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="Reader records that the Reader was not trained on.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="A .jsonl.gz file.")
@click.option("--count", default=500, show_default=True, help="Records of the sample.")
@click.option("--seed", default=7, show_default=True)
@one_line_errors()
def main(data: Path, out: Path, count: int, seed: int) -> None:
    drawn = draw(read_records(data), count=count, seed=seed)
    write_records(drawn, out)
    click.echo(f"{len(drawn)} records, {sum(bool(record.spans) for record in drawn)} of them answerable, in {out}")


if __name__ == "__main__":
    main()
