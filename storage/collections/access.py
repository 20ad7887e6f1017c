"""Access to collections: who may search, edit or share one. The other files of this package ask here first.

To a user without access a collection does not exist: both cases raise the same ``NotFound``.
"""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from ulid import ULID

from searchain.errors import NotFound, SendingRefused, UsageError
from searchain.safe_text import is_plain
from searchain.types import JOINT, is_own
from storage.database import Database, first, insert_row, now
from storage.people import audit
from storage.people.users import Rank

MAX_NAME = 80
LISTED = "see: python assistant.py documents list"
_MINE = """(owner = :user OR is_public
    OR EXISTS (SELECT 1 FROM collection_members m WHERE m.collection = collections.id AND m.user = :user))"""
_ROLE = "(SELECT role FROM collection_members m WHERE m.collection = collections.id AND m.user = :user) AS role"


class Role(Rank):
    """A person's rights in a collection."""

    READER = "reader"
    EDITOR = "editor"
    OWNER = "owner"


class Elsewhere(StrEnum):
    """Whether the passages of a collection may be sent to a language model on another machine."""

    UNKNOWN = "unknown"
    """Nobody has decided yet; they are not sent."""
    ALLOWED = "allowed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents that are searched together."""

    id: str
    owner: str
    name: str
    created: str
    is_public: bool
    elsewhere: Elsewhere
    role: Role
    """The role of the person who asked for the collection."""

    @property
    def index(self) -> str:
        """The name of the collection's index."""
        return index_of(self.id)


def index_of(collection: str) -> str:
    """Return the name of a collection's index."""
    return f"c-{collection.lower()}"


def collection_of(index: str) -> str:
    """Return the ID of the collection whose index this is."""
    return index.removeprefix("c-").upper()


def allowed(store: Database, user: str) -> frozenset[str]:
    """Return the names of the indexes that ``user`` may search now."""
    rows = store.rows(f"SELECT id FROM collections WHERE {_MINE}", {"user": user})
    return frozenset(index_of(id) for (id,) in rows)


def every(store: Database, user: str) -> list[Collection]:
    """Return the collections that ``user`` may search, by name, their own before others'."""
    query = f"SELECT *, {_ROLE} FROM collections WHERE {_MINE} ORDER BY owner != :user, name, id"
    return [_collection(row, user) for row in store.named_rows(query, {"user": user})]


def named(store: Database, user: str, name: str, role: Role = Role.READER) -> Collection:
    """Return the collection with this name or ID; the user's own collections go before others'.

    Raises:
        NotFound: no collection has the name, or ``user`` may not search it.
        UsageError: several have the name, or ``user`` has fewer rights than ``role``.
    """
    found = [one for one in every(store, user) if name in (one.name, one.id)]
    own = [one for one in found if one.owner == user] or found
    if not own:
        raise NotFound(f"there is no collection {name!r}", hint=LISTED)
    if len(own) > 1:
        raise UsageError(f"several collections are called {name!r}; name one by its id: {', '.join(o.id for o in own)}")
    if not own[0].role.includes(role):
        raise UsageError(f"you may not do that to the collection {name!r}; ask its owner to make you {role.value}")
    return own[0]


def names(store: Database, user: str) -> list[str]:
    """Return for each collection that ``user`` may search what ``named`` finds it by: its name, or else its ID."""
    found = every(store, user)
    count = Counter(one.name for one in found)
    return [one.name if one.owner == user or count[one.name] == 1 else one.id for one in found]


def of_document(store: Database, user: str, document: str, role: Role = Role.READER) -> Collection:
    """Return the collection of a document.

    Raises:
        NotFound: there is no such document, or ``user`` may not search it.
        UsageError: ``user`` has fewer rights than ``role``.
    """
    row = store.row("SELECT collection FROM documents WHERE id = ?", (document,))
    if row is None or index_of(row[0]) not in allowed(store, user):
        raise NotFound(f"there is no document {document!r}", hint=LISTED)
    return named(store, user, row[0], role)


def owners(store: Database) -> dict[str, str]:
    """Return the owner of every collection by its ID."""
    return dict(store.rows("SELECT id, owner FROM collections"))


def older_than(store: Database, owners: str, days: float) -> list[Collection]:
    """Return the collections older than ``days`` whose owners' names begin with ``owners``."""
    limit = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")
    rows = store.named_rows("SELECT *, NULL AS role FROM collections WHERE created < ?", (limit,))
    return [_collection(row, row["owner"]) for row in rows if row["owner"].startswith(owners)]


def create(store: Database, owner: str, name: str) -> Collection:
    """Create a collection for ``owner``.

    Raises ``UsageError`` if the name is not allowed, or ``owner`` has a collection of this name.
    """
    name = readable_name(name)
    with store.writing() as db:
        if first(db, "SELECT 1 FROM collections WHERE owner = ? AND name = ?", owner, name):
            raise UsageError(f"there is a collection {name!r} already; choose another name")
        id = str(ULID())
        insert_row(db, "collections", {"id": id, "owner": owner, "name": name, "created": now()})
    return named(store, owner, id)


def readable_name(name: str) -> str:
    """Normalise the name of a collection. Raises ``UsageError`` if the name is not allowed."""
    name = " ".join(name.split())
    if not name or len(name) > MAX_NAME or not is_plain(name) or re.search(r"[/\\+]", name):
        raise UsageError(
            f"{name[:MAX_NAME]!r} cannot be the name of a collection; use 1 to {MAX_NAME} characters without / \\ +"
        )
    return name


def share(store: Database, collection: Collection, user: str, role: Role | None) -> None:
    """Make ``user`` a reader or editor of the collection; with ``None`` end their access."""
    with store.writing() as db:
        db.execute("DELETE FROM collection_members WHERE collection = ? AND user = ?", (collection.id, user))
        if role is not None:
            insert_row(db, "collection_members", {"collection": collection.id, "user": user, "role": role.value})
        audit.note(db, f"{'shared' if role else 'shared no more'} the collection", collection.id)


def publish(store: Database, collection: Collection, is_public: bool) -> None:
    """Let everybody search the collection, or only its members."""
    with store.writing() as db:
        db.execute("UPDATE collections SET is_public = ? WHERE id = ?", (is_public, collection.id))
        audit.note(db, f"{'published' if is_public else 'published no more'} the collection", collection.id)


def members(store: Database, collection: Collection) -> dict[str, Role]:
    """Return the roles of the members by name, without the owner."""
    rows = store.rows("SELECT user, role FROM collection_members WHERE collection = ? ORDER BY user", (collection.id,))
    return {user: Role(role) for user, role in rows}


def decide(store: Database, collection: Collection, elsewhere: Elsewhere) -> None:
    """Store whether passages of the collection may be sent to a model on another machine."""
    store.write("UPDATE collections SET elsewhere = ? WHERE id = ?", (elsewhere.value, collection.id))


def check(store: Database, user: str, index: str, host: str | None = None) -> list[str]:
    """Return the names of the collections in ``index``, which may join several indexes by ``+``.

    ``host`` is where a model on another machine gets their passages.

    Raises:
        NotFound: a collection does not exist, or ``user`` may not search it.
        SendingRefused: a collection does not allow that its passages are sent to ``host``.
    """
    wanted = [name for name in index.split(JOINT) if is_own(name)]
    if not wanted:
        return []
    known = {one.index: one for one in every(store, user)}
    if missing := [name for name in wanted if name not in known]:
        raise NotFound(f"there is no collection {missing[0]!r} (any more)", hint=LISTED)
    found = [known[name] for name in wanted]
    for one in found:
        if host is not None and one.elsewhere is not Elsewhere.ALLOWED:
            raise SendingRefused(
                f"the collection {one.name!r} does not allow that its passages are sent to the model at {host}; "
                "whoever may change it can allow that in the panel “Your documents” of the page",
                hint=f"or allow it with: python assistant.py documents allow {shlex.quote(one.name)}",
            )
    return [one.name for one in found]


def joined(collections: Sequence[Collection], *others: str) -> str:
    """Join the indexes of ``collections`` and ``others`` to one name, as ``check`` expects it."""
    return JOINT.join(dict.fromkeys((*(one.index for one in collections), *others)))


def _collection(row: dict[str, Any], user: str) -> Collection:
    values = {name: row[name] for name in ("id", "owner", "name", "created")}
    role = Role.OWNER if row["owner"] == user else Role(row["role"] or Role.READER)
    return Collection(**values, is_public=bool(row["is_public"]), elsewhere=Elsewhere(row["elsewhere"]), role=role)
