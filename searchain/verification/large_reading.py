"""Describe readings by what the large Reader found in the same passages.

The large Reader reads the likeliest passages again. Its answer spans join those of the small Reader. Each span gets
further features (``NAMES``), after those of ``features``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from searchain.language.same_answer import agreement
from searchain.types import Hit, Passage, Reading

LargeRead = Callable[[str, Sequence[Passage]], Sequence[Reading]]
"""The function that reads passages again: ``LargeReader.read``."""
NAMES = (
    "large_f",
    "large_f_lead",
    "large_f_agreeing",
    "large_agreeing",
    "large_f_differing",
    "large_likelihood",
    "large_lead",
    "large_place",
    "first_place",
    "both_first",
)
"""The features in the order of the numbers."""
NEVER = -10.0
"""The value of an f or a likelihood that does not exist."""
NOWHERE = 3
"""The place of an answer that is not among the options of a Reader."""


PASSAGES, OWN_PASSAGES = 3, 5
"""How many passages are read again, and how many of own documents. Of 529 questions typed to files that answer them
(``lab.training.natural``, 2026-11-29) five passages held the answer for 486, the small Reader's first three for 450."""


def read_again(
    second: LargeRead, query: str, hits: Sequence[Hit], readings: Sequence[Reading], passages: int = PASSAGES
) -> list[Reading | None]:
    """Return the large Reader's readings of the ``passages`` with the greatest f; ``None`` for the others.

    Of passages of own documents up to ``OWN_PASSAGES`` are read, also where an encyclopedia is searched beside them.
    """
    by_f = sorted(range(len(hits)), key=lambda place: -readings[place].confidence)
    own = [place for place in by_f if hits[place].passage.place]
    likeliest = {*by_f[:passages], *own[:OWN_PASSAGES]}
    chosen = sorted(likeliest)
    found = second(query, [hits[place].passage for place in chosen])
    result: list[Reading | None] = [None] * len(hits)
    for place, reading in zip(chosen, found, strict=True):
        result[place] = reading
    return result


def united(first: Sequence[Reading], second: Sequence[Reading | None]) -> list[Reading]:
    """Return the readings of ``first``; spans that only ``second`` has are added to their ``others``."""
    return [_united(one, other) for one, other in zip(first, second, strict=True)]


def _united(first: Reading, second: Reading | None) -> Reading:
    known = first.options
    added = [
        Reading(option.answer, option.span, first.confidence)
        for option in (second.options if second else ())
        if not any(_is_same_place(option, one) for one in known)
    ]
    if not added:
        return first
    best, *others = (*known, *added)
    return replace(best, others=tuple(others))


def features(
    option: Reading, place: int, hits: Sequence[Hit], first: Sequence[Reading], second: Sequence[Reading | None]
) -> list[float]:
    """Return the numbers of an option of the passage at ``place``, in the order of ``NAMES``."""
    in_first = next((at for at, one in enumerate(first[place].options) if _is_same_place(one, option)), NOWHERE)
    own, passage = second[place], hits[place].passage
    if own is None:
        return [NEVER, 0.0, NEVER, 0.0, NEVER, NEVER, 0.0, NOWHERE, in_first, 0.0]
    agreeing: list[float] = []
    differing: list[float] = []
    for at, other in enumerate(second):
        if at != place and other is not None and other.answer:
            is_same = agreement(option.answer, other.answer, passage)[0] == "agree"
            (agreeing if is_same else differing).append(other.confidence)
    in_second, found = _found(option, own, passage)
    likelihood = found.likelihood if found else None
    lead = found.lead if found else None
    return [
        own.confidence,
        own.confidence - max(differing, default=NEVER),
        max(agreeing, default=NEVER),
        len(agreeing),
        max(differing, default=NEVER),
        NEVER if likelihood is None else likelihood,
        0.0 if lead is None else lead,
        in_second,
        in_first,
        float(in_first == in_second == 0),
    ]


def _found(option: Reading, second: Reading, passage: Passage) -> tuple[int, Reading | None]:
    """Return place and reading of the large Reader's option with the same span, or else the same answer."""
    options = second.options
    for at, one in enumerate(options):
        if _is_same_place(one, option):
            return at, one
    for at, one in enumerate(options):
        if agreement(option.answer, one.answer, passage)[0] == "agree":
            return at, one
    return NOWHERE, None


def _is_same_place(one: Reading, other: Reading) -> bool:
    return one.answer == other.answer or (one.span is not None and one.span == other.span)
