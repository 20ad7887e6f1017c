"""Confirm, correct or withdraw a reply by a second reading of its passages.

Each answer has a probability, fitted on questions, and the likeliest is given.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from searchain.files.weights import read_weights
from searchain.language.answer_kinds import fits
from searchain.language.same_answer import agreement, label_in
from searchain.types import STRICTER, JudgedAnswer, Passage
from searchain.verification.judge import truth_of
from searchain.verification.probability import LEAST_LIKELY, UNMEASURED, UNRATED, Logistic

WEIGHTS = Path(__file__).parent.parent / "weights" / "careful" / "second_opinion.json"
"""The file of the fitted values, which a calibration writes."""
OWN = WEIGHTS.with_name("own_second_opinion.json")
"""The file of the values that were fitted to own documents."""
FEATURES = ("likely", "is_unrated", "is_first", "agrees", "says_yes", "fits")
"""The features that the probability is fitted on, in this order."""

LEAST_FOUND = 0.35
"""The least probability with which an answer replaces *not found*. At 0.15 one point more of the answerable everyday
questions was right, but only 30 instead of 43 % of the unanswerable ones stayed *not found*."""
Relation = Literal["agrees", "differs", "finds nothing"]
Ending = Literal["confirmed", "corrected", "withdrawn"]


def relation_of(first: str, second: str, passage: Passage) -> Relation:
    """Compare two short answers; ``passage`` may show that they name the same thing."""
    if not second:
        return "agrees" if not first else "finds nothing"
    if not first:
        return "differs"
    label = label_in(first)
    if label is not None:
        return "agrees" if truth_of(label) is truth_of(label_in(second)) else "differs"
    return "agrees" if agreement(first, second, passage)[0] == "agree" else "differs"


def likeliest(answers: Sequence[JudgedAnswer]) -> JudgedAnswer | None:
    """Return the answer that replaces the first one; ``None`` if the first is kept.

    Only an answer that stands in a passage can replace it, with a greater probability and at least ``LEAST_LIKELY``.
    Where the reply found nothing, it needs more than ``LEAST_FOUND``. Yes, no and verdicts are never replaced.
    """
    first = next((one for one in answers if one.is_first), None)
    if first is not None and label_in(first.answer) is not None:
        return None
    others = [one for one in answers if not one.is_first and one.place is not None]
    best = max(others, key=lambda one: one.probability or 0.0, default=None)
    least = LEAST_FOUND if first is None else max(first.probability or 0.0, LEAST_LIKELY)
    return best if best is not None and (best.probability or 0.0) > least else None


def ending_of(answers: Sequence[JudgedAnswer], relation: Relation, least: float = 1.0) -> Ending:
    """Decide whether the reply is confirmed, corrected or withdrawn; ``least`` is the threshold of second readings.

    It is confirmed where the second reader answers the same, or finds no answer but makes the first more probable, or
    leaves it at the threshold or above.
    """
    if likeliest(answers) is not None:
        return "corrected"
    is_found_right = relation == "finds nothing" and any(_is_likely(one, least) for one in answers)
    return "confirmed" if relation == "agrees" or is_found_right else "withdrawn"


def _is_likely(answer: JudgedAnswer, least: float) -> bool:
    now, before = answer.probability or 0.0, answer.before
    return answer.is_first and before is not None and (now > before or now >= least)


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """A logistic regression over ``FEATURES``, fitted on the answers of replies that were read again."""

    right: Logistic
    least: float
    """The least probability with which a reply that was read again is supported; nine of ten such were right."""

    def weigh(self, question: str, answers: Sequence[JudgedAnswer]) -> list[float]:
        """Return how likely each answer is right."""
        return [self.right.probability(features(question, one)) for one in answers]


def features(question: str, answer: JudgedAnswer) -> list[float]:
    """Return the features of ``answer``, in the order of ``FEATURES``."""
    return [
        _log_odds(UNRATED if answer.before is None else answer.before),
        float(answer.before is None),
        float(answer.is_first),
        float(answer.agrees),
        _log_odds(answer.says_yes),
        float(fits(question, answer.answer)),
    ]


def _log_odds(probability: float) -> float:
    known = min(max(probability, 0.001), 0.999)
    return math.log(known / (1 - known))


def read_second_opinion(file: Path = WEIGHTS, *, is_measured: bool = True) -> SecondOpinion:
    """Return the fitted rule in ``file``.

    Its threshold is stricter unless ``is_measured``, that is, unless it was fitted on the same index.

    Raises:
        SetupError: the file is missing or damaged.
    """

    def built(stored: dict[str, Any]) -> SecondOpinion:
        least = float(stored["least"])
        stricter = max(least + UNMEASURED, STRICTER)
        return SecondOpinion(Logistic.from_json(stored, FEATURES), least if is_measured else stricter)

    return read_weights(file, built)
