"""Measure whether the tick can be believed: how often it stands over right answers, and whether sure replies are right.

Only lines count that say whether their question is answerable. A line is *ticked* when its outcome is ``supported``;
where it has no outcome, when its status is ``answered``. How *sure* a reply is: its ``probability``, where any line of
the file has one; else f of the last step of its path. A reply without an answer is the least sure of all.

Intervals are 95 % percentile bootstrap intervals over the questions, as in ``summary``: every resample gives all
figures anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.evaluation.metrics import area, covers, is_label
from lab.evaluation.summary import RESAMPLES, Line, interval, with_interval

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

NAMES = {
    "right_answerable": "right, of the answerable",
    "ticked_answerable": "ticked, of the answerable",
    "ticked": "ticked, of all",
    "precision": "right, of the ticked (precision)",
    "precision_60": "precision, were 60 % answerable",
    "precision_20": "precision, were 20 % answerable",
    "precision_5": "precision, were 5 % answerable",
    "wrongly_ticked": "ticked and wrong, of the unanswerable",
    "silent_answerable": "not found, of the answerable",
    "silent_unanswerable": "not found, of the unanswerable",
    "aurc": "area under the risk–coverage curve",
    "auc": "area under the ROC curve, right against wrong",
    "ece": "expected calibration error",
}
"""The figures in their order, and what they are in words."""
BETWEEN_0_AND_1 = frozenset({"aurc", "auc", "ece"})
"""Figures that are not percentages."""
SHARES = (60, 20, 5)
COVERAGES = tuple(range(5, 101, 5))
"""The points of the risk–coverage curve, in percent."""
BINS = 10
_NO_SUCH = {
    "right_answerable": "no question is answerable",
    "ticked_answerable": "no question is answerable",
    "precision": "no reply is ticked",
    "wrongly_ticked": "every question is answerable",
    "silent_answerable": "no question is answerable",
    "silent_unanswerable": "every question is answerable",
    "auc": "the replies are all right or all wrong",
    "ece": "no reply has a probability",
}


def is_ticked(line: Line) -> bool:
    """Whether the reply bears the tick."""
    return bool(line["outcome"] == "supported" if "outcome" in line else line["status"] == "answered")


def is_right(line: Line) -> bool:
    """Whether the short answer holds an accepted one; of a question whose titles are left out, or a cited passage."""
    if line["cover_em"]:
        return True
    answers = [answer for answer in line["answers"] if not is_label(answer)]
    return bool(line.get("left_out")) and any(
        covers(source["text"], answer) for source in line["sources"] for answer in answers
    )


def sureness(line: Line, *, by_probability: bool) -> float:
    """How sure the reply is; minus infinity where it has no answer, or nothing says how sure it is."""
    if line["status"] not in ("answered", "partial"):
        return -math.inf
    path = [node for node in line["tree"]["nodes"] if node["on_path"]]
    sure = line.get("probability") if by_probability else path[-1]["confidence"] if path else None
    return -math.inf if sure is None else float(sure)


def trust(lines: Sequence[Line], seed: int = 0) -> dict[str, Any]:
    """``{"trust": …}``: the figures with intervals, the curve and the bins; nothing where no line is known to be
    answerable or not."""
    known = [line for line in lines if isinstance(line.get("answerable"), bool)]
    if not known:
        return {}
    by_probability = any(line.get("probability") is not None for line in known)
    replies = _Replies.of(known, by_probability)
    figures, curve = _with_intervals(replies, seed)
    return {
        "trust": {
            "questions": len(known),
            "answerable": int(replies.answerable.sum()),
            "sure_by": "probability" if by_probability else "confidence",
            "figures": figures,
            "reasons": {name: _NO_SUCH.get(name, "too few kinds of questions") for name in NAMES if not figures[name]},
            "ece_by_chance": error_by_chance(replies.sure, seed) if by_probability else None,
            "curve": curve,
            "bins": _bins(replies, seed),
        }
    }


@dataclass(frozen=True, slots=True)
class _Replies:
    """What the figures are made of, a place for each question."""

    right: Bools
    ticked: Bools
    silent: Bools
    """Whether the reply says that nothing was found."""
    answerable: Bools
    sure: Floats
    by_probability: bool

    @classmethod
    def of(cls, lines: Sequence[Line], by_probability: bool) -> _Replies:
        return cls(
            np.array([is_right(line) for line in lines]),
            np.array([is_ticked(line) for line in lines]),
            np.array([line["status"] == "not_found" for line in lines]),
            np.array([line["answerable"] for line in lines]),
            np.array([sureness(line, by_probability=by_probability) for line in lines]),
            by_probability,
        )

    def at(self, places: NDArray[np.int64]) -> _Replies:
        """The replies at ``places``, which may repeat."""
        return _Replies(
            self.right[places],
            self.ticked[places],
            self.silent[places],
            self.answerable[places],
            self.sure[places],
            self.by_probability,
        )

    def counts(self) -> dict[str, int]:
        """Over how many questions each figure is taken."""
        answerable, ticked, questions = int(self.answerable.sum()), int(self.ticked.sum()), len(self.right)
        counts = dict.fromkeys(NAMES, questions)
        counts |= dict.fromkeys(("right_answerable", "ticked_answerable", "silent_answerable"), answerable)
        counts |= dict.fromkeys(("wrongly_ticked", "silent_unanswerable"), questions - answerable)
        counts |= {name: ticked for name in NAMES if name.startswith("precision")}
        return counts | {"ece": int(np.isfinite(self.sure).sum())}


def _with_intervals(replies: _Replies, seed: int) -> tuple[dict[str, Any], list[dict[str, float]]]:
    """The figures and the curve, each with its interval; ``None`` for a figure that cannot be had."""
    size = len(replies.right)
    places = np.random.default_rng(seed).integers(0, size, (RESAMPLES, size))
    values = _values(replies)
    ends = np.full((2, len(values)), math.nan)
    resampled = np.array([_values(replies.at(row)) for row in places])
    has = ~np.isnan(values) & ~np.isnan(resampled).all(axis=0)
    ends[:, has] = np.nanpercentile(resampled[:, has], [2.5, 97.5], axis=0)
    counts = replies.counts()
    figures = {
        name: _figure(name, (values[i], *ends[:, i]), counts[name]) if has[i] else None for i, name in enumerate(NAMES)
    }
    curve = [
        dict(zip(("coverage", "risk", "low", "high"), (c / 100, *_rounded((values[i], *ends[:, i]))), strict=True))
        for i, c in enumerate(COVERAGES, len(NAMES))
    ]
    return figures, curve


def _figure(name: str, values: Sequence[float], n: int) -> dict[str, Any]:
    rounded = _rounded(values) if name in BETWEEN_0_AND_1 else [round(100 * float(value), 2) for value in values]
    return {**dict(zip(("mean", "low", "high"), rounded, strict=True)), "n": n}


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(float(value), 4) for value in values]


def _values(of: _Replies) -> Floats:
    """The figures in the order of ``NAMES``, then the curve's; not a number where one cannot be had."""
    yes, no = of.answerable, ~of.answerable
    ticked, hit = of.ticked, of.ticked & of.right
    risk = risks(of.right, of.sure)
    reweighted = [
        _ratio(
            share * _mean(hit[yes]) + (100 - share) * _mean(hit[no]),
            share * _mean(ticked[yes]) + (100 - share) * _mean(ticked[no]),
        )
        for share in SHARES
    ]
    is_mixed = bool(of.right.any() and not of.right.all())
    at = [math.ceil(coverage * len(risk) / 100) - 1 for coverage in COVERAGES]
    return np.array(
        [
            _mean(of.right[yes]),
            _mean(ticked[yes]),
            _mean(ticked),
            _mean(of.right[ticked]),
            *reweighted,
            _mean((ticked & ~of.right)[no]),
            _mean(of.silent[yes]),
            _mean(of.silent[no]),
            risk.mean(),
            area(of.sure, of.right) if is_mixed else math.nan,
            calibration_error(of.right, of.sure) if of.by_probability else math.nan,
            *risk[at],
        ]
    )


def risks(right: Bools, sure: Floats) -> Floats:
    """The share of wrong replies among the 1, 2, 3 … surest. Equally sure ones count as if in random order."""
    order = np.argsort(-sure, kind="stable")
    wrong = 1 - _even(right, sure)[order]
    return np.cumsum(wrong) / np.arange(1, len(wrong) + 1)


def calibration_error(right: Bools, probability: Floats, bins: int = BINS) -> float:
    """The mean distance of probability and share of right replies, in ``bins`` of equal counts; those without a
    probability are left out."""
    has = np.isfinite(probability)
    if not has.any():
        return math.nan
    parts = _equal_parts(right[has], probability[has], bins)
    return sum(len(said) * abs(said.mean() - true.mean()) for said, true in parts) / int(has.sum())


def error_by_chance(probability: Floats, seed: int = 0) -> dict[str, float]:
    """Return the calibration error of as many replies whose probabilities are exactly right: mean, and where 95 % of
    the draws lie. What is not below it may be chance."""
    probability = probability[np.isfinite(probability)]
    draws = np.random.default_rng(seed).random((RESAMPLES, len(probability))) < probability
    errors = [calibration_error(right, probability) for right in draws]
    return dict(
        zip(
            ("mean", "low", "high"),
            _rounded((float(np.mean(errors)), *np.percentile(errors, [2.5, 97.5]))),
            strict=True,
        )
    )


def _bins(replies: _Replies, seed: int) -> list[dict[str, float]]:
    """The reliability diagram: how sure replies are on average, and how many of them are right."""
    has = np.isfinite(replies.sure)
    return [
        {
            "n": len(sure),
            **dict(
                zip(
                    ("sure", "right", "low", "high"),
                    _rounded((sure.mean(), right.mean(), *interval(right.tolist(), seed))),
                    strict=True,
                )
            ),
        }
        for sure, right in _equal_parts(replies.right[has], replies.sure[has], BINS)
    ]


def _equal_parts(right: Bools, sure: Floats, bins: int) -> list[tuple[Floats, Floats]]:
    """From the least sure to the surest: how sure each reply of a bin is, and whether it is right. Equally sure ones
    on two sides of an edge share alike."""
    order = np.argsort(sure, kind="stable")
    parts = np.array_split(order, bins)
    even = _even(right, sure)
    return [(sure[part], even[part]) for part in parts if len(part)]


def _even(values: Bools, keys: Floats) -> Floats:
    """Each value as the mean over the places with the same key."""
    _, place = np.unique(keys, return_inverse=True)
    return (np.bincount(place, values) / np.bincount(place))[place]


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else math.nan


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else math.nan


SURE_BY = {"probability": "its probability", "confidence": "the Reader's f of its last step"}


def trust_table(trust: Mapping[str, Any]) -> Iterator[str]:
    """Yield the figures of ``trust``, one per line; a missing figure is replaced by the reason."""
    yield (
        f"the tick, over {trust['questions']} questions, {trust['answerable']} of them answerable; "
        f"how sure a reply is: {SURE_BY[trust['sure_by']]}"
    )
    for name, words in NAMES.items():
        yield f"  {words:47}{figure_text(name, trust)}"
    if trust["ece_by_chance"]:
        yield f"  {BY_CHANCE:47}{chance_text(trust)}"


BY_CHANCE = "  … where every probability is exactly right"


def chance_text(trust: Mapping[str, Any]) -> str:
    """The calibration error that chance alone gives, with its interval."""
    error = trust["ece_by_chance"]
    if error is None:
        return "–"
    return f"{error['mean']:.3f} [{error['low']:.3f}, {error['high']:.3f}]"


def figure_text(name: str, trust: Mapping[str, Any]) -> str:
    """A figure with its interval, or the reason for which there is none."""
    figure = trust["figures"][name]
    if not figure:
        return f"– ({trust['reasons'][name]})"
    if name in BETWEEN_0_AND_1:
        return f"{figure['mean']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"
    return with_interval(figure)
