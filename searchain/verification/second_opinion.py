"""Weigh the answers of a reply and of a second reading of its passages: the reply is confirmed, corrected or withdrawn.

Each answer has a probability, fitted on questions (``Fitted``). The likeliest stands. Where nothing was fitted the rule
is cautious (``CAUTIOUS``): agreement supports nothing that was not supported before, and disagreement takes back at
most that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from searchain.errors import ReaderError
from searchain.language.answer_kinds import fits
from searchain.language.same_answer import agreement, label_in
from searchain.types import STRICTER, JudgedAnswer, Passage
from searchain.verification.judge import truth_of
from searchain.verification.probability import LEAST_LIKELY, UNRATED, Logistic

WEIGHTS = Path(__file__).parent.parent / "weights" / "careful"
"""The fitted values, ``second_opinion.json``; there are none until a calibration wrote them."""
FEATURES = ("likely", "is_unrated", "is_first", "agrees", "is_guess", "says_yes", "fits")
"""What the probability is fitted on, in this order."""

LEAST_FOUND = 0.35
"""From this probability on an answer is given where there was none. At 0.15 one point more of the answerable everyday
questions was right, and 30 instead of 43 % of the unanswerable ones *not found*."""
Relation = Literal["agrees", "differs", "finds nothing"]
Ending = Literal["confirmed", "corrected", "withdrawn"]


class SecondOpinion(Protocol):
    """The rule between a reply and the second reading."""

    def wants(self, answer: str, probability: float | None, *, is_supported: bool) -> bool:
        """Return whether a reply with this short answer is to be read a second time."""

    def weigh(self, question: str, answers: Sequence[JudgedAnswer]) -> list[float | None]:
        """Return how likely each answer is right; ``None`` where that was never measured."""

    def threshold(self, before: float | None) -> float | None:
        """Return from which probability on a reply that was read again is supported.

        ``before`` is the threshold of the run; ``None`` where nothing is supported.
        """


def relation_of(first: str, second: str, passage: Passage) -> Relation:
    """Compare two short answers; ``passage`` may say that they are names of the same thing."""
    if not second:
        return "agrees" if not first else "finds nothing"
    if not first:
        return "differs"
    label = label_in(first)
    if label is not None:
        return "agrees" if truth_of(label) is truth_of(label_in(second)) else "differs"
    return "agrees" if agreement(first, second, passage)[0] == "agree" else "differs"


def likeliest(answers: Sequence[JudgedAnswer]) -> JudgedAnswer | None:
    """Return the answer that takes the place of the first one; ``None`` if that stands.

    Only what stands in a passage can take its place, and nothing that is almost surely wrong.
    Where the reply found nothing it has to be ``LEAST_FOUND`` likely. No words of a passage take the place of yes, no
    or a verdict.
    """
    first = next((one for one in answers if one.is_first), None)
    if first is not None and label_in(first.answer) is not None:
        return None
    others = [one for one in answers if not one.is_first and one.place is not None]
    best = max(others, key=lambda one: one.probability or 0.0, default=None)
    least = LEAST_FOUND if first is None else max(first.probability or 0.0, LEAST_LIKELY)
    return best if best is not None and (best.probability or 0.0) > least else None


def ending_of(answers: Sequence[JudgedAnswer], relation: Relation) -> Ending:
    """Decide what becomes of the reply.

    It is confirmed where the second reader answers the same, or finds the answer right so surely that it is likelier
    than before.
    """
    if likeliest(answers) is not None:
        return "corrected"
    return "confirmed" if relation == "agrees" or any(_is_likelier(one) for one in answers) else "withdrawn"


def _is_likelier(answer: JudgedAnswer) -> bool:
    return answer.is_first and answer.before is not None and (answer.probability or 0.0) > answer.before


class _Cautious:
    """Nothing was fitted: only what is not supported is read again, and no probability changes."""

    def wants(self, answer: str, probability: float | None, *, is_supported: bool) -> bool:
        return bool(answer) and not is_supported

    def weigh(self, question: str, answers: Sequence[JudgedAnswer]) -> list[float | None]:
        return [one.before if one.is_first else None for one in answers]

    def threshold(self, before: float | None) -> float | None:
        return before


CAUTIOUS = _Cautious()


@dataclass(frozen=True, slots=True)
class Fitted:
    """A logistic regression over ``FEATURES``, fitted on the answers of replies that were read again."""

    right: Logistic
    least: float
    """From this probability on a reply that was read again is supported: nine of ten such replies were right."""

    def wants(self, answer: str, probability: float | None, *, is_supported: bool) -> bool:
        return not is_supported

    def weigh(self, question: str, answers: Sequence[JudgedAnswer]) -> list[float | None]:
        return [self.right.probability(features(question, one)) for one in answers]

    def threshold(self, before: float | None) -> float | None:
        return None if before is None else self.least


def features(question: str, answer: JudgedAnswer) -> list[float]:
    """Return what the fit sees of ``answer``, in the order of ``FEATURES``."""
    return [
        _log_odds(UNRATED if answer.before is None else answer.before),
        float(answer.before is None),
        float(answer.is_first),
        float(answer.agrees),
        float(answer.is_guess),
        _log_odds(answer.says_yes),
        float(fits(question, answer.answer)),
    ]


def _log_odds(probability: float) -> float:
    known = min(max(probability, 0.001), 0.999)
    return math.log(known / (1 - known))


def read_second_opinion(directory: Path = WEIGHTS, *, is_measured: bool = True) -> SecondOpinion:
    """Return the fitted rule in ``directory``; ``CAUTIOUS`` where nothing was fitted.

    Its threshold is stricter unless ``is_measured``: for an index other than the one that it was fitted on.

    Raises:
        ReaderError: the file is there but cannot be read.
    """
    file = directory / "second_opinion.json"
    if not file.is_file():
        return CAUTIOUS
    try:
        stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        weights = [float(stored["weights"][name]) for name in FEATURES]
        least = float(stored["least"])
        return Fitted(Logistic(float(stored["bias"]), tuple(weights)), least if is_measured else max(least, STRICTER))
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(f"{str(file)!r} holds no rule for second readings; restore it from the repository") from error
