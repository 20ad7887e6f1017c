"""Redacts texts: covers them in everything that is stored of a turn, one ``█`` per character.

All lengths stay, so that offsets stay right and the rest can still be checked. A text that is stored twice (a sentence
and the reply, a span and its passage) is covered once and copied. Deltas are joined before their text is covered.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from io import StringIO
from typing import Any

from searchain.errors import StorageError, UsageError
from searchain.events import Event, RunFinished, fold, from_payload, to_payload
from searchain.safe_text import COVER
from storage.annotation import withdrawing
from storage.database import Connection, Database, first
from storage.log import derived_tables, event_log
from storage.log.conversations import is_title_of, title
from storage.people import audit, shares
from storage.removal.delete import compact, drop_unused, leave_tombstone, passages_of, refuse_running

_KEPT = frozenset(
    "type version node parent same_as mends path verdict status outcome origin task by kind writer support rule "
    "profile beside replaces".split()
)
"""Fields that hold names and states of the program, not text."""


def pattern(texts: Sequence[str]) -> re.Pattern[str]:
    """Compile a pattern for ``texts`` that ignores case, Unicode form and the separators between words.

    Raises ``UsageError`` if one of the texts is empty.
    """
    if not texts or not all(text.split() for text in texts):
        raise UsageError("the text to redact is empty; name it: --text TEXT")
    forms = {form for text in texts for form in (text, *(unicodedata.normalize(f, text) for f in ("NFC", "NFD")))}
    longest_first = sorted(forms, key=len, reverse=True)
    gap = r"(?:[\s_+-]|%20)+"  # in addresses and ids too
    return re.compile("|".join(gap.join(map(re.escape, form.split())) for form in longest_first), re.IGNORECASE)


def redact(
    store: Database, turns: Sequence[str], texts: Sequence[str], *, with_labels: bool = False, desk: bool = False
) -> tuple[dict[str, int], bool]:
    """Cover ``texts`` in ``turns``, in one transaction, and rewrite the file (see ``storage.removal.delete.compact``).

    Copies on the annotation desk are covered too, and with ``desk`` all other items of the desk. With ``with_labels``,
    an item that contains a text is removed with its labels instead.

    Returns the number of changed texts per turn (with ``desk``, also per other item), and the result of ``compact``,
    which is ``True`` if nothing was found.

    Raises:
        UsageError: a text is empty, or a turn is still being answered.
        StorageError: nothing was changed.
    """
    found, covered = pattern(texts), {}
    cover_in = partial(_covered, found=found)
    with store.writing(is_final=True) as db:
        for turn in turns:
            refuse_running(db, turn)
            item = withdrawing.of_turn(db, turn)
            copies = withdrawing.redact(db, item, cover_in, with_labels=with_labels) if item else 0
            if changed := _redact(db, turn, found) + copies:
                covered[turn] = changed
        others = "SELECT id FROM annotation_items WHERE turn IS NULL OR turn NOT IN (SELECT id FROM turns)"
        for (item,) in db.execute(others).fetchall() if desk else ():
            if changed := withdrawing.redact(db, item, cover_in, with_labels=with_labels):
                covered[item] = changed
        if covered:
            audit.note(db, "redacted the turns", " ".join(covered))
    return covered, compact(store) if covered else True


def _redact(db: Connection, turn: str, found: re.Pattern[str]) -> int:
    about = "SELECT conversation, position, question FROM turns WHERE id = ?"
    conversation, position, question = first(db, about, turn)
    log = db.execute("SELECT seq, time, payload FROM events WHERE turn = ? ORDER BY seq", (turn,)).fetchall()
    try:
        before = [from_payload(json.loads(payload)) for *_, payload in log]
    except ValueError:
        raise StorageError(f"the log of turn {turn} is damaged and cannot be redacted; delete the turn") from None
    after = cover(before, found)
    shown = _covered(question, found)
    name = first(db, "SELECT title FROM conversations WHERE id = ?", conversation)[0]
    is_question = is_title_of(name, question)
    title_shown = title(shown) if is_question else _covered(name, found)
    comments = [
        (_covered(text, found), number)
        for number, text in db.execute("SELECT number, comment FROM feedback WHERE turn = ?", (turn,))
        if found.search(text)
    ]
    changed = sum(old != new for old, new in zip(before, after, strict=True)) + len(comments)
    changed += (shown != question) + (not is_question and name != title_shown)
    changed += event_log.cover_overtaken(db, turn, found)
    if not changed:
        return 0
    shares.drop(db, turn)
    passages = passages_of(db, turn)
    db.execute("UPDATE turns SET question = ? WHERE id = ?", (shown, turn))
    db.execute("DELETE FROM events WHERE turn = ?", (turn,))
    for (seq, time, _), event in zip(log, after, strict=True):
        event_log.insert(db, turn, seq, time, event)
    if after and isinstance(after[-1], RunFinished):
        derived_tables.write_turn(db, turn, fold(after))
    drop_unused(db, passages)
    for comment in comments:
        db.execute("UPDATE feedback SET comment = ? WHERE number = ?", comment)
    db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title_shown, conversation))
    leave_tombstone(db, "redacted", turn, conversation, position)
    return changed


def cover(events: Sequence[Event], found: re.Pattern[str]) -> list[Event]:
    """Cover the matches of ``found`` in the events of one run."""
    payloads = [to_payload(event) for event in events]
    ids: dict[str, str] = {}
    streams = _streams(payloads, found)
    payloads = [
        {name: value if name in _KEPT else _deep(value, name, found, ids) for name, value in payload.items()}
        for payload in payloads
    ]
    hits: dict[str, dict[str, str]] = {}
    for payload, stream in _with_streams(payloads):
        match payload["type"]:
            case "chain_delta" | "thought_delta" | "reply_delta":
                payload["text"] = streams[stream].read(len(payload["text"]))
            case "searched":
                hits[payload["node"]] = {hit["passage"]["id"]: hit["passage"]["text"] for hit in payload["hits"]}
            case "node_read" if span := payload["reading"]["span"]:
                payload["reading"]["answer"] = hits[payload["node"]][payload["passage"]][span["start"] : span["end"]]
            case "sentence_bound":
                sentence = payload["sentence"]
                sentence["text"] = streams[stream].getvalue()[sentence["start"] : sentence["end"]]
    return [from_payload(payload) for payload in payloads]


def _streams(payloads: list[dict[str, Any]], found: re.Pattern[str]) -> dict[tuple[str, int], StringIO]:
    """Join the deltas and cover their text: the chain of each round, thoughts, and each reply without its marks."""
    texts: dict[tuple[str, int], str] = defaultdict(str)
    marks: dict[tuple[str, int], list[dict[str, int]]] = defaultdict(list)
    for payload, stream in _with_streams(payloads):
        match payload["type"]:
            case "chain_delta" | "thought_delta" | "reply_delta":
                texts[stream] += payload["text"]
            case "sentence_bound":
                marks[stream] += payload["sentence"]["marks"]
    streams = {}
    for key, text in texts.items():
        whole = _covered(text, found)
        for mark in marks[key]:
            whole = whole[: mark["start"]] + text[mark["start"] : mark["end"]] + whole[mark["end"] :]
        streams[key] = StringIO(whole)
    return streams


def _with_streams(payloads: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], tuple[str, int]]]:
    """Yield each payload with the key of the text to which its delta or sentence belongs."""
    tracings = 0
    for payload in payloads:
        tracings += payload["type"] == "tracing_started"
        match payload["type"]:
            case "chain_delta":
                yield payload, ("chain", payload["round"])
            case "thought_delta":
                yield payload, ("thought", 0)
            case _:
                yield payload, ("reply", tracings)


def _deep(value: Any, name: str, found: re.Pattern[str], ids: dict[str, str]) -> Any:
    match value:
        case str() if name == "id" or name == "passage":  # of a passage: equal ids stay equal, others stay apart
            return ids.setdefault(value, f"redacted-{len(ids) + 1}") if found.search(value) else value
        case str():
            return _covered(value, found)
        case list():
            return [_deep(item, name, found, ids) for item in value]
        case dict():
            is_free = name == "settings"  # elsewhere the keys are the names of fields
            return {
                _covered(key, found) if is_free else key: item
                if key in _KEPT
                else _deep(item, "settings" if is_free else key, found, ids)
                for key, item in value.items()
            }
    return value


def _covered(text: str, found: re.Pattern[str]) -> str:
    return found.sub(lambda match: COVER * len(match[0]), text)
