"""Indexes by name: build, list, extend, remove and open them.

``$SEARCHAIN_HOME/indexes/NAME.json`` says which parts an index holds and which checkpoint made them. It is replaced in
one step when new parts are complete, so a killed build leaves the old index as it was.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from searchain.errors import IndexMismatch, IndexNotFound, UsageError
from searchain.home import home
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import parts
from searchain.retrieval.corpus import DEFAULT, Corpus, Skipped, default_corpus, read
from searchain.retrieval.extensions import Progress
from searchain.retrieval.store import PassageStore
from searchain.types import Passage

if TYPE_CHECKING:
    from searchain.retrieval.colbert import ColbertRetriever

NAME = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Index:
    """What is known of an index without opening it."""

    name: str
    passages: int
    checkpoint: str
    """``embedded``, a directory, or a hub name."""
    fingerprint: str
    """Of the checkpoint."""
    sources: tuple[str, ...]
    created: str
    """ISO 8601, UTC."""
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build or an addition did."""

    index: Index
    is_new: bool
    """False when everything was there already."""
    added: int
    skipped: tuple[Skipped, ...]


def build_index(name: str, sources: Sequence[str | Path], *, checkpoint: str = checkpoints.EMBEDDED,
                progress: Progress | None = None) -> Built:
    """Index the passages of ``sources`` (files, directories, ``default``) as ``name``, replacing an old one.

    Raises:
        UsageError: a bad name or source.
        RetrievalError: an unreadable source, no passage (EmptyCorpus), or no such checkpoint.
        SetupError: a part of the set-up is missing.
    """
    _check_name(name)
    if name == DEFAULT:
        raise UsageError(f"{DEFAULT!r} is the embedded corpus; choose another name; to include that corpus, give "
                         f"{DEFAULT!r} as a source")
    return _build(name, read(sources), checkpoint, progress)


def build_default_index(progress: Progress | None = None) -> Built:
    """Index the embedded corpus as ``default``; at once when that is done already."""
    return _build(DEFAULT, default_corpus(), checkpoints.EMBEDDED, progress)


def add_passages(name: str, sources: Sequence[str | Path], *, progress: Progress | None = None) -> Built:
    """Add the passages of ``sources`` to an index; those it holds already are left out.

    Parts that are not larger than what is added are built anew together with it, so their number grows with the
    logarithm of the additions.

    Raises:
        UsageError: the embedded corpus, or a bad source.
        RetrievalError: as ``build_index``; IndexNotFound, IndexMismatch.
    """
    if name == DEFAULT:
        raise UsageError(f"{DEFAULT!r} is the embedded corpus; make an index of your own: "
                         f"index build {DEFAULT} FILE… --name NAME")
    corpus = read(sources)
    with _edit_lock(name):
        index = get(name)
        directory = _checkpoint_of(index)
        stores = [PassageStore(_parts() / part) for part in index.parts]
        new, skipped = _unknown(corpus, stores)
        if not new:
            return Built(index, False, 0, skipped)
        added, kept = len(new), list(zip(index.parts, stores, strict=True))
        while kept and len(kept[-1][1]) <= len(new):
            new = [*kept.pop()[1], *new]
        sources = tuple(dict.fromkeys((*index.sources, *corpus.sources)))
        index = _store(name, [part for part, _ in kept], new, index.checkpoint, directory, sources, progress)
    return Built(index, True, added, skipped)


def list_indexes() -> list[Index]:
    """All indexes, by name."""
    return [_load(path) for path in sorted(_root().glob("*.json"))]


def get(name: str) -> Index:
    """The index ``name``.

    Raises:
        UsageError: not a name of the form [a-z0-9_-]{1,64}.
        IndexNotFound: there is none; the message lists those that exist.
    """
    _check_name(name)
    path = _root() / f"{name}.json"
    if path.is_file():
        return _load(path)
    if name == DEFAULT:
        raise IndexNotFound("the index of the embedded corpus is not built yet; run: make setup")
    names = ", ".join(index.name for index in list_indexes()) or "none yet"
    raise IndexNotFound(f"no index {name!r} (there are: {names}); build it with: "
                        f"python assistant.py index build FILE… --name {name}")


def remove_index(name: str) -> None:
    """Remove an index; whoever has it open keeps it until closing.

    Raises:
        IndexNotFound, UsageError: as ``get``.
    """
    with _edit_lock(name), _pointer_lock():
        get(name)
        (_root() / f"{name}.json").unlink()
        _collect_garbage()


def open_index(name: str) -> ColbertRetriever:
    """The index, ready to search.

    Raises:
        IndexNotFound, UsageError: as ``get``.
        IndexMismatch: its checkpoint has changed since.
        SetupError: a part of the set-up is missing.
    """
    index = get(name)
    directory = _checkpoint_of(index)
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.encoder import Encoder

    encoder = Encoder(directory)
    with _pointer_lock():  # no part is removed meanwhile
        return ColbertRetriever(encoder, [parts.open_part(_parts(), part, encoder) for part in get(name).parts])


def _build(name: str, corpus: Corpus, checkpoint: str, progress: Progress | None) -> Built:
    directory = checkpoints.find(checkpoint)
    key = parts.key(corpus.passages, checkpoints.fingerprint(directory))
    if checkpoint != checkpoints.EMBEDDED and Path(checkpoint).expanduser().is_dir():
        checkpoint = str(directory)
    with _edit_lock(name):
        path = _root() / f"{name}.json"
        if path.is_file() and (index := _load(path)).parts == (key,):
            return Built(index, False, 0, corpus.skipped)
        index = _store(name, [], corpus.passages, checkpoint, directory, corpus.sources, progress)
    return Built(index, True, len(corpus.passages), corpus.skipped)


def _store(name: str, kept: Sequence[str], passages: Sequence[Passage], checkpoint: str, directory: Path,
           sources: Sequence[str], progress: Progress | None) -> Index:
    """Build the part of ``passages`` and point ``name`` to it, after the parts ``kept``."""
    fingerprint = checkpoints.fingerprint(directory)
    key = parts.key(passages, fingerprint)
    with parts.lock(_parts(), key):
        while True:
            with _pointer_lock():
                if parts.publish(_parts(), key):
                    count = sum(len(PassageStore(_parts() / part)) for part in kept) + len(passages)
                    index = Index(name, count, checkpoint, fingerprint, tuple(sources),
                                  datetime.now(UTC).isoformat(timespec="seconds"), (*kept, key))
                    _save(index)
                    _collect_garbage()
                    return index
            from searchain.retrieval.encoder import Encoder

            parts.build(_parts(), key, passages, Encoder(directory), progress)


def _unknown(corpus: Corpus, stores: Sequence[PassageStore]) -> tuple[list[Passage], tuple[Skipped, ...]]:
    """The passages that no store holds, and those whose id stands for another passage there."""
    wanted = {passage.id: passage for passage in corpus.passages}
    clashes = []
    for store in stores:
        for old in store:
            if wanted.pop(old.id, old) != old:
                clashes.append(Skipped("index", 0, f"another passage has the id {old.id!r}"))
    return list(wanted.values()), (*corpus.skipped, *clashes)


def _checkpoint_of(index: Index) -> Path:
    directory = checkpoints.find(index.checkpoint)
    if checkpoints.fingerprint(directory) != index.fingerprint:
        again = "make setup" if index.name == DEFAULT else \
            f"python assistant.py index build {' '.join(index.sources)} --name {index.name}"
        raise IndexMismatch(f"index {index.name!r} was made with another checkpoint than the present "
                            f"{index.checkpoint!r}; build it again: {again}")
    return directory


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no index name; a name has 1 to 64 of the characters a-z 0-9 _ -")


def _load(path: Path) -> Index:
    fields = json.loads(path.read_text())
    return Index(**fields | {"sources": tuple(fields["sources"]), "parts": tuple(fields["parts"])})


def _save(index: Index) -> None:
    draft = _root() / f".{index.name}.draft"
    draft.write_text(json.dumps(asdict(index), indent=2))
    os.replace(draft, _root() / f"{index.name}.json")


def _collect_garbage() -> None:
    parts.collect_garbage(_parts(), {part for index in list_indexes() for part in index.parts})


def _root() -> Path:
    return home() / "indexes"


def _parts() -> Path:
    return _root() / "parts"


def _edit_lock(name: str) -> FileLock:
    """Held while an index is built or changed."""
    _root().mkdir(parents=True, exist_ok=True)
    return FileLock(_root() / f".{name}.lock")


def _pointer_lock() -> FileLock:
    """Held for moments: while parts are published, collected or opened."""
    _root().mkdir(parents=True, exist_ok=True)
    return FileLock(_root() / ".lock")
