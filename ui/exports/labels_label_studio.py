"""Label Studio's tasks for the replies of the desk, with the newest labels as annotations.

``data`` has what an annotator sees. ``meta`` has the names of the system and the annotators; Label Studio does not show
it. A gold label is marked as ground truth. Offsets are code points of ``reply``, as Label Studio counts them.
"""

from collections.abc import Iterator
from typing import Any

from searchain.annotation.protocol import Item, Labels
from searchain.safe_text import clean
from storage.annotation import gold as golds
from storage.annotation import history, items
from storage.annotation.pseudonyms import Names
from storage.database import Database
from ui.exports.label_studio import TEMPLATES, array, data

MISSING, UNMARKED = "mark_missing", "no_mark_needed"
"""Labels of a knowledge item without marks."""


CONFIG = (TEMPLATES / "labels_label_studio.xml").read_text(encoding="utf-8").strip()
"""The labelling configuration for these annotations."""


def write(store: Database, names: Names) -> Iterator[str]:
    """Write the file; ``names`` converts the names of people. Replies whose text was removed are left out."""
    frozen = list(items.items(store))
    said: dict[str, list[tuple[str, dict[str, Any]]]] = {item.id: [] for item in frozen}
    for one in history.labels(store):
        about = {"result": _result(one.item, one.labels), "lead_time": one.seconds, "created_at": one.created}
        said.get(one.item.id, []).append((names(one.annotator), about))
    for decision in golds.gold(store):
        result = _result(decision.item, decision.labels)
        about = {"result": result, "ground_truth": True, "created_at": decision.created}
        said.get(decision.item.id, []).append((names(decision.adjudicator), about))
    yield from array(_task(item, said[item.id]) for item in frozen)


def _task(item: Item, said: list[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    seen = data(
        _level(item.question), _level(item.answer), (_level(item.answer[one.start : one.end]) for one in item.sentences)
    )
    return {
        "data": {
            "item": item.id,
            **seen,
            "sources": [
                {
                    "id": str(source.number),
                    "title": clean(f"[{source.number}] {source.title}"),
                    "body": clean(source.text),
                    "url": clean(source.url or ""),
                }
                for source in item.sources
            ],
        },
        "annotations": [annotation for _, annotation in said],
        "meta": {
            "origin": item.origin.value,
            "system": item.system,
            "model": item.model,
            "task": item.task,
            "annotators": [name for name, _ in said],
        },
    }


def _result(item: Item, labels: Labels) -> list[dict[str, Any]]:
    found = []
    for one in labels.knowledge_items:
        label = one.support.value if one.support else MISSING if one.missing else UNMARKED
        region = _region(item, one.id, "knowledge_item", one.start, one.end, label)
        quoted = [
            clean(f"[{words.number}] {item.source(words.number).text[words.start : words.end]}")
            for words in one.evidence
        ]
        found.append({**region, **({"meta": {"text": quoted}} if quoted else {})})
    for judged in labels.marks:
        if judged.place is not None:
            mark = item.marks[judged.mark]
            id = f"m{mark.index + 1}"
            found.append(_region(item, id, "mark", mark.start, mark.end, judged.place.value))
            if judged.belongs_to is not None:
                found.append({"type": "relation", "from_id": id, "to_id": judged.belongs_to, "direction": "right"})
    if labels.comment:
        found.append(
            {
                "id": "comment",
                "from_name": "comment",
                "to_name": "reply",
                "type": "textarea",
                "value": {"text": [clean(labels.comment)]},
            }
        )
    return found


def _region(item: Item, id: str, name: str, start: int, end: int, label: str) -> dict[str, Any]:
    return {
        "id": id,
        "from_name": name,
        "to_name": "reply",
        "type": "labels",
        "value": {"start": start, "end": end, "text": _level(item.answer[start:end]), "labels": [label]},
    }


def _level(text: str) -> str:
    """Clean ``text`` without changing its length, so that offsets stay right."""
    return "".join(letter if clean(letter) == letter else "\ufffd" for letter in text)
