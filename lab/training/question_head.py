"""Train the head that reads a question: ``python -m lab.training.question_head --data DIR [--out FILE]``.

DIR holds the project's data (``everyday``, ``reader``, ``mtrag``, ``decompose``, ``multihop``). What people say without
asking a library, and questions that look like it, stand in ``data/talk.jsonl`` beside this file. A third of every
source, drawn by a hash of the text, is never trained on; its figures are printed and stored. Utterances near to those
of ``everyday/smalltalk_dev.jsonl`` are left out as well. The threshold comes from five folds of what is trained on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.training.natural import For, natural
from searchain.console import one_line_errors
from searchain.files.jsonl import read_jsonl
from searchain.files.weights import Floats, Layer
from searchain.files.writing import write_whole
from searchain.question.head import QUESTION, WEIGHTS
from searchain.reading.similarity import QueryEncoder

TALK = Path(__file__).parent / "data" / "talk.jsonl"
OWN = ("own-documents", "mtrag")
"""Sources of questions about own documents."""
READ = 3_000
"""Questions taken from the Reader's data."""
NEAR = 0.9
"""Cosine from which on an utterance counts as a copy of one that is only measured."""
FALSE_ALARMS, FALSE_ALARMS_OWN = 1 / 500, 1 / 50
"""Shares of questions that may be taken for talk in five folds, each of which knows fewer rows than the whole."""
TOGETHER = 512
"""Texts that are embedded before their embeddings are taken."""
GRID = tuple(round(0.5 + 0.05 * step, 2) for step in range(10))
STRENGTH = 30.0
"""C of the regression: the larger, the less the weights are held back."""


@dataclass(frozen=True, slots=True)
class Row:
    text: str
    kind: str
    source: str

    @property
    def is_apart(self) -> bool:
        """Whether the row is only measured."""
        return hashlib.sha256(" ".join(self.text.casefold().split()).encode()).digest()[0] % 3 == 0


def records(file: Path) -> list[dict[str, Any]]:
    return read_jsonl(file, dict, "record")


def questions(file: Path) -> list[str]:
    return [record["question"] for record in records(file)]


def talk_rows(data: Path) -> list[Row]:
    """Return what is said, with its kind, and questions, which are not."""
    rows = [Row(record["text"], record["kind"], record["source"]) for record in records(TALK)]
    rows += [Row(one, QUESTION, "everyday") for one in questions(data / "everyday" / "train.jsonl.gz")]
    titles = dict.fromkeys(one["title"] for one in records(data / "everyday" / "train.jsonl.gz"))
    rows += [Row(one, QUESTION, "titles") for one in titles]
    rows += [Row(one, QUESTION, "mtrag") for one in questions(data / "mtrag" / "dev.jsonl.gz")]
    return rows + [Row(one, QUESTION, "reader") for one in read_questions(data)]


def typed(part: For, kinds: Collection[str] = ()) -> list[str]:
    """Return what people type about their own files, from the collections of one part; ``kinds``: empty for all."""
    asked = [each for one in natural() if one.part == part for each in one.asked]
    return [each["question"] for each in asked if not kinds or each["kind"] in kinds]


def read_questions(data: Path) -> list[str]:
    found = {one["question"] for one in records(data / "reader" / "train.jsonl.gz") if one["source"] in ("squad", "nq")}
    return sorted(found, key=lambda one: hashlib.sha256(one.encode()).hexdigest())[:READ]


def fitted(values: Floats, labels: Sequence[str], strength: float, weights: Floats | None = None) -> Layer:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=strength, max_iter=400).fit(values, labels, sample_weight=weights)
    return Layer(tuple(map(str, model.classes_)), model.coef_.round(3), model.intercept_.round(3))


def embedding_by(encoder: QueryEncoder) -> Callable[[Sequence[str]], Floats]:
    """Return a function from texts to their embeddings, one row each; a text is embedded once."""
    known: dict[str, Floats] = {}

    def embedded(texts: Sequence[str]) -> Floats:
        unknown = [one for one in dict.fromkeys(texts) if one not in known]
        for first in range(0, len(unknown), TOGETHER):
            some = unknown[first : first + TOGETHER]
            encoder.prepare(some)
            known.update((one, np.asarray(encoder.embed(one), dtype=float)) for one in some)
        return np.stack([known[one] for one in texts])

    return embedded


def as_stored(layer: Layer) -> dict[str, Any]:
    return {"labels": layer.labels, "bias": layer.bias.tolist(), "weights": layer.weights.tolist()}


def write_weights(out: Path, stored: Mapping[str, Any], figures: Mapping[str, str]) -> None:
    """Write weights with their figures, and print these."""
    with write_whole(out) as draft:
        text = json.dumps({**stored, "measured": figures}, ensure_ascii=False, separators=(",", ":"))
        draft.write_text(f"{text}\n", encoding="utf-8")
    for name, figure in {"threshold": str(stored["threshold"]), **figures}.items():
        click.echo(f"{name}: {figure}")


def weight_of(row: Row) -> float:
    """What a row counts: a false alarm is worse than a miss, and few questions about own documents are known."""
    return 1.0 if row.kind != QUESTION else 6.0 if row.source in OWN else 2.0


def talk_of(layer: Layer, values: Floats) -> Floats:
    return np.array([1 - layer.shares(one)[QUESTION] for one in values])


def threshold_of(rows: Sequence[Row], values: Floats) -> float:
    """Return the least threshold that keeps the false alarms, in five folds, below their shares."""
    fold = np.array([hashlib.sha256(row.text.encode()).digest()[1] % 5 for row in rows])
    found = np.zeros(len(rows))
    for one in range(5):
        rest = [index for index in range(len(rows)) if fold[index] != one]
        weights = np.array([weight_of(rows[index]) for index in rest])
        layer = fitted(values[rest], [rows[index].kind for index in rest], STRENGTH, weights)
        found[fold == one] = talk_of(layer, values[fold == one])

    def least(among: Callable[[Row], bool], share: float) -> float:
        chosen = found[[row.kind == QUESTION and among(row) for row in rows]]
        return next((value for value in GRID if (chosen >= value).mean() <= share), GRID[-1])

    general = least(lambda row: row.source in ("everyday", "reader"), FALSE_ALARMS)
    return max(general, least(lambda row: row.source == OWN[0], FALSE_ALARMS_OWN))


def talk_figures(
    layer: Layer, rows: Sequence[Row], embedded: Callable[[Sequence[str]], Floats], data: Path, threshold: float
) -> Iterator[tuple[str, str]]:
    """Yield the name of each measured set, and how much of it is taken for talk."""

    def taken(texts: Sequence[str]) -> str:
        return f"{int((talk_of(layer, embedded(texts)) >= threshold).sum())} of {len(texts)}"

    yield "small talk dev, recognised", taken(questions(data / "everyday" / "smalltalk_dev.jsonl"))
    yield "everyday/dev, false alarms", taken(questions(data / "everyday" / "dev.jsonl.gz"))
    for source in dict.fromkeys(row.source for row in rows):
        for is_question in (False, True):
            some = [row for row in rows if row.source == source and (row.kind == QUESTION) is is_question]
            if some:
                what = "false alarms" if is_question else "recognised"
                yield f"{source} apart, {what}", taken([row.text for row in some])
    talk = [row for row in rows if row.kind != QUESTION]
    kinds = [layer.shares(one) | {QUESTION: 0.0} for one in embedded([row.text for row in talk])]
    right = sum(max(one, key=one.__getitem__) == row.kind for one, row in zip(kinds, talk, strict=True))
    yield "kind of talk apart, right", f"{right} of {len(talk)}"


@click.command(help=__doc__)
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS, help="Where the weights go.")
@one_line_errors()
def main(data: Path, out: Path) -> None:
    embedded = embedding_by(QueryEncoder())

    rows = talk_rows(data)
    copies = embedded([row.text for row in rows]) @ embedded(questions(data / "everyday" / "smalltalk_dev.jsonl")).T
    is_copy = copies.max(axis=1) >= NEAR
    train = [
        row
        for row, copied in zip(rows, is_copy, strict=True)
        if not row.is_apart and (row.kind == QUESTION or not copied)
    ]
    values = embedded([row.text for row in train])
    talk = fitted(values, [row.kind for row in train], STRENGTH, np.array([weight_of(row) for row in train]))
    threshold = threshold_of(train, values)
    figures = dict(talk_figures(talk, [row for row in rows if row.is_apart], embedded, data, threshold))
    write_weights(out, {"threshold": threshold, "trained_on": len(train), "talk": as_stored(talk)}, figures)


if __name__ == "__main__":
    main()
