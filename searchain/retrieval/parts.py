"""Build the parts of indexes: immutable directories, named by a hash of passages and checkpoint, and shared by indexes.

    parts/KEY/part.json              passages; how many were left out of it since it was encoded
    parts/KEY/documents.json         which passages belong to which own document
    parts/KEY/passages.jsonl …       see ``store``
    parts/KEY/plaid/, words/         above EXACT_LIMIT passages: vectors, and words to search
    parts/KEY/vectors.safetensors    otherwise; neither in a part of words, whose passages are still to be encoded

A part is built as ``.KEY.draft`` and renamed when it is complete. A killed build leaves the draft; the next build of
the same part continues from the blocks of vectors in it.

A part is made in one of four ways: ``build`` encodes its passages, ``join`` puts the stored vectors of exact parts
together, ``strip`` takes rows out of a PLAID index and keeps its centroids, ``write_words`` only stores passages.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from searchain.errors import SetupError
from searchain.retrieval import lexical, store
from searchain.retrieval.base import Progress
from searchain.retrieval.corpus import to_line
from searchain.types import Passage

if TYPE_CHECKING:
    from searchain.retrieval import colbert
    from searchain.retrieval.encoder import Encoder

EXACT_LIMIT = 1_000
"""Most passages of a part that is scored exactly, which takes a few milliseconds and needs no k-means."""
MOST_EXACT = 8 * EXACT_LIMIT
"""Most passages in exact parts while others wait to be encoded; PLAID parts made of so few would be encoded again."""
FAN_IN = 4
"""How many PLAID parts at the end are merged into one, if none is much larger than the last and they fit into a shard.
Each passage is so encoded a logarithmic number of times, to this base."""
FORMAT = 2
"""The version of a part's files: 2 since passages have places. Older versions can be read."""
SHARD = 1_000_000
"""Most passages of a part, which one machine encodes and compresses at a time."""
BYTES_PER_PASSAGE = 40_000
"""Most bytes per passage that a build needs on disk: mostly token vectors, at most 220 of 128 float16."""
COMPLETE = "part.json"
"""The file that is written last and so marks a complete draft."""
BLOCKS = "blocks"
"""The folder of a draft with the vectors of its passages."""
DRAFT_DAYS = 7
"""How many days the drafts of abandoned builds are kept."""


def key(passages: Sequence[Passage], fingerprint: str) -> str:
    """Return the key of a part: a hash of the passages in order and the checkpoint, 16 hexadecimal digits."""
    digest = hashlib.sha256(f"{_format(passages)} {fingerprint}\n".encode())
    for passage in passages:
        digest.update(to_line(passage).encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part without some of its documents."""

    directory: Path
    without: frozenset[str] = frozenset()
    """Documents that are left out."""

    @property
    def is_plaid(self) -> bool:
        return (self.directory / "plaid").is_dir()

    def rows(self) -> list[int]:
        """Return the rows that stay, ascending."""
        documents = store.read_documents(self.directory)
        gone = {row for id in self.without & documents.keys() for row in range(documents[id].start, documents[id].stop)}
        return [row for row in range(store.count(self.directory)) if row not in gone]

    def passages(self) -> Iterator[Passage]:
        """Yield the passages that stay."""
        yield from map(store.PassageStore(self.directory).__getitem__, self.rows())

    def count(self) -> int:
        """Return how many passages stay."""
        documents = store.read_documents(self.directory) if self.without else {}
        gone = sum(documents[id].stop - documents[id].start for id in self.without & documents.keys())
        return store.count(self.directory) - gone

    def left_out(self) -> int:
        """Return how many rows were left out since the part was encoded, including those of ``without``."""
        before = json.loads((self.directory / COMPLETE).read_text()).get("left_out", 0)
        return int(before) + store.count(self.directory) - self.count()


def joinable(pieces: Sequence[Piece], *, has_more: bool) -> Sequence[Piece]:
    """Return the last pieces of an index, which are to be joined next; none if they stay as they are.

    ``has_more``: whether more passages wait to be encoded. Then exact parts are joined as far as they stay exact.
    """
    exact = list(takewhile(lambda piece: not piece.is_plaid, reversed(pieces)))[::-1]
    total = sum(piece.count() for piece in exact)
    if has_more and total <= MOST_EXACT:
        found: Sequence[Piece] = exact[-2:] if sum(piece.count() for piece in exact[-2:]) <= EXACT_LIMIT else ()
    elif exact:
        found = exact if total > 2 * EXACT_LIMIT else tail(exact)
    else:
        found = pieces[-FAN_IN:]
        sizes = [piece.count() for piece in found]
        if len(found) < FAN_IN or max(sizes) > FAN_IN * sizes[-1] or sum(sizes) > SHARD:
            return ()
    return found if len(found) > 1 else ()


def tail(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the last pieces, as long as none before them is larger than all behind it.

    What is joined so is written a logarithmic number of times.
    """
    sizes, taken = [piece.count() for piece in pieces], 1
    while taken < len(sizes) and sizes[-1 - taken] <= sum(sizes[-taken:]):
        taken += 1
    return pieces[-taken:]


def lock(root: Path, key: str) -> FileLock:
    """Return the lock that a process holds while it builds the part."""
    root.mkdir(parents=True, exist_ok=True)
    return FileLock(root / f".{key}.lock")


def build(
    root: Path, key: str, passages: Sequence[Passage], encoder: Encoder, progress: Progress | None = None
) -> None:
    """Build the part's draft; the caller holds its lock, and then publishes it. Raises as ``begin``, ``compress``."""
    from searchain.retrieval.vectors import VectorStore

    draft = begin(root, key, passages)
    VectorStore(draft / BLOCKS).encode(encoder, passages, progress)
    compress(draft, passages, progress)


def begin(root: Path, key: str, passages: Sequence[Passage]) -> Path:
    """Store the passages and the rows of their documents in the part's draft; return the draft.

    Raises ``SetupError`` if the disk has no room for the build.
    """
    draft = _draft(root, key)
    needed = len(passages) * BYTES_PER_PASSAGE
    if shutil.disk_usage(root).free < needed and not draft.is_dir():
        raise SetupError(
            f"building an index of {len(passages):,} passages needs about {needed / 1e9:,.1f} GB in "
            f"{str(root)!r}; make room there, or set SEARCHAIN_HOME to another folder"
        )
    _begin(draft, passages)
    return draft


def compress(draft: Path, passages: Sequence[Passage], progress: Progress | None = None) -> None:
    """Complete the draft: make the vectors in ``draft / BLOCKS`` searchable.

    Raises ``RetrievalError`` if colbert-ai could not build the PLAID index.
    """
    from searchain.retrieval import plaid, vectors

    blocks = vectors.VectorStore(draft / BLOCKS)
    if len(passages) > EXACT_LIMIT:
        shutil.rmtree(draft / "plaid", ignore_errors=True)
        plaid.build(draft / "plaid", blocks, len(passages), progress)
    else:
        vectors.save(draft / "vectors.safetensors", *blocks.get(range(len(passages))))
    shutil.rmtree(draft / BLOCKS)
    _end(draft, passages)


def join(root: Path, key: str, pieces: Sequence[Piece], passages: Sequence[Passage], progress: Progress | None) -> None:
    """Build the draft of the exact parts ``pieces``, which hold ``passages``. Raises as ``compress``."""
    import torch

    from searchain.retrieval import vectors

    draft = _begin_anew(root, key, passages)
    found, lengths = [], []
    for piece in pieces:
        rows, sizes = vectors.load(piece.directory / "vectors.safetensors")
        stays = torch.zeros(len(sizes), dtype=torch.bool)
        stays[piece.rows()] = True
        found.append(rows[stays.repeat_interleave(sizes)])
        lengths += sizes[stays].tolist()
    vectors.VectorStore(draft / BLOCKS).put(torch.cat(found), lengths)
    compress(draft, passages, progress)


def strip(root: Path, key: str, piece: Piece, passages: Sequence[Passage]) -> None:
    """Build the draft of ``passages``, the remaining ones of the PLAID part ``piece``, with its centroids."""
    from searchain.retrieval import plaid

    draft = _begin_anew(root, key, passages)
    plaid.strip(piece.directory / "plaid", draft / "plaid", piece.rows())
    _end(draft, passages, piece.left_out())


def write_words(root: Path, key: str, passages: Sequence[Passage]) -> None:
    """Build the draft of a part of words, which stores passages without vectors."""
    _end(_begin_anew(root, key, passages), passages)


def drop_drafts(root: Path) -> None:
    """Remove abandoned drafts of own documents, because a document in them may have been removed."""
    for draft in root.glob(".*.draft"):
        if (draft / store.DOCUMENTS).is_file():
            with suppress(Timeout), lock(root, _key_of(draft)).acquire(blocking=False):
                shutil.rmtree(draft, ignore_errors=True)


def keep(root: Path, keys: Iterable[str]) -> None:
    """Renew the time stamps of complete drafts, because other shards of the index may take over ``DRAFT_DAYS``."""
    for key in keys:
        with suppress(FileNotFoundError):  # it has its name already
            os.utime(_draft(root, key))


def is_there(root: Path, key: str) -> bool:
    """Return whether the part is complete, published or still a draft."""
    return (root / key).is_dir() or (_draft(root, key) / COMPLETE).is_file()


def publish(root: Path, key: str) -> bool:
    """Rename a complete draft to its part; return ``False`` without such a draft or part."""
    if not (root / key).is_dir():
        if not (_draft(root, key) / COMPLETE).is_file():
            return False
        _draft(root, key).rename(root / key)
    return True


def open_part(directory: Path) -> colbert.Part:
    """Open a part. Raises what reading its files raises."""
    from searchain.retrieval.colbert import ExactPart, PlaidPart

    return PlaidPart(directory) if (directory / "plaid").is_dir() else ExactPart(directory)


def collect_garbage(root: Path, used: set[str]) -> None:
    """Remove the parts not in ``used``, and drafts older than ``DRAFT_DAYS`` that no process builds.

    Parts of own documents become private.
    """
    for directory in root.iterdir() if root.is_dir() else ():
        if not directory.is_dir():
            continue
        if not directory.name.startswith("."):
            if directory.name not in used:
                shutil.rmtree(directory, ignore_errors=True)
            elif directory.stat().st_mode & 0o077:  # an earlier release may have made it
                make_private(directory)
        elif time.time() - directory.stat().st_mtime > DRAFT_DAYS * 86_400:
            with suppress(Timeout), lock(root, _key_of(directory)).acquire(blocking=False):
                shutil.rmtree(directory, ignore_errors=True)


def _format(passages: Sequence[Passage]) -> int:
    """Return the oldest format that can hold ``passages``, so that parts without places keep their keys."""
    return FORMAT if any(passage.place for passage in passages) else 1


def _begin(draft: Path, passages: Sequence[Passage]) -> None:
    is_own = any(passage.place for passage in passages)
    draft.mkdir(parents=True, exist_ok=True, mode=0o700 if is_own else 0o777)
    store.write_documents(draft, passages)
    store.write(draft, passages)


def _begin_anew(root: Path, key: str, passages: Sequence[Passage]) -> Path:
    draft = _draft(root, key)
    shutil.rmtree(draft, ignore_errors=True)
    _begin(draft, passages)
    return draft


def _end(draft: Path, passages: Sequence[Passage], left_out: int = 0) -> None:
    if len(passages) > EXACT_LIMIT:
        lexical.save(draft, passages)
    said = {"format": _format(passages), "passages": len(passages)} | ({"left_out": left_out} if left_out else {})
    (draft / COMPLETE).write_text(json.dumps(said))
    make_private(draft)


def make_private(part: Path) -> None:
    """Let only their owner read the files of a part with own documents; nothing happens to another part."""
    if (part / store.DOCUMENTS).is_file():
        for path in (part, *part.rglob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)


def _key_of(draft: Path) -> str:
    return draft.name.removeprefix(".").removesuffix(".draft")


def _draft(root: Path, key: str) -> Path:
    return root / f".{key}.draft"
