"""Documents of collections: one row per document, with its present version and state."""

import time
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from ulid import ULID

from searchain.cancel import CancelToken
from searchain.documents.parsed import OwnFile
from searchain.errors import IndexNotFound, NotFound, UsageError
from searchain.safe_text import one_line
from searchain.types import JOINT, is_own
from storage.collections import access
from storage.collections.files import Files, Stored
from storage.database import Connection, Database, first, insert_row, now

MAX_NAME = 255


class State(StrEnum):
    QUEUED = "queued"
    PARSING = "parsing"
    ENCODING = "encoding"
    """The document can already be searched by words."""
    READY = "ready"
    NO_TEXT = "no_text"
    ENCRYPTED = "encrypted"
    TOO_LARGE = "too_large"
    FAILED = "failed"


UNDER_WAY = (State.QUEUED, State.PARSING, State.ENCODING)
_PENDING = """removed IS NULL AND state IN ('queued', 'parsing', 'encoding')
    AND (collection = :collection OR :collection IS NULL)"""


@dataclass(frozen=True, slots=True)
class Document:
    """The present state of one document."""

    id: str
    collection: str
    name: str
    type: str | None
    sha256: str
    bytes: int
    pages: int | None
    state: State
    reason: str | None
    """Why the document cannot be searched, or what of it was not read; ``None`` if all of it can be searched."""
    parser: str | None
    created: str
    updated: str
    removed: str | None
    """When it was removed; ``None`` if it was not."""

    @property
    def is_under_way(self) -> bool:
        return self.removed is None and self.state in UNDER_WAY


def submit(store: Database, files: Files, collection: str, name: str, stored: Stored) -> tuple[Document, bool]:
    """Add the bytes ``stored`` to a collection under ``name``, to be parsed later.

    Returns the document, and whether it must be parsed: if it is new, has changed, or could not be parsed before.
    Raises ``NotFound`` if the collection was removed.
    """
    name = readable_name(name)
    with store.writing() as db:
        if not first(db, "SELECT 1 FROM collections WHERE id = ?", collection):
            raise NotFound("the collection was removed meanwhile; choose another one")
        if not files.original(stored.sha256).is_file():
            raise UsageError(f"the bytes of {name!r} were removed meanwhile; add it again")
        known = "SELECT * FROM documents WHERE collection = ? AND name = ? AND removed IS NULL"
        old = next(iter(db.query(known, (collection, name))), None)
        is_there = old is not None and old["sha256"] == stored.sha256
        if old is not None and is_there and old["state"] in (*UNDER_WAY, State.READY):
            return _document(old), False
        id = old["id"] if old else str(ULID())
        row = {"sha256": stored.sha256, "bytes": stored.bytes, "state": State.QUEUED.value, "updated": now()}
        if old:
            row["replaced"] = old["replaced"] or old["sha256"]
            empty = dict.fromkeys(("type", "pages", "reason", "parser"))
            db.table("documents").update(id, row | empty)
        else:
            insert_row(db, "documents", {"id": id, "collection": collection, "name": name, "created": now()} | row)
        return _get(db, id), True


def readable_name(name: str) -> str:
    """Normalise the name of a file to one line without leading slashes and without ``.`` and ``..`` as folders.

    Raises ``UsageError`` if nothing of the name is left.
    """
    plain = one_line(unicodedata.normalize("NFC", name).replace("\\", "/"))
    parts = [part.strip() for part in plain.split("/") if part.strip() not in ("", ".", "..")]
    found = "/".join(parts)
    if not found:
        raise UsageError("the file has no name; give it one")
    return found[-MAX_NAME:]


def get(store: Database, id: str) -> Document:
    """Return a document, even a removed one, without checking access. Raises ``NotFound`` if it does not exist."""
    with store.reading() as db:
        return _get(db, id)


def find(store: Database, id: str) -> Document | None:
    """Return the document as ``get`` does; ``None`` if it was erased."""
    try:
        return get(store, id)
    except NotFound:
        return None


def of_collection(store: Database, collection: str, *, removed: bool = False) -> list[Document]:
    """Return the documents of a collection by name; with ``removed``, also the removed ones."""
    query = "SELECT * FROM documents WHERE collection = ? AND (removed IS NULL OR ?) ORDER BY name, id"
    return [_document(row) for row in store.named_rows(query, (collection, removed))]


def named(store: Database, collection: str, names: Iterable[str], *, removed: bool = False) -> list[Document]:
    """Return the documents with these names or IDs; the name of a folder stands for all documents in it.

    Raises ``NotFound`` if a name fits no document.
    """
    there = of_collection(store, collection, removed=removed)
    found: dict[str, Document] = {}
    for name in names:
        wanted = name.rstrip("/")
        matches = [one for one in there if one.id == name or one.name == wanted or one.name.startswith(f"{wanted}/")]
        if not matches:
            raise NotFound(f"there is no document {name!r} in the collection", hint=access.LISTED)
        found |= {one.id: one for one in matches}
    return list(found.values())


def under_way(store: Database, collection: str | None = None) -> list[Document]:
    """Return the pending documents of one collection, or of all, those unchanged for longest first."""
    query = f"SELECT * FROM documents WHERE {_PENDING} ORDER BY updated, id"
    return [_document(row) for row in store.named_rows(query, {"collection": collection})]


def next_up(store: Database, collection: str | None = None) -> list[Document]:
    """Return the next pending document of one collection or of each: the smallest unread, else the smallest waiting."""
    # the other columns are those of the row with the least turn, as SQLite promises
    turn = "min(bytes + (state = 'encoding') * 1e18) AS turn"
    query = f"SELECT *, {turn} FROM documents WHERE {_PENDING} GROUP BY collection"
    return [_document(row) for row in store.named_rows(query, {"collection": collection})]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the files of collections are read."""

    searchable: int
    unread: int
    """The files that are still to be read."""

    @property
    def files(self) -> int:
        """All files, while some are still to be read; else 0."""
        return self.searchable + self.unread if self.unread else 0


def progress(store: Database, collections: Iterable[str]) -> Progress:
    """Return how many files of the collections with these IDs can be searched, and how many are still to be read."""
    wanted = list(collections)
    marks = ", ".join("?" * len(wanted))
    query = f"SELECT state, count(*) FROM documents WHERE removed IS NULL AND collection IN ({marks}) GROUP BY state"
    found = Counter({State(state): count for state, count in store.rows(query, wanted)})
    return Progress(found[State.READY] + found[State.ENCODING], found[State.QUEUED] + found[State.PARSING])


def usage(store: Database, owners: str) -> dict[str, tuple[int, int]]:
    """Return the number of documents and the sum of their bytes for each owner whose name fits the glob ``owners``."""
    query = """SELECT owner, count(*), sum(bytes) FROM documents d JOIN collections c ON c.id = d.collection
        WHERE owner GLOB ? AND removed IS NULL GROUP BY owner"""
    rows = store.rows(query, (owners,))
    return {owner: (files, size) for owner, files, size in rows}


def set_state(store: Database, document: Document, state: State, **values: Any) -> Document | None:
    """Store the state of this version of a document; return ``None`` if it was removed or has another version."""
    row = {"state": state.value, "updated": now(), "reason": None} | values
    if state not in (State.QUEUED, State.PARSING):
        row["replaced"] = None
    with store.writing() as db:
        assignments = ", ".join(f"{name} = :{name}" for name in row)
        changed = db.execute(
            f"UPDATE documents SET {assignments} WHERE id = :id AND sha256 = :sha256 AND removed IS NULL",
            row | {"id": document.id, "sha256": document.sha256},
        ).rowcount
        return _get(db, document.id) if changed else None


def is_wanted(store: Database, id: str, version: str) -> bool:
    """Return whether this version of a document is current and not removed."""
    query = "SELECT 1 FROM documents WHERE id = ? AND sha256 = ? AND removed IS NULL"
    return store.row(query, (id, version)) is not None


def in_use(db: Connection, sha256: str) -> bool:
    """Return whether a document that was not removed has these bytes, or had them until now."""
    return first(db, "SELECT 1 FROM documents WHERE ? IN (sha256, replaced) AND removed IS NULL", sha256) is not None


def _get(db: Connection, id: str) -> Document:
    row = next(iter(db.query("SELECT * FROM documents WHERE id = ?", (id,))), None)
    if row is None:
        raise NotFound(f"there is no document {id!r}", hint=access.LISTED)
    return _document(row)


def _document(row: dict[str, Any]) -> Document:
    shown = {name: value for name, value in row.items() if name not in ("replaced", "turn")}
    return Document(**shown | {"state": State(row["state"])})


SECONDS = 60.0
"""How long a question waits until the first document is read."""
POLL_SECONDS = 0.2


def read_so_far(store: Database, index: str, cancel: CancelToken) -> Progress:
    """Return how many own files of ``index`` are read; wait for the first if nothing else can be searched.

    Raises:
        Cancelled: ``cancel`` was set meanwhile.
        IndexNotFound: there is nothing else, and none is read in time.
    """
    names = index.split(JOINT)
    own = [access.collection_of(name) for name in names if is_own(name)]
    end = time.monotonic() + SECONDS
    while True:
        read = progress(store, own)
        if read.searchable or not read.unread or len(own) < len(names):
            return read
        if time.monotonic() > end:
            raise IndexNotFound("none of these documents has been read so far", hint="ask again in a moment")
        cancel.check()
        time.sleep(POLL_SECONDS)


def own_files(store: Database, index: str) -> dict[str, OwnFile]:
    """Return the documents of the collections in ``index`` that were read, by their ids. Access is not checked."""
    files = Files(store)
    own = (access.collection_of(name) for name in index.split(JOINT) if is_own(name))
    return {
        one.id: OwnFile(one.id, one.name, one.pages, one.updated[:10], partial(files.parsed, one.sha256, one.type))
        for collection in own
        for one in of_collection(store, collection)
        if one.type is not None
    }
