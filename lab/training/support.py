"""Fit and score the support check: ``python -m lab.training.support --data DIR --rows FILE [--out FILE]``.

DIR holds ``citations/*.jsonl.gz`` (judgements of people), ``factcheck`` (claims of FEVER with their evidence) and
``reader/dev.jsonl.gz`` (questions, of which statements are made). A third of every source teaches nothing; all figures
that are printed are of this third. What the check reads in each sentence is kept in ``--rows``, so that a stopped run
goes on. Judgements without a licence only measure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.evaluation.metrics import area
from lab.training.support_data import Judged, as_row, first_ones, judged
from searchain.console import one_line_errors, tracked
from searchain.files.writing import write_whole
from searchain.reading.alignment import Word, align
from searchain.reading.similarity import QueryEncoder
from searchain.reply.support_check import FEATURES, WEIGHTS, SupportCheck, Weights
from searchain.types import Span
from searchain.verification.probability import Logistic

Row = Mapping[str, Any]
PEOPLE = ("expertqa", "wice")
"""The sources of people's judgements that may teach."""
MEASURED = (*PEOPLE, "lfqa-verification")
DECIDED = ("fever", "own claims", "made")
"""The sources that say which sentences are contradicted."""
SUPPORT = ("supports", "least", "words", "window", "pairs", "numbers", "cosine")
"""The features of the model of support; with more it was no better."""
CONTRADICTION = tuple(name for name in FEATURES if name != "pairs")
PENALTY = {"supported": 10.0, "contradicted": 3.0}
"""On the squared weights of standardised features, by what is fitted."""
FOLDS = 5
GRID = tuple(round(float(value), 3) for value in np.arange(0.02, 0.99, 0.01))
"""Thresholds that are tried."""
WRONGLY = 0.05
"""Of the supported sentences that people judged at most this share may be called contradicted."""


def read_rows(data: Path, file: Path, limit: int | None = None) -> list[Row]:
    """Return what the check reads in all sentences; what ``file`` lacks is read now and added to it.

    With ``limit`` at most so many sentences of each source and side are looked at.
    """
    known = {row["id"]: row for row in map(json.loads, file.open())} if file.exists() else {}
    sentences = judged(data) if limit is None else first_ones(judged(data), limit)
    missing = [one for one in sentences if one.id not in known]
    if missing:
        encoder = QueryEncoder()
        nothing = Logistic(0.0, (0.0,) * len(FEATURES))
        check = SupportCheck(None, encoder, Weights(nothing, nothing, 1.0, 1.0, 1.0, 0.0, 0.0))
        with file.open("a", encoding="utf-8") as kept:
            for one in tracked(missing, "reading"):
                known[one.id] = as_row(one, _values(one, check, encoder))
                kept.write(json.dumps(known[one.id]) + "\n")
                kept.flush()
    return [known[one.id] for one in sentences]


def _values(one: Judged, check: SupportCheck, encoder: QueryEncoder) -> dict[str, Any]:
    if one.swapped is not None:
        return {"words": [_as_list(word, one.swapped) for word in align(one.sentence, one.passages, encoder).words]}
    features, words = check.read(one.sentence, one.passages)
    return {"features": [round(value, 5) for value in features], "words": [_as_list(word, None) for word in words]}


def _as_list(word: Word, swapped: Span | None) -> list[Any]:
    is_swapped = bool(swapped and word.span.start < swapped.end and word.span.end > swapped.start)
    likeness = round(word.likeness, 4)
    return [word.span.start, word.span.end, likeness, word.stands, word.is_number, word.is_name, is_swapped]


def words_of(row: Row) -> Iterator[tuple[Word, bool]]:
    """Yield the words of a row, each with whether it was swapped."""
    for start, end, likeness, stands, is_number, is_name, is_swapped in row["words"]:
        yield Word(Span(start, end), "", likeness, stands, is_number, is_name), is_swapped


def features_of(rows: Sequence[Row]) -> np.ndarray:
    return np.array([row["features"] for row in rows])


def is_labelled(rows: Sequence[Row], *labels: str) -> np.ndarray:
    return np.array([row["label"] in labels for row in rows])


def fit(rows: Sequence[Row], label: str, names: Sequence[str]) -> Logistic:
    """Return a logistic regression of ``label``; every source, and in it both answers, count the same.

    Features that are not among ``names`` get no weight.
    """
    from sklearn.linear_model import LogisticRegression

    used = [FEATURES.index(name) for name in names]
    x, y = features_of(rows)[:, used], is_labelled(rows, label)
    kinds = [(row["source"], bool(its)) for row, its in zip(rows, y, strict=True)]
    share = np.array([1 / kinds.count(kind) for kind in kinds])
    middle, spread = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-6)
    model = LogisticRegression(C=1 / PENALTY[label], max_iter=1000)
    model.fit((x - middle) / spread, y, sample_weight=share * len(rows) / share.sum())
    every = np.zeros(len(FEATURES))
    every[used] = model.coef_[0] / spread
    bias = float(model.intercept_[0] - every[used] @ middle)
    return Logistic(round(bias, 4), tuple(round(float(weight), 4) for weight in every))


def scores(model: Logistic, rows: Sequence[Row]) -> np.ndarray:
    return np.array([model.probability(row["features"]) for row in rows])


def out_of_fold(rows: Sequence[Row], label: str, names: Sequence[str]) -> np.ndarray:
    """Return a score for each row by a fit to the other folds."""
    fold = np.random.default_rng(0).permutation(len(rows)) % FOLDS
    found = np.zeros(len(rows))
    for number in range(FOLDS):
        others = [row for row, its in zip(rows, fold, strict=True) if its != number]
        own = [int(place) for place in np.flatnonzero(fold == number)]
        found[own] = scores(fit(others, label, names), [rows[place] for place in own])
    return found


def balanced(said: np.ndarray, right: np.ndarray) -> float:
    """Return the mean of the shares of both classes that get the right answer; both arrays are boolean."""
    return float((said[right].mean() + (~said[~right]).mean()) / 2)


def mean_balanced(rows: Sequence[Row], said: np.ndarray, sources: Sequence[str], *labels: str) -> float:
    """Return the mean over ``sources`` of the balanced accuracy of ``said`` for having one of ``labels``."""
    source = np.array([row["source"] for row in rows])
    right = is_labelled(rows, *labels)
    return float(np.mean([balanced(said[source == name], right[source == name]) for name in sources]))


def best_likeness(rows: Sequence[Row], *, is_name: bool) -> float:
    """Return below which likeness words that stand in no passage are marked: the best F1 of the swapped ones.

    Of equally good ones names get the greatest, because names of one kind are alike.
    """
    own = [
        (word.likeness, is_swapped)
        for row in rows
        for word, is_swapped in words_of(row)
        if word.is_name == is_name and not word.stands and not word.is_number
    ]

    def f1(limit: float) -> float:
        marked = [is_swapped for likeness, is_swapped in own if likeness < limit]
        return 2 * sum(marked) / max(1, len(marked) + sum(is_swapped for _, is_swapped in own))

    return max(GRID, key=lambda limit: (f1(limit), is_name and limit))


def fitted(rows: Sequence[Row]) -> Weights:
    """Return the weights and thresholds that the rows which are not kept apart teach.

    The limit ``contradicted`` best separates the claims of FEVER, as far as ``WRONGLY`` allows.
    """
    taught = [row for row in rows if not row["kept"]]
    judged_rows = [row for row in taught if row["source"] in (*PEOPLE, *DECIDED)]
    people = np.array([row["source"] in PEOPLE for row in judged_rows])
    fever = np.array([row["source"] == "fever" for row in judged_rows])
    by_people = [row for row in judged_rows if row["source"] in PEOPLE]
    found = out_of_fold(judged_rows, "supported", SUPPORT)
    sources = (*PEOPLE, *DECIDED)
    supported = max(GRID, key=lambda limit: mean_balanced(judged_rows, found >= limit, sources, "supported"))
    some = is_labelled(by_people, "supported", "partial")
    partial = max(
        (limit for limit in GRID if limit <= supported), key=lambda limit: balanced(found[people] >= limit, some)
    )
    denied = out_of_fold(judged_rows, "contradicted", CONTRADICTION)
    calm, wrong = people & is_labelled(judged_rows, "supported"), is_labelled(judged_rows, "contradicted")
    contradicted = max(
        (limit for limit in GRID if (denied[calm] >= limit).mean() <= WRONGLY),
        key=lambda limit: balanced(denied[fever] >= limit, wrong[fever]),
    )
    swapped = [row for row in taught if row["source"].startswith("swapped")]
    return Weights(
        fit(judged_rows, "supported", SUPPORT),
        fit(judged_rows, "contradicted", CONTRADICTION),
        supported,
        partial,
        contradicted,
        best_likeness(swapped, is_name=False),
        best_likeness(swapped, is_name=True),
    )


def table(rows: Sequence[Row], weights: Weights) -> dict[str, dict[str, float]]:
    """Return the figures on ``rows``, by source: each source that people judged, their mean, claims, swapped words."""
    found: dict[str, dict[str, float]] = {}
    for source in MEASURED:
        own = [row for row in rows if row["source"] == source]
        right = is_labelled(own, "supported")
        said = np.array([weights.finding(row["features"], _plain(row)).label == "supported" for row in own])
        auc = area(scores(weights.support, own), right)
        found[source] = _rounded(balanced_accuracy=balanced(said, right), auc=auc, sentences=len(own))
    found["mean"] = {
        name: round(float(np.mean([found[source][name] for source in MEASURED])), 4)
        for name in ("balanced_accuracy", "auc")
    }
    for source in DECIDED:
        own = [row for row in rows if row["source"] == source and row["label"] != "not_supported"]
        said = scores(weights.contradiction, own) >= weights.contradicted
        right = is_labelled(own, "contradicted")
        found[f"{source}, contradicted"] = _rounded(
            balanced_accuracy=balanced(said, right),
            auc=area(scores(weights.contradiction, own), right),
            found=said[right].mean(),
            wrongly=said[~right].mean(),
            sentences=len(own),
        )
    for kind in ("number", "name", "word"):
        words = [pair for row in rows if row["source"] == f"swapped {kind}" for pair in words_of(row)]
        hits = sum(weights.is_uncarried(word) and is_swapped for word, is_swapped in words)
        found[f"swapped {kind}"] = _rounded(
            found=hits / max(1, sum(is_swapped for _, is_swapped in words)),
            precision=hits / max(1, sum(weights.is_uncarried(word) for word, _ in words)),
            sentences=len({row["id"] for row in rows if row["source"] == f"swapped {kind}"}),
        )
    return found


def _plain(row: Row) -> list[Word]:
    return [word for word, _ in words_of(row)]


def _rounded(**values: float) -> dict[str, float]:
    return {name: round(float(value), 4) for name, value in values.items()}


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--rows", "file", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--limit", type=int, help="Sentences of each source that teach, and that are kept, at most.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS, show_default="the project's")
@one_line_errors()
def main(data: Path, file: Path, limit: int | None, out: Path) -> None:
    rows = read_rows(data, file, limit)
    weights = fitted(rows)
    figures = table([row for row in rows if row["kept"]], weights)
    for name, values in figures.items():
        click.echo(f"{name:24} " + "  ".join(f"{what} {value:g}" for what, value in values.items()))
    with write_whole(out) as draft:
        draft.write_text(json.dumps(_stored(weights, figures), indent=1) + "\n", encoding="utf-8")


def _stored(weights: Weights, figures: Mapping[str, Any]) -> dict[str, Any]:
    models = {
        name: {"bias": model.bias, "weights": dict(zip(FEATURES, model.weights, strict=True))}
        for name, model in (("support", weights.support), ("contradiction", weights.contradiction))
    }
    names = ("supported", "partial", "contradicted", "alike", "name_alike")
    return {**models, "thresholds": {name: getattr(weights, name) for name in names}, "kept_apart": figures}


if __name__ == "__main__":
    main()
