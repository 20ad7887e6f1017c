"""The sources of a reply passage by passage: each stands once, whatever number of citations it has."""

from __future__ import annotations

from collections.abc import Iterable

from searchain.types import Source, Span


def by_passage(sources: Iterable[Source]) -> list[list[Source]]:
    """Group ``sources`` by their passages, in the order of the first citation."""
    groups: dict[tuple[str, str], list[Source]] = {}
    for source in sources:
        groups.setdefault((source.passage.title, source.passage.text), []).append(source)
    return list(groups.values())


def marked(text: str, spans: Iterable[Span]) -> list[tuple[str, bool]]:
    """Cut ``text`` at the ends of ``spans``; each piece tells whether it lies in one of them.

    >>> marked("Kyoto is a city on Honshu.", [Span(19, 25), Span(0, 5)])
    [('Kyoto', True), (' is a city on ', False), ('Honshu', True), ('.', False)]
    """
    pieces, at = [], 0
    for span in sorted(spans, key=lambda one: one.start):
        start = max(at, span.start)
        if start < span.end:
            pieces += [(text[at:start], False), (text[start : span.end], True)]
            at = span.end
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]
