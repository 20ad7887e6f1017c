"""Fit which sentences explain: ``python -m lab.training.own_explanation --data DIR --rows FILE [--out FILE]``.

DIR holds the Reader's data, whose development part taught no Reader. Questions of "how" and "why", some others, and
some "how" and "why" that their paragraph does not answer, are looked up among all its paragraphs. Each sentence found
is a row: one with the marked answer explains, the others do not. A third of the questions, drawn by a hash of their
article's title, is only measured. The rows are kept, so that a second fit needs no model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from lab.evaluation.metrics import area
from lab.training.calibration import Record, read_records
from searchain.console import one_line_errors, tracked
from searchain.embedded.minilm import embedded_reader
from searchain.embedded.mpnet import large_reader
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.language import text
from searchain.reading.large_reader import LargeReader
from searchain.reading.reader import DprReader
from searchain.reading.similarity import QueryEncoder
from searchain.reply.explanation import statements
from searchain.reply.own_explanation import FEATURES, LEAST, SHARE, WEIGHTS, features
from searchain.retrieval import lexical
from searchain.types import Node, Passage
from searchain.verification.probability import Logistic

COUNTS = {"explains": 160, "other": 120, "unanswered": 100}
"""How many questions of each kind are drawn at most."""
PASSAGES = 10
STRENGTH = 10.0
"""C of the regression: the larger, the less the weights are held back."""
ASKED = frozenset("do does did is are was were can could should has have".split())
"""Words after "how" that ask for an explanation."""
VALUES = (0.03, LEAST, 0.2, 0.5)
"""The probabilities at which right sentences are counted."""
Row = dict[str, Any]
"""A question: its kind, whether it is apart, and the features and the truth of each sentence found."""


def kind_of(record: Record) -> str:
    """Return the kind of a record's question, as in ``COUNTS``; "" for one that is not asked."""
    first, second, *_ = (*text.tokens(record.question), "", "")
    explains = first == "why" or (first == "how" and second in ASKED)
    if not record.spans:
        return "unanswered" if explains else ""
    return "explains" if explains else "other"


def drawn(records: Sequence[Record]) -> list[Record]:
    """Return the questions that are asked."""
    random, asked = Random(0), list[Record]()
    for kind, count in COUNTS.items():
        some = [one for one in records if kind_of(one) == kind]
        asked += random.sample(some, min(count, len(some)))
    return asked


class LookUp:
    """Looks questions up among paragraphs by their words."""

    def __init__(self, paragraphs: Sequence[Passage]) -> None:
        self._paragraphs, self.similarity = paragraphs, QueryEncoder()
        self._reader, self._large = DprReader(embedded_reader()), LargeReader(large_reader())

    def nodes(self, question: str) -> list[Node]:
        """Return one node per passage found, with its reading, as ``Lookups.found`` does."""
        found = lexical.nearest(question, self._paragraphs, PASSAGES)
        readings = self._reader.read(question, found)
        return [
            Node("", None, 1, question, passage=one, span=reading.span, confidence=reading.confidence)
            for one, reading in zip(found, readings, strict=True)
        ]

    def row(self, record: Record) -> Row:
        """Return the sentences found for a record's question."""
        all_found = statements(self.nodes(record.question))
        found, rows = features(record.question, all_found, self.similarity, self._large.read)
        return {
            "kind": kind_of(record),
            "question": record.question,
            "is_apart": hashlib.sha256(record.passage.title.encode()).digest()[0] % 3 == 0,
            "features": [list(one) for one in rows],
            "explains": [_holds(one, record) for _, one in found],
        }


def _holds(one: Node, record: Record) -> bool:
    """Tell whether a sentence holds the marked answer."""
    assert one.passage is not None
    assert one.span is not None
    is_its = one.passage.text == record.passage.text
    return is_its and any(span.start < one.span.end and one.span.start < span.end for span in record.spans)


def rows_of(data: Path, kept: Path) -> Iterator[Row]:
    """Yield the rows; those that are not kept yet are looked up."""
    if kept.exists():
        yield from read_jsonl(kept, dict, "row")
        return
    records = read_records(data / "reader" / "dev.jsonl.gz")
    bodies = {one.passage.text: one.passage for one in records}
    look_up = LookUp([replace(one, id=str(n)) for n, one in enumerate(bodies.values())])
    with kept.open("w", encoding="utf-8") as file:
        for record in tracked(drawn(records), "looking up"):
            row = look_up.row(record)
            file.write(json.dumps(row) + "\n")
            yield row


def fitted(rows: Sequence[Row]) -> Logistic:
    """Fit the regression on all sentences of ``rows``."""
    from sklearn.linear_model import LogisticRegression

    values = np.array([one for row in rows for one in row["features"]])
    explains = np.array([one for row in rows for one in row["explains"]])
    model = LogisticRegression(C=STRENGTH, max_iter=1_000).fit(values, explains)
    return Logistic(round(float(model.intercept_[0]), 4), tuple(round(float(one), 4) for one in model.coef_[0]))


def figures_of(model: Logistic, rows: Sequence[Row]) -> dict[str, str]:
    """Return what the model reaches on ``rows``, in words."""
    scores = [[model.probability(one) for one in row["features"]] for row in rows]
    pairs = [pair for row, some in zip(rows, scores, strict=True) for pair in zip(some, row["explains"], strict=True)]
    answered = [(some, row["explains"]) for row, some in zip(rows, scores, strict=True) if any(row["explains"])]
    unanswered = [some for row, some in zip(rows, scores, strict=True) if row["kind"] == "unanswered"]
    first = sum(bool(right[int(np.argmax(some))]) for some, right in answered)
    nearest = sum(
        bool(row["explains"][int(np.argmax([one[0] for one in row["features"]]))])
        for row in rows
        if any(row["explains"])
    )
    found = {
        "AUC of sentences": f"{area([one for one, _ in pairs], [bool(is_right) for _, is_right in pairs]):.3f}",
        "likeliest sentence, nearest sentence right": f"{first}, {nearest} of {len(answered)}",
    }
    for least in VALUES:
        taken = [
            [bool(is_right) for one, is_right in zip(some, right, strict=True) if one >= max(least, SHARE * max(some))]
            for some, right in zip(scores, (row["explains"] for row in rows), strict=True)
        ]
        questions = sum(any(one) for one in taken)
        empty = sum(max(some, default=0.0) < least for some in unanswered)
        found[f"from {least}"] = (
            f"{sum(map(sum, taken))} of {sum(map(len, taken))} sentences right; {questions} of {len(answered)} "
            f"questions have theirs; {empty} of {len(unanswered)} unanswered ones get none"
        )
    return found


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--rows", "kept", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS)
@one_line_errors()
def main(data: Path, kept: Path, out: Path) -> None:
    rows = list(rows_of(data, kept))
    shown, apart = ([row for row in rows if row["is_apart"] is wanted] for wanted in (False, True))
    model = fitted(shown)
    stored = {
        "bias": model.bias,
        "weights": dict(zip(FEATURES, model.weights, strict=True)),
        "fitted_on": len(shown),
        "measured apart": figures_of(model, apart),
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    with write_whole(out) as draft:
        draft.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    click.echo(json.dumps(stored, indent=1))


if __name__ == "__main__":
    main()
