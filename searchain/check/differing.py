"""Ask a passage for the values of a sentence, each in its place: does it give the same one, or another?

A value is a number, a date or a name, or a word that no passage carries. The sentence is read as a question with the
value left open ("The deposit amounts to what?"), and the Reader's answer is compared with the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from searchain.language import text
from searchain.language.amounts import Value, values_in
from searchain.language.same_answer import agreement
from searchain.language.sentences import split
from searchain.reading.alignment import Word
from searchain.reading.reader import Reader
from searchain.types import Passage, Reading, Span

OPEN = "what"
"""The word that stands for the value in the question."""
LEAST_RELEVANT, LEAST_LIKELY = 0.6, -1.7
"""The least f of a passage, and the least log-probability of the span in it, that decide on a value."""
LEAST_RELEVANT_WORD = 3.0
"""The least f for a value that is a plain word: a passage says other things of other kinds in its place."""


SHORT = 200
"""Most characters of the likest words of a passage that must not be asked for a value that stands in them."""
Says = Literal["same", "other", "nothing"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A value of a sentence, and what a passage gives in its place."""

    span: Span
    """The value in the sentence."""
    says: Says
    place: Span | None = None
    """What the passage gives; ``None`` where it was not asked, because the value stands there."""

    @property
    def differs(self) -> bool:
        return self.says == "other"


def asked(sentence: str, words: Sequence[Word], passage: Passage, near: Span, reader: Reader) -> list[Asked]:
    """Ask ``passage`` for the values of ``sentence`` that its likest words, at ``near``, do not have.

    ``words`` are those of the sentence that are values, or that no passage carries. Several of the latter are not asked
    for: then the passage speaks of something else. The sentences beside ``near`` are read with it.

    Raises:
        ReaderError: the Reader failed.
    """
    values, others = _values(sentence, words)
    stretch = _beside(passage.text, near)
    held, read = passage.text[near.start : near.end], replace(passage, text=passage.text[stretch.start : stretch.end])
    found = []
    for span in [*values, *(others if len(others) == 1 else ())]:
        if len(held) <= SHORT and text.contains(sentence[span.start : span.end], held):
            found.append(Asked(span, "same"))
            continue
        question = f"{sentence[: span.start]}{OPEN}{sentence[span.end :].rstrip(' .!')}?"
        (reading,) = reader.read(question, [read])
        says = _compared(sentence, span, reading, read, is_value=span in values)
        place = reading.span and Span(reading.span.start + stretch.start, reading.span.end + stretch.start)
        found.append(Asked(span, says, place))
    return found


def _beside(body: str, near: Span) -> Span:
    """Return ``near`` with the sentence before and the sentence behind it."""
    sentences = split(body)
    inside = [number for number, (start, end) in enumerate(sentences) if start < near.end and near.start < end]
    if not inside:
        return near
    return Span(sentences[max(0, inside[0] - 1)][0], sentences[min(inside[-1] + 1, len(sentences) - 1)][1])


def _values(sentence: str, words: Sequence[Word]) -> tuple[list[Span], list[Span]]:
    """Return numbers and names, neighbouring ones, also behind a comma, as one span each; and the other words."""
    values, others = list[Span](), list[Span]()
    for word in words:
        own = values if word.is_number or word.is_name else others
        if own and not sentence[own[-1].end : word.span.start].strip(" ,"):
            own[-1] = Span(own[-1].start, word.span.end)
        else:
            own.append(word.span)
    return values, others


def _compared(sentence: str, span: Span, reading: Reading, passage: Passage, *, is_value: bool) -> Says:
    said, answer = sentence[span.start : span.end], reading.answer
    is_relevant = reading.confidence >= (LEAST_RELEVANT if is_value else LEAST_RELEVANT_WORD)
    if not answer or not is_relevant or (reading.likelihood or 0.0) < LEAST_LIKELY:
        return "nothing"
    own, other = text.content_words(said), text.content_words(answer)
    found, _ = agreement(said, answer, passage)
    if found == "agree" or own <= other:
        return "same"
    is_new = not other <= text.content_words(sentence) and not text.contains(said, _around(reading, passage))
    is_alike = bool(text.numbers(said)) == bool(text.numbers(answer)) and _are_of_one_unit(
        sentence, span, reading, passage
    )
    return "other" if found == "disagree" and is_new and is_alike else "nothing"


def _around(reading: Reading, passage: Passage) -> str:
    """Return the line of the sentence in which the answer stands: what else it says is said of the same thing."""
    assert reading.span is not None  # it has an answer
    at, body = reading.span, passage.text
    start, end = next(((start, end) for start, end in split(body) if start <= at.start < end), (0, len(body)))
    return body[max(start, body.rfind("\n", 0, at.start) + 1) : end].partition("\n")[0]


def _are_of_one_unit(sentence: str, span: Span, reading: Reading, passage: Passage) -> bool:
    """Return whether the units of both values agree, as far as both have one."""
    assert reading.span is not None  # it has an answer
    one, other = _value_at(sentence, span), _value_at(passage.text, reading.span)
    return one is None or other is None or not (one.unit and other.unit) or one.measure[0] == other.measure[0]


def _value_at(body: str, span: Span) -> Value | None:
    return next((value for value in values_in(body) if value.start < span.end and span.start < value.end), None)
