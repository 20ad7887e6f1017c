"""Say how likely an answer is right: the one figure that decides what is ticked, corrected, kept back and chosen.

Of the answers with probability p a share p is right, on the questions that it was fitted on
(``lab.training.probability``). Where nothing was measured there is no probability, and nothing is supported.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from searchain.errors import ReaderError
from searchain.files.home import home
from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, fits, kind_asked
from searchain.language.converse import is_converse, is_the_described
from searchain.language.hidden_steps import hides_step
from searchain.language.offices import held_once, is_present_seat
from searchain.language.one_of_several import has_more_behind, is_half, is_one_of_makers
from searchain.language.other_events import is_of_life, is_of_other_event, is_of_titled_period, is_other_end
from searchain.language.other_places import is_elsewhere, is_of_the_whole
from searchain.language.other_sorts import is_called_another_sort, is_of_another_sort
from searchain.language.other_things import (
    is_beside,
    is_echo,
    is_label_number,
    is_maker_unasked,
    is_of_joined_word,
    is_other_kin,
    is_other_side,
    is_place_of_deed,
    is_unnamed,
)
from searchain.language.qualifiers import (
    counts_some,
    has_other_rank,
    is_of_a_part,
    is_of_another,
    is_ranked_lower,
    states_no_rank,
)
from searchain.language.same_answer import agreement, label_of
from searchain.language.same_query import Similarity, asks_all
from searchain.language.territories import is_other_place
from searchain.language.unconfirmed import is_no_capital_of, leaves_open, names_no_builder
from searchain.types import SETTLED, STRICTER, Evidence, Hit, Judgement, Node, Passage, Reading, Step
from searchain.verification import features, large_reading
from searchain.verification.judge import PROPOSED
from searchain.verification.large_reading import LargeRead, read_again
from searchain.verification.trees import Trees, sigmoid

WEIGHTS = Path(__file__).parent.parent / "weights" / "probability"
"""The committed values: ``probability.json``, for the embedded Reader over the default index."""
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
)
_FITS, _OTHER_RANK, _OF_A_PART = map(features.NAMES.index, ("fits", "other_rank", "of_a_part"))
_SECOND = features.NAMES.index(large_reading.NAMES[0])
"""The place of the first feature that the large Reader gives."""
NONE = 0.02
"""The most of a reading from a passage about something else, too little for a reply: a plain fact of something that
the passage does not name (5 of 44 were right, three of them by chance), or the first of a rank in a place that it does
not name, which was not measured."""
UNFIT = 0.1
"""The most that an answer can have which can hardly be meant, such as one of another kind than the question asks for.
``docs/probability.md`` lists the rules, and what was measured of each."""
SOME = 0.5
"""The most that an answer can have which may be meant in part, such as a count of some of the things.
``docs/probability.md`` lists these rules, too."""
STATED_LABEL = 0.95
"""How likely a yes or no is right that an article's own words give; one by the reading of an open question is as likely
as that reading, if that is less.

Of 128 questions about titles that a seed drew, 58 were decided in the two ways, all rightly; of 110 others 45, all
rightly; of 74 claims of FEVER 10, nine rightly.
"""
LEAST_LIKELY = 0.15
"""A short answer that is less likely right is not given. Of 51 replies to the everyday development questions below it
none was right; of the 18 between this and 0.2 two were."""
UNRATED = 0.02
"""The probability of a step that has none: it was not confirmed."""
UNMEASURED = 0.04
"""How much higher the threshold is where nothing was measured with the index or the language model."""
_OTHER_THINGS = (
    is_maker_unasked,
    is_place_of_deed,
    is_other_side,
    is_label_number,
    is_of_joined_word,
    is_other_kin,
    is_converse,
    is_of_other_event,
    is_called_another_sort,
)
"""Rules that say of a query, a passage and a span that the span is not what is asked for."""
_NOWHERE = Passage("", "", "")


class Probability(Protocol):
    """A calibrated model of how likely answers are right, 0–1. ``None`` stands for what was never measured."""

    @property
    def threshold(self) -> float:
        """From which probability on nine of ten answers are right."""

    def rated(self, query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> list[Reading]:
        """Return for each hit the reading of its passage that most likely answers ``query``, with its probability."""

    def of_step(self, step: Step, evidence: Evidence, judgement: Judgement) -> float | None:
        """Return how likely the answer in force of a judged step is right."""

    def of_reply(
        self, question: str, path: Sequence[Node], final_answer: str, direct: Reading | None = None
    ) -> float | None:
        """Return how likely ``final_answer`` is right, given the correct path that it was taken from.

        ``direct`` is what the question itself found, where no step of the path asks it.
        """


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic regression."""

    bias: float
    weights: tuple[float, ...]

    def probability(self, values: Sequence[float]) -> float:
        """Return the probability for ``values``, one per weight."""
        return sigmoid(self.bias + sum(w * v for w, v in zip(self.weights, values, strict=True)))


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The fitted models. ``chain`` is ``None`` where chains were not measured; labels never were."""

    reading: Trees
    threshold: float
    chain: Logistic | None = None
    similarity: Similarity | None = None
    second: LargeRead | None = None
    """Reads the passages again, where the trees were fitted with it."""

    def rated(self, query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> list[Reading]:
        result = list(readings)
        second = read_again(self.second, query, hits, readings) if self.second else ()
        for place, described in enumerate(features.options(query, hits, readings, self.similarity, second)):
            rated = [
                replace(option, probability=self._rated(query, hits[place].passage, option, values))
                for option, values in described
            ]
            if rated:
                best = max(rated, key=lambda option: option.probability or 0.0)
                result[place] = replace(best, others=tuple(option for option in rated if option is not best))
        return result

    def _rated(self, query: str, passage: Passage, option: Reading, values: Sequence[float]) -> float:
        return min(self.reading.probability(values), most_of(query, passage, option, values))

    def of_step(self, step: Step, evidence: Evidence, judgement: Judgement) -> float | None:
        if judgement.answer is None or judgement.verdict not in SETTLED or evidence.reading is None:
            return None
        if label_of(judgement.answer) is None:
            return evidence.reading.probability
        is_own = evidence.chosen is not None and evidence.chosen.passage.place is not None
        is_stated = judgement.rule == PROPOSED and label_of(judgement.answer) is not None and not is_own
        likely = evidence.reading.probability  # of the open question; the words of an article have none of their own
        return None if not is_stated else STATED_LABEL if likely is None else min(STATED_LABEL, likely)

    def of_reply(
        self, question: str, path: Sequence[Node], final_answer: str, direct: Reading | None = None
    ) -> float | None:
        if not path or not final_answer:
            return None
        last = path[-1]
        if label_of(final_answer) and not _is_measured(question):
            is_asked = len(path) == 1 and text.tokens(last.query) == text.tokens(question)
            is_same = is_asked and label_of(last.answer or "") == label_of(final_answer)
            return last.probability if is_same else None
        ends = bool(last.answer) and agreement(final_answer, last.answer or "", last.passage or _NOWHERE)[0] == "agree"
        if not ends and not text.is_comparison(question):
            return None  # a model wrote another answer than the one that was rated
        if is_one_look_up(question, path):
            if not ends or last.probability is None:
                return None
            if last.query != question and not fits(question, final_answer):
                # the step asked for something of another kind
                return min(last.probability, UNFIT)
            if is_echo(question, final_answer):
                return min(last.probability, UNFIT)
            is_less = hides_step(question) or is_half(question, final_answer)
            return min(last.probability, SOME) if is_less else last.probability
        if self.chain is None:
            return None
        likely = self.chain.probability(chain_features(question, path, final_answer, direct))
        most = SOME if is_half(question, final_answer) else 1.0
        return min(likely, most if fits(question, final_answer) else UNFIT)


def most_of(query: str, passage: Passage, option: Reading, values: Sequence[float]) -> float:
    """Return the most that a reading with these features can have: little where its answer can hardly be meant."""
    return _limit(query, passage, option, bool(values[_FITS] and not values[_OTHER_RANK] and not values[_OF_A_PART]))


def bound_of(query: str, passage: Passage, option: Reading) -> float:
    """Return the most that a reading can have by the rules, whoever reads it; 1.0 where none of them applies."""
    sentence = features.sentence_of(passage, option)
    is_likely = fits(query, option.answer) and not has_other_rank(query, sentence) and not is_of_a_part(query, sentence)
    return _limit(query, passage, option, is_likely)


def _limit(query: str, passage: Passage, option: Reading, is_likely: bool) -> float:
    if is_unnamed(query, passage) or is_elsewhere(query, passage.title, passage.text, option.answer):
        return NONE
    if not is_likely or _is_other(query, passage, option):
        return UNFIT
    is_some = option.span is not None and counts_some(query, passage, option.span)
    is_less = is_some or hides_step(query) or is_half(query, option.answer) or states_no_rank(query, passage)
    is_less = is_less or is_beside(query, passage) or is_present_seat(query, features.sentence_of(passage, option))
    is_less = is_less or leaves_open(query, passage) or names_no_builder(query, features.sentence_of(passage, option))
    if option.span is not None:
        is_less = is_less or is_of_titled_period(query, passage, option.span)
        is_less = is_less or is_one_of_makers(query, passage, option.span)
        is_less = is_less or has_more_behind(query, passage, option.span)
    return SOME if is_less else 1.0


def _is_other(query: str, passage: Passage, option: Reading) -> bool:
    """Tell whether the passage says plainly that the answer is not what ``query`` asks for."""
    sentence = features.sentence_of(passage, option)
    if held_once(query, sentence) or is_other_end(query, sentence) or is_of_another_sort(query, option.answer):
        return True
    if is_echo(query, option.answer) or is_other_place(query, option.answer):
        return True
    if is_ranked_lower(query, passage, option.answer) or is_no_capital_of(query, passage, option.answer):
        return True
    if is_of_the_whole(query, passage.title, sentence) or is_the_described(query, passage, option.answer):
        return True
    if option.span is None:
        return False
    if any(rule(query, passage, option.span) for rule in _OTHER_THINGS):
        return True
    if is_of_life(query, passage, option.span):
        return True
    return kind_asked(query) is AnswerKind.NUMBER and is_of_another(query, passage, option.span)


def _is_measured(question: str) -> bool:
    """Tell whether the label that answers the question follows from two values: such a label was rated as a chain."""
    return text.is_comparison(question) and "than" in text.tokens(question)


def is_one_look_up(question: str, path: Sequence[Node]) -> bool:
    """Tell whether the path is one step that asks all that the question asks; a step that asks less is a chain."""
    return len(path) == 1 and (path[0].query == question or asks_all(path[0].query, question))


def chain_features(
    question: str, path: Sequence[Node], final_answer: str, direct: Reading | None = None
) -> list[float]:
    """Return the features of a chain and its end, in the order of ``CHAIN_FEATURES``."""
    known = [node.probability or UNRATED for node in path]
    asked = text.content_words(question)
    in_steps = text.content_words(" ".join(f"{node.query} {node.answer or ''}" for node in path))
    in_first = text.content_words(path[0].query)
    compares = text.is_comparison(question)
    return [
        _logit(min(known)),
        _logit(math.prod(known)),
        len(asked & in_steps) / max(1, len(asked)),
        len(asked & in_first) / max(1, len(asked)),
        math.log1p(len(question.split())),
        float(fits(question, final_answer) and (not compares or _is_one_of(final_answer, question))),
        float(not compares and text.contains(final_answer, question)),
        float(compares),
        _logit((direct.probability if direct else None) or UNRATED),
        float(direct is not None and agreement(direct.answer, final_answer, _NOWHERE)[0] == "agree"),
        *map(float, features.nesting(question)),
        float(len({node.query for node in path})),
    ]


def _is_one_of(final_answer: str, question: str) -> bool:
    """Whether the answer to a comparison is one of the things that were compared."""
    return bool(text.content_words(final_answer) & text.content_words(question))


def _logit(probability: float) -> float:
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
    is_measured_model: bool = True,
) -> Calibrated | None:
    """Return the index's own calibration, else that of the default index with a stricter threshold.

    It is stricter also for a language model with which nothing was measured. ``second`` reads passages again.

    Raises:
        ReaderError: it is there but cannot be read.
    """
    own = read_probability(place_of(index), similarity, second)
    found = own or read_probability(WEIGHTS, similarity, second)
    if found is None or (own is not None and is_measured_model):
        return found
    return replace(found, threshold=max(found.threshold + UNMEASURED, STRICTER))


def read_probability(
    directory: Path = WEIGHTS, similarity: Similarity | None = None, second: LargeRead | None = None
) -> Calibrated | None:
    """Return what ``calibrate`` stored in ``directory``; ``None`` where it stored nothing.

    Raises:
        ReaderError: the file is there but cannot be read.
    """
    file = Path(directory) / "probability.json"
    if not file.is_file():
        return None
    try:
        stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        reading = Trees.from_json(stored["reading"])
        return Calibrated(
            reading=reading,
            threshold=float(stored["threshold"]),
            chain=_chain(stored.get("chain")),
            similarity=similarity,
            second=second if reading.last_feature >= _SECOND else None,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ReaderError(
            f"{str(file)!r} holds no probability",
            hint="make it anew with: python assistant.py calibrate --questions FILE",
        ) from error


def _chain(stored: dict[str, Any] | None) -> Logistic | None:
    if stored is None:
        return None
    return Logistic(float(stored["bias"]), tuple(float(stored["weights"][name]) for name in CHAIN_FEATURES))
