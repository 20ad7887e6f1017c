"""Measure whether annotators find the same knowledge items: each one's division of a reply, and SKC.

Each word of a reply begins a knowledge item, continues one, or is in none. α of these words is the agreement on
boundaries and on which text is an item; two annotators whose words agree have the same items.
"""

import re
from collections.abc import Iterable

from searchain.annotation.agreement import Ratings
from searchain.annotation.measures import counts
from searchain.annotation.protocol import WORD, Item, Labels, without_marks
from searchain.annotation.units import Judgement, collected

DIVISION = "division into knowledge items"
SKC = "SKC of a reply"
SAME = "same knowledge items"
_TAGS = ("in none", "begins one", "goes on")


def division(judgements: Iterable[Judgement]) -> Ratings:
    """Return the tag of each word for each annotator; a unit is a word."""

    def units(those: list[Labels], item: Item) -> list[tuple[int, ...]]:
        return list(zip(*(tags(item, labels) for labels in those), strict=True))

    return collected(DIVISION, _TAGS, judgements, units)


def skc(judgements: Iterable[Judgement]) -> Ratings:
    """Return the SKC of each reply by each annotator; a unit is a reply."""
    judgements = list(judgements)
    found = {id(one.labels): counts(one.item, one.labels).skc_marked for one in judgements}
    most = max(found.values(), default=0)
    counted = tuple(map(str, range(most + 1)))
    return collected(SKC, counted, judgements, lambda those, item: [tuple(found[id(labels)] for labels in those)])


def same_items(judgements: Iterable[Judgement]) -> Ratings:
    """Return the division of each reply by each annotator; categories are the divisions, and a unit is a reply."""

    def units(those: list[Labels], item: Item) -> list[tuple[int, ...]]:
        divisions = [tuple(tags(item, labels)) for labels in those]
        kinds = list(dict.fromkeys(divisions))
        return [tuple(map(kinds.index, divisions))]

    judgements = list(judgements)
    most = len({one.annotator for one in judgements})
    return collected(SAME, tuple(map(str, range(most))), judgements, units)


def tags(item: Item, labels: Labels) -> list[int]:
    """Return the tag of each word of the answer, as an index of ``in none, begins one, goes on``."""
    ordered = iter(sorted(labels.knowledge_items, key=lambda one: one.start))
    current, begun, found = next(ordered, None), False, []
    for start, end in (word.span() for word in re.finditer(r"\S+", without_marks(item)) if WORD.search(word[0])):
        while current is not None and current.end <= start:
            current, begun = next(ordered, None), False
        is_inside = current is not None and current.start < end
        found.append(0 if not is_inside else 2 if begun else 1)
        begun = begun or is_inside
    return found
