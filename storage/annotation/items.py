"""Annotation items in the database: replies to judge and their documents. Each is stored once and never edited."""

import hashlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from searchain.annotation.blocks import marks_before_stops
from searchain.annotation.labels import item_from_json, to_json
from searchain.annotation.protocol import Item, ItemMark, ItemSource, Machine, Origin
from searchain.errors import NotFound, UsageError
from searchain.events import Turn
from searchain.language.descriptions import labelled
from searchain.types import Passage, Span
from storage.database import Connection, Database, first, insert_row, now
from storage.history.finished_turns import Record

QUOTA = 2
"""How many annotators judge a reply by default."""
MOST_UNCITED = 30
"""The most documents of an item that its reply does not cite."""
_FOREIGN = "foreign"  # the profile of other systems' answers in conversations, which earlier versions imported
PRIME = 2_147_483_647
"""Places in the shuffled queue: 0 … PRIME - 1. A prime, so that each annotator's order is a permutation."""


def of_record(record: Record) -> Item:
    """Convert a stored turn's reply to an item.

    Raises:
        UsageError: the turn has no reply, or one whose fields contradict each other.
        StorageError: its log is damaged.
    """
    turn = record.state()
    if not turn.answer.strip():
        raise UsageError(f"turn {record.turn} has no reply to judge")
    marks = dict.fromkeys(mark for sentence in turn.sentences for mark in sentence.marks)
    item = Item(
        id="",
        origin=Origin.FOREIGN if turn.profile == _FOREIGN else Origin.TURN,
        question=turn.standalone_question,
        system=turn.system,
        model=turn.model,
        task=turn.task.value if turn.task else None,
        answer=turn.answer,
        sentences=tuple(Span(sentence.start, sentence.end) for sentence in turn.sentences),
        marks=tuple(ItemMark(index, mark.number, mark.start, mark.end) for index, mark in enumerate(marks)),
        sources=tuple(_source(source.number, source.passage) for source in turn.sources),
        machine=Machine(
            supports=tuple(sentence.support for sentence in turn.sentences),
            verdicts=tuple(source.verdict for source in turn.sources),
            confidences=tuple(source.confidence for source in turn.sources),
            spans=tuple(source.span and _moved(source.span, labelled(source.passage.text)) for source in turn.sources),
        ),
        dropped=turn.invented_markers,
        uncited=_uncited(turn),
    )
    return item_from_json(to_json(identified(item)))


def _uncited(turn: Turn) -> tuple[ItemSource, ...]:
    """Return the passages that the turn found but does not cite, without repeats, by their best rank."""
    cited = {(source.passage.title, source.passage.text) for source in turn.sources}
    hits = sorted((hit for found in turn.hits.values() for hit in found), key=lambda hit: hit.rank)
    passages = {(hit.passage.title, hit.passage.text): hit.passage for hit in hits}
    left = [passage for key, passage in passages.items() if key not in cited][:MOST_UNCITED]
    return tuple(_source(number, one) for number, one in enumerate(left, 1))


def _source(number: int, passage: Passage) -> ItemSource:
    """Return the document of a passage, without the label of its description, which only this program's have."""
    return ItemSource(number, passage.title, passage.text[labelled(passage.text) :], passage.url)


def _moved(span: Span, by: int) -> Span:
    return Span(max(span.start - by, 0), max(span.end - by, 0))


def identified(item: Item) -> Item:
    """Give ``item`` a random ID. Annotators see it, and it must not reveal the system that wrote the reply."""
    return replace(item, id=secrets.token_hex(10))


def digest(item: Item, turn: str | None = None) -> str:
    """Hash the reply, its system and its turn, to store each reply only once. Annotators never see the hash."""
    sources = [[source.number, source.title, source.text, source.url] for source in item.sources]
    parts = [turn, item.origin, item.system, item.question, item.answer, sources]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=10).hexdigest()


def add(
    db: Connection, item: Item, *, turn: str | None = None, quota: int = QUOTA, known_as: str | None = None
) -> bool:
    """Store ``item`` unless the desk has the same reply or another copy of its turn; return whether it is new.

    ``known_as`` is the item's first ``digest``, for an item whose text has changed since. Raises ``UsageError`` if its
    turn was deleted in this database.
    """
    study = first(db, "SELECT content FROM annotation_studies ORDER BY number DESC LIMIT 1")
    item = marks_before_stops(item) if study and json.loads(study[0]).get("normalise_marks") else item
    if gone := first(db, "SELECT time FROM tombstones WHERE turn = ? AND what = 'deleted'", turn):
        raise UsageError(f"turn {turn} was deleted on {gone[0][:10]}")
    row = {name: getattr(item, name) for name in ("id", "system", "model", "task")}
    row |= {"digest": known_as or digest(item, turn), "origin": item.origin.value, "turn": turn, "quota": quota}
    row |= {"content": encoded(item), "shuffle": int(item.id, 16) % PRIME, "created": now()}
    return insert_row(db, "annotation_items", row, or_ignore=True)


def get(db: Connection, id: str, *, judgeable: bool = False) -> Item:
    """Return an item. Raises ``NotFound`` if no item has this ID; with ``judgeable``, also if its text was removed."""
    if judgeable:
        must_be_judgeable(db, id)
    row = first(db, "SELECT content FROM annotation_items WHERE id = ?", id)
    if row is None:
        raise _no_such(id)
    return decoded(row[0])


def items(store: Database) -> Iterator[Item]:
    """Yield every item whose text was not removed, in order of import."""
    with store.reading() as db:
        for (content,) in db.execute("SELECT content FROM annotation_items WHERE withdrawn IS NULL ORDER BY number"):
            yield decoded(content)


def is_withdrawn(db: Connection, id: str) -> bool:
    """Return whether the text of the item was removed. Raises ``NotFound`` if no item has this ID."""
    row = first(db, "SELECT withdrawn IS NOT NULL FROM annotation_items WHERE id = ?", id)
    if row is None:
        raise _no_such(id)
    return bool(row[0])


def must_be_judgeable(db: Connection, id: str) -> None:
    """Raise ``NotFound`` if no item has this ID, or its text was removed."""
    if is_withdrawn(db, id):
        raise NotFound(
            "this reply was removed and cannot be judged any more; labels that were submitted are kept: go "
            "on with the next one"
        )


def _no_such(id: str) -> NotFound:
    return NotFound(f"there is no annotation item {id!r}, or not any more; go on with the next one")


def encoded(item: Item) -> str:
    return json.dumps(to_json(item), ensure_ascii=False)


def decoded(content: str) -> Item:
    values: dict[str, Any] = json.loads(content)
    return item_from_json(values)
