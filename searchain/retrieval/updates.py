"""Add, replace and remove own documents in an index while it is searched, without rebuilding the rest.

Parts never change. Every change is one new pointer file:

    announce   add passages as a part of words, which lexical search finds at once, and remove older versions
    encode     turn parts of words into parts of vectors
    forget     mark documents with a tombstone, so that they are no longer found
    compact    rewrite parts without the documents under tombstones, and merge small parts

A killed process leaves an intact index, and the same calls continue from there. The pointer is read and written under
``registry.pointer_lock``, which is held for moments; long work is done before.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path

from searchain.errors import RetrievalError
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import parts, registry, store
from searchain.retrieval.base import Progress
from searchain.retrieval.corpus import DEFAULT, default_corpus
from searchain.retrieval.parts import Piece
from searchain.retrieval.registry import Index
from searchain.types import Passage

REBUILT_ABOVE = 0.3
"""A PLAID part is encoded again when more than this share of its passages was removed: its centroids no longer fit."""
MOST_WAITING = 16
"""With more parts that wait, the last are joined: a search looks into each of them, and so does every change."""


@registry.disk_errors()
def announce(
    name: str, passages: Sequence[Passage], *, is_wanted: Callable[[str], bool] = lambda document: True
) -> None:
    """Make ``passages`` of own documents searchable by their words at once; remove other versions of the documents.

    The index is made if it does not exist. Where many parts wait to be encoded, they become one. ``is_wanted``: tells
    whether to add a document; called while no other process can change the index. Raises ``SetupError`` or
    ``RetrievalError`` if the files cannot be written.
    """
    if not passages:
        return
    fingerprint = checkpoints.fingerprint(checkpoints.find(checkpoints.EMBEDDED))
    key = _words_key(passages)
    documents = {passage.place.document for passage in passages if passage.place}

    def point() -> None:
        gone = {document for document in documents if not is_wanted(document)}
        if gone == documents:
            collect_garbage()
            return
        if registry.path(name).is_file():
            index = registry.load(name)
        else:
            index = Index(name, 0, checkpoints.EMBEDDED, fingerprint, (), _now(), ())
        waiting = (*(part for part in index.waiting if part != key), key)
        removed = {part: found for part, found in index.removed.items() if part != key}
        index = _without(replace(index, waiting=waiting, removed=removed), documents, spared=key)
        _save(_without(index, gone))

    _publish(key, lambda: parts.write_words(registry.parts_root(), key, passages), point)
    if registry.path(name).is_file() and len(registry.load(name).waiting) > MOST_WAITING:
        with registry.edit_lock(name):
            index = registry.get(name)
            if len(last := parts.tail([_piece(index, part) for part in index.waiting])) > 1:
                _rewrite(index, last, None)


@registry.disk_errors()
def announce_default() -> Index:
    """Return the index of the embedded corpus; make it searchable by its words where there is none to search.

    An index that is damaged, or was made with another checkpoint, is replaced. Raises ``SetupError`` or
    ``RetrievalError`` if the checkpoint or the corpus is missing, or the files cannot be written.
    """
    fingerprint = checkpoints.fingerprint(checkpoints.find(checkpoints.EMBEDDED))
    if index := _default(fingerprint):
        return index
    passages = default_corpus()
    key = _words_key(passages)
    fresh = Index(DEFAULT, 0, checkpoints.EMBEDDED, fingerprint, (DEFAULT,), _now(), (), (key,))
    write = partial(parts.write_words, registry.parts_root(), key, passages)
    _publish(key, write, lambda: _save(_default(fingerprint) or fresh))
    return registry.get(DEFAULT)


def _default(fingerprint: str) -> Index | None:
    """Return the index of the embedded corpus if it was made with this checkpoint and all its parts exist."""
    with suppress(RetrievalError):
        if registry.path(DEFAULT).is_file() and (index := registry.load(DEFAULT)).fingerprint == fingerprint:
            there = all((registry.parts_root() / part).is_dir() for part in (*index.parts, *index.waiting))
            return index if there else None
    return None


@registry.disk_errors()
def encode(name: str, progress: Progress | None = None, *, most: int | None = None) -> None:
    """Encode the passages that wait to be encoded: all, or whole documents until there are ``most`` passages.

    Raises ``IndexNotFound`` if the index no longer exists, ``IndexMismatch`` if its checkpoint has changed, and else as
    ``parts.build``.
    """
    with registry.edit_lock(name):
        while (index := registry.get(name)).waiting:
            _encode_waiting(index, progress, most)
            if most is not None:
                return


@registry.disk_errors()
def forget(name: str, documents: Collection[str]) -> None:
    """Hide ``documents`` from every later search, in all processes.

    Their text stays on disk until ``compact``. Nothing happens if the index or the documents do not exist.
    """
    with registry.pointer_lock():
        if registry.path(name).is_file():
            index = registry.load(name)
            if (changed := _without(index, documents)) != index:
                _save(changed)


@registry.disk_errors()
def compact(name: str, progress: Progress | None = None) -> None:
    """Rewrite parts without their removed documents, and merge small parts; no text of a removed document remains.

    Raises as ``encode``.
    """
    with registry.edit_lock(name):
        compact_locked(name, progress)


def compact_locked(name: str, progress: Progress | None = None) -> None:
    """Do as ``compact``; the caller holds the index's lock."""
    while plan := _plan(index := registry.get(name)):
        _rewrite(index, plan, progress)
    parts.drop_drafts(registry.parts_root())


@registry.disk_errors()
def drop(name: str) -> None:
    """Remove the index with its parts and drafts; nothing happens if it does not exist."""
    with registry.edit_lock(name):
        with registry.pointer_lock():
            registry.path(name).unlink(missing_ok=True)
            collect_garbage()
        parts.drop_drafts(registry.parts_root())


def append(index: Index, passages: Sequence[Passage], sources: Sequence[str], progress: Progress | None) -> Index:
    """Add a part of ``passages``, and merge small parts; the caller holds the index's lock."""
    directory, key = checkpoints.of_index(index), parts.key(passages, index.fingerprint)

    def point() -> None:
        now = registry.get(index.name)
        _save(replace(now, parts=(*now.parts, key), sources=tuple(sources), created=_now()))

    _publish(key, lambda: _build(key, passages, directory, progress), point)
    compact_locked(index.name, progress)
    return registry.get(index.name)


def documents_of(index: Index) -> dict[str, str]:
    """Return document → version for all documents that can be found in ``index``."""
    return encoded_in(index) | _versions(index, index.waiting)


def encoded_in(index: Index) -> dict[str, str]:
    """Return document → version for the documents that can be found by meaning."""
    return _versions(index, index.parts)


def _versions(index: Index, parts: Iterable[str]) -> dict[str, str]:
    return {id: version for part in parts for id, version in _live(index, part).items()}


def collect_garbage() -> None:
    """Remove the parts that no index holds; the caller holds the pointer lock."""
    used = {part for index in registry.list_indexes() for part in (*index.parts, *index.waiting)}
    parts.collect_garbage(registry.parts_root(), used)


def _publish(key: str, build: Callable[[], None], point: Callable[[], None]) -> None:
    """Build the part ``key`` if it does not exist, publish it, and let ``point`` add it to the index."""
    with parts.lock(registry.parts_root(), key):
        while True:
            with registry.pointer_lock():
                if parts.publish(registry.parts_root(), key):
                    point()
                    return
            build()


def _encode_waiting(index: Index, progress: Progress | None, most: int | None) -> None:
    """Encode whole documents of the waiting parts, until there are ``most`` passages."""
    passages: list[Passage] = []
    taken: dict[str, set[str]] = {}
    for part, document, found in _waiting_documents(index):
        taken.setdefault(part, set()).add(document)
        passages += found
        if most is not None and len(passages) >= most:
            break
    if not passages:
        with registry.pointer_lock():
            _replace_waiting(index, taken, None)
        return
    directory, key = checkpoints.of_index(index), parts.key(passages, index.fingerprint)
    _publish(key, lambda: _build(key, passages, directory, progress), lambda: _replace_waiting(index, taken, key))


def _waiting_documents(index: Index) -> Iterator[tuple[str, str, Iterator[Passage]]]:
    """Yield each waiting part with the documents in it and their passages."""
    for part in index.waiting:
        passages = _piece(index, part).passages()
        for document, found in groupby(passages, key=lambda one: one.place.document if one.place else ""):
            yield part, document, found


def _replace_waiting(index: Index, taken: Mapping[str, Collection[str]], key: str | None) -> None:
    """Replace the documents ``taken`` from waiting parts by the part ``key``, where they are not removed meanwhile.

    A waiting part of which documents are left keeps the others under tombstones.
    """
    now = registry.get(index.name)
    if not set(index.waiting) <= set(now.waiting):
        collect_garbage()
        return
    gone = {id for part, documents in taken.items() for id in documents if id in now.removed.get(part, ())}
    others = tuple(part for part in now.parts if part != key)
    hidden = {part: {*now.removed.get(part, ()), *taken.get(part, ())} for part in now.waiting}
    waiting = tuple(
        part
        for part in now.waiting
        if part not in index.waiting or store.read_documents(registry.parts_root() / part).keys() - hidden[part]
    )
    removed = {part: documents for part, documents in now.removed.items() if part in (*others, *waiting)}
    removed |= {part: tuple(sorted(hidden[part])) for part in waiting if hidden[part]}
    changed = replace(now, parts=(*others, key) if key else others, waiting=waiting, removed=removed, created=_now())
    _save(_without(changed, gone, among=(key,)) if key else changed)


def _plan(index: Index) -> Sequence[Piece]:
    """Return the parts to rewrite as one next; none if nothing needs rewriting."""
    pieces = [_piece(index, part) for part in index.parts]
    for piece in (*pieces, *_holding_gone(index)):
        if piece.without:
            return [piece]
    return parts.joinable(pieces, has_more=bool(index.waiting))


def _holding_gone(index: Index) -> Iterator[Piece]:
    """Yield the waiting parts that hold the text of documents, or of versions of them, which no encoded part holds."""
    encoded = encoded_in(index)
    for piece in (_piece(index, part) for part in index.waiting):
        versions = store.read_documents(piece.directory) if piece.without else {}
        if any(encoded.get(id) != versions[id].version for id in piece.without & versions.keys()):
            yield piece


def _rewrite(index: Index, plan: Sequence[Piece], progress: Progress | None) -> None:
    """Replace the parts of ``plan`` by one part with their remaining passages."""
    names = tuple(piece.directory.name for piece in plan)
    passages = [passage for piece in plan for passage in piece.passages()]
    if not passages:
        with registry.pointer_lock():
            _replace_parts(index, names, None)
        return
    if names[0] in index.waiting:
        key = _words_key(passages)
        build = partial(parts.write_words, registry.parts_root(), key, passages)
    else:
        directory, key = checkpoints.of_index(index), parts.key(passages, index.fingerprint)
        build = partial(_build_from, plan, key, passages, directory, progress)
    _publish(key, build, lambda: _replace_parts(index, names, key))


def _replace_parts(index: Index, names: Sequence[str], key: str | None) -> None:
    """Replace the parts ``names`` by ``key``, unless these have changed since ``index`` was read."""
    now = registry.get(index.name)
    is_there = set(names) <= {*now.parts, *now.waiting}
    if not is_there or any(now.removed.get(part) != index.removed.get(part) for part in names):
        collect_garbage()
        return

    def replaced(old: tuple[str, ...]) -> tuple[str, ...]:
        in_place = (key if part == names[0] else part for part in old if part == names[0] or part not in (*names, key))
        return tuple(part for part in in_place if part)

    removed = {part: documents for part, documents in now.removed.items() if part not in (*names, key)}
    _save(replace(now, parts=replaced(now.parts), waiting=replaced(now.waiting), removed=removed))


def _build_from(
    plan: Sequence[Piece], key: str, passages: Sequence[Passage], directory: Path, progress: Progress | None
) -> None:
    """Build the part of ``passages``, the remaining passages of ``plan``, in the cheapest way."""
    root, first = registry.parts_root(), plan[0]
    if not any(piece.is_plaid for piece in plan):
        parts.join(root, key, plan, passages, progress)
    elif len(plan) == 1 and first.left_out() <= REBUILT_ABOVE * (first.left_out() + len(passages)):
        parts.strip(root, key, first, passages)
    else:
        _build(key, passages, directory, progress)


def _build(key: str, passages: Sequence[Passage], directory: Path, progress: Progress | None) -> None:
    from searchain.retrieval.encoder import shared_encoder

    parts.build(registry.parts_root(), key, passages, shared_encoder(directory), progress)


def _without(index: Index, documents: Iterable[str], *, spared: str | None = None, among: Sequence[str] = ()) -> Index:
    """Return ``index`` with tombstones for ``documents`` in all parts but ``spared``, or only in those ``among``."""
    removed = dict(index.removed)
    for part in among or (*index.parts, *index.waiting):
        if part != spared and (found := set(documents) & _live(index, part).keys()):
            removed[part] = tuple(sorted({*removed.get(part, ()), *found}))
    return replace(index, removed=removed)


def _live(index: Index, part: str) -> dict[str, str]:
    """Return document → version for the documents of a part without a tombstone."""
    gone = index.removed.get(part, ())
    found = store.read_documents(registry.parts_root() / part)
    return {document: rows.version for document, rows in found.items() if document not in gone}


def _piece(index: Index, part: str) -> Piece:
    return Piece(registry.parts_root() / part, frozenset(index.removed.get(part, ())))


def _save(index: Index) -> None:
    """Store the next generation of ``index``; the caller holds the pointer lock.

    The embedded corpus never changes, so its index has no generations.
    """
    total = sum(_piece(index, part).count() for part in (*index.parts, *index.waiting))
    shards = tuple(shard for shard in index.shards if set(shard.parts) <= set(index.parts))
    generation = index.generation + (index.name != DEFAULT)
    registry.save(replace(index, passages=total, generation=generation, shards=shards))
    collect_garbage()


def _words_key(passages: Sequence[Passage]) -> str:
    return f"words-{parts.key(passages, 'words')}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
