"""What a second reading of the passages does to a reply: it is confirmed, corrected or withdrawn.

Two probabilities decide: how likely the reply is right, and how likely the second reading is, now that both are known.
Until they were fitted on questions (``Fitted``), the rule is cautious (``CAUTIOUS``): agreement supports nothing that
was not supported before, and disagreement takes back at most that.
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
from searchain.types import STRICTER, Passage
from searchain.verification.probability import LEAST_LIKELY, UNRATED, Logistic

WEIGHTS = Path(__file__).parent.parent / "weights" / "careful"
"""The fitted values, ``second_opinion.json``; there are none until a calibration wrote them."""
FEATURES = ("likely", "agrees", "finds_nothing", "differs", "is_quoted", "place", "fits")
"""What the two probabilities are fitted on, in this order."""

Relation = Literal["agrees", "differs", "finds nothing"]
Ending = Literal["confirmed", "corrected", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Case:
    """A reply beside the second reading of its passages."""

    question: str
    first: str
    """The short answer of the reply, ``""`` where it found none."""
    probability: float | None
    """How likely it was right, as far as the first reading tells."""
    second: str
    """What was read the second time, ``""`` for nothing."""
    relation: Relation
    place: int | None
    """Which of the passages holds ``second``, from 0, the likeliest passage first; ``None`` where none does."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """How likely each of the two is right; ``None`` where that was never measured."""

    first: float | None
    second: float | None


class SecondOpinion(Protocol):
    """The rule between a reply and the second reading."""

    def wants(self, answer: str, probability: float | None, threshold: float, *, is_supported: bool) -> bool:
        """Return whether a reply with this short answer is to be read a second time."""

    def weigh(self, case: Case) -> Weighed:
        """Return how likely the reply and the second reading are right."""

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
        return "agrees" if _TRUTH.get(label) == _TRUTH.get(label_in(second) or "") else "differs"
    return "agrees" if agreement(first, second, passage)[0] == "agree" else "differs"


_TRUTH = {"yes": True, "supports": True, "no": False, "refutes": False}


def ending_of(case: Case, weighed: Weighed) -> Ending:
    """Decide what becomes of the reply; only what stands in a passage can take its place."""
    if case.relation == "agrees":
        return "confirmed"
    is_better = weighed.second is not None and weighed.second > max(weighed.first or 0.0, LEAST_LIKELY)
    return "corrected" if is_better and case.place is not None else "withdrawn"


class _Cautious:
    """Nothing was fitted: only what is not supported is read again, and no probability changes."""

    def wants(self, answer: str, probability: float | None, threshold: float, *, is_supported: bool) -> bool:
        return bool(answer) and not is_supported

    def weigh(self, case: Case) -> Weighed:
        return Weighed(case.probability, None)

    def threshold(self, before: float | None) -> float | None:
        return before


CAUTIOUS = _Cautious()


@dataclass(frozen=True, slots=True)
class Fitted:
    """Two logistic regressions over ``FEATURES``, fitted on replies with their second readings."""

    first: Logistic
    second: Logistic
    least: float
    """From this probability on a reply that was read again is supported: nine of ten such replies were right."""
    surely: float = 0.0
    """A supported reply is read again below this probability."""

    def wants(self, answer: str, probability: float | None, threshold: float, *, is_supported: bool) -> bool:
        return not is_supported or (probability or 0.0) < self.surely

    def weigh(self, case: Case) -> Weighed:
        values = features(case)
        first = self.first.probability(values) if case.first else None
        return Weighed(first, self.second.probability(values) if case.second else None)

    def threshold(self, before: float | None) -> float | None:
        return None if before is None else self.least


def features(case: Case) -> list[float]:
    """Return what the fit sees of ``case``, in the order of ``FEATURES``."""
    known = min(max(case.probability or UNRATED, 0.001), 0.999)
    return [
        math.log(known / (1 - known)),
        float(case.relation == "agrees"),
        float(case.relation == "finds nothing"),
        float(case.relation == "differs"),
        float(case.place is not None),
        float(case.place or 0),
        float(bool(case.second) and fits(case.question, case.second)),
    ]


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
        first, second = _logistic(stored["first"]), _logistic(stored["second"])
        least = float(stored["least"])
        return Fitted(first, second, least if is_measured else max(least, STRICTER), float(stored["surely"]))
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(f"{str(file)!r} holds no rule for second readings; restore it from the repository") from error


def _logistic(stored: dict[str, Any]) -> Logistic:
    weights: Sequence[float] = [float(stored["weights"][name]) for name in FEATURES]
    return Logistic(float(stored["bias"]), tuple(weights))
