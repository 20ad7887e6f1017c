"""Ask a passage for the values of a sentence, each in its place: does it give the same one, or another?

A value is a number, a date or a name, or a word that no passage carries. The sentence is read as a question with the
value left open ("The deposit amounts to what?"), and the Reader's answer is compared with the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
"""Longer words of a passage are asked for a value though it stands in them: a list has many values."""
Says = Literal["same", "other", "nothing"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A value of a sentence, and what a passage gives in its place."""

    span: Span
    """The value in the sentence."""
    says: Says
    place: Span | None
    """Where the passage gives it; ``None`` where it gives none."""

    @property
    def differs(self) -> bool:
        return self.says == "other"


def asked(
    sentence: str, words: Sequence[Word], passage: Passage, near: str, reader: Reader, *, confirms: bool
) -> list[Asked]:
    """Ask ``passage`` for the values of ``sentence`` that its likest words, ``near``, do not have.

    ``words`` are those of the sentence that are values, or that no passage carries. Several of the latter are not asked
    for: then the passage speaks of something else. With ``confirms`` values that stand in ``near`` are asked for, too.

    Raises:
        ReaderError: the Reader failed.
    """
    values, others = _values(sentence, words)
    found = []
    for span in [*values, *(others if len(others) == 1 else ())]:
        stands = len(near) <= SHORT and text.contains(sentence[span.start : span.end], near)
        if confirms or not stands:
            question = f"{sentence[: span.start]}{OPEN}{sentence[span.end :].rstrip(' .!')}?"
            (reading,) = reader.read(question, [passage])
            found.append(
                Asked(span, _compared(sentence, span, reading, passage, is_value=span in values), reading.span)
            )
    return found


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
