"""Examples with known labels and reasons, which an annotator judges before the first reply."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from searchain.annotation import blocks, citation_styles
from searchain.annotation.protocol import (
    Backing,
    Item,
    ItemSource,
    KnowledgeItem,
    Labels,
    MarkJudgement,
    Origin,
    Place,
    bearing,
    default_labels,
    shown,
)
from searchain.annotation.units import Grid, needs, places, supports

FILE = Path(__file__).with_name("examples.json")
_REMOVED, _MISSING, _UNNEEDED = "removed", "missing", "unneeded"


@dataclass(frozen=True, slots=True)
class Example:
    """A reply whose right labels are known."""

    item: Item
    gold: dict[str, str]
    """Knowledge item (``k1``) or mark (``m1``) of ``default_labels`` → the right judgement."""
    why: dict[str, str]

    @property
    def labels(self) -> Labels:
        """The right labels."""
        default = default_labels(self.item)
        bears = bearing(self.item, default)
        kept = tuple(self._judged(one, bears) for one in default.knowledge_items if self.gold.get(one.id) != _REMOVED)
        return Labels(kept, tuple(map(self._placed, default.marks)))

    def _judged(self, one: KnowledgeItem, bears: frozenset[str]) -> KnowledgeItem:
        said = self.gold[one.id]
        return replace(one, support=Backing(said)) if one.id in bears else replace(one, missing=said == _MISSING)

    def _placed(self, one: MarkJudgement) -> MarkJudgement:
        if one.mark in self.item.invented:
            return one
        place, _, belongs_to = self.gold.get(f"m{one.mark + 1}", Place.RIGHT.value).partition(" ")
        return MarkJudgement(one.mark, Place(place), belongs_to or None)


@dataclass(frozen=True, slots=True)
class Point:
    """One judgement of an example: the annotator's answer beside the right one, with the reason."""

    what: str
    """The words of the reply, or the mark."""
    said: str
    right: str
    is_right: bool
    why: str


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples, in order."""
    return tuple(map(_example, json.loads(FILE.read_text(encoding="utf-8"))))


def graded(example: Example, labels: Labels) -> tuple[Point, ...]:
    """Compare ``labels`` with the right answer at every point of the example, even if their items differ."""
    item, grid = example.item, Grid.of(example.item)
    said_support, said_need = supports(grid, labels), needs(grid, labels)
    said_place = {mark.index: place for mark, place in zip(item.marks, places(grid, labels), strict=True)}
    found = []
    for at, one in enumerate(default_labels(item).knowledge_items):
        if one.id not in example.gold:
            continue
        need = {"needs one": _MISSING, "needs none": _UNNEEDED}.get(said_need[at] or "")
        said = said_support[at] or need or _REMOVED
        found.append(_point(example, one.id, f"“{shown(item, one)}”", said))
    for mark in item.marks:
        if (id := f"m{mark.index + 1}") in example.gold:
            said = f"{said_place[mark.index] or 'not judged'} {_belongs_to(item, labels, mark.index)}"
            found.append(_point(example, id, f"[{mark.number}]", said.strip()))
    return tuple(found)


def _belongs_to(item: Item, labels: Labels, mark: int) -> str:
    """Return the proposed knowledge item that overlaps the one to which ``mark`` is said to belong; ``""`` for none."""
    to = next((one.belongs_to for one in labels.marks if one.mark == mark and one.belongs_to), None)
    target = next((one for one in labels.knowledge_items if one.id == to), None)
    if target is None:
        return ""
    proposed = default_labels(item).knowledge_items
    return next((one.id for one in proposed if one.start < target.end and target.start < one.end), "")


def _point(example: Example, id: str, what: str, said: str) -> Point:
    right = example.gold[id]
    words = {_REMOVED: "removed", _MISSING: "a mark is missing", _UNNEEDED: "needs no mark", "none": "no support"}

    def told(value: str) -> str:
        value = value.partition(" ")[0] if value.startswith("elsewhere") else value
        return words.get(value, value.replace("_", " ").replace("elsewhere", "belongs elsewhere"))

    return Point(what, told(said), told(right), said == right, example.why.get(id, ""))


def _example(values: dict[str, Any]) -> Example:
    sources = [ItemSource(one["number"], one["title"], one["text"], None) for one in values["citations"]]
    read = citation_styles.read(values["answer"], sources)
    item = Item(
        id="",
        origin=Origin.PRACTICE,
        question=values["question"],
        system="",
        model="",
        task=None,
        answer=read.answer,
        sentences=blocks.split(read.answer),
        marks=read.marks,
        sources=tuple(sources),
    )
    return Example(item, values["gold"], values["why"])
