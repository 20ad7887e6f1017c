"""CSV of the newest labels and the gold labels, for spreadsheets.

It has one row per annotator, knowledge item and mark of that item. A knowledge item without a mark has its own row, and
so has a mark without a knowledge item. Replaced versions, skips and drafts are left out.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from searchain.annotation.measures import state_at
from searchain.annotation.protocol import Item, ItemMark, KnowledgeItem, Labels, carriers, marks_of
from storage.annotation import gold as golds
from storage.annotation import history
from storage.annotation.pseudonyms import Names
from storage.database import Database
from ui.exports.csv_rows import cell, lines

COLUMNS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Column → what it holds."""


def write(store: Database, names: Names) -> Iterator[str]:
    """Write the header, then the rows of each annotator and reply; ``names`` converts the names of people."""
    yield lines([COLUMNS])
    for one in history.labels(store):
        said = {name: getattr(one, name) for name in ("version", "guidelines", "created", "seconds")}
        said |= {"kind": "label", "annotator": names(one.annotator)}
        yield _table(one.item, one.labels, said)
    for decision in golds.gold(store):
        said = {"kind": "gold", "annotator": names(decision.adjudicator)}
        said |= {"guidelines": decision.guidelines, "created": decision.created}
        yield _table(decision.item, decision.labels, said)


def _table(item: Item, labels: Labels, said: dict[str, Any]) -> str:
    about = {
        "item": item.id,
        "origin": item.origin.value,
        **{name: getattr(item, name) for name in ("system", "model", "task", "question", "answer")},
        "comment": labels.comment,
        "known_support": "; ".join(f"{one.target} {'|'.join(one.right)}".strip() for one in item.machine.known or ()),
        "marks_dropped": item.dropped,
    }
    rows = ({**about, **said, **row} for row in _rows(item, labels))
    return lines([cell(row.get(column)) for column in COLUMNS] for row in rows)


def _rows(item: Item, labels: Labels) -> Iterator[dict[str, Any]]:
    """Yield at least one row, so that the comment on a reply without marks or knowledge items is kept."""
    bearers = carriers(item, labels)
    found = []
    for one in labels.knowledge_items:
        borne = marks_of(item, labels, one.id)
        found += [{**_knowledge(item, one), **_mark(item, labels, mark)} for mark in borne] or [_knowledge(item, one)]
    found += [_mark(item, labels, mark) for mark in item.marks if bearers[mark.index] is None]
    yield from found or [{}]


def _knowledge(item: Item, one: KnowledgeItem) -> dict[str, Any]:
    state = state_at(item, one.start)
    evidence = (f"[{words.number}] {item.source(words.number).text[words.start : words.end]}" for words in one.evidence)
    return {
        "knowledge_item": one.id,
        "start": one.start,
        "end": one.end,
        "text": item.answer[one.start : one.end],
        "support": one.support and one.support.value,
        "is_mark_missing": None if one.missing is None else int(one.missing),
        "uncited": one.uncited,
        "evidence": " … ".join(evidence),
        "program_support": state and state.value,
    }


def _mark(item: Item, labels: Labels, mark: ItemMark) -> dict[str, Any]:
    judged = next((one for one in labels.marks if one.mark == mark.index), None)
    source = None if mark.index in item.invented else item.source(mark.number)
    f = dict(zip((one.number for one in item.sources), item.machine.confidences, strict=False))
    return {
        "mark": mark.index + 1,
        "citation": mark.number,
        "place": judged and judged.place and judged.place.value,
        "belongs_to": judged and judged.belongs_to,
        "is_invented": int(source is None),
        "source_title": source and source.title,
        "source_url": source and source.url,
        "confidence": f.get(mark.number),
    }
