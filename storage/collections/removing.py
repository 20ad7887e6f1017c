"""Removes documents, and erases users: from every search at once, then from the disk and from old replies.

The row is marked first. If the process is killed, ``tidy`` finds the mark and finishes the removal.
"""

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from searchain.errors import IndexNotFound, StorageError
from searchain.events import fold
from searchain.language import sentences
from searchain.types import Passage
from storage.annotation import pseudonyms
from storage.collections import access, documents, places
from storage.collections.access import Collection, Role, index_of
from storage.collections.documents import Document
from storage.collections.files import Files
from storage.database import Database, now
from storage.log import event_log
from storage.people import audit, users
from storage.removal import delete
from storage.removal.redact import redact

UPLOAD_SECONDS = 600.0
"""Seconds for which bytes without a document are kept: their upload may not have its row yet."""
SHORTEST = 12
"""The fewest characters of a sentence that is covered everywhere; shorter ones are too common."""


@dataclass(frozen=True, slots=True)
class Erased:
    """The effect of erasing on old replies."""

    turns: int
    """Replies with covered text."""
    is_clean: bool
    """``False`` if another program has the database open: until the last one closes it, traces stay beside the file."""


def remove(store: Database, gone: Sequence[Document]) -> None:
    """Hide documents from every search, and delete their bytes, texts and vectors; old replies keep their quotes.

    Raises:
        RetrievalError, SetupError: the index cannot be written; the documents are hidden, and ``tidy`` will finish.
        StorageError: nothing was removed, or files could not be deleted.
    """
    stored = {document.sha256 for document in gone}
    with store.writing(is_final=True) as db:
        for document in gone:
            replaced = db.execute("SELECT replaced FROM documents WHERE id = ?", (document.id,))
            stored |= {old for (old,) in replaced if old}
            db.execute("UPDATE documents SET removed = ? WHERE id = ? AND removed IS NULL", (now(), document.id))
            places.note_removed(db, document.id)
            audit.note(db, "removed the document", document.id)
    for collection in {document.collection for document in gone}:
        _forget(collection, [document.id for document in gone])
    drop_unused(store, Files(store), stored)
    store.empty_log()  # which may hold words of a later version, noted beside old replies


def erase(store: Database, gone: Sequence[Document]) -> Erased:
    """Call ``remove``, cover the documents' quotes in old replies, and delete their names.

    In conversations that cite them, quotations from them in questions and titles are covered, too.

    Raises:
        UsageError: a reply that quotes them is still being written; they are removed, and erasing can be repeated.
        RetrievalError, SetupError, StorageError: as ``remove``.
    """
    remove(store, gone)
    ids = {document.id for document in gone}
    seen, covered, is_clean = set[str](), set[str](), True
    # Again until nothing is new: a shared reply may be copied meanwhile. Covering it ends its links.
    while turns := [turn for turn in turns_with(store, ids) if turn not in seen]:
        seen.update(turns)
        texts = _quoted(store, turns, ids)
        beside = _beside(store, turns)
        asked = _asked(beside.values(), texts)  # read before anything is covered
        for some, words in ((turns, texts), (beside, asked)):
            if words:
                found, is_compact = redact(store, list(some), words, desk=some is turns)
                covered |= found.keys()
                is_clean &= is_compact
    with store.writing(is_final=True) as db:
        for id in ids:
            db.execute("DELETE FROM documents WHERE id = ?", (id,))
            audit.note(db, "erased the document", id)
    return Erased(len(covered), store.empty_log() and is_clean)


def remove_collection(store: Database, collection: Collection, *, with_quotes: bool = False) -> Erased:
    """Remove a collection with all its documents; ``with_quotes`` erases them. Raises as ``erase`` does."""
    gone = documents.of_collection(store, collection.id, removed=True)
    erased = erase(store, gone) if with_quotes else Erased(0, True)
    if not with_quotes:
        remove(store, gone)
    from searchain.retrieval import updates

    updates.drop(collection.index)
    store.write("DELETE FROM collections WHERE id = ?", (collection.id,))
    return erased


def tidy(store: Database) -> None:
    """Finish removals of killed processes: delete removed documents from indexes, and bytes without a document."""
    from searchain.retrieval import registry, updates

    for (collection,) in store.rows("SELECT id FROM collections"):
        try:
            index = registry.get(index_of(collection))
        except IndexNotFound:
            continue
        # read after the index: a document has its row before it comes into the index
        there = {document.id for document in documents.of_collection(store, collection)}
        orphans = updates.documents_of(index).keys() - there
        if index.removed or orphans:
            _forget(collection, list(orphans))
    files = Files(store)
    removed = set(chain(*store.rows("SELECT sha256, replaced FROM documents WHERE removed IS NOT NULL")))
    drop_unused(store, files, removed & files.stored())
    files.drop_unfinished(registry.root())


def drop_unused(store: Database, files: Files, known: Iterable[str] = ()) -> None:
    """Delete bytes and texts without a document: those in ``known`` at once, others unless they are just arriving."""
    used = set(chain(*store.rows("SELECT sha256, replaced FROM documents WHERE removed IS NULL")))
    wanted = set(known)
    for sha256 in {*files.stored(), *wanted} - used:
        arrived = 0.0
        with suppress(FileNotFoundError):  # others may delete it now
            arrived = files.original(sha256).stat().st_mtime
        if sha256 in wanted or time.time() - arrived >= UPLOAD_SECONDS:
            with store.writing() as db:  # so that no other process submits them meanwhile
                if not documents.in_use(db, sha256):
                    files.drop(sha256)


def turns_with(store: Database, ids: Iterable[str]) -> list[str]:
    """Return the turns that found passages of these documents."""
    query = "SELECT DISTINCT turn FROM events WHERE payload LIKE ?"
    found = (store.rows(query, (f'%"document": "{id}"%',)) for id in ids)  # as the event log writes a place
    return list(dict.fromkeys(turn for rows in found for (turn,) in rows))


def _beside(store: Database, turns: Iterable[str]) -> dict[str, str]:
    """Return all turns of the conversations of ``turns``, each with its question."""
    query = "SELECT id, question FROM turns WHERE conversation = (SELECT conversation FROM turns WHERE id = ?)"
    return dict(chain.from_iterable(store.rows(query, (turn,)) for turn in turns))


def _asked(questions: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Return what the questions quote of ``texts`` (“…”), as the page writes what was selected in a source."""
    held = [_plain(text) for text in texts]
    quoted = (piece.partition("”")[0] for question in questions for piece in question.split("“")[1:])
    pieces = (piece.strip().removesuffix("…").rstrip() for piece in quoted)
    return [one for one in dict.fromkeys(pieces) if len(one) >= SHORTEST and any(_plain(one) in text for text in held)]


def _plain(text: str) -> str:
    return " ".join(text.replace("“", '"').replace("”", '"').split())


def _forget(collection: str, ids: Sequence[str]) -> None:
    from searchain.retrieval import updates

    index = index_of(collection)
    updates.forget(index, ids)
    with suppress(IndexNotFound):  # nothing of the collection was ever ready
        updates.compact(index)


def _quoted(store: Database, turns: Sequence[str], ids: set[str]) -> list[str]:
    """Return all texts that the turns quote from the documents: passages, titles, sentences and Reader answers."""
    texts: dict[str, None] = {}
    for id in turns:
        turn = fold(stored.event for stored in event_log.events(store, id))
        cited = [(source.passage, source.quote) for source in turn.sources]
        read = [(node.passage, node.reader_answer or "") for node in turn.nodes if node.passage]
        hits = [(hit.passage, "") for found in turn.hits.values() for hit in found]
        for passage, quote in (*cited, *read, *hits):
            if passage.place and passage.place.document in ids:
                texts |= dict.fromkeys(text for text in (*_pieces(passage), quote) if text.split())
    return list(texts)


def _pieces(passage: Passage) -> Iterable[str]:
    yield passage.text
    yield passage.title
    for line in passage.text.splitlines():
        # a reply puts its mark before the full stop
        found = (line[start:end].strip().rstrip(".!?") for start, end in sentences.split(line))
        yield from (sentence for sentence in found if len(sentence) >= SHORTEST)


def own(store: Database, owner: str) -> list[Collection]:
    """Return the collections that belong to ``owner``."""
    return [one for one in access.every(store, owner) if one.role is Role.OWNER]


def erase_user(store: Database, name: str) -> Erased:
    """Erase the user ``name``, whose access ends first; other people's replies lose what they quote of the documents.

    Labels that the user submitted stay under the pseudonym, without comments. The file is rewritten at the end; nobody
    can write meanwhile.

    Raises:
        NotFound: there is no such user.
        UsageError: a question of the user, or one about the documents, is still being answered. Nobody can use the
            account any more, and erasing can be repeated.
        RetrievalError, SetupError, StorageError: as ``erase``; erasing can be repeated.
    """
    name = users.canonical(store, name)
    if any(user.name == name and user.disabled is None for user in users.every(store)):
        users.remove(store, name)
    gone = own(store, name)
    erased = [remove_collection(store, one, with_quotes=True) for one in gone]
    delete.remove(store, _turns(store, "c.owner = ?", name))
    for one in gone:  # other people's turns name the collections that they searched
        if others := _turns(store, "instr(t.index_name, ?)", one.index):
            redact(store, others, [one.name])
    with store.writing(is_final=True) as db:
        db.execute("DELETE FROM conversations WHERE owner = ?", (name,))
        db.execute("DELETE FROM collection_members WHERE user = ?", (name,))
        pseudonyms.forget_annotator(db, name)
        users.forget(db, name)
    tidy(store)
    covered = sum(one.turns for one in erased)
    try:  # where SQLite moved short rows between pages, it left copies that were not overwritten
        store.vacuum()
    except StorageError:  # another program keeps writing
        return Erased(covered, False)
    return Erased(covered, delete.compact(store))


def _turns(store: Database, where: str, value: str) -> list[str]:
    query = f"SELECT t.id FROM turns t JOIN conversations c ON c.id = t.conversation WHERE {where}"
    return [turn for (turn,) in store.rows(query, (value,))]
