"""Users of a shared page: names, roles and passwords. A removed user's name, with its conversations, stays taken."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

from searchain.errors import NotFound, UsageError
from storage.database import Connection, Database, now
from storage.people import audit, passwords, shares, tokens
from storage.people.passwords import Hashed

LOCAL = audit.LOCAL
MAX_PASSWORD = 1_000  # characters


class Rank(StrEnum):
    """Roles in their order; each includes the rights of those before it."""

    def includes(self, other: Self) -> bool:
        """Return whether ``self`` has the rights of ``other``."""
        order = list(type(self))
        return order.index(self) >= order.index(other)


class Role(Rank):
    """A user's rights."""

    CHAT = "chat"
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class User:
    name: str
    role: Role
    created: str
    disabled: str | None = None
    """When the user was removed; ``None`` if the user may sign in."""
    may_chat: bool = True
    """``False`` for annotators and adjudicators who may only use the desk."""
    budget: int | None = None
    """Model tokens a day; ``None`` for as many as the server allows everybody."""


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user to be added, with the plain-text password."""

    name: str
    role: Role
    password: str
    may_chat: bool = True


def new(name: str, role: str, password: str, *, may_chat: bool = True) -> NewUser:
    """Check the values and return a user to be added.

    Raises ``UsageError`` if the name, role or password is not allowed.
    """
    if not audit.NAME.fullmatch(name) or name.casefold() == LOCAL:
        raise UsageError(
            f"{name!r} cannot be a user's name; use up to 64 letters, digits and . _ @ - (and not {LOCAL!r})"
        )
    if role not in list(Role):
        raise UsageError(f"there is no role {role!r}; use chat, annotator, adjudicator or admin")
    if not may_chat and role in (Role.CHAT, Role.ADMIN):
        raise UsageError(f"a user of the role {role} may chat; --no-chat is for annotators and adjudicators")
    if not password:
        raise UsageError(f"the password of {name} is empty; choose one of {passwords.SHORT} characters or more")
    if len(password) > MAX_PASSWORD:
        raise UsageError(f"the password of {name} is longer than {MAX_PASSWORD:,} characters; choose a shorter one")
    return NewUser(name, Role(role), password, may_chat)


def add(store: Database, *users: NewUser) -> None:
    """Add users, or restore removed ones; all or none.

    Raises ``UsageError`` if there is a user of such a name, in upper or lower case.
    """
    hashed = [(user, passwords.hashed(user.password)) for user in users]
    with store.writing() as db:
        for user, hash in hashed:
            earlier = _row(db, user.name)
            if earlier is not None and earlier["disabled"] is None:
                raise UsageError(
                    f"there is a user {earlier['name']!r} already",
                    hint=f"for another password or role: python assistant.py user change {earlier['name']}",
                )
            _write(db, user.name, user.role, hash, may_chat=user.may_chat)
            audit.note(db, "added the user", user.name)


def admit(db: Connection, name: str) -> None:
    """Add an annotator without a password, who sees the desk alone, inside the caller's transaction."""
    _write(db, name, Role.ANNOTATOR, passwords.NOBODY, may_chat=False)
    audit.note(db, "came by a crowd link", actor=name)


def change(store: Database, name: str, *, role: Role | None = None, password: str | None = None) -> User:
    """Change a user's role, password or both; end their sessions, but keep their API tokens.

    Raises ``NotFound`` if there is no such user, and ``UsageError`` if the password is not allowed.
    """
    hashed = None if password is None else passwords.hashed(new(name, Role.CHAT, password).password)
    with store.writing(is_final=True) as db:
        row = _active(db, name)
        after = role or Role(row["role"])
        may_chat = bool(row["may_chat"]) or after in (Role.CHAT, Role.ADMIN)
        _write(db, row["name"], after, hashed or _hashed(row), may_chat=may_chat)
        for done in ("changed the role of",) * bool(role) + ("changed the password of",) * bool(password):
            audit.note(db, done, row["name"])
    return get(store, name)


def allow(store: Database, name: str, budget: int | None) -> User:
    """Set how many model tokens a day the user may spend; ``None`` is as many as everybody.

    Raises ``NotFound`` if there is no such user.
    """
    with store.writing() as db:
        row = _active(db, name)
        db.execute("UPDATE users SET budget = ? WHERE name = ?", (budget, row["name"]))
        amount = f"to {budget:,} a day" if budget else "to that of everybody"
        audit.note(db, f"changed {amount} the tokens of", row["name"])
    return get(store, name)


def replace_users(store: Database, users: Sequence[NewUser]) -> list[str]:
    """Store the ``users`` of a file, all or none; return the names of removed users, who are not restored.

    The sessions of a user end if the password or role has changed.
    """
    removed, changed = [], []
    for user in users:
        row = _stored(store, user.name)
        if row is not None and row["disabled"] is not None:
            removed.append(user.name)
        elif row is None or row["role"] != user.role or not passwords.verify(user.password, _hashed(row)):
            changed.append((user, passwords.hashed(user.password)))
    with store.writing(is_final=True) as db:
        for user, hashed in changed:
            _write(db, user.name, user.role, hashed)
            audit.note(db, "took from a file the user", user.name)
    return removed


def remove(store: Database, name: str) -> None:
    """Remove the user and end their sessions, API tokens and shared links; conversations and the name stay.

    Raises ``NotFound`` if there is no such user.
    """
    with store.writing(is_final=True) as db:
        row = _active(db, name)
        db.execute("UPDATE users SET disabled = ? WHERE name = ?", (now(), row["name"]))
        tokens.drop(db, row["name"])
        shares.drop_owner(db, row["name"])
        audit.note(db, "removed the user", row["name"])


def canonical(store: Database, name: str) -> str:
    """Return the stored spelling of a user's name, also of a removed one. Raises ``NotFound`` if there is none."""
    row = _stored(store, name)
    if row is None:
        raise NotFound(f"there is no user {name!r}", hint="see: python assistant.py user list")
    return str(row["name"])


def forget(db: Connection, name: str) -> None:
    """Delete the user's row, tokens and links inside the caller's transaction; the name is free again."""
    tokens.drop(db, name)
    shares.drop_owner(db, name)
    db.execute("DELETE FROM users WHERE name = ?", (name,))
    audit.forget(db, name)
    audit.note(db, "erased a user")


def verify(store: Database, name: str, password: str) -> User | None:
    """Return the user if the plain-text password is right. An unknown or removed name takes as long to check."""
    row = _stored(store, name) if audit.NAME.fullmatch(name) and len(password) <= MAX_PASSWORD else None
    known = row if row is not None and row["disabled"] is None else None
    is_right = passwords.verify(password[:MAX_PASSWORD], _hashed(known) if known else passwords.NOBODY)
    return _user(known) if known and is_right else None


def get(store: Database, name: str) -> User:
    """Return a user. Raises ``NotFound`` if there is no such user, or the user was removed."""
    with store.reading() as db:
        return _user(_active(db, name))


def every(store: Database) -> list[User]:
    """Return all users by name, also the removed ones."""
    return [_user(row) for row in store.named_rows("SELECT * FROM users ORDER BY name")]


def are_there(store: Database) -> bool:
    """Return whether any user may sign in."""
    return store.row("SELECT 1 FROM users WHERE disabled IS NULL") is not None


def _write(db: Connection, name: str, role: Role, hashed: Hashed, *, may_chat: bool = True) -> None:
    query = """INSERT INTO users (name, role, hash, salt, n, r, p, created, may_chat)
        VALUES (:name, :role, :hash, :salt, :n, :r, :p, :created, :may_chat) ON CONFLICT (name) DO UPDATE SET role =
        excluded.role, hash = excluded.hash, salt = excluded.salt, n = excluded.n, r = excluded.r, p = excluded.p,
        disabled = NULL, may_chat = excluded.may_chat"""
    db.execute(query, {"name": name, "role": role.value, "created": now(), "may_chat": int(may_chat), **asdict(hashed)})
    tokens.drop(db, name, kind="session")


def _row(db: Connection, name: str) -> dict | None:
    return next(iter(db.query("SELECT * FROM users WHERE name = ?", (name,))), None)


def _stored(store: Database, name: str) -> dict | None:
    with store.reading() as db:
        return _row(db, name)


def _active(db: Connection, name: str) -> dict:
    row = _row(db, name)
    if row is None or row["disabled"] is not None:
        raise NotFound(f"there is no user {name!r}", hint="see: python assistant.py user list")
    return row


def _hashed(row: dict) -> Hashed:
    return Hashed(row["hash"], row["salt"], row["n"], row["r"], row["p"])


def _user(row: dict) -> User:
    role, may_chat = Role(row["role"]), bool(row["may_chat"])
    return User(row["name"], role, row["created"], row["disabled"], may_chat, row["budget"])


_FORM = "write name:role:password, or name:password for the role chat"


def read_file(path: Path) -> list[NewUser]:
    """Return the file's users in order, without empty lines and lines that begin with #.

    A line whose password contains a colon must name the role. Raises ``UsageError`` if the file cannot be read, or a
    line is invalid.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(
            f"cannot read {str(path)!r} ({error.strerror}); name a file of lines name:role:password"
        ) from error
    except UnicodeDecodeError as error:
        number = path.read_bytes()[: error.start].count(b"\n") + 1
        raise UsageError(f"line {number} of {str(path)!r} is not UTF-8 text; save the file as UTF-8") from error
    found: dict[str, NewUser] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            user = _of_line(line)
            if user.name.casefold() in found:
                raise UsageError(f"there is a line for {user.name} already; leave one of them out")
        except UsageError as error:
            raise UsageError(f"line {number} of {str(path)!r}: {error}") from error
        found[user.name.casefold()] = user
    if not found:
        raise UsageError(f"there is no user in {str(path)!r}; {_FORM}")
    return list(found.values())


def _of_line(line: str) -> NewUser:
    match [part.strip() for part in line.split(":", 2)]:
        case [name, password]:
            return new(name, Role.CHAT, password)
        case [name, role, password] if role in list(Role):
            return new(name, role, password)
        case [_, _, _]:  # what stands there may be part of a password, so it is not repeated
            raise UsageError(
                "its role is none of chat, annotator and admin; a password with a colon needs a role before it"
            )
        case _:
            raise UsageError(f"it has no colon; {_FORM}")
