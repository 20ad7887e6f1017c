"""Train the head that recognises questions for what holds now: ``python -m lab.training.now [--out FILE]``.

``data/now.jsonl`` beside this file has questions, each with whether it asks
for what holds now, by the rule in docs/questions.md. A third of each source, drawn by a hash of the text, and all of
``everyday/dev`` are never trained on. The threshold comes from five folds of what is trained on.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np

from lab.training.question_head import Row, as_stored, embedding_by, fitted, records, write_weights
from searchain.console import one_line_errors
from searchain.files.weights import Floats, Layer
from searchain.language import text
from searchain.question.worded import NONE, NOW, with_words
from searchain.reading.similarity import QueryEncoder

ROWS = Path(__file__).parent / "data" / "now.jsonl"
DEV = "everyday-dev"
"""The source of rows that are only measured."""
FRAMES = "frames"
"""The source of rows that are only trained on: each frame has several names."""
KIND = "now"
STRENGTH = 10.0
"""C of the regression: the larger, the less the weights are held back."""
PRECISION = 0.92
"""The least share of right ones among those recognised in five folds: a date on a question that needs none is noise."""
GRID = tuple(round(0.4 + 0.02 * step, 2) for step in range(29))
COMMON = 6
"""The least number of questions with a word that the head sees."""


def common_words(rows: Sequence[Row]) -> list[str]:
    counts = Counter(word for row in rows for word in set(text.tokens(row.text)))
    return sorted(word for word, count in counts.items() if count >= COMMON)


def recognised(layer: Layer, values: Floats) -> Floats:
    return np.array([1 - layer.shares(one)[NONE] for one in values])


def binary(values: Floats, labels: Sequence[str], strength: float = STRENGTH, weights: Floats | None = None) -> Layer:
    """Fit a layer with a row for each of both labels."""
    one = fitted(values, labels, strength, weights)
    return Layer(one.labels, np.vstack([-one.weights, one.weights]) / 2, np.append(-one.bias, one.bias) / 2)


def scored(found: Floats, rows: Sequence[Row], threshold: float) -> tuple[int, int, int]:
    """Return how many are recognised, how many of these are right, and how many there are."""
    taken = [row for row, share in zip(rows, found, strict=True) if share >= threshold]
    right, every = (sum(row.kind != NONE for row in some) for some in (taken, rows))
    return len(taken), right, every


def threshold_of(rows: Sequence[Row], values: Floats, precision: float = PRECISION) -> float:
    """Return the least threshold that reaches ``precision`` in five folds, in which frames are only trained on."""
    fold = np.array([-1 if row.source == FRAMES else hashlib.sha256(row.text.encode()).digest()[1] % 5 for row in rows])
    found = np.zeros(len(rows))
    for one in range(5):
        rest = np.flatnonzero(fold != one).tolist()
        layer = binary(values[rest], [rows[n].kind for n in rest])
        found[fold == one] = recognised(layer, values[fold == one])
    judged = [row for row in rows if row.source != FRAMES]
    counts = {value: scored(found[fold >= 0], judged, value) for value in GRID}
    return next((value for value, (taken, right, _) in counts.items() if right >= precision * taken > 0), GRID[-1])


def figures(found: Floats, rows: Sequence[Row], threshold: float) -> Iterator[tuple[str, str]]:
    for source in (*dict.fromkeys(row.source for row in rows), "all"):
        some = [n for n, row in enumerate(rows) if source in (row.source, "all")]
        taken, right, every = scored(found[some], [rows[n] for n in some], threshold)
        told = f"{taken} recognised, {right} of these rightly, of {every} among {len(some)}"
        yield f"{source}, never trained on", told


@click.command(help=__doc__)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=NOW, help="Where the weights go.")
@one_line_errors()
def main(out: Path) -> None:
    rows = [Row(one["text"], KIND if one["now"] else NONE, one["source"]) for one in records(ROWS)]
    is_apart = np.array([row.source == DEV or (row.source != FRAMES and row.is_apart) for row in rows])
    train = [row for row, apart in zip(rows, is_apart, strict=True) if not apart]
    words = common_words(train)
    embeddings = embedding_by(QueryEncoder())([row.text for row in rows])
    values = np.stack([with_words(one, row.text, words) for one, row in zip(embeddings, rows, strict=True)])
    layer = binary(values[~is_apart], [row.kind for row in train])
    threshold = threshold_of(train, values[~is_apart])
    apart = [row for row, kept in zip(rows, is_apart, strict=True) if kept]
    told = dict(figures(recognised(layer, values[is_apart]), apart, threshold))
    stored = {"threshold": threshold, "trained_on": len(train), "words": words, **as_stored(layer)}
    write_weights(out, stored, told)


if __name__ == "__main__":
    main()
