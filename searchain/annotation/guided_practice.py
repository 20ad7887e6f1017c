"""Examples with known labels and reasons, which an annotator judges before the first reply, and practice items.

A judged set becomes practice items, a claim and its evidence with a known label, shown like any other item:

    {"claim": "…", "evidence": "passage\\n\\npassage …", "label": "supported|partial|not_supported", "question"?,
     "source"?}
"""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from searchain.annotation import blocks, citation_styles
from searchain.annotation.protocol import (
    Backing,
    Item,
    ItemMark,
    ItemSource,
    KnowledgeItem,
    Labels,
    Machine,
    MarkJudgement,
    Origin,
    Place,
    bearing,
    default_labels,
    shown,
)
from searchain.annotation.units import Grid, needs, places, supports
from searchain.language import sentences
from searchain.types import Span

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


KNOWN = {"supported": Backing.COMPLETE, "partial": Backing.PARTIAL, "not_supported": Backing.NONE}
_SIGNS = ".!?…"
_LONGEST_TITLE = 200  # characters


def item(values: dict[str, Any]) -> Item:
    """Return an item without ``id``: its answer is the claim, with a mark for every passage of the evidence at its end.

    Raises:
        ValueError: a value is missing or of another type; the message names it.
    """
    claim, evidence, label = (_text(values, name) for name in ("claim", "evidence", "label"))
    if label not in KNOWN:
        raise ValueError(f"{label!r} is no label; there are: {', '.join(KNOWN)}")
    sources = tuple(
        _source(number, passage)
        for number, passage in enumerate(filter(None, map(str.strip, evidence.split("\n\n"))), 1)
    )
    if not claim.strip() or not sources:
        raise ValueError("its claim or its evidence is empty")
    claim = claim.strip()
    body = claim.rstrip(_SIGNS)
    marks, text = [], f"{body} "
    for source in sources:
        start = len(text)
        text += f"[{source.number}]"
        marks.append(ItemMark(source.number - 1, source.number, start, len(text)))
    text += claim[len(body) :]
    origin = values.get("source")
    question = values.get("question") or values.get("page")
    return Item(
        id="",
        origin=Origin.PRACTICE,
        question=question if isinstance(question, str) and question.strip() else f"Is it so: {body}?",
        system=origin if isinstance(origin, str) else "practice",
        model="",
        task=None,
        answer=text,
        sentences=tuple(Span(*limits) for limits in sentences.split(text)),
        marks=tuple(marks),
        sources=sources,
        machine=Machine(known=KNOWN[label]),
    )


def _source(number: int, passage: str) -> ItemSource:
    """Return the source of a passage; a short first line with text below it is its title."""
    title, _, text = passage.partition("\n")
    if not text.strip() or len(title) > _LONGEST_TITLE:
        title, text = f"Document {number}", passage
    return ItemSource(number, title.strip(), text.strip(), None)


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} is missing or no text")
    return value
