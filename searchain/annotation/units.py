"""From labels to units that annotators can be compared on.

Annotators split, merge and add knowledge items, so their items are laid over the default ones (``default_labels``),
which are the same for everyone: a default item takes the judgement under which most of its characters stand (spaces
and marks do not count; of two with equally many, the weaker one). Stretches without a judgement have no vote: a default
item that an annotator removed, or that bears no mark for them, is missing. Marks need no alignment.

On the scale of support *contradicts* stands below *none* (a document against the statement is the least support there
is) and *cannot tell* is missing, being no degree of support; as nominal categories both are their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

import numpy as np

from searchain.annotation.agreement import MISSING, Ratings
from searchain.annotation.protocol import (
    Backing,
    Item,
    KnowledgeItem,
    Labels,
    Place,
    carrier,
    default_labels,
    without_marks,
)

SUPPORT = "support of knowledge items"
SCALE = "support, as a scale"
PLACE = "places of marks"
NEED = "need of a mark"
_SUPPORTS = (Backing.CONTRADICTS, Backing.NONE, Backing.CANNOT_TELL, Backing.PARTIAL, Backing.COMPLETE)
_SCALE = (Backing.CONTRADICTS, Backing.NONE, Backing.PARTIAL, Backing.COMPLETE)
_PLACES = (Place.SUPERFLUOUS, Place.ELSEWHERE, Place.RIGHT)
_NEEDS = ("needs one", "needs none")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one annotator submitted of one reply."""

    item: Item
    annotator: str
    labels: Labels
    created: str
    """UTC, ISO 8601: when it was last submitted."""
    seconds: float | None = None
    """How long the item was worked on."""


def ratings(judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None) -> dict[str, Ratings]:
    """The questions of the protocol, by name: ``SUPPORT``, ``SCALE``, ``PLACE``, ``NEED``.

    Args:
        judgements: at most one for each item and annotator.
        gold: adjudicated labels by item.
    """
    ordered = sorted(judgements, key=lambda one: (one.item.id, one.annotator))
    gold = gold or {}
    return {
        SUPPORT: _ratings(SUPPORT, _SUPPORTS, supports, ordered, gold),
        SCALE: _ratings(SCALE, _SCALE, supports, ordered, gold),
        PLACE: _ratings(PLACE, _PLACES, places, ordered, gold),
        NEED: _ratings(NEED, _NEEDS, needs, ordered, gold),
    }


def supports(item: Item, labels: Labels) -> list[str | None]:
    """For each default knowledge item, how far its marked documents support it; ``None`` where that was not judged."""
    return aligned(item, labels, lambda one: one.support, _SUPPORTS)


def needs(item: Item, labels: Labels) -> list[str | None]:
    """For each default knowledge item, whether it lacks a mark that it needs; ``None`` where it bears one."""
    bearing = {one.id for mark in item.marks if (one := carrier(item, labels, mark)) is not None}

    def read(one: KnowledgeItem) -> str | None:
        return None if one.id in bearing else _NEEDS[0] if one.missing else _NEEDS[1]

    return aligned(item, labels, read, _NEEDS)


def places(item: Item, labels: Labels) -> list[str | None]:
    """For each mark, whether it stands where it belongs; ``None`` where that was not judged."""
    judged = {one.mark: one.place for one in labels.marks}
    return [judged.get(mark.index) for mark in item.marks]


def aligned(item: Item, labels: Labels, read: Callable[[KnowledgeItem], str | None],
            categories: Sequence[str]) -> list[str | None]:
    """The judgements that ``read`` finds on the annotator's knowledge items, for each default one."""
    text = without_marks(item)
    before = [0, *accumulate(int(not letter.isspace()) for letter in text)]
    said = [(one, value) for one in labels.knowledge_items if (value := read(one)) is not None]
    found = []
    for default in default_labels(item).knowledge_items:
        votes: Counter[str] = Counter()
        for one, value in said:
            start, end = max(one.start, default.start), min(one.end, default.end)
            if start < end:
                votes[value] += before[end] - before[start]
        present = (value for value in categories if votes[value])  # from the weakest, so that it wins a tie
        found.append(max(present, key=votes.__getitem__, default=None))
    return found


def _ratings(name: str, categories: Sequence[str], read: Callable[[Item, Labels], list[str | None]],
             ordered: Sequence[Judgement], gold: Mapping[str, Labels]) -> Ratings:
    annotators = tuple(sorted({one.annotator for one in ordered}))
    column = {annotator: place for place, annotator in enumerate(annotators)}
    position = {category: place for place, category in enumerate(categories)}
    blocks, references, items = [], [], []
    for id, group in groupby(ordered, key=lambda one: one.item.id):
        item, said = None, {}
        for one in group:
            item, said[column[one.annotator]] = one.item, read(one.item, one.labels)
        units = len(next(iter(said.values())))
        block = np.full((units, len(annotators)), MISSING)
        for place, values in said.items():
            block[:, place] = [position.get(value, MISSING) for value in values]
        blocks.append(block)
        right = read(item, gold[id]) if id in gold else [None] * units
        references.append([position.get(value, MISSING) for value in right])
        items += [id] * units
    values = np.concatenate(blocks) if blocks else np.empty((0, len(annotators)), int)
    return Ratings(name, tuple(categories), annotators, values, tuple(items),
                   np.concatenate([np.asarray(one, dtype=int) for one in references]) if references
                   else np.empty(0, int))
