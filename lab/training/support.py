"""Fit and score the support check: ``python -m lab.training.support --data DIR [--out FILE]``.

DIR holds ``*.jsonl.gz`` files of judgements: {"claim", "evidence", "label", "source", "license"} a line. Weights are
fitted on the sources whose licence is stated, each of equal weight, its two classes too; these sources are scored out
of fold, the others with the weights of all. Both thresholds are set on all sources.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.evaluation.metrics import area
from searchain.console import one_line_errors, tracked
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.reply.support_check import FEATURES, WEIGHTS, SupportCheck, Weights, paragraphs

FOLDS = 5
PENALTY = 1.0
"""On the squared weights of standardised features."""
WHAT = 'judgement; wanted: {"claim", "evidence", "label", "source", "license"}'
GRID = tuple(round(float(value), 3) for value in np.arange(0.02, 0.99, 0.01))
"""Thresholds that are tried."""
RECALL = 0.4
"""Of the supported sentences the check finds at least this share; beyond it, precision counts."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The features of one claim, and what people said."""

    features: tuple[float, ...]
    label: str
    source: str
    group: str
    """Claims that share it are never on both sides of a fold."""
    is_licensed: bool

    @property
    def is_supported(self) -> bool:
        return self.label == "supported"


@dataclass(frozen=True, slots=True)
class Scores:
    """Of "supported" against the rest, between 0 and 1."""

    balanced_accuracy: float
    precision: float
    recall: float
    f1: float
    always_precision: float
    """Of a check that always says "supported"; its recall is 1,"""
    always_f1: float
    """its balanced accuracy 0.5."""


def read_judged(folder: Path, check: SupportCheck) -> list[Judged]:
    """All judgements of the folder's ``*.jsonl.gz`` files, with their features.

    Raises:
        UsageError: there is none, or a line has another form.
    """
    records = [record for file in sorted(folder.glob("*.jsonl.gz")) for record in read_jsonl(file, _judgement, WHAT)]
    if not records:
        raise UsageError(f"no judgements (*.jsonl.gz) in {str(folder)!r}")
    return [
        Judged(
            check.features(record["claim"], paragraphs(record["evidence"])),
            record["label"],
            record["source"],
            str(record.get("question") or record.get("page")),
            "no licence" not in record["license"],
        )
        for record in tracked(records, "features")
    ]


def _judgement(record: dict[str, Any]) -> dict[str, Any]:
    if missing := {"claim", "evidence", "label", "source", "license"} - record.keys():
        raise ValueError(f"no {min(missing)!r}")
    return record


def fit(judged: Sequence[Judged]) -> tuple[float, np.ndarray]:
    """Bias and weights [F] of a logistic regression of "supported", by Newton's method; every source, and in it both
    answers, count the same."""
    x, y = _arrays(judged)
    counts = [
        sum(one.source == other.source and one.is_supported == other.is_supported for other in judged) for one in judged
    ]
    share = np.array([1 / count for count in counts])
    share *= len(judged) / share.sum()
    mean, spread = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-6)
    design = np.hstack([np.ones((len(x), 1)), (x - mean) / spread])
    penalty = np.diag([0.0, *[PENALTY] * x.shape[1]])
    theta = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ theta))
        curvature = design.T @ (design * (share * p * (1 - p))[:, None]) + penalty + 1e-9 * np.eye(len(theta))
        step = np.linalg.solve(curvature, design.T @ (share * (y - p)) - penalty @ theta)
        theta += step
        if np.abs(step).max() < 1e-8:
            break
    weights = theta[1:] / spread
    return float(theta[0] - weights @ mean), weights


def _arrays(judged: Sequence[Judged]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([one.features for one in judged]), np.array([one.is_supported for one in judged], dtype=float)


def scored(judged: Sequence[Judged]) -> tuple[np.ndarray, float, np.ndarray]:
    """A score for each, out of fold where it may be learnt from; bias and weights of all that may."""
    groups = sorted({(one.source, one.group) for one in judged if one.is_licensed})
    order = np.random.default_rng(0).permutation(len(groups))
    fold_of = {groups[place]: number % FOLDS for number, place in enumerate(order)}
    folds = [fold_of.get((one.source, one.group), -1) if one.is_licensed else -1 for one in judged]
    bias, weights = fit([one for one in judged if one.is_licensed])
    x, _ = _arrays(judged)
    scores = bias + x @ weights
    for fold in range(FOLDS):
        rest = [one for one, its in zip(judged, folds, strict=True) if its not in (fold, -1)]
        own = np.array(folds) == fold
        if own.any():
            its_bias, its_weights = fit(rest)
            scores[own] = its_bias + x[own] @ its_weights
    return 1 / (1 + np.exp(-scores)), bias, weights


def scores_of(said: np.ndarray, supported: np.ndarray) -> Scores:
    """The scores of the answers ``said`` [N] to whether each claim is supported [N], both boolean."""
    hits = int((said & supported).sum())
    precision, recall = hits / max(1, int(said.sum())), hits / max(1, int(supported.sum()))
    rejection = float((~said & ~supported).sum() / max(1, int((~supported).sum())))
    base = float(supported.mean())
    return Scores(
        *(
            round(value, 4)
            for value in (
                (recall + rejection) / 2,
                precision,
                recall,
                2 * hits / max(1, int(said.sum() + supported.sum())),
                base,
                2 * base / (1 + base),
            )
        )
    )


def by_source(judged: Sequence[Judged], scores: np.ndarray, threshold: float) -> dict[str, Scores]:
    """The scores of each source when from ``threshold`` on a claim is called supported."""
    _, y = _arrays(judged)
    sources = np.array([one.source for one in judged])
    return {
        str(source): scores_of(scores[sources == source] >= threshold, y[sources == source] > 0)
        for source in np.unique(sources)
    }


def mean_of(scores: Mapping[str, Scores]) -> Scores:
    return Scores(
        *(
            round(float(np.mean(column)), 4)
            for column in zip(*(asdict(one).values() for one in scores.values()), strict=True)
        )
    )


def best_threshold(judged: Sequence[Judged], scores: np.ndarray, *, without: str = "") -> float:
    """From which score on "supported" and the rest are told apart best: by the mean balanced accuracy of the sources,
    but for the one named ``without``."""

    def accuracy(threshold: float) -> float:
        found = by_source(judged, scores, threshold)
        others = [one.balanced_accuracy for source, one in found.items() if source != without]
        return float(np.mean(others)) if others else 0.0  # all are as good without another source

    return max(GRID, key=accuracy)


def told_apart(judged: Sequence[Judged], scores: np.ndarray, best: float) -> dict[str, dict[str, float]]:
    """How well "supported" and the rest are told apart, by source and on average: balanced accuracy at ``best``, and at
    the threshold that is best for the other sources; and the area under the ROC curve."""
    _, y = _arrays(judged)
    sources = np.array([one.source for one in judged])
    at_best, found = by_source(judged, scores, best), {}
    for source in at_best:
        own = sources == source
        held_out = by_source(judged, scores, best_threshold(judged, scores, without=source))[source]
        found[source] = {
            "balanced_accuracy": at_best[source].balanced_accuracy,
            "balanced_accuracy_held_out": held_out.balanced_accuracy,
            "auc": round(area(scores[own], y[own] > 0), 4),
        }
    names = next(iter(found.values()))
    mean = {name: round(float(np.mean([one[name] for one in found.values()])), 4) for name in names}
    return {**found, "mean": mean}


def outside(judged: Sequence[Judged], scores: np.ndarray, band: tuple[float, float]) -> tuple[float, float]:
    """Mean balanced accuracy over the sources of the scores outside ``band``, and how many of all these are."""
    is_sure = (scores < band[0]) | (scores >= band[1])
    sure = [one for one, is_in in zip(judged, is_sure, strict=True) if is_in]
    accuracies = [one.balanced_accuracy for one in by_source(sure, scores[is_sure], band[1]).values()]
    return round(float(np.mean(accuracies)), 4), round(float(is_sure.mean()), 4)


def thresholds(judged: Sequence[Judged], scores: np.ndarray) -> tuple[float, float]:
    """From which score on a claim is supported: where the mean precision is greatest while the mean recall is at least
    ``RECALL``. And in part: where claims are best separated from those without any support."""
    means = {value: mean_of(by_source(judged, scores, value)) for value in GRID}
    supported = max(
        (value for value in GRID if means[value].recall >= RECALL), key=lambda value: (means[value].precision, value)
    )
    any_support = np.array([one.label != "not_supported" for one in judged])
    partial = max(
        (value for value in GRID if value <= supported),
        key=lambda value: scores_of(scores >= value, any_support).balanced_accuracy,
    )
    return supported, partial


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with judgements.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=WEIGHTS,
    show_default="the project's",
    help="Where the weights are written.",
)
@one_line_errors()
def main(data: Path, out: Path) -> None:
    nothing = Weights(0.0, (0.0,) * len(FEATURES), 1.0, 1.0, 1.0)
    judged = read_judged(data, SupportCheck(weights=nothing))
    scores, bias, weights = scored(judged)
    supported, partial = thresholds(judged, scores)
    found = by_source(judged, scores, supported)
    best = best_threshold(judged, scores)
    apart = told_apart(judged, scores, best)
    band = Weights(bias, tuple(weights), supported, partial, best).unsure
    sure, share = outside(judged, scores, band)
    click.echo(f"{'source':20} {'balanced':>8} {'precision':>9} {'recall':>6} {'F1':>6}   always-yes: precision, F1")
    for source, row in {**found, "mean": mean_of(found)}.items():
        click.echo(
            f"{source:20} {row.balanced_accuracy:8.3f} {row.precision:9.3f} {row.recall:6.3f} {row.f1:6.3f}   "
            f"{row.always_precision:.3f}, {row.always_f1:.3f}"
        )
    click.echo(f"\n{'told apart best, from ' + str(best):28} {'balanced':>8} {'held out':>8} {'AUC':>6}")
    for source, values in apart.items():
        click.echo(f"{source:28} {' '.join(f'{value:8.3f}' for value in values.values())}")
    click.echo(f"unsure from {band[0]} to {band[1]}; of the {share:.0%} outside, balanced accuracy {sure:.3f}")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(
        json.dumps(
            {
                "bias": round(bias, 4),
                "features": {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)},
                "supported": supported,
                "partial": partial,
                "best": best,
                "fitted": {
                    "on": sorted({one.source for one in judged if one.is_licensed}),
                    "folds": FOLDS,
                    "penalty": PENALTY,
                    "scores": {source: asdict(row) for source, row in {**found, "mean": mean_of(found)}.items()},
                    "told_apart": apart,
                    "outside_the_band": {"balanced_accuracy": sure, "share": share},
                },
            },
            indent=2,
        )
        + "\n",
        encoding="utf-8",
    )
    click.echo(f"supported from {supported}, partial from {partial}; stored in {out}")


if __name__ == "__main__":
    main()
