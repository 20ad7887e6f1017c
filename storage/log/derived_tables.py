"""Typed tables that hold the state of a turn as rows for SQL queries. They are derived from the events."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from searchain.events import Turn
from searchain.types import Passage, Span
from storage.database import Connection, first

KEYS = {
    "nodes": ("id",),
    "retrievals": ("node", "rank"),
    "sources": ("number",),
    "sentences": ("position",),
    "marks": ("sentence", "position"),
}
"""Columns that identify a row within one turn."""
DERIVED = ("marks", "sentences", "sources", "retrievals", "nodes")


def write_turn(db: Connection, id: str, turn: Turn) -> None:
    """Replace all derived rows of the turn, inside the caller's transaction."""
    for table in DERIVED:
        db.execute(f"DELETE FROM {table} WHERE turn = ?", (id,))
    passages = {passage_hash(passage): passage for passage in _passages(turn)}
    rows = ({"hash": hash, "title": one.title, "text": one.text, "url": one.url} for hash, one in passages.items())
    db.table("passages").insert_all(rows, pk="hash", ignore=True)
    for table, values in derived(turn).items():
        db.table(table).insert_all({"turn": id, **row} for row in values)
    number = first(db, "SELECT number FROM turns WHERE id = ?", id)[0]
    db.table("turns").update(number, columns(turn))


def columns(turn: Turn) -> dict[str, Any]:
    """Return the values of the turn's row in ``turns``."""
    question = {"question": turn.question} if turn.question else {}
    return {
        **question,
        "standalone_question": turn.standalone_question or None,
        **_fields(turn, "task profile system beside model"),
        "index_name": turn.index,
        "collections": json.dumps(turn.collections, ensure_ascii=False) if turn.collections else None,
        "settings": json.dumps(turn.settings, ensure_ascii=False),
        **_fields(turn, "status outcome probability answer final_answer message invented_markers"),
        "rounds": turn.round,
        **asdict(turn.usage),
    }


def derived(turn: Turn) -> dict[str, list[dict[str, Any]]]:
    """Map each table to the turn's rows in it, without the turn's ID."""
    return {
        "nodes": [
            {
                "position": position,
                **_fields(node, "id parent round query model_answer reader_answer answer verdict rule"),
                **_fields(node, "confidence probability rank mends on_path"),
                **_named(node.passage),
                **_span(node.span),
            }
            for position, node in enumerate(turn.nodes)
        ],
        "retrievals": [
            {"node": node, "rank": hit.rank, "score": hit.score, **_named(hit.passage)}
            for node, hits in turn.hits.items()
            for hit in hits
        ],
        "sources": [
            {
                **_fields(source, "number node query verdict confidence probability"),
                **_named(source.passage),
                **_span(source.span),
            }
            for source in turn.sources
        ],
        "sentences": [
            {"position": position, **_fields(sentence, "text start end support probability")}
            for position, sentence in enumerate(turn.sentences)
        ],
        "marks": [
            {"sentence": number, "position": position, **_fields(mark, "number start end")}
            for number, sentence in enumerate(turn.sentences)
            for position, mark in enumerate(sentence.marks)
        ],
    }


def passage_hash(passage: Passage) -> str:
    """Hash the title, text and URL of the passage; equal ones have the same hash in every index."""
    parts = json.dumps([passage.title, passage.text, passage.url], ensure_ascii=False)
    return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()


def _passages(turn: Turn) -> Iterator[Passage]:
    yield from (hit.passage for hits in turn.hits.values() for hit in hits)
    yield from (node.passage for node in turn.nodes if node.passage)
    yield from (source.passage for source in turn.sources)


def _fields(one: object, names: str) -> dict[str, Any]:
    """Return the fields of ``one`` that its columns are named after."""
    return {name: getattr(one, name) for name in names.split()}


def _named(passage: Passage | None) -> dict[str, str | None]:
    return {"passage": passage_hash(passage) if passage else None, "passage_id": passage.id if passage else None}


def _span(span: Span | None) -> dict[str, int | None]:
    return {"span_start": span.start if span else None, "span_end": span.end if span else None}
