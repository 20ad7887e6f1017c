"""Fit whether two values that do not agree contradict each other (``searchain.reply.conflicts``).

    python -m lab.training.conflicts --rows ROWS.jsonl [--everyday everyday/dev.jsonl.gz] [--limit N]

The pairs of files of ``lab/benchmarks/conflicts.jsonl`` are read as passages, without an index. Two values are a
contradiction if the question has two answers and the values are these. All other pairs that the questions find there,
or that the everyday questions find in the default index, count as other pairs. The pairs are kept in ROWS, and read
from there if it exists. The part "report" is never fitted to; its figures are printed apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.evaluation.examples import read_dataset
from searchain.assemble import Choice, Parts
from searchain.files.writing import write_whole
from searchain.language.text import contains
from searchain.pipeline import SearChain
from searchain.reading.lookup import Lookups
from searchain.reply import conflicts
from searchain.retrieval.base import Retriever
from searchain.settings import Settings
from searchain.types import Hit, Passage, Place, TaskKind
from searchain.verification.probability import Logistic

PAIRS = Path(__file__).parents[1] / "benchmarks" / "conflicts.jsonl"
PASSAGES = 5
"""How many passages are read for a question."""
FOLDS = 10
LEAST, KEPT = 0.5, 0.97
"""The least threshold. It is raised until this share of the other pairs, judged without their fold, lies below it."""


class InMemory:
    """A retriever of the passages nearest to a query by the cosine of embeddings."""

    def __init__(self, passages: list[Passage], chain: SearChain) -> None:
        self._passages, self._chain = passages, chain

    def search(self, query: str, k: int) -> list[Hit]:
        similarity = self._chain.similarity
        assert similarity is not None
        cosines = [similarity(query, f"{one.title} {one.text}") for one in self._passages]
        best = sorted(range(len(cosines)), key=lambda place: -cosines[place])[:k]
        return [Hit(self._passages[place], 20 * cosines[place], rank) for rank, place in enumerate(best, 1)]


@click.command(help=__doc__.partition("\n")[0])
@click.option("--rows", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--everyday", type=click.Path(exists=True, path_type=Path), help="Questions to the default index.")
@click.option("--limit", type=int, help="Ask so many of them.")
@click.option("--out", type=click.Path(path_type=Path), default=conflicts.WEIGHTS)
def main(rows: Path, everyday: Path | None, limit: int | None, out: Path) -> None:
    """Read the questions unless ROWS has their pairs, fit, print the figures and store the weights."""
    if not rows.is_file():
        with rows.open("w") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows_of(everyday, limit))
    known = [json.loads(line) for line in rows.read_text().splitlines()]
    parts = {is_report: [row for row in known if (row["part"] == "report") is is_report] for is_report in (False, True)}
    values, are_conflicts = arrays(parts[False])
    threshold = max(LEAST, float(np.quantile(cross_fitted(values, are_conflicts)[~are_conflicts], KEPT)))
    weights, bias = fitted(values, are_conflicts)
    model = conflicts.Contradiction(Logistic(bias, tuple(weights)), round(threshold, 4))
    for is_report, rows_of_part in parts.items():
        said: dict[bool, list[bool]] = {True: [], False: []}
        for row in rows_of_part:
            said[row["is_conflict"]].append(model.says(row["features"]))
        click.echo(
            f"{'kept apart' if is_report else 'fitted to'}: {sum(said[True])} of {len(said[True])} found, "
            f"{sum(said[False])} of {len(said[False])} other pairs taken for one"
        )
    stored = {
        "bias": bias,
        "weights": dict(zip(conflicts.FEATURES, weights, strict=True)),
        "threshold": model.threshold,
        "rows": len(parts[False]),
    }
    with write_whole(out) as draft:
        draft.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def rows_of(everyday: Path | None, limit: int | None) -> Iterator[dict[str, Any]]:
    """Yield the pairs of values that are compared, each with its features and whether it is a contradiction."""
    chain = Parts(Choice(careful="off")).searchain(Settings(), "default")
    pairs = [json.loads(line) for line in PAIRS.read_text().splitlines()]
    files = [
        Passage(name, name.rpartition(".")[0], text, place=Place(name, "", 0, len(text)))
        for pair in pairs
        for name, text in pair["files"].items()
    ]
    for pair in pairs:
        for asked in pair["questions"]:
            yield from _rows(chain, InMemory(files, chain), asked["question"], asked["answers"], pair["part"])
    assert chain.retriever is not None
    for example in read_dataset(everyday).examples[:limit] if everyday else ():
        yield from _rows(chain, chain.retriever, example.question, [], "everyday")


def _rows(
    chain: SearChain, retriever: Retriever, question: str, answers: list[str], part: str
) -> Iterator[dict[str, Any]]:
    assert chain.reader is not None
    assert chain.probability is not None
    assert chain.similarity is not None
    pool, task = ThreadPoolExecutor(1), TaskKind.MULTIHOP
    lookups = Lookups(retriever, chain.reader, pool, k=PASSAGES, task=task, rate=chain.probability.rated)
    evidence = lookups.start(question).result()
    for one, other in conflicts.compared(question, evidence, lookups.read, chain.similarity):
        said = [one.reading.answer, other.reading.answer]
        is_conflict = len(answers) > 1 and any(
            contains(answers[0], said[place]) and contains(answers[1], said[1 - place]) for place in (0, 1)
        )
        values = conflicts.features(question, one, other, chain.similarity)
        yield {"part": part, "question": question, "said": said, "features": values, "is_conflict": is_conflict}


def arrays(rows: list[dict[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the features of the rows, and which of them are contradictions."""
    return np.array([row["features"] for row in rows], float), np.array([row["is_conflict"] for row in rows], bool)


def cross_fitted(values: np.ndarray, are_conflicts: np.ndarray) -> np.ndarray:
    """Return the probability of each row by a model that is fitted to the other folds."""
    found = np.zeros(len(values))
    for fold in range(FOLDS):
        is_held = np.arange(len(values)) % FOLDS == fold
        weights, bias = fitted(values[~is_held], are_conflicts[~is_held])
        found[is_held] = [Logistic(bias, tuple(weights)).probability(list(row)) for row in values[is_held]]
    return found


def fitted(values: np.ndarray, are_conflicts: np.ndarray) -> tuple[list[float], float]:
    """Return weights and bias of the regression, whose features are scaled while it is fitted."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = values.mean(axis=0), values.std(axis=0)
    model = LogisticRegression(max_iter=1000).fit((values - mean) / scale, are_conflicts)
    weights = model.coef_[0] / scale
    return [round(float(one), 4) for one in weights], round(float(model.intercept_[0] - weights @ mean), 4)


if __name__ == "__main__":
    main()
