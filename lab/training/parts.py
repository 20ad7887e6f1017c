"""Train the head that parts a question: ``python -m lab.training.parts --data DIR [--out FILE]``.

``data/several.jsonl`` beside this file has questions for several things, each with its parts, and questions that only
look as if they did. Those of ``data/natural.jsonl.gz`` and of DIR (``everyday``, ``reader``, ``multihop``) count as
questions for one thing, though a few ask for two. The natural collections that judge, ``everyday/dev`` and
``multihop/hops`` are never trained on. A third of all others but the natural ones, drawn by a hash of the text, is
first kept apart: the figures of a layer that has not seen it are printed and stored. The stored layer is fitted to it,
too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from lab.training.document_head import SOME, is_apart
from lab.training.natural import For, natural
from lab.training.now import binary
from lab.training.question_head import as_stored, questions, read_questions, records, write_weights
from searchain.console import one_line_errors
from searchain.files.weights import Floats, Layer
from searchain.question.parts import BEGINS, OTHER, WEIGHTS, PartHead, PartWeights, values
from searchain.reading.similarity import QueryEncoder

ROWS = Path(__file__).parent / "data" / "several.jsonl"
STRENGTH = 0.03
"""C of the regression: the larger, the less the weights are held back."""
WRITTEN = 5.0
"""What a word of a written row counts: there are few."""
THRESHOLD = 0.5
"""The least probability with which another thing is asked from a word on."""


@dataclass(frozen=True, slots=True)
class Row:
    text: str
    source: str
    is_apart: bool
    is_judging: bool = False
    """Whether the row is never trained on."""
    begins: frozenset[int] = frozenset()
    """Where the parts begin that follow the first."""


def written() -> Iterator[Row]:
    """Yield the rows of ``data/several.jsonl``."""
    for one in records(ROWS):
        at, begins = 0, []
        for part in one["parts"]:
            at = one["question"].index(part, at)
            begins.append(at)
            at += len(part)
        source = "several things" if len(begins) > 1 else "one thing that looks like several"
        yield Row(one["question"], source, is_apart(one["question"]), begins=frozenset(begins[1:]))


def rows_of(data: Path) -> Iterator[Row]:
    yield from written()
    for one in natural():
        is_judging = one.part == For.JUDGING
        yield from (Row(asked["question"], "natural", is_judging, is_judging) for asked in one.asked)
    learnt = {"everyday": questions(data / "everyday" / "train.jsonl.gz"), "reader": read_questions(data)}
    yield from (Row(one, source, is_apart(one)) for source, some in learnt.items() for one in some)
    for source in ("everyday/dev", "multihop/hops"):
        yield from (Row(one, source, True, True) for one in questions(data / f"{source}.jsonl.gz"))


def read(rows: Sequence[Row], encoder: QueryEncoder) -> Iterator[dict[int, Floats]]:
    """Yield the values at the joints of each row."""
    for first in range(0, len(rows), SOME):
        some = [row.text for row in rows[first : first + SOME]]
        yield from map(values, some, encoder.token_states(some))


def taught(rows: Sequence[Row], found: Sequence[dict[int, Floats]]) -> Layer:
    """Return the layer fitted to the joints of ``rows``."""
    each = [(row, at, value) for row, some in zip(rows, found, strict=True) for at, value in some.items()]
    labels = [BEGINS if at in row.begins else OTHER for row, at, _ in each]
    weights = np.array([WRITTEN if row.source not in ("natural", "everyday", "reader") else 1.0 for row, _, _ in each])
    return binary(np.array([value for *_, value in each]), labels, STRENGTH, weights)


def figures(head: PartHead, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yield the name of each measured set, and in how many of its questions several things are found."""
    sets = defaultdict[str, list[Row]](list)
    for row in rows:
        sets[row.source].append(row)
    for source, some in sets.items():
        found = [head.begins(row.text) if head.parts(row.text) else frozenset() for row in some]
        told = f"{sum(map(bool, found))} of {len(some)} parted"
        if any(row.begins for row in some):
            told += f", {sum(one == row.begins for one, row in zip(found, some, strict=True))} rightly"
        yield f"{source}, kept apart", told


@click.command(help=__doc__)
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS, help="Where the weights go.")
@one_line_errors()
def main(data: Path, out: Path) -> None:
    encoder, rows = QueryEncoder(), list(rows_of(data))
    found = list(read(rows, encoder))
    learnt = [number for number, row in enumerate(rows) if not row.is_apart]
    first = PartWeights(taught([rows[n] for n in learnt], [found[n] for n in learnt]), THRESHOLD)
    measured = dict(figures(PartHead(encoder, first), [row for row in rows if row.is_apart]))
    learnt = [number for number, row in enumerate(rows) if not row.is_judging]
    layer = taught([rows[n] for n in learnt], [found[n] for n in learnt])
    write_weights(out, {"threshold": THRESHOLD, "trained_on": len(learnt), **as_stored(layer)}, measured)


if __name__ == "__main__":
    main()
