"""Turn labels into units on which annotators can be compared.

Annotators split, merge and add knowledge items, so their items are aligned with the default ones (``default_labels``),
which are the same for everyone. A default item takes the judgement that covers most of its characters (without spaces
and marks; in a tie the weaker judgement). Text without a judgement has no vote: a default item that an annotator
removed, or to which they give no mark, is missing. Marks need no alignment.

On the scale of support, *contradicts* is below *none*, because a contradicting document is the least support, and
*cannot tell* is missing, because it is not a degree of support. As nominal categories both count by themselves.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

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
UNCITED = "uncited documents"
_SUPPORTS = (Backing.CONTRADICTS, Backing.NONE, Backing.CANNOT_TELL, Backing.PARTIAL, Backing.COMPLETE)
_SCALE = (Backing.CONTRADICTS, Backing.NONE, Backing.PARTIAL, Backing.COMPLETE)
_PLACES = (Place.SUPERFLUOUS, Place.ELSEWHERE, Place.RIGHT)
_NEEDS = ("needs one", "needs none")
_UNCITED = ("none supports it", "one supports it")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One annotator's submitted labels of one reply."""

    item: Item
    annotator: str
    labels: Labels
    created: str
    """UTC, ISO 8601: when it was last submitted."""
    seconds: float | None = None


def ratings(
    judgements: Iterable[Judgement],
    gold: Mapping[str, Labels] | None = None,
    names: Sequence[str] = (SUPPORT, SCALE, PLACE, NEED, UNCITED),
) -> dict[str, Ratings]:
    """Return the ratings for questions of the protocol, by name.

    There is at most one of the ``judgements`` for each item and annotator; ``gold`` are adjudicated labels by item.
    """
    judgements = list(judgements)
    grids = {id: Grid.of(item) for id, item in {one.item.id: one.item for one in judgements}.items()}

    def answers(name: str) -> Ratings:
        categories, read = _QUESTIONS[name]
        positions: dict[str | None, int] = {value: place for place, value in enumerate(categories)}

        def units(those: list[Labels], item: Item) -> list[tuple[int, ...]]:
            read_by_all = (read(grids[item.id], labels) for labels in those)
            return [tuple(positions.get(value, MISSING) for value in said) for said in zip(*read_by_all, strict=True)]

        return collected(name, tuple(categories), judgements, units, gold)

    return {name: answers(name) for name in names}


def collected(
    name: str,
    categories: tuple[str, ...],
    judgements: Iterable[Judgement],
    units: Callable[[list[Labels], Item], list[tuple[int, ...]]],
    gold: Mapping[str, Labels] | None = None,
) -> Ratings:
    """Collect the ratings of one question; ``units`` gives for each unit of an item the position of each category."""
    ordered = sorted(judgements, key=lambda one: (one.item.id, one.annotator))
    annotators = tuple(sorted({one.annotator for one in ordered}))
    column = {annotator: place for place, annotator in enumerate(annotators)}
    rows: list[np.ndarray] = []
    items: list[str] = []
    decided: list[int] = []
    for id, group in groupby(ordered, key=lambda one: one.item.id):
        those = list(group)
        found = units([one.labels for one in those], those[0].item)
        values = np.full((len(found), len(annotators)), MISSING)
        values[:, [column[one.annotator] for one in those]] = np.array(found, dtype=int).reshape(-1, len(those))
        rows.append(values)
        items += [id] * len(found)
        known = units([gold[id]], those[0].item) if gold is not None and id in gold else [(MISSING,)] * len(found)
        decided += [value for (value,) in known]
    values = np.concatenate(rows) if rows else np.zeros((0, len(annotators)), dtype=int)
    return Ratings(name, categories, annotators, values, tuple(items), np.array(decided, dtype=int))


@dataclass(frozen=True, slots=True)
class Grid:
    """An item with its default knowledge items, with which all labels are aligned."""

    item: Item
    text: str
    """The answer with blank marks."""
    defaults: tuple[KnowledgeItem, ...]

    @classmethod
    def of(cls, item: Item) -> Self:
        return cls(item, without_marks(item), default_labels(item).knowledge_items)

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


def uncited(grid: Grid, labels: Labels) -> list[str | None]:
    """Return for each default knowledge item whether an uncited document supports it; ``None`` if not judged."""
    return grid.aligned(labels, lambda one: None if one.uncited is None else _UNCITED[bool(one.uncited)], _UNCITED)


def places(grid: Grid, labels: Labels) -> list[str | None]:
    """Return the judged place of each mark; ``None`` if it was not judged or its document does not exist."""
    judged = {one.mark: one.place for one in labels.marks if one.place is not Place.INVENTED}
    return [judged.get(mark.index) for mark in grid.item.marks]


_QUESTIONS: Mapping[str, tuple[Sequence[str], Callable[[Grid, Labels], list[str | None]]]] = {
    SUPPORT: (_SUPPORTS, supports),
    SCALE: (_SCALE, supports),
    PLACE: (_PLACES, places),
    NEED: (_NEEDS, needs),
    UNCITED: (_UNCITED, uncited),
}
