"""Decide from the dates of steps whether one thing came before or after another, or before or after a date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.language import text
from searchain.types import Node

_ORDER = re.compile(r"\b(before|after|earlier than|later than|prior to)\b", re.IGNORECASE)
_UNSURE = re.compile(r"\b(?:BC|BCE|century|centuries|millennium)\b|\b(?:about|around|circa|c\.)\s", re.IGNORECASE)

Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Order:
    """Whether what a statement says of the order holds, and the steps that show it."""

    holds: bool
    nodes: tuple[Node, ...]


def order_in_time(statement: str, path: Sequence[Node]) -> Order | None:
    """Return whether a claim or a yes/no question about "before" or "after" holds, by the dates of ``path``.

    ``None`` where it says nothing of the kind, or the dates do not decide: two things of the same year, for instance.

    >>> path = [Node("a", None, 1, "When did Sputnik 1 go into orbit?", answer="4 October 1957"),
    ...         Node("b", "a", 1, "When did humans first land on the Moon?", answer="1969")]
    >>> order_in_time("Sputnik 1 went into orbit after the first humans had landed on the Moon.", path).holds
    False
    >>> order_in_time("Did Sputnik 1 go into orbit before 1957?", path[:1]).holds
    False
    """
    found = list(_ORDER.finditer(statement))
    if len(found) != 1 or text.has_negation(statement):
        return None
    if not text.is_statement(statement) and not text.is_yes_no_question_form(statement):
        return None
    first, second = statement[: found[0].start()], statement[found[0].end() :]
    wants_before = found[0][1].casefold() in ("before", "earlier than", "prior to")
    dated = [node for node in path if node.answer and text.dates(node.answer) and not _UNSURE.search(node.answer)]
    one = _about(first, second, dated)
    if one is None:
        return None
    start, end = _time(one.answer or "")
    if text.dates(second):
        return None if _UNSURE.search(second) else _beside_date(one, _time(second), wants_before=wants_before)
    other = _about(second, first, dated)
    if other is None or other.id == one.id:
        return None
    its_start, its_end = _time(other.answer or "")
    if end < its_start:
        return Order(wants_before, (one, other))
    if start > its_end:
        return Order(not wants_before, (one, other))
    return None


def _beside_date(node: Node, date: tuple[Day, Day], *, wants_before: bool) -> Order | None:
    start, end = _time(node.answer or "")
    if wants_before:
        holds = True if end < date[0] else False if start >= date[0] else None
    else:
        holds = True if start > date[1] else False if end <= date[1] else None
    return None if holds is None else Order(holds, (node,))


def _about(side: str, other_side: str, dated: Sequence[Node]) -> Node | None:
    """Return the last dated step that asks about ``side``, and shares more words with it than with the other."""
    words, others = text.content_words(side), text.content_words(other_side)
    for node in reversed(dated):
        asked = text.content_words(node.query)
        own = len(asked & words)
        if own and own > len(asked & others):
            return node
    return None


def _time(answer: str) -> tuple[Day, Day]:
    """Return the first and the last day of the dates in ``answer``; a year alone is all its days."""
    dates = text.dates(answer)
    return (
        min((year, month or 1, day or 1) for year, month, day in dates),
        max((year, month or 12, day or 31) for year, month, day in dates),
    )
