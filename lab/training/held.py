"""Fit how likely an answer is right that a model read in passages (``searchain.verification.held``).

    python -m lab.training.held --data everyday/dev.jsonl.gz --readings OUT.jsonl

The careful model reads the five passages of each question and answers in a few words; what it answered is kept in
``--readings``, so that a stopped run goes on. Then a logistic regression over the features is fitted to all answers
that stand in a passage, and its figures are printed cross-fitted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from lab.evaluation.examples import Example, read_dataset
from lab.evaluation.metrics import cover_em
from searchain.assemble import Choice, Parts
from searchain.cancel import CancelToken
from searchain.embedded.careful import CAREFUL
from searchain.files.writing import write_whole
from searchain.language import text
from searchain.llm.gguf import GgufModel
from searchain.reading.lookup import look_up
from searchain.reply.second_reader import Excerpt, SecondReader
from searchain.settings import Settings
from searchain.types import Evidence, Step, TaskKind
from searchain.verification import held

PASSAGES, EXCERPT = 5, 600
FOLDS = 10


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--readings", type=click.Path(path_type=Path), required=True)
@click.option("--out", type=click.Path(path_type=Path), default=held.WEIGHTS)
def main(data: Path, readings: Path, out: Path) -> None:
    """Read the questions of DATA, fit, print the figures and store the weights."""
    rows = list(rows_of(data, readings))
    values, right = np.array([row[0] for row in rows]), np.array([row[1] for row in rows], float)
    for least in (0.7, 0.8, 0.85, 0.9):
        ticked = cross_fitted(values, right) >= least
        click.echo(f"{least}: {ticked.sum()} of {len(rows)}, {right[ticked].mean():.1%} right")
    weights, bias = fitted(values, right)
    stored = {"bias": bias, "weights": dict(zip(held.FEATURES, weights, strict=True)), "rows": len(rows)}
    with write_whole(out) as draft:
        draft.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def fitted(values: np.ndarray, right: np.ndarray) -> tuple[list[float], float]:
    """Return weights and bias of the regression."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit(values, right)
    return [round(float(one), 4) for one in model.coef_[0]], round(float(model.intercept_[0]), 4)


def cross_fitted(values: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the probability of each row by a fit on the other folds."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict

    return cross_val_predict(LogisticRegression(), values, right, cv=FOLDS, method="predict_proba")[:, 1]


def rows_of(data: Path, readings: Path) -> Iterator[tuple[list[float], bool]]:
    """Yield the features of each answer that stands in a passage, and whether it is right."""
    searchain = Parts(Choice(careful="off")).searchain(Settings(), "default")
    known = {one["id"]: one["answer"] for one in map(json.loads, readings.open())} if readings.exists() else {}
    file = CAREFUL.find()
    assert searchain.retriever
    assert searchain.reader
    assert searchain.probability
    assert file is not None, "fetch the careful model with: python assistant.py setup --careful"
    reader = SecondReader(GgufModel(file, slots=1))
    with readings.open("a", encoding="utf-8") as kept:
        for example in read_dataset(data).examples:
            evidence = look_up(
                example.question, searchain.retriever, searchain.reader, PASSAGES, rate=searchain.probability.rated
            )
            if example.id not in known:
                known[example.id] = _answer(reader, example, evidence)
                kept.write(json.dumps({"id": example.id, "answer": known[example.id]}) + "\n")
                kept.flush()
            if row := _row(example, known[example.id], evidence):
                yield row


def _answer(reader: SecondReader, example: Example, evidence: Evidence) -> str:
    excerpts = []
    for hit, reading in zip(evidence.hits, evidence.readings, strict=True):
        start, end = text.window(hit.passage.text, reading.span, EXCERPT)
        excerpts.append(Excerpt(hit.passage.title, hit.passage.text[start:end]))
    return reader.read(example.question, excerpts, TaskKind.MULTIHOP, CancelToken()).answer


def _row(example: Example, answer: str, evidence: Evidence) -> tuple[list[float], bool] | None:
    found = held.graded(Step(example.question, answer), evidence)
    return (found, bool(cover_em(answer, example.answers))) if answer and found is not None else None


if __name__ == "__main__":
    main()
