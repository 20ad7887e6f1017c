"""Compute how likely an answer is right, which decides whether it is supported, corrected, withheld or chosen.

The probability is calibrated: of the answers with probability p a share p is right, on the questions that it was fitted
on (``lab.training.probability``). Where nothing was measured there is no probability, and nothing is supported.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from searchain.errors import ReaderError
from searchain.files.home import home
from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, fits, kind_asked
from searchain.language.questions import nesting
from searchain.language.same_answer import agreement, is_of_people, label_of
from searchain.language.same_query import Similarity
from searchain.types import JOINT, SETTLED, STRICTER, Evidence, Hit, Judgement, Node, Passage, Reading, Step, is_own
from searchain.verification import features, large_reading
from searchain.verification.large_reading import LargeRead, read_again
from searchain.verification.trees import Trees, sigmoid

WEIGHTS = Path(__file__).parent.parent / "weights" / "probability"
"""The committed values for the embedded Reader: ``probability.json`` over the default index, ``own.json`` over own
documents."""
CHAIN_FEATURES = (
    "least",
    "product",
    "asked_in_steps",
    "asked_in_first",
    "question_length",
    "fits",
    "echoes",
    "compares",
    "direct",
    "agrees",
    "clauses",
    "links",
    "steps",
    "expected",
    "short",
)
_SECOND = features.NAMES.index(large_reading.NAMES[0])
"""The position of the large Reader's first feature in ``features.NAMES``."""
OWN = "own.json"
LEAST_LIKELY = 0.15
"""A short answer below this probability is not given. Of 51 such replies to the everyday development questions none was
right; of the 18 between it and 0.2 two were."""
Expected = Callable[[str], float]
"""Question → the probability that it needs more than one look-up."""
UNRATED = 0.02
"""The probability that stands for a step without one, because it was not confirmed."""
UNMEASURED = 0.04
"""What is added to the threshold for an index or a language model on which nothing was measured."""
_NOWHERE = Passage("", "", "")


class Probability(Protocol):
    """A calibrated model of how likely answers are right, 0–1; ``None`` for a kind of answer never measured."""

    @property
    def threshold(self) -> float:
        """The least probability with which an answer is supported: nine of ten such answers are right."""

    @property
    def is_of_index(self) -> bool:
        """Whether it was fitted over the index that is searched."""

    @property
    def second(self) -> LargeRead | None:
        """The large Reader, if its readings count."""

    def rated(self, query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> list[Reading]:
        """Return for each hit the option of its reading that is most likely right, with its probability."""

    def of_step(self, step: Step, evidence: Evidence, judgement: Judgement) -> float | None:
        """Return how likely the answer of ``judgement`` on ``step`` is right."""

    def of_reply(
        self, question: str, path: Sequence[Node], final_answer: str, direct: Reading | None = None
    ) -> float | None:
        """Return how likely ``final_answer`` is right, given the correct path that leads to it.

        ``direct`` is the reading found by looking up the question itself, if no step of the path asks it.
        """


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression."""

    bias: float
    weights: tuple[float, ...]

    @classmethod
    def from_json(cls, stored: dict[str, Any], names: Sequence[str]) -> Logistic:
        """Read the weights of the features ``names``. Raises ``KeyError``, ``TypeError`` or ``ValueError``."""
        return cls(float(stored["bias"]), tuple(float(stored["weights"][name]) for name in names))

    def probability(self, values: Sequence[float]) -> float:
        """Return the probability for ``values``, one per weight."""
        return sigmoid(self.bias + sum(w * v for w, v in zip(self.weights, values, strict=True)))


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The fitted models; ``chain`` is ``None`` if no chains were measured."""

    reading: Trees
    threshold: float
    chain: Logistic | None = None
    similarity: Similarity | None = None
    second: LargeRead | None = None
    """The large Reader, if the trees were fitted with its features."""
    steps: Expected | None = None
    """The model of how likely a question needs more than one look-up."""
    is_of_index: bool = True
    """Whether it was fitted over the index that is searched."""
    steps_weight: float = 0.0
    """What is added to the log-odds of a reading, times the probability that the question needs several look-ups."""
    own: Calibrated | None = None
    """The model for readings of passages of own documents; ``None``: they are rated like all others."""

    def rated(self, query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> list[Reading]:
        result = list(readings)
        second = read_again(self.second, query, hits, readings) if self.second else ()
        expected = expected_steps(query, self.steps)
        for place, described in enumerate(features.options(query, hits, readings, self.similarity, second)):
            by = self.own if self.own and hits[place].passage.place else self
            rated = [
                replace(option, probability=sigmoid(by.reading.log_odds(values) + by.steps_weight * expected))
                for option, values in described
                if not _is_no_answer(query, option.answer)
            ]
            if described and not rated:  # "lake" is no largest lake, and nobody is born in "English"
                result[place] = replace(readings[place], answer="", span=None, others=())
            if rated:
                best = max(rated, key=lambda option: option.probability or 0.0)
                result[place] = replace(best, others=tuple(option for option in rated if option is not best))
        return result

    def of_step(self, step: Step, evidence: Evidence, judgement: Judgement) -> float | None:
        if judgement.answer is None or judgement.verdict not in SETTLED or evidence.reading is None:
            return None
        return evidence.reading.probability if label_of(judgement.answer) is None else None

    def of_reply(
        self, question: str, path: Sequence[Node], final_answer: str, direct: Reading | None = None
    ) -> float | None:
        if not path or not final_answer:
            return None
        if label_of(final_answer) and not _is_measured(question):
            return _of_label(question, path, final_answer)
        ends = _ends_with(path[-1], final_answer)
        if is_one_look_up(question, path):
            return path[-1].probability if ends else None
        if self.chain is None or not (ends or text.is_comparison(question)):
            return None  # a model wrote another answer than the one that was rated
        return self.chain.probability(chain_features(question, path, final_answer, direct, self.steps))


def _of_label(question: str, path: Sequence[Node], label: str) -> float | None:
    """Return the probability of the one step that asks the question, if it was rated with this label."""
    is_same = is_one_look_up(question, path) and label_of(path[-1].answer or "") == label_of(label)
    return path[-1].probability if is_same else None


def _ends_with(last: Node, answer: str) -> bool:
    return bool(last.answer) and agreement(answer, last.answer or "", last.passage or _NOWHERE)[0] == "agree"


def _is_measured(question: str) -> bool:
    """Tell whether the question compares two values ("… than …"): its label was measured as a chain."""
    return text.is_comparison(question) and "than" in text.tokens(question)


def is_one_look_up(question: str, path: Sequence[Node]) -> bool:
    """Tell whether the path is one step that asks the question word for word; other words may ask for less."""
    return len(path) == 1 and text.tokens(path[0].query) == text.tokens(question)


def chain_features(
    question: str, path: Sequence[Node], final_answer: str, direct: Reading | None = None, steps: Expected | None = None
) -> list[float]:
    """Return the features of a chain and its final answer, in the order of ``CHAIN_FEATURES``."""
    expected, taken = expected_steps(question, steps), len({node.query for node in path})
    known = [node.probability or UNRATED for node in path]
    asked = text.content_words(question)
    in_steps = text.content_words(" ".join(f"{node.query} {node.answer or ''}" for node in path))
    in_first = text.content_words(path[0].query)
    compares = text.is_comparison(question)
    return [
        logit(min(known)),
        logit(math.prod(known)),
        len(asked & in_steps) / max(1, len(asked)),
        len(asked & in_first) / max(1, len(asked)),
        math.log1p(len(question.split())),
        float(fits(question, final_answer) and (not compares or _is_one_of(final_answer, question))),
        float(not compares and text.contains(final_answer, question)),
        float(compares),
        logit((direct.probability if direct else None) or UNRATED),
        float(direct is not None and agreement(direct.answer, final_answer, _NOWHERE)[0] == "agree"),
        *map(float, nesting(question)),
        float(taken),
        expected,
        expected if taken == 1 else 0.0,  # the chain may end on the way
    ]


def expected_steps(question: str, steps: Expected | None) -> float:
    """Return how likely ``question`` needs more than one look-up, 0–1; 0 without a model ``steps``."""
    return steps(question) if steps else 0.0


def _is_one_of(final_answer: str, question: str) -> bool:
    """Return whether the answer to a comparison is one of the things that were compared."""
    return bool(text.content_words(final_answer) & text.content_words(question))


def logit(probability: float) -> float:
    """Return the log-odds of a probability, which is kept away from 0 and 1."""
    probability = min(max(probability, 0.001), 0.999)
    return math.log(probability / (1 - probability))


def place_of(index: str) -> Path:
    """Return the folder where the calibration of an index is kept."""
    return WEIGHTS if index == "default" else home() / "probability" / index


def probability_for(
    index: str,
    similarity: Similarity | None = None,
    second: LargeRead | None = None,
    *,
    steps: Expected | None = None,
    is_measured_model: bool = True,
) -> Calibrated | None:
    """Return the index's own calibration, else that of the default index with a stricter threshold.

    Readings from own documents are rated by the calibration for own documents, which has its own threshold. Where an
    encyclopedia is searched beside them, the higher threshold counts. The threshold is stricter also unless
    ``is_measured_model``. ``second`` is the large Reader.

    Raises:
        ReaderError: the stored calibration cannot be read.
    """
    own = read_probability(place_of(index), similarity, second, steps)
    found = own or read_probability(WEIGHTS, similarity, second, steps)
    if found is None:
        return None
    are_own = [is_own(name) for name in index.split(JOINT)]
    if own is None and any(are_own):
        own = read_probability(WEIGHTS, similarity, second, steps, name=OWN)
        threshold = own.threshold if own and all(are_own) else max(found.threshold, own.threshold if own else 0.0)
        found = replace(found, own=own, threshold=threshold)
    if own is not None and is_measured_model:
        return found
    return replace(found, threshold=max(found.threshold + UNMEASURED, STRICTER), is_of_index=own is not None)


def read_probability(
    directory: Path = WEIGHTS,
    similarity: Similarity | None = None,
    second: LargeRead | None = None,
    steps: Expected | None = None,
    *,
    name: str = "probability.json",
) -> Calibrated | None:
    """Return the calibration in the file ``name`` of ``directory``, as ``calibrate`` stored it; ``None`` without one.

    Raises:
        ReaderError: the file is there but cannot be read.
    """
    file = Path(directory) / name
    if not file.is_file():
        return None
    try:
        stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        reading = Trees.from_json(stored["reading"])
        return Calibrated(
            reading=reading,
            threshold=float(stored["threshold"]),
            chain=Logistic.from_json(stored["chain"], CHAIN_FEATURES) if "chain" in stored else None,
            similarity=similarity,
            second=second if reading.last_feature >= _SECOND else None,
            steps=steps,
            steps_weight=float(stored.get("steps", 0.0)),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(
            f"{str(file)!r} holds no probability",
            hint="make it anew with: python assistant.py calibrate --questions FILE",
        ) from error


def _is_no_answer(question: str, answer: str) -> bool:
    """Tell whether an answer is only a common noun of the question, or a people where a place is asked for."""
    words = text.content_words(answer)
    repeats = answer.islower() and bool(words) and words <= text.content_words(question) and " or " not in question
    return repeats or (kind_asked(question) is AnswerKind.PLACE and is_of_people(answer))
