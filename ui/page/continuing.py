"""Copy a snapshot into a conversation of somebody else's own: what its page shows, and nothing else of the log.

The events of a copy are built from what is shown. What the model thought and wrote on the way, passages that are not
cited, settings, the names of collections and feedback are left out. The passages of own documents keep their places, so
that erasing a document reaches the copy; nobody can open the document by them who may not search it.
"""

from collections.abc import Iterator, Mapping, Set
from itertools import takewhile
from typing import Any

from ulid import ULID

import searchain.events as events
from searchain.types import JOINT, Hit, Node, Passage, Reading, is_own
from storage.database import Database, now
from storage.history.finished_turns import Record
from storage.log import event_log
from storage.log.conversations import KEPT
from storage.people import audit, shares
from storage.people.shares import Share
from storage.transfer import import_turns, jsonl
from ui.show.labels import old_answer, understood
from ui.show.tree_order import story

_SAME = f"""SELECT c.id FROM conversations c JOIN turns t ON t.conversation = c.id
    WHERE c.owner = :owner AND c.id != :conversation AND {KEPT}
    GROUP BY c.id HAVING count(*) = :turns AND sum(t.created IN (
        SELECT s.created FROM turns s JOIN shared_turns h ON h.turn = s.id WHERE h.share = :share)) = :turns"""


def copied(store: Database, share: Share, owner: str) -> str | None:
    """Return the ID of the copy that ``owner`` has of the snapshot and asked nothing in; ``None`` without one."""
    named = {"owner": owner, "conversation": share.conversation, "share": share.id, "turns": share.turns}
    found: tuple[str] | None = store.row(_SAME, named)
    return found[0] if found else None


def copy(store: Database, share: Share, owner: str) -> tuple[str, list[str]]:
    """Store the snapshot's turns as a new conversation of ``owner``; return its ID and those of its turns.

    Raises ``StorageError`` if a turn is damaged, or could not be stored.
    """
    records = list(shares.records(store, share))
    conversation, begun = str(ULID()), now()
    ids = {record.turn: str(ULID()) for record in records}
    copies = []
    for position, one in enumerate(records):
        log = tuple((one.created, event_log.encode(event)[1]) for event in shown(one.state(), ids))
        turn = (ids[one.turn], position, one.created, one.question, log)
        copies.append(Record(conversation, one.title, begun, *turn))
    import_turns.import_lines(store, (line.encode() for line in jsonl.write(copies)), owner=owner)
    with store.writing() as db:
        db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (begun, conversation))  # it is the newest one
        for old, new in ids.items():
            notes = db.query("SELECT * FROM changed_citations WHERE turn = ?", (old,))
            db.table("changed_citations").insert_all([note | {"turn": new} for note in notes])
        audit.note(db, "continued", f"{conversation} by link {share.id}")
    return conversation, list(ids.values())


def shown(turn: events.Turn, ids: Mapping[str, str]) -> Iterator[events.Event]:
    """Yield the events of a turn that tell what its snapshot shows; ``ids`` maps the snapshot's turns to the copies."""
    yield events.RunStarted(
        **_fields(turn, "question model profile system files unread"),
        index=JOINT.join(name for name in turn.index.split(JOINT) if not is_own(name)),
        settings={},
        beside=ids.get(turn.beside or ""),
        replaces=ids.get(turn.replaces or ""),
    )
    if turn.task is not None:
        yield events.TaskChosen(task=turn.task, by="rule")
    if completed := understood(turn):
        yield events.QuestionRewritten(standalone=completed, by="rule")
    yield from (events.RoundStarted(round=number) for number in range(1, turn.round + 1))
    kept = {node.id for node in story(turn).nodes}
    for node in turn.nodes:
        yield from _node(turn, node, kept)
    if turn.candidates:
        yield events.CandidatesWeighed(candidates=turn.candidates, chosen=0)
    yield events.TracingStarted(path=tuple(node.id for node in turn.nodes if node.on_path), writer="template")
    yield events.ReplyDelta(text=turn.answer, sources=turn.sources)
    yield from (events.SentenceBound(sentence=sentence) for sentence in turn.sentences)
    ended = "status usage outcome probability threshold final_answer message conflict asks as_of"
    yield events.RunFinished(**_fields(turn, ended), invented_markers=0)


def _fields(turn: events.Turn, names: str) -> dict[str, Any]:
    return {name: getattr(turn, name) for name in names.split()}


def _node(turn: events.Turn, node: Node, kept: Set[str]) -> Iterator[events.Event]:
    """Yield the events of a node; one that is not in ``kept`` has its place in the tree and no words."""
    is_told = node.id in kept
    wrote = node.model_answer if is_told and node.model_answer in _told(turn, node) else None
    query = node.query if is_told else ""
    step: dict[str, Any] = {"node": node.id, "parent": node.parent, "round": node.round, "query": query}
    step["answer"] = wrote
    yield events.NodeParsed(**step) if node.mends is None else events.BranchOpened(**step, mends=node.mends)
    cited = next((one.passage for one in turn.sources if is_told and one.passage == node.passage), None)
    if node.id in turn.hits:
        yield from _evidence(node, query, cited)
    if is_told and node.verdict is not None:
        yield events.NodeJudged(
            node=node.id,
            verdict=node.verdict,
            rule=node.rule or "",
            before=wrote,
            after=node.answer,
            same_as=_inherited(turn, node, cited, kept),
            probability=node.probability,
        )


def _evidence(node: Node, query: str, cited: Passage | None) -> Iterator[events.Event]:
    """Yield the search of a node, with nothing found but the passage that the reply cites."""
    hits = (Hit(cited, 0.0, node.rank),) if cited and node.rank is not None else ()
    yield events.Searched(node=node.id, query=query, hits=hits, seconds=0.0)
    for hit in hits:
        reading = Reading(node.reader_answer or "", node.span, node.confidence or 0.0)
        yield events.NodeRead(node=node.id, passage=hit.passage.id, rank=hit.rank, reading=reading, seconds=0.0)


def _inherited(turn: events.Turn, node: Node, cited: Passage | None, kept: Set[str]) -> str | None:
    """Return the earlier node whose evidence a node has that searched nothing itself."""
    if cited is None or node.id in turn.hits:
        return None
    earlier = takewhile(lambda other: other is not node, turn.nodes)
    return next((one.id for one in earlier if one.id in kept and (one.passage, one.span) == (cited, node.span)), None)


def _told(turn: events.Turn, node: Node) -> Iterator[str | None]:
    """Yield the answers of the model at ``node`` that the snapshot names, because a passage says otherwise."""
    yield old_answer(turn, node)
    yield from (old_answer(turn, other) for other in turn.nodes if other.mends == node.id)
