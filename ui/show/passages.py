"""The sources of a reply, grouped by passage for people.

A passage is shown once, however many citations it has. A short description before its text becomes its caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from searchain.events import Turn
from searchain.language.descriptions import after_description, labelled
from searchain.types import Sentence, Source, Span

Pieces = list[tuple[str, bool]]
"""Pieces of text in order, each with whether it is marked."""


def by_passage(sources: Iterable[Source]) -> list[list[Source]]:
    """Group ``sources`` by their passages, in the order of the first citation."""
    groups: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        groups.setdefault((source.passage.title, source.passage.text), []).append(source)
    return list(groups.values())


def captioned(text: str, spans: Iterable[Span]) -> tuple[Pieces, Pieces]:
    r"""Return the caption and the body of a passage, each cut at ``spans``; the caption may be empty.

    >>> captioned("Short description: City in Japan.\nKyoto is old.", [Span(19, 23)])
    ([('City', True), (' in Japan.', False)], [('Kyoto is old.', False)])
    """
    lead, found = after_description(text), list(spans)
    return _marked(text, found, labelled(text), max(lead - 1, 0)), _marked(text, found, lead, len(text))


def unlabelled(text: str, span: Span | None) -> tuple[str, Span | None]:
    r"""Return ``text`` without the label of its description, and the position of ``span`` in it.

    >>> unlabelled("Short description: City in Japan.\nKyoto is old.", Span(19, 23))
    ('City in Japan.\nKyoto is old.', Span(start=0, end=4))
    """
    cut = labelled(text)
    return text[cut:], span and Span(max(0, span.start - cut), max(0, span.end - cut))


def quotes_description(turn: Turn, sentence: Sentence) -> bool:
    """Return whether ``sentence`` is only the short description of an article that it cites."""
    said = _MARK.sub("", sentence.text).strip(" .")
    cited = (turn.source(number) for number in sentence.citations)
    texts = [source.passage.text for source in cited if source]
    return any(said == text[labelled(text) : after_description(text)].strip(" .\n") for text in texts if labelled(text))


_MARK = re.compile(r"\[\d+\]")


def _marked(text: str, spans: Iterable[Span], begin: int, end: int) -> Pieces:
    pieces, at = [], begin
    for span in sorted(spans, key=lambda one: one.start):
        start, until = max(at, span.start), min(end, span.end)
        if start < until:
            pieces += [(text[at:start], False), (text[start:until], True)]
            at = until
    return [piece for piece in (*pieces, (text[at:end], False)) if piece[0]]
