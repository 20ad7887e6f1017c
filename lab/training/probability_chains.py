"""Fit how likely the ends of chains are right: ``python -m lab.training.probability_chains --chains OUT …``.

The end of a chain of several steps is rated by the probabilities of its steps; the rows come from the lines that
``eval --out`` writes. The figures of the logistic regression are cross-fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from lab.evaluation.metrics import area, cover_em
from lab.evaluation.trust import calibration_error
from lab.training.probability import FOLDS, LEAST, digest, store
from searchain.console import one_line_errors
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.question.head import Head
from searchain.reading.similarity import QueryEncoder
from searchain.types import Node, Reading, Verdict
from searchain.verification.probability import (
    CHAIN_FEATURES,
    WEIGHTS,
    Expected,
    Logistic,
    chain_features,
    is_one_look_up,
)

C = 0.3
"""The inverse of the regularisation's strength."""
Row = tuple[list[float], bool]


def chain_rows(out_file: Path, steps: Expected | None = None) -> Iterator[Row]:
    """Yield the features of every chain in an out file that is more than one look-up, and whether its end is right."""
    for line in read_jsonl(out_file, dict, "line of an out file"):
        path, final = _chain(line)
        if path and final and not is_one_look_up(line["standalone_question"], path):
            values = chain_features(line["standalone_question"], path, final, _direct(line), steps)
            yield values, bool(cover_em(final, line["answers"]))


def _chain(line: dict[str, Any]) -> tuple[list[Node], str]:
    """The path of the model's chain and what it ends with, also where the reply took another answer."""
    stored = {node["id"]: node for node in line["tree"]["nodes"]}
    ends = [one for one in line["candidates"] if one["origin"] == "chain"]
    if line["candidates"] and not ends:
        return [], ""
    on_path = [node["id"] for node in line["tree"]["nodes"] if node["on_path"]]
    at = ends[0]["node"] if ends else on_path[-1] if on_path else None
    path: list[Node] = []
    while at is not None:
        path.insert(0, _node(stored[at]))
        at = stored[at]["parent"]
    return path, ends[0]["answer"] if ends else line["final_answer"]


def _direct(line: dict[str, Any]) -> Reading | None:
    """What the question itself found, where it was weighed against the chain."""
    found = [one for one in line["candidates"] if one["origin"] == "question"]
    return Reading(found[0]["answer"], None, 0.0, probability=found[0]["probability"]) if found else None


def _node(stored: dict[str, Any]) -> Node:
    return Node(
        id=stored["id"],
        parent=stored["parent"],
        round=stored["round"],
        query=stored["query"],
        answer=stored["answer"],
        verdict=Verdict(stored["verdict"]) if stored["verdict"] else None,
        probability=stored["probability"],
    )


def fit(values: NDArray[np.float64], right: NDArray[np.bool_]) -> Logistic:
    """Fit a regression to the rows, on features of equal spread."""
    from sklearn.linear_model import LogisticRegression

    mean, spread = values.mean(axis=0), np.maximum(values.std(axis=0), 1e-6)
    model = LogisticRegression(C=C, max_iter=2_000).fit((values - mean) / spread, right)
    weights = model.coef_[0] / spread
    return Logistic(float(model.intercept_[0] - weights @ mean), tuple(float(weight) for weight in weights))


def cross_fitted(values: NDArray[np.float64], right: NDArray[np.bool_], seed: int = 0) -> NDArray[np.float64]:
    """Return the probability of every row by a regression that has not seen it."""
    fold = np.random.default_rng(seed).permutation(len(right)) % FOLDS
    rated = np.zeros(len(right))
    for number in range(FOLDS):
        held = fold == number
        model = fit(values[~held], right[~held])
        rated[held] = [model.probability(row) for row in values[held].tolist()]
    return rated


def fitted(rows: Sequence[Row]) -> Iterator[str | dict[str, Any]]:
    """Yield the cross-fitted figures in words, and at last what is stored.

    Raises:
        UsageError: the rows are too few.
    """
    if len(rows) < LEAST or len({right for _, right in rows}) < 2:
        raise UsageError(f"{len(rows)} chains are too few to fit on; give {LEAST} or more, right ones and wrong ones")
    values, right = np.array([row for row, _ in rows]), np.array([right for _, right in rows])
    rated = cross_fitted(values, right)
    yield (
        f"{len(rows)} chains, {right.mean():.3f} right, AUC {area(rated, right):.3f}, "
        f"ECE {calibration_error(right, rated):.3f}"
    )
    for least in (0.5, 0.6, 0.7, 0.8, 0.9):
        if (high := rated >= least).any():
            yield f"  from {least:.1f} on: {high.mean():.3f} of them, {right[high].mean():.3f} right"
    model = fit(values, right)
    weights = {feature: round(weight, 5) for feature, weight in zip(CHAIN_FEATURES, model.weights, strict=True)}
    yield {"bias": round(model.bias, 5), "weights": weights}


@click.command(help=__doc__)
@click.option(
    "--chains", multiple=True, required=True, type=click.Path(exists=True, path_type=Path), help="Out files of eval."
)
@click.option(
    "--out", default=WEIGHTS, show_default=True, type=click.Path(path_type=Path), help="The folder to change."
)
@one_line_errors()
def main(chains: tuple[Path, ...], out: Path) -> None:
    steps = Head(QueryEncoder()).expected_steps
    for told in fitted([row for file in chains for row in chain_rows(file, steps)]):
        if isinstance(told, str):
            click.echo(told)
        else:
            store(out, {"chain": {**told, "rows": [digest(file) for file in chains]}})


if __name__ == "__main__":
    main()
