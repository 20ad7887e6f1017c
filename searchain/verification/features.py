"""Describe readings by numbers, from which their probability is computed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, asks_several, fits, kind_asked, type_asked
from searchain.language.descriptions import after_description
from searchain.language.questions import nesting
from searchain.language.same_answer import agreement
from searchain.language.same_query import Similarity
from searchain.language.sentences import split
from searchain.types import Hit, Passage, Reading
from searchain.verification import large_reading

NAMES = (
    "f",
    "f_lead",
    "f_agreeing",
    "agreeing",
    "f_differing",
    "likelihood",
    "lead",
    "rank",
    "score",
    "score_lead",
    "first_score_lead",
    "asked_in_passage",
    "asked_in_sentence",
    "asked_missing",
    "names_in_passage",
    "has_names",
    "title_asked",
    "answer_in_title",
    "answer_asked",
    "fits",
    "asks_date",
    "asks_number",
    "asks_person",
    "asks_place",
    "is_date",
    "is_full_name",
    "is_named_place",
    "words",
    "is_long",
    "is_capital",
    "has_digit",
    "is_lower",
    "question_length",
    "question_words",
    "passage_length",
    "similarity",
    "clauses",
    "links",
    "place",
    "type_similarity",
    "has_type",
    "near_asked",
    "asks_several",
    "is_list",
    "led",
    *large_reading.NAMES,
)
"""The features in the order of the numbers."""
NEVER = -10.0
"""The value of an f or a likelihood that does not exist."""
NEAR = 10
"""How many words on each side of a span count as near it."""
_LEADING = {
    AnswerKind.DATE: frozenset("in on from since until between during by after before around about".split()),
    AnswerKind.PLACE: frozenset("in at on near from of to between".split()),
    AnswerKind.NAMED_PLACE: frozenset("in at on near from of to between".split()),
    AnswerKind.PERSON: frozenset("by of".split()),
}
_ENUMERATION = re.compile(r",| and | or ")
_YEAR = re.compile(r"\d{3,4}|centur|\bBC\b")


def options(
    question: str,
    hits: Sequence[Hit],
    readings: Sequence[Reading],
    similarity: Similarity | None,
    second: Sequence[Reading | None] = (),
) -> list[list[tuple[Reading, list[float]]]]:
    """Return for every hit the options of its reading with their features, in the order of ``NAMES``.

    An option is compared with the first readings of the other passages. A hit without an answer has no option.
    ``second`` has the large Reader's reading of each passage, ``None`` for one not read; by default none is read."""
    asked = _Asked(question)
    first, second = readings, second or (None,) * len(hits)
    readings = large_reading.united(first, second)
    if isinstance(similarity, Prepares):
        similarity.prepare(_compared(asked, hits, readings))
    return [
        [
            (
                option,
                _features(asked, number, hits, (*readings[:number], option, *readings[number + 1 :]), similarity, place)
                + large_reading.features(option, number, hits, first, second),
            )
            for place, option in enumerate(readings[number].options)
        ]
        for number in range(len(hits))
    ]


@runtime_checkable
class Prepares(Protocol):
    """A similarity that can embed several texts in one batch."""

    def prepare(self, texts: Iterable[str]) -> None:
        """Embed ``texts`` in one batch and keep the embeddings for later comparisons."""


def _compared(asked: _Asked, hits: Sequence[Hit], readings: Sequence[Reading]) -> Iterator[str]:
    """Yield all texts that the features of the readings compare."""
    yield from filter(None, (asked.question, asked.type))
    for hit, reading in zip(hits, readings, strict=True):
        for option in reading.options:
            if sentence := sentence_of(hit.passage, option):
                yield _titled(hit.passage, sentence)
            if asked.type:
                yield option.answer


def _titled(passage: Passage, sentence: str) -> str:
    """Put the title before a sentence, because the sentence may name its subject only by a pronoun."""
    return f"{passage.title}: {sentence}"


class _Asked:
    """The question's words, names, kind of answer and length, computed once."""

    def __init__(self, question: str) -> None:
        self.question = question
        self.words = text.content_words(question)
        self.names = {text.stem(name) for name in text.names(question)}
        self.kind = kind_asked(question)
        self.type = type_asked(question)
        self.is_of_several = asks_several(question)
        self.length = math.log1p(len(question.split()))
        self.clauses, self.links = nesting(question)


def _features(
    asked: _Asked,
    number: int,
    hits: Sequence[Hit],
    readings: Sequence[Reading],
    similarity: Similarity | None,
    place: int,
) -> list[float]:
    hit, reading = hits[number], readings[number]
    answer, passage = reading.answer, hit.passage
    title = text.content_words(passage.title)
    words = text.content_words(answer)
    sentence = sentence_of(passage, reading)
    in_passage = text.content_words(passage.text) | title
    in_sentence = text.content_words(sentence) | title
    agreeing, differing = _others(number, hits, readings)
    scores = [other.score for other in hits]
    rivals = [score for place, score in enumerate(scores) if place != number]
    return [
        reading.confidence,
        reading.confidence - max(differing, default=NEVER),
        max(agreeing, default=NEVER),
        len(agreeing),
        max(differing, default=NEVER),
        NEVER if reading.likelihood is None else reading.likelihood,
        0.0 if reading.lead is None else reading.lead,
        hit.rank,
        hit.score,
        hit.score - max(rivals, default=hit.score),
        scores[0] - sum(scores[1:]) / len(scores[1:]) if rivals else 0.0,
        _share(asked.words & in_passage, asked.words),
        _share(asked.words & in_sentence, asked.words),
        len(asked.words - in_passage),
        _share(asked.names & in_passage, asked.names) if asked.names else 0.5,
        bool(asked.names),
        _share(title & asked.words, title),
        bool(words) and words <= title,
        _share(words & asked.words, words),
        fits(asked.question, answer),
        *_of_kind(asked.kind, answer),
        len(text.tokens(answer)),
        len(text.tokens(answer)) > 5,
        answer[:1].isupper(),
        any(letter.isdigit() for letter in answer),
        answer.islower(),
        asked.length,
        len(asked.words),
        math.log1p(len(passage.text)),
        similarity(asked.question, _titled(passage, sentence)) if similarity and sentence else 0.0,
        asked.clauses,
        asked.links,
        place,
        similarity(asked.type, answer) if similarity and asked.type else 0.0,
        bool(asked.type),
        _near(asked.words, passage, reading),
        asked.is_of_several,
        bool(_ENUMERATION.search(answer)),
        _is_led(asked.kind, passage, reading),
    ]


def _of_kind(kind: AnswerKind, answer: str) -> list[bool]:
    """Return which kind of answer is asked for, and whether ``answer`` looks like a date, a full name or a place."""
    is_capital, is_date, is_person = answer[:1].isupper(), kind is AnswerKind.DATE, kind is AnswerKind.PERSON
    is_place = kind in (AnswerKind.PLACE, AnswerKind.NAMED_PLACE)
    return [
        is_date,
        kind is AnswerKind.NUMBER,
        is_person,
        is_place,
        is_date and bool(_YEAR.search(answer)),
        is_person and is_capital and len(answer.split()) > 1,
        is_place and is_capital,
    ]


def _near(asked: set[str], passage: Passage, reading: Reading) -> float:
    """Return the share of the words ``asked`` near the span; the title counts as near a span in the description."""
    if reading.span is None:
        return 0.0
    title = passage.title if reading.span.end <= after_description(passage.text) else ""
    before = passage.text[: reading.span.start].split()[-NEAR:]
    after = passage.text[reading.span.end :].split()[:NEAR]
    return _share(asked & text.content_words(" ".join((title, *before, *after))), asked)


def _is_led(kind: AnswerKind, passage: Passage, reading: Reading) -> float:
    """Return 1 if the span follows a preposition typical of ``kind``, 0 if not, 0.5 if ``kind`` has none."""
    wanted = _LEADING.get(kind)
    if wanted is None or reading.span is None:
        return 0.5
    before = passage.text[: reading.span.start].casefold().split()[-2:]
    if before[-1:] == ["the"]:
        before.pop()
    return float(bool(before) and before[-1] in wanted)


def _others(number: int, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[list[float], list[float]]:
    """Return the f of the other readings with the same answer, and of those with another answer."""
    agreeing: list[float] = []
    differing: list[float] = []
    for place, other in enumerate(readings):
        if place != number and other.answer:
            is_same = agreement(readings[number].answer, other.answer, hits[number].passage)[0] == "agree"
            (agreeing if is_same else differing).append(other.confidence)
    return agreeing, differing


def sentence_of(passage: Passage, reading: Reading) -> str:
    """Return the sentence of the passage in which the reading begins, ``""`` without a span."""
    if reading.span is None:
        return ""
    found = [passage.text[a:b] for a, b in split(passage.text) if a <= reading.span.start < b]
    return found[0] if found else ""


def _share(part: set[str], whole: set[str]) -> float:
    return len(part) / len(whole) if whole else 0.0
