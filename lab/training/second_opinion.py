"""Fit the rule for second readings: ``python -m lab.training.second_opinion --readings OUT …``.

The rows come from the lines that ``eval --careful check --out OUT`` writes: each reply that was read a second time,
the answers that were weighed then, and which of them are right. The figures are cross-fitted: ten folds of questions,
each decided by a rule that was fitted on the other nine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from lab.evaluation.metrics import area, cover_em, covers, is_label
from lab.evaluation.trust import calibration_error, is_right, is_ticked
from lab.training.probability import FOLDS, LEAST, PRECISION, REPEATS, WRONG_LEFT_OUT, digest
from lab.training.probability_chains import fit
from searchain.console import one_line_errors
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.types import JudgedAnswer, Passage
from searchain.verification.probability import Logistic
from searchain.verification.second_label import LABELS
from searchain.verification.second_opinion import (
    FEATURES,
    WEIGHTS,
    Relation,
    SecondOpinion,
    ending_of,
    features,
    likeliest,
    relation_of,
)

LEAST_THRESHOLD = 0.5
"""No reply that is as likely wrong as right bears the tick."""
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Row:
    """A reply of an out file, and what was weighed where it was read a second time."""

    id: str
    """Of the question, or of the files that were asked; a fold holds all rows with one id."""
    question: str
    answerable: bool
    left_out: bool
    answers: tuple[JudgedAnswer, ...] | None
    """``None``: the reply was not read again, and stays as it is."""
    relation: Relation
    """What the second reader's own answer is to that of the reply."""
    right: tuple[bool, ...]
    """Which of ``answers`` are right."""
    first_right: bool
    ticked: bool
    """As it was before the second reading."""
    probability: float | None
    """Of the reply before the second reading."""


@dataclass(frozen=True, slots=True)
class End:
    """What became of a reply."""

    right: bool
    probability: float
    """0 where it was never measured."""
    ticked: bool | None
    """``None``: its probability decides, because it was read again."""

    def is_ticked(self, threshold: float) -> bool:
        """Tell whether the reply bears a tick, with this threshold for what was read again."""
        return self.probability >= threshold if self.ticked is None else self.ticked


def rows_of(file: Path) -> Iterator[Row]:
    """Yield the rows of an out file.

    Raises:
        UsageError: its replies were reviewed by a program that did not store what the fit needs.
    """
    for line in read_jsonl(file, dict, "line of an out file"):
        review = line["review"]
        if review is not None and "answers" not in review:
            raise UsageError(f"{str(file)!r} was written by an older version; run eval --careful check anew")
        if review is not None and {one["answer"] for one in review["answers"]} == {*LABELS}:
            continue  # the rule for labels decided it
        answers = tuple(JudgedAnswer(**one) for one in review["answers"]) if review else None
        left_out = bool(line.get("left_out"))
        yield Row(
            id=line["id"],
            question=line["standalone_question"],
            answerable=bool(line.get("answerable", True)) and not left_out,
            left_out=left_out,
            answers=answers,
            relation=relation_of(review["first"], review["second"], _first_passage(line)) if review else "agrees",
            right=tuple(_is_right(line, one.answer) for one in answers or ()),
            first_right=_is_right(line, review["first"]) if review else is_right(line),
            ticked=is_ticked(line) and review is None,
            probability=review["before"] if review else line["probability"],
        )


def _first_passage(line: dict[str, Any]) -> Passage:
    """The passage of the reply's last step: it may say that two names are the same."""
    path = [node["id"] for node in line["tree"]["nodes"] if node["on_path"]]
    cited = [source for source in line["sources"] if path and source.get("node") == path[-1]] or line["sources"]
    return Passage("", cited[0]["title"], cited[0]["text"]) if cited else Passage("", "", "")


def _is_right(line: dict[str, Any], answer: str) -> bool:
    """As ``trust.is_right``, for one short answer."""
    if not answer:
        return False
    if cover_em(answer, line["answers"]):
        return True
    accepted = [one for one in line["answers"] if not is_label(one)]
    return bool(line.get("left_out")) and any(
        covers(source["text"], one) for source in line["sources"] for one in accepted
    )


def fit_to(rows: Sequence[Row], used: Sequence[str] = FEATURES) -> Logistic:
    """Fit the regression to all answers that were weighed; features that are not ``used`` have the weight 0.

    Raises:
        UsageError: they are too few, or all right, or all wrong.
    """
    right = np.array([one for row in rows for one in row.right], dtype=bool)
    if len(right) < LEAST or len(np.unique(right)) < 2:
        raise UsageError(f"{len(right)} answers are too few to fit on; give {LEAST} or more")
    values = np.array([features(row.question, one) for row in rows for one in row.answers or ()])
    return fit(values * np.isin(FEATURES, used), right)


def end_of(row: Row, right: Logistic) -> End:
    """Return what becomes of a reply under a rule."""
    if row.answers is None:
        return End(row.first_right, row.probability or 0.0, row.ticked)
    weights = SecondOpinion(right, 1.0).weigh(row.question, row.answers)
    weighed = [replace(one, probability=weight) for one, weight in zip(row.answers, weights, strict=True)]
    best = likeliest(weighed)
    if best is not None:
        return End(row.right[weighed.index(best)], best.probability or 0.0, None)
    first = weighed[0] if weighed and weighed[0].is_first else None
    known = (first.probability or 0.0) if first and first.before is not None else 0.0
    return End(row.first_right, known, None if ending_of(weighed, row.relation) == "confirmed" else False)


def cross_fitted(
    rows: Sequence[Row], *, repeats: int = REPEATS, seed: int = 0, used: Sequence[str] = FEATURES
) -> Iterator[list[End]]:
    """Yield, once per repeat, the end of every row under a rule that has not seen its question."""
    rng, ids = np.random.default_rng(seed), sorted({row.id for row in rows})
    for _ in range(repeats):
        fold = dict(zip(ids, (rng.permutation(len(ids)) % FOLDS).tolist(), strict=True))
        ends: list[End | None] = [None] * len(rows)
        for number in range(FOLDS):
            rule = fit_to([row for row in rows if fold[row.id] != number], used)
            for place, row in enumerate(rows):
                if fold[row.id] == number:
                    ends[place] = end_of(row, rule)
        yield [end for end in ends if end is not None]


def threshold_of(rows: Sequence[Row], repeats: Sequence[Sequence[End]]) -> float:
    """Return the lowest threshold with which nine of ten ticks of what was read again are right.

    Of the replies to unanswerable and left-out questions at most one in a hundred is then ticked and wrong. Both are
    counted without the ticks that replies bore before, which no threshold takes away.
    """
    judged = [(row, end) for ends in repeats for row, end in zip(rows, ends, strict=True) if end.ticked is None]
    unanswerable = len(repeats) * sum(not row.answerable for row in rows)
    for threshold in sorted({end.probability for row, end in judged if not row.left_out}):
        ticked = [(row, end) for row, end in judged if end.probability >= threshold]
        right = [end.right for row, end in ticked if not row.left_out]
        wrong = sum(not end.right for row, end in ticked if not row.answerable)
        if threshold >= LEAST_THRESHOLD and np.mean(right) >= PRECISION and wrong <= WRONG_LEFT_OUT * unanswerable:
            return threshold
    return 1.0


def figures(rows: Sequence[Row], ends: Sequence[End], threshold: float) -> dict[str, float]:
    """Return the figures of all rows but those left out, and of these: shares between 0 and 1."""
    pairs = [(row, end) for row, end in zip(rows, ends, strict=True) if not row.left_out]
    right = np.array([end.right for _, end in pairs])
    probability = np.array([end.probability for _, end in pairs])
    answerable = np.array([row.answerable for row, _ in pairs])
    ticked = np.array([end.is_ticked(threshold) for _, end in pairs])
    again = ticked & np.array([row.answers is not None for row, _ in pairs])
    left_out = [end for row, end in zip(rows, ends, strict=True) if row.left_out]
    wrong = [not end.right and end.is_ticked(threshold) for end in left_out]
    return {
        "right_answerable": float(right[answerable].mean()),
        "ticked_answerable": float(ticked[answerable].mean()),
        "precision": float(right[ticked].mean()) if ticked.any() else float("nan"),
        "precision_read_again": float(right[again].mean()) if again.any() else float("nan"),
        "wrongly_ticked": float((ticked & ~right)[~answerable].mean()) if (~answerable).any() else float("nan"),
        "wrongly_ticked_left_out": float(np.mean(wrong)) if wrong else float("nan"),
        "auc": area(probability, right),
        "ece": calibration_error(right, probability),
    }


def mean_of(found: Iterable[dict[str, float]]) -> dict[str, float]:
    """Return the mean of each figure."""
    every = list(found)
    return {name: float(np.mean([one[name] for one in every])) for name in every[0]}


@click.command(help=__doc__)
@click.option(
    "--readings",
    multiple=True,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Out files of eval --careful check.",
)
@click.option(
    "--out", default=WEIGHTS.parent, show_default=True, type=click.Path(path_type=Path), help="The folder to write to."
)
@click.option(
    "--repeats", default=REPEATS, show_default=True, type=click.IntRange(1), help="How often folds are drawn."
)
@one_line_errors()
def main(readings: tuple[Path, ...], out: Path, repeats: int) -> None:
    rows = [row for file in readings for row in rows_of(file)]
    every = list(cross_fitted(rows, repeats=repeats))
    threshold = threshold_of(rows, every)
    click.echo(f"{len(rows)} replies, {sum(row.answers is not None for row in rows)} read a second time")
    for name, value in mean_of(figures(rows, ends, threshold) for ends in every).items():
        click.echo(f"  {name:28}{value:7.3f}")
    store(
        out / WEIGHTS.name, SecondOpinion(fit_to(rows), least=round(threshold, 4)), [digest(file) for file in readings]
    )
    click.echo(f"stored in {out}, with a threshold of {threshold:.3f} for what was read again")


def store(file: Path, rule: SecondOpinion, data: Sequence[str]) -> None:
    """Write the rule."""
    file.parent.mkdir(parents=True, exist_ok=True)
    weights = {name: round(weight, 5) for name, weight in zip(FEATURES, rule.right.weights, strict=True)}
    values = {"bias": round(rule.right.bias, 5), "weights": weights, "least": rule.least, "data": list(data)}
    with write_whole(file) as draft:
        draft.write_text(json.dumps(values, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
