"""A person's conversations, the newest first: all of them, or those that match a search."""

import json
from dataclasses import dataclass, replace

from searchain.errors import UsageError
from searchain.safe_text import has_bidi_override, is_plain, without_surrogates
from storage.database import Database, now
from storage.history import listing
from storage.history.selection import Selection
from storage.log.conversations import KEPT, TITLE_LENGTH, check

_MATCHES = 200  # the most matching turns per search; several may belong to one conversation


@dataclass(frozen=True, slots=True)
class Entry:
    id: str
    title: str
    updated: str
    is_running: bool
    """Whether the last question is still being answered."""
    last: str = ""
    """The turn of the last question."""
    found: str = ""
    """A text around the matched words, each word between the marks in ``listing.FOUND``."""
    is_pinned: bool = False


def latest(store: Database, owner: str, limit: int, before: str | None = None) -> list[Entry]:
    """Return the owner's conversations, the newest first, ``limit`` beside all that are pinned, which come first.

    With ``before``, those listed after this conversation, without pinned ones.
    """
    order, values = "ORDER BY c.updated DESC, c.id DESC", {"owner": owner, "limit": limit, "before": before}
    pinned = _entries(store, f"AND c.pinned IS NOT NULL {order}", values) if before is None else []
    earlier = "AND (c.updated, c.id) < (SELECT updated, id FROM conversations WHERE id = :before AND owner = :owner)"
    others = f"AND c.pinned IS NULL {'' if before is None else earlier} {order} LIMIT :limit"
    return pinned + _entries(store, others, values)


def search(store: Database, owner: str, words: str, limit: int) -> list[Entry]:
    """Find the owner's conversations with ``words`` in the title, newest first, then those with all words in a turn,
    the best match first. The last word may be incomplete.
    """
    named = _entries(
        store,
        "AND instr(lower(c.title), lower(:words)) ORDER BY c.updated DESC, c.id DESC LIMIT :limit",
        {"owner": owner, "words": words.strip(), "limit": limit},
    )
    try:
        looked_for = words if words.endswith(('"', "*", " ")) else words + "*"
        matches = listing.find(store, looked_for, _MATCHES, Selection(owner=owner))
    except UsageError:  # no word that the index knows
        matches = []
    found: dict[str, str] = {}
    for match in matches:
        shown = match.question if listing.FOUND[0] in match.question else match.answer
        found.setdefault(match.turn.conversation, shown)
    known = {entry.id for entry in named}
    rest = [id for id in found if id not in known][: limit - len(named)]
    values: dict[str, object] = {"owner": owner, "ids": json.dumps(rest)}
    others = _entries(store, "AND c.id IN (SELECT value FROM json_each(:ids))", values)
    others.sort(key=lambda entry: rest.index(entry.id))
    return [replace(entry, found=found.get(entry.id, "")) for entry in (*named, *others)]


def rename(store: Database, id: str, owner: str, title: str) -> str:
    """Set the conversation's title; return it as it is stored.

    Raises:
        NotFound: there is no such conversation, or another owner has it.
        UsageError: the title is empty, too long, or not plain text.
    """
    title = without_surrogates(" ".join(title.split()))
    if not title:
        raise UsageError("the title is empty; write a few words")
    if len(title) > TITLE_LENGTH:
        raise UsageError(f"the title has {len(title):,} characters; use {TITLE_LENGTH} or fewer")
    if not is_plain(title) or has_bidi_override(title):
        raise UsageError("the title contains control characters; write it in plain text")
    with store.writing() as db:
        check(db, id, owner)
        db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, id))
    return title


def pin(store: Database, id: str, owner: str, is_pinned: bool) -> None:
    """Pin the conversation, or take the pin off. Raises ``NotFound`` as ``rename`` does."""
    with store.writing() as db:
        check(db, id, owner)
        db.execute("UPDATE conversations SET pinned = ? WHERE id = ?", (now() if is_pinned else None, id))


def _entries(store: Database, rest: str, values: dict[str, object]) -> list[Entry]:
    query = f"""SELECT c.id, c.title, c.updated, EXISTS (SELECT 1 FROM runs r WHERE r.conversation = c.id),
            (SELECT t.id FROM turns t WHERE t.conversation = c.id ORDER BY t.position DESC LIMIT 1),
            c.pinned IS NOT NULL
        FROM conversations c WHERE c.owner = :owner AND {KEPT} {rest}"""
    rows = store.rows(query, values)
    return [
        Entry(id, title, updated, bool(running), last or "", is_pinned=bool(pinned))
        for id, title, updated, running, last, pinned in rows
    ]
