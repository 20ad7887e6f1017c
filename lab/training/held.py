"""Fit how likely an answer is right that a model read in passages (``searchain.verification.held``).

    python -m lab.training.held --data everyday/dev.jsonl.gz --readings OUT.jsonl --chains lab/data/strong.jsonl

Two kinds of answers teach. The careful model reads the five passages of each question of ``--data`` and answers in a
few words; what it answered is kept in ``--readings``, so that a stopped run goes on. The chains are those of
``lab.benchmarks.strong``: right steps, steps with invented details, and wrong first steps. A logistic regression over
the features is fitted to two thirds of the questions, and its figures are printed for the last third.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.evaluation.examples import Example, read_dataset
from lab.evaluation.metrics import cover_em
from searchain.assemble import Choice, Parts
from searchain.cancel import CancelToken
from searchain.embedded.assets import CAREFUL
from searchain.files.writing import write_whole
from searchain.language import text
from searchain.language.same_answer import agreement
from searchain.llm.served import GgufModel
from searchain.pipeline import SearChain
from searchain.reading.lookup import look_up
from searchain.reply.second_reader import Excerpt, SecondReader
from searchain.settings import Settings
from searchain.types import Hit, Passage, Reading, Step, TaskKind
from searchain.verification import held

PASSAGES, EXCERPT = 5, 600
FOLDS = 10
WANTED = 0.95
"""The share of right answers above the threshold: of chains of two such answers nine in ten are right."""
APART = 3
"""Every third question teaches nothing."""
Pairs = Sequence[tuple[Hit, Reading]]
_NOWHERE = Passage("", "", "")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer that a passage holds."""

    values: Sequence[float]
    is_right: bool
    is_apart: bool
    source: str


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--readings", type=click.Path(path_type=Path), required=True)
@click.option("--chains", type=click.Path(path_type=Path, exists=True), multiple=True)
@click.option("--limit", type=int, help="Most questions of each file.")
@click.option("--out", type=click.Path(path_type=Path), default=held.WEIGHTS)
def main(data: Path, readings: Path, chains: Sequence[Path], limit: int | None, out: Path) -> None:
    """Read the questions, fit, print the figures and store the weights."""
    searchain = Parts(Choice(careful="off")).searchain(Settings(), "default")
    rows = [*careful_rows(searchain, data, readings, limit)]
    for file in chains:
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()][:limit]
        rows += chain_rows(lines, partial(_evidence, searchain))
    fit(rows, out)


def fit(rows: Sequence[Row], out: Path) -> None:
    """Fit the weights to the rows that teach, print the figures of the others, and store the weights in ``out``."""
    from sklearn.linear_model import LogisticRegression

    taught = [row for row in rows if not row.is_apart]
    model = LogisticRegression().fit([row.values for row in taught], [row.is_right for row in taught])
    for source in sorted({row.source for row in rows}):
        apart = [row for row in rows if row.is_apart and row.source == source]
        rated = model.predict_proba(np.array([row.values for row in apart]))[:, 1] if apart else np.array([])
        right = np.array([row.is_right for row in apart], float)
        for least in (0.8, 0.85, 0.9):
            ticked = rated >= least
            share = f"{right[ticked].mean():.1%} right" if ticked.any() else "none"
            click.echo(f"{source} ({right.sum():.0f} of {len(right)} right), {least}: {ticked.sum()}, {share}")
    weights = [round(float(one), 4) for one in model.coef_[0]]
    threshold = least_sure(taught)
    click.echo(f"threshold {threshold}")
    stored = {
        "bias": round(float(model.intercept_[0]), 4),
        "weights": dict(zip(held.FEATURES, weights, strict=True)),
        "threshold": threshold,
        "rows": len(taught),
    }
    with write_whole(out) as draft:
        draft.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def least_sure(rows: Sequence[Row]) -> float:
    """Return the least probability from which on ``WANTED`` of the answers are right, cross-fitted."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_predict

    right = np.array([row.is_right for row in rows])
    values = np.array([row.values for row in rows])
    rated = cross_val_predict(LogisticRegression(), values, right, cv=FOLDS, method="predict_proba")[:, 1]
    steps = np.arange(0.7, 0.96, 0.01)
    return round(float(next(least for least in steps if right[rated >= least].mean() >= WANTED)), 2)


def careful_rows(searchain: SearChain, data: Path, readings: Path, limit: int | None) -> Iterator[Row]:
    """Yield what the careful model answered, where a passage holds it."""
    known = {one["id"]: one["answer"] for one in map(json.loads, readings.open())} if readings.exists() else {}
    file = CAREFUL.find()
    assert file is not None, "fetch the careful model with: python assistant.py setup --careful"
    reader = SecondReader(GgufModel(file, slots=1))
    with readings.open("a", encoding="utf-8") as kept:
        for place, example in enumerate(read_dataset(data).examples[:limit]):
            pairs = _evidence(searchain, example.question)
            if example.id not in known:
                known[example.id] = _answer(reader, example, pairs)
                kept.write(json.dumps({"id": example.id, "answer": known[example.id]}) + "\n")
                kept.flush()
            answer = known[example.id]
            found = held.graded(Step(example.question, answer), pairs) if answer else None
            if found is not None:
                yield Row(found[1], bool(cover_em(answer, example.answers)), place % APART == 2, "careful")


def chain_rows(lines: Sequence[dict[str, Any]], evidence: Callable[[str], Pairs]) -> Iterator[Row]:
    """Yield the steps of chains, judged by the passages of the question and of their own look-up.

    What is kept of an answer is right if it is the right step's. Steps after a wrong one are left out: they may be
    right answers to their own queries.
    """
    for place, line in enumerate(lines):
        for kind in ("steps", "invented", "wrong"):
            for step, right in zip(line[kind] or [], line["steps"], strict=False):
                query = step["query"]
                pairs = {hit.passage.id: (hit, read) for hit, read in (*evidence(line["question"]), *evidence(query))}
                found = held.graded(Step(query, step["answer"]), list(pairs.values()))
                is_right = agreement(found[0] if found else step["answer"], right["answer"], _NOWHERE)[0] == "agree"
                if found is not None and line["in_corpus"]:
                    yield Row(found[1], is_right, place % APART == 2, "chains")
                if not is_right:
                    break


def _evidence(searchain: SearChain, query: str) -> Pairs:
    assert searchain.retriever
    assert searchain.reader
    assert searchain.probability
    found = look_up(query, searchain.retriever, searchain.reader, PASSAGES, rate=searchain.probability.rated)
    return list(zip(found.hits, found.readings, strict=True))


def _answer(reader: SecondReader, example: Example, pairs: Pairs) -> str:
    excerpts = []
    for hit, reading in pairs:
        start, end = text.window(hit.passage.text, reading.span, EXCERPT)
        excerpts.append(Excerpt(hit.passage.title, hit.passage.text[start:end]))
    return reader.read(example.question, excerpts, TaskKind.MULTIHOP, CancelToken(), lambda usage: None).answer


if __name__ == "__main__":
    main()
