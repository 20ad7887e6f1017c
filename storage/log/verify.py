"""Checks for ``logs verify``: derive the tables from the events again, compare them, and test the rules of a turn.

By these rules offsets match the text, citations have sources, and the outcome fits the rest.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from searchain.errors import StorageError
from searchain.events import Event, RunFinished, Turn, fold, from_payload
from searchain.types import Node, Outcome, Passage, Sentence, Span, Status
from storage.database import Connection, Database, first
from storage.log import derived_tables
from storage.log.event_log import digest

STATUSES = {
    Outcome.SUPPORTED: Status.ANSWERED,
    Outcome.QUOTED: Status.ANSWERED,
    Outcome.UNSURE: Status.PARTIAL,
    Outcome.UNRATED: Status.PARTIAL,
    Outcome.ASKS: Status.PARTIAL,
    Outcome.NOT_FOUND: Status.NOT_FOUND,
    Outcome.NO_SEARCH: Status.ANSWERED,
}
"""The status of a run with each outcome."""


def faults(turn: Turn) -> Iterator[str]:
    """Describe each broken rule in one line."""
    seen: set[str] = set()
    for node in turn.nodes:
        yield from _node(node, seen)
        seen.add(node.id)
    numbers: set[int] = set()
    for source in turn.sources:
        if source.number in numbers:
            yield f"source {source.number} is there twice"
        numbers.add(source.number)
        if source.node not in seen:
            yield f"source {source.number} names node {source.node!r}, which is not in the tree"
        if not _fits(source.span, source.passage):
            yield f"the span of source {source.number} is not in its passage"
    end = 0
    for position, sentence in enumerate(turn.sentences):
        if sentence.start < end:
            yield f"sentence {position} begins before the one above it ends"
        end = sentence.end
        yield from _sentence(turn.answer, position, sentence, numbers)
    yield from _outcome(turn)
    yield from _probabilities(turn)


def _outcome(turn: Turn) -> Iterator[str]:
    if turn.outcome is None:
        return
    if turn.status is not STATUSES[turn.outcome]:
        yield f"its outcome is {turn.outcome}, which does not go with the status {turn.status or 'running'}"
    if turn.outcome is Outcome.SUPPORTED and turn.probability is None:
        yield "it is supported, and nothing says how likely it is right"
    elif turn.outcome is Outcome.SUPPORTED and (turn.probability or 0) < (turn.threshold or 0):
        yield f"it is supported, and its probability {turn.probability} does not reach the threshold {turn.threshold}"
    if turn.outcome is Outcome.NO_SEARCH and (turn.sources or turn.final_answer):
        yield "nothing was searched, and there are sources or a short answer"


def _probabilities(turn: Turn) -> Iterator[str]:
    rated = [("the probability of the reply", turn.probability), ("the threshold", turn.threshold)]
    rated += [(f"the probability of node {one.id!r}", one.probability) for one in turn.nodes]
    rated += [(f"the probability of source {one.number}", one.probability) for one in turn.sources]
    rated += [(f"the probability of sentence {at}", one.probability) for at, one in enumerate(turn.sentences)]
    rated += [(f"the probability of candidate {at}", one.probability) for at, one in enumerate(turn.candidates)]
    for what, probability in rated:
        if probability is not None and not 0 <= probability <= 1:
            yield f"{what} is {probability}, which is not between 0 and 1"


def _node(node: Node, seen: set[str]) -> Iterator[str]:
    if node.id in seen:
        yield f"node {node.id!r} is there twice"
    for name, other in (("hangs on", node.parent), ("mends", node.mends)):
        if other is not None and other not in seen:
            yield f"node {node.id!r} {name} node {other!r}, which did not come before it"
    if node.passage and not _fits(node.span, node.passage):
        yield f"the span of node {node.id!r} is not in its passage"
    elif node.passage and node.span and node.reader_answer != node.passage.text[node.span.start : node.span.end]:
        yield f"the span of node {node.id!r} does not match its passage: it does not hold the Reader's answer"


def _sentence(answer: str, position: int, sentence: Sentence, numbers: set[int]) -> Iterator[str]:
    if not 0 <= sentence.start <= sentence.end <= len(answer) or answer[sentence.start : sentence.end] != sentence.text:
        yield f"sentence {position} does not stand in the reply where it says"
        return
    end = sentence.start
    for mark in sentence.marks:
        if not end <= mark.start <= mark.end <= sentence.end or answer[mark.start : mark.end] != f"[{mark.number}]":
            yield f"citation [{mark.number}] does not stand in sentence {position} where it says"
        end = mark.end
        if mark.number not in numbers:
            yield f"citation [{mark.number}] of sentence {position} is dangling: there is no such source"


def _fits(span: Span | None, passage: Passage) -> bool:
    return span is None or 0 <= span.start <= span.end <= len(passage.text)


@dataclass(frozen=True, slots=True)
class Fault:
    what: str
    turn: str | None = None
    """``None`` if the fault concerns the whole file."""


def verify(store: Database) -> Iterator[Fault]:
    """Yield every fault of the file, one turn in memory at a time. Raises ``StorageError`` if it cannot be read."""
    with store.reading() as db:
        for (line,) in db.execute("PRAGMA integrity_check").fetchall():
            if line != "ok":
                yield Fault(f"the file is damaged: {line}")
        for table, rowid, other, _ in db.execute("PRAGMA foreign_key_check").fetchall():
            yield Fault(f"row {rowid} of {table} names a row that is missing in {other}")
        for hash, title, text, url in db.execute("SELECT * FROM passages"):
            if derived_tables.passage_hash(Passage("", title, text, url)) != hash:
                yield Fault(f"passage {hash} was altered: its text is not what its name says")
        for row in db.execute("SELECT turn FROM tombstones WHERE what = 'deleted' AND turn IN (SELECT id FROM turns)"):
            yield Fault("it was deleted, and is there", row[0])
        for turn in db.query("SELECT * FROM turns ORDER BY number"):
            for what in _turn(db, turn):
                yield Fault(what, turn["id"])
    if (fault := _search_index(store)) is not None:
        yield fault


def _turn(db: Connection, row: dict[str, Any]) -> Iterator[str]:
    id = row["id"]
    events: list[Event] = []
    for expected, (seq, type, version, time, payload, sum) in enumerate(
        db.execute("SELECT seq, type, version, time, payload, digest FROM events WHERE turn = ? ORDER BY seq", (id,))
    ):
        if seq != expected:
            yield f"event {expected} is missing"
            return
        if digest(id, seq, time, payload) != sum:
            yield f"event {seq} was altered after it was written"
        try:
            datetime.fromisoformat(time)
            event = from_payload(json.loads(payload))
        except ValueError:
            yield f"event {seq} cannot be read"
            return
        if (event.type, event.version) != (type, version):
            yield f"event {seq} is another than its row says"
        events.append(event)
    is_going = first(db, "SELECT 1 FROM runs WHERE turn = ?", id) is not None
    is_over = bool(events) and isinstance(events[-1], RunFinished)
    if is_going == is_over or any(isinstance(event, RunFinished) for event in events[:-1]):
        yield "it is neither over nor going on" if not is_over else "events follow its end"
    try:
        state = fold(events)
    except (LookupError, StopIteration):
        yield "its events do not hold together"
        return
    yield from faults(state)
    yield from _differences(db, row, state if is_over else Turn())


def _differences(db: Connection, row: dict[str, Any], state: Turn) -> Iterator[str]:
    """Describe how the tables differ from the events; before a run is over they must be empty."""
    if state.status is not None:
        for column, value in derived_tables.columns(state).items():
            if row[column] != value:
                yield f"{column} in turns is not what the events say"
    for table, expected in derived_tables.derived(state).items():
        key = derived_tables.KEYS[table]
        made = {tuple(values[name] for name in key): values for values in expected}
        there = {}
        for values in db.query(f"SELECT * FROM {table} WHERE turn = ?", (row["id"],)):
            del values["turn"]
            there[tuple(values[name] for name in key)] = values
        for name in {**made, **there}:
            if made.get(name) != there.get(name):
                state_of = "is missing" if name not in there else "is too much" if name not in made else "differs"
                yield f"row {', '.join(map(str, name))} of {table} {state_of}, by what the events say"


def _search_index(store: Database) -> Fault | None:
    if store.is_read_only:
        return None  # the check is a write to SQLite
    try:
        with store.writing() as db:
            db.execute("INSERT INTO turns_fts (turns_fts, rank) VALUES ('integrity-check', 1)")
    except StorageError:
        return Fault("the search index is not what questions and replies say")
    return None
