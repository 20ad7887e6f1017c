"""Find the words of a passage that a model's answer repeats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from searchain.language import text
from searchain.types import JudgedAnswer, Passage, Span

_BETWEEN = 40
"""Most characters of a passage between two items of an enumeration."""
SHORTEST = 4
"""Fewest letters of a word that may match its plural."""
_NUMBER = re.compile(r"(?:^|(?<=\s))\d{1,2}[.)] ")
"""Matches the number before an item of a numbered list."""


def place_of(answer: str, passages: Sequence[Passage]) -> tuple[int | None, Span | None]:
    """Return the number of the first passage that holds ``answer``, and its span; ``None`` twice if none holds it.

    The passage holds its words in order, perhaps with the last in the plural, or all items of its enumeration in order.
    A passage's title and a colon before the answer are ignored.

    >>> lake = Passage("l", "Lake Tana", "Short description: Lake in Ethiopia. It has carps, catfishes and barbs.")
    >>> place_of("carps, barbs", [lake]), place_of("Lake Tana: catfish", [lake])[1] is not None
    ((0, Span(start=44, end=70)), True)
    """
    for find in (_words, _plural, _enumeration):
        for form in _forms(answer, passages):
            for place, passage in enumerate(passages):
                if span := find(form, passage.text):
                    return place, span
    return None, None


def placed(passages: Sequence[Passage], answer: JudgedAnswer) -> JudgedAnswer:
    """Return the answer with the number of the passage that holds it."""
    return replace(answer, place=place_of(answer.answer, passages)[0])


def _forms(answer: str, passages: Sequence[Passage]) -> Iterator[str]:
    """Yield the answer, and the answer without the title of a passage before it."""
    yield answer
    title, colon, rest = answer.partition(": ")
    if colon and title.casefold() in {passage.title.casefold() for passage in passages}:
        yield rest


def _words(answer: str, body: str) -> Span | None:
    words = re.findall(r"\w+", answer)
    return _found(_pattern(words), body) if words else None


def _plural(answer: str, body: str) -> Span | None:
    words = re.findall(r"\w+", answer)
    is_noun = bool(words) and words[-1].isalpha() and len(words[-1]) >= SHORTEST
    return _found(f"{_pattern(words)}e?s", body) if is_noun else None


def _enumeration(answer: str, body: str) -> Span | None:
    """Return the span from the first to the last item, if the passage has all items close together and in order."""
    items = [re.findall(r"\w+", item) for item in text.items(_NUMBER.sub("", answer))]
    if len(items) < 2 or not all(items):
        return None
    return _found(rf"\b[^.]{{1,{_BETWEEN}}}?\b".join(map(_pattern, items)), body)


def _pattern(words: Sequence[str]) -> str:
    return r"\W+".join(map(re.escape, words))


def _found(pattern: str, body: str) -> Span | None:
    match = re.search(rf"\b{pattern}\b", body, re.IGNORECASE)
    return Span(match.start(), match.end()) if match else None
