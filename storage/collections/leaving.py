"""Erases a user: conversations, documents, indexes, tokens, and the name."""

from searchain.errors import StorageError
from storage.annotation import pseudonyms
from storage.collections import access, removing
from storage.collections.access import Role
from storage.collections.removing import Erased
from storage.database import Database
from storage.people import users
from storage.removal import delete, redact


def own(store: Database, owner: str) -> list[access.Collection]:
    """Return the collections that belong to ``owner``."""
    return [one for one in access.every(store, owner) if one.role is Role.OWNER]


def erase(store: Database, name: str) -> Erased:
    """Erase the user ``name``, whose access ends first; other people's replies lose what they quote of the documents.

    Labels that the user submitted stay under the pseudonym, without comments. The file is rewritten at the end; nobody
    can write meanwhile.

    Raises:
        NotFound: there is no such user.
        UsageError: a question of the user, or one about the documents, is still being answered. Nobody can use the
            account any more, and erasing can be repeated.
        RetrievalError, SetupError, StorageError: as ``removing.erase``; erasing can be repeated.
    """
    name = users.canonical(store, name)
    if any(user.name == name and user.disabled is None for user in users.every(store)):
        users.remove(store, name)
    gone = own(store, name)
    erased = [removing.remove_collection(store, one, with_quotes=True) for one in gone]
    delete.remove(store, _turns(store, "c.owner = ?", name))
    for one in gone:  # other people's turns name the collections that they searched
        if others := _turns(store, "instr(t.index_name, ?)", one.index):
            redact.redact(store, others, [one.name])
    with store.writing(is_final=True) as db:
        db.execute("DELETE FROM conversations WHERE owner = ?", (name,))
        db.execute("DELETE FROM collection_members WHERE user = ?", (name,))
        pseudonyms.forget_annotator(db, name)
        users.forget(db, name)
    removing.tidy(store)
    is_clean = _rewritten(store) and delete.compact(store)
    return Erased(sum(one.turns for one in erased), is_clean)


def _rewritten(store: Database) -> bool:
    """Rewrite the file: where SQLite moved short rows between pages, it left copies that were not overwritten."""
    try:
        store.vacuum()
    except StorageError:  # another program keeps writing
        return False
    return True


def _turns(store: Database, where: str, value: str) -> list[str]:
    with store.reading() as db:
        rows = db.execute(
            f"SELECT t.id FROM turns t JOIN conversations c ON c.id = t.conversation WHERE {where}", (value,)
        ).fetchall()
    return [turn for (turn,) in rows]
