"""Turn labels into units on which annotators can be compared.

Annotators split, merge and add knowledge items, so their items are aligned with the default ones (``default_labels``),
which are the same for everyone. A default item takes the judgement that covers most of its characters (without spaces
and marks; in a tie the weaker judgement). Text without a judgement has no vote: a default item that an annotator
removed, or to which they give no mark, is missing. Marks need no alignment.

On the scale of support, *contradicts* is below *none*, because a contradicting document is the least support, and
*cannot tell* is missing, because it is not a degree of support. As nominal categories both count by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from searchain.annotation.agreement import MISSING, Ratings
from searchain.annotation.protocol import (
    Backing,
    Item,
    KnowledgeItem,
    Labels,
    Place,
    bearing,
    default_labels,
    documented,
    without_marks,
)

SUPPORT = "support"
SCALE = "support, as a scale"
PLACE = "places of marks"
NEED = "need of a mark"
_SUPPORTS = (Backing.CONTRADICTS, Backing.NONE, Backing.CANNOT_TELL, Backing.PARTIAL, Backing.COMPLETE)
_SCALE = (Backing.CONTRADICTS, Backing.NONE, Backing.PARTIAL, Backing.COMPLETE)
_PLACES = (Place.SUPERFLUOUS, Place.ELSEWHERE, Place.RIGHT)
_NEEDS = ("needs one", "needs none")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One annotator's submitted labels of one reply."""

    item: Item
    annotator: str
    labels: Labels
    created: str
    """UTC, ISO 8601: when it was last submitted."""
    seconds: float | None = None
    """The time spent on the item."""


def ratings(
    judgements: Iterable[Judgement],
    gold: Mapping[str, Labels] | None = None,
    names: Sequence[str] = (SUPPORT, SCALE, PLACE, NEED),
) -> dict[str, Ratings]:
    """Return the ratings for questions of the protocol, by name.

    Args:
        judgements: at most one for each item and annotator.
        gold: adjudicated labels by item.
        names: the names of the questions.
    """
    ordered = sorted(judgements, key=lambda one: (one.item.id, one.annotator))
    annotators = tuple(sorted({one.annotator for one in ordered}))
    column = {annotator: place for place, annotator in enumerate(annotators)}
    rows: dict[str, list[list[int]]] = {name: [] for name in names}
    references: dict[str, list[int]] = {name: [] for name in names}
    items: dict[str, list[str]] = {name: [] for name in names}
    for id, group in groupby(ordered, key=lambda one: one.item.id):
        those = list(group)
        grid = Grid.of(those[0].item)
        for name in names:
            categories, read = _QUESTIONS[name]
            units = [[MISSING] * len(annotators) for _ in grid.units(name)]
            for one in those:
                for unit, value in zip(units, read(grid, one.labels), strict=True):
                    unit[column[one.annotator]] = _position(categories, value)
            rows[name] += units
            decided = read(grid, gold[id]) if gold and id in gold else [None] * len(units)
            references[name] += [_position(categories, value) for value in decided]
            items[name] += [id] * len(units)
    return {
        name: Ratings(
            name,
            tuple(_QUESTIONS[name][0]),
            annotators,
            np.array(rows[name], dtype=int).reshape(len(rows[name]), len(annotators)),
            tuple(items[name]),
            np.array(references[name], dtype=int),
        )
        for name in names
    }


@dataclass(frozen=True, slots=True)
class Grid:
    """An item with its default knowledge items, with which all labels are aligned."""

    item: Item
    text: str
    """The answer with blank marks."""
    defaults: tuple[KnowledgeItem, ...]

    @classmethod
    def of(cls, item: Item) -> Grid:
        return cls(item, without_marks(item), default_labels(item).knowledge_items)

    def units(self, name: str) -> Sequence[object]:
        """Return the units of the question ``name``: marks or default knowledge items."""
        return self.item.marks if name == PLACE else self.defaults

    def aligned(
        self, labels: Labels, read: Callable[[KnowledgeItem], str | None], categories: Sequence[str]
    ) -> list[str | None]:
        """Return for each default knowledge item the judgement that ``read`` gives on the annotator's items there."""
        said = [(one, value) for one in labels.knowledge_items if (value := read(one)) is not None]
        found = []
        for default in self.defaults:
            votes: Counter[str] = Counter()
            for one, value in said:
                start, end = max(one.start, default.start), min(one.end, default.end)
                if start < end:
                    votes[value] += sum(map(len, self.text[start:end].split()))
            present = (value for value in categories if votes[value])  # from the weakest, so that it wins a tie
            found.append(max(present, key=votes.__getitem__, default=None))
        return found


def supports(grid: Grid, labels: Labels) -> list[str | None]:
    """Return how far each default knowledge item is supported by its marked documents; ``None`` if not judged."""
    judged = documented(grid.item, labels)
    return grid.aligned(labels, lambda one: one.support if one.id in judged else None, _SUPPORTS)


def needs(grid: Grid, labels: Labels) -> list[str | None]:
    """Return for each default knowledge item whether it needs a mark; ``None`` if it bears one or is not judged."""
    bears = bearing(grid.item, labels)

    def read(one: KnowledgeItem) -> str | None:
        return None if one.id in bears or one.missing is None else _NEEDS[0] if one.missing else _NEEDS[1]

    return grid.aligned(labels, read, _NEEDS)


def places(grid: Grid, labels: Labels) -> list[str | None]:
    """Return the judged place of each mark; ``None`` if it was not judged or its document does not exist."""
    judged = {one.mark: one.place for one in labels.marks if one.place is not Place.INVENTED}
    return [judged.get(mark.index) for mark in grid.item.marks]


_QUESTIONS: Mapping[str, tuple[Sequence[str], Callable[[Grid, Labels], list[str | None]]]] = {
    SUPPORT: (_SUPPORTS, supports),
    SCALE: (_SCALE, supports),
    PLACE: (_PLACES, places),
    NEED: (_NEEDS, needs),
}


def _position(categories: Sequence[str], value: str | None) -> int:
    return categories.index(value) if value is not None and value in categories else MISSING
