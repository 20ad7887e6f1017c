"""Measure how near an explanation is to its question: ``python -m lab.training.explained --data DIR``.

Each "why" and "how" question of the Reader's data is put to the paragraph that answers it, and to another paragraph of
the same article. Shown is how many of both reach some values of ``searchain.reply.abstaining.LEAST_NEAR``, for the
articles that the value was chosen by and for the third that was kept apart.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from lab.training.calibration import Record, read_records
from searchain.language import text
from searchain.reading.articles import sentences_of
from searchain.reading.similarity import QueryEncoder
from searchain.reply.explanation import nearness
from searchain.types import Node, Passage

VALUES = (0.55, 0.62, 0.68, 0.8)
ASKED = ("do", "does", "did", "is", "are", "was", "were", "can")
"""Words after "how" that ask for an explanation."""


def explains(question: str) -> bool:
    first, second, *_ = (*text.tokens(question), "", "")
    return first == "why" or (first == "how" and second in ASKED)


def pairs(data: Path, count: int) -> Iterator[tuple[Record, Passage]]:
    """Yield records of "why" and "how", each with another paragraph of its article."""
    records = [one for name in ("dev", "train") for one in read_records(data / "reader" / f"{name}.jsonl.gz")]
    paragraphs = defaultdict[str, dict[str, Passage]](dict)
    for record in records:
        paragraphs[record.passage.title][record.passage.text] = record.passage
    random = Random(0)
    asked = [one for one in records if one.spans and explains(one.question) and len(paragraphs[one.passage.title]) > 1]
    for record in random.sample(asked, min(count, len(asked))):
        others = [one for body, one in paragraphs[record.passage.title].items() if body != record.passage.text]
        yield record, random.choice(others)


def nearest(question: str, passage: Passage, encoder: QueryEncoder) -> float:
    sentences = [passage.text[one.start : one.end] for one in sentences_of(passage)]
    encoder.prepare([question, *sentences])
    quotes = [Node("", None, 1, question, answer=one, passage=passage) for one in sentences]
    return nearness(question, quotes, encoder)


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--count", default=90, show_default=True, help="Questions.")
def main(data: Path, count: int) -> None:
    """Measure and print."""
    encoder, found = QueryEncoder(), defaultdict[bool, list[tuple[float, float]]](list)
    for record, other in pairs(data, count):
        is_apart = hashlib.sha256(record.passage.title.encode()).digest()[0] % 3 == 0
        values = [nearest(record.question, one, encoder) for one in (record.passage, other)]
        found[is_apart].append((values[0], values[1]))
    for is_apart, rows in sorted(found.items()):
        for least in VALUES:
            own, others = (sum(row[place] >= least for row in rows) for place in (0, 1))
            where = "apart" if is_apart else "shown"
            click.echo(f"{where}, {least}: {own} of {len(rows)} right paragraphs, {others} of {len(rows)} others")


if __name__ == "__main__":
    main()
