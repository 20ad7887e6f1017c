"""Replies with known labels: the examples before the first reply, which give reasons, and hidden checks in the queue.

Both have one format:

    {"question"?, "answer": "… [1].", "citations": [{"number", "title", "text"}], "source"?,
     "gold": {"k1": "partial", "m1": ["right", "superfluous"], …}, "why"?: {"k1": "…"}}

``k1`` and ``m1`` are the first knowledge item and the first mark of ``default_labels``. A knowledge item is complete,
partial, none, contradicts, cannot_tell, removed, missing (lacks a mark) or unneeded (needs none); supported and
not_supported are the words of ``check-support``, and the latter accepts none and contradicts. A mark is right,
superfluous or ``elsewhere k2``. Of a list every judgement is right.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from searchain.annotation import blocks, citation_styles
from searchain.annotation.protocol import (
    Backing,
    Item,
    ItemSource,
    Known,
    Labels,
    Machine,
    Origin,
    Place,
    bearing,
    default_labels,
    shown,
)
from searchain.annotation.units import Grid, needs, places, supports

FILE = Path(__file__).with_name("examples.json")
_REMOVED, _MISSING, _UNNEEDED = "removed", "missing", "unneeded"
_OF_CHECK = {"supported": ("complete",), "partial": ("partial",), "not_supported": ("none", "contradicts")}
_OF_ITEMS = {*Backing, _REMOVED, _MISSING, _UNNEEDED}
_OF_MARKS = {Place.RIGHT, Place.SUPERFLUOUS, Place.ELSEWHERE}


@dataclass(frozen=True, slots=True)
class Point:
    """One judgement of a known reply: the annotator's answer beside the right one, with the reason."""

    what: str
    """The words of the reply, or the mark."""
    said: str
    right: str
    is_right: bool
    why: str


@cache
def examples() -> tuple[Item, ...]:
    """Return the examples before the first reply, in order."""
    return tuple(map(item, json.loads(FILE.read_text(encoding="utf-8"))))


def item(values: Mapping[str, Any]) -> Item:
    """Return the reply without ``id``. Raises ``ValueError`` if a value is missing, of another type or unknown."""
    answer, gold, why = values.get("answer"), values.get("gold"), values.get("why", {})
    if not isinstance(answer, str) or not isinstance(gold, dict) or not gold or not isinstance(why, dict):
        raise ValueError("it has no 'answer' with its 'gold'")
    sources = [ItemSource(one["number"], one["title"], one["text"], None) for one in values.get("citations", ())]
    read = citation_styles.read(answer, sources)
    question, source = values.get("question"), values.get("source")
    found = Item(
        id="",
        origin=Origin.PRACTICE,
        question=question if isinstance(question, str) and question.strip() else f"Is it so: {answer}",
        system=source if isinstance(source, str) else "practice",
        model="",
        task=None,
        answer=read.answer,
        sentences=blocks.split(read.answer),
        marks=read.marks,
        sources=tuple(sources),
    )
    known = tuple(Known(target, _accepted(target, said), why.get(target, "")) for target, said in gold.items())
    default = default_labels(found)
    targets = {one.id for one in default.knowledge_items} | {f"m{mark.index + 1}" for mark in found.marks}
    if unknown := [one.target for one in known if one.target not in targets]:
        raise ValueError(f"its gold names {unknown[0]!r}, which the answer does not have")
    return replace(found, machine=Machine(known=known))


def graded(item: Item, labels: Labels) -> tuple[Point, ...]:
    """Compare ``labels`` with what is known at every point of the reply, even if their knowledge items differ."""
    grid, default = Grid.of(item), default_labels(item)
    said_support, said_need = supports(grid, labels), needs(grid, labels)
    words = {"needs one": _MISSING, "needs none": _UNNEEDED}
    said = {
        one.id: (f"“{shown(item, one)}”", said_support[at] or words.get(said_need[at] or "") or _REMOVED)
        for at, one in enumerate(default.knowledge_items)
    }
    for mark, place in zip(item.marks, places(grid, labels), strict=True):
        place = f"{place or 'not judged'} {_belongs_to(item, labels, mark.index)}".strip()
        said[f"m{mark.index + 1}"] = (f"[{mark.number}]", place)
    bears = bearing(item, default)
    # checks of claims, which earlier versions imported, have no target
    said[""] = next((said[one.id] for one in default.knowledge_items if one.id in bears), ("", _REMOVED))
    found = [(one, *said[one.target]) for one in item.machine.known or ()]
    return tuple(Point(what, _told(it), _told(one.right[0]), it in one.right, one.why) for one, what, it in found)


def _accepted(target: str, said: Any) -> tuple[str, ...]:
    every = map(str, said if isinstance(said, list) else [said])
    found = [one for each in every for one in _OF_CHECK.get(each, (each,))]
    there = _OF_MARKS if target.startswith("m") else _OF_ITEMS
    if not found or (unknown := [one for one in found if one.partition(" ")[0] not in there]):
        raise ValueError(
            f"{unknown[0] if found else said!r} is no label of {target!r}; there are: {', '.join(sorted(there))}"
        )
    return tuple(found)


def _belongs_to(item: Item, labels: Labels, mark: int) -> str:
    """Return the proposed knowledge item that overlaps the one to which ``mark`` is said to belong; ``""`` for none."""
    to = next((one.belongs_to for one in labels.marks if one.mark == mark and one.belongs_to), None)
    target = next((one for one in labels.knowledge_items if one.id == to), None)
    if target is None:
        return ""
    proposed = default_labels(item).knowledge_items
    return next((one.id for one in proposed if one.start < target.end and target.start < one.end), "")


def _told(value: str) -> str:
    words = {_REMOVED: "removed", _MISSING: "a mark is missing", _UNNEEDED: "needs no mark", "none": "no support"}
    value = value.partition(" ")[0] if value.startswith("elsewhere") else value
    return words.get(value, value.replace("_", " ").replace("elsewhere", "belongs elsewhere"))
