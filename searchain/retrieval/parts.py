"""Parts of indexes: immutable directories, named by passages and checkpoint, shared by the indexes that hold them.

    parts/KEY/part.json              passages, kind
    parts/KEY/passages.jsonl …       see ``store``
    parts/KEY/plaid/                 above EXACT_LIMIT passages
    parts/KEY/vectors.safetensors    otherwise

A part is built as ``.KEY.draft`` and renamed when it is complete. A killed build leaves the draft; the next build of
the same part goes on from the blocks of vectors in it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from searchain.errors import SetupError
from searchain.retrieval import store
from searchain.retrieval.corpus import to_line
from searchain.retrieval.extensions import Progress
from searchain.types import Passage

if TYPE_CHECKING:
    from searchain.retrieval import colbert
    from searchain.retrieval.encoder import Encoder

EXACT_LIMIT = 1_000
"""Up to so many passages exact scoring takes a few milliseconds and needs no k-means."""
FORMAT = 2
"""Raised whenever the files of a part change their meaning: 2 since passages have places. Older ones are read."""
BYTES_PER_PASSAGE = 40_000
"""What a build takes on disk at its height: mostly token vectors, 220 of 128 float16 at most."""
DRAFT_DAYS = 7
"""Drafts of abandoned builds are kept so long."""


def key(passages: Sequence[Passage], fingerprint: str) -> str:
    """16 hexadecimal digits: equal exactly when passages, their order and the checkpoint are."""
    digest = hashlib.sha256(f"{_format(passages)} {fingerprint}\n".encode())
    for passage in passages:
        digest.update(to_line(passage).encode())
    return digest.hexdigest()[:16]


def lock(root: Path, key: str) -> FileLock:
    """Held by whoever builds the part."""
    root.mkdir(parents=True, exist_ok=True)
    return FileLock(root / f".{key}.lock")


def build(
    root: Path, key: str, passages: Sequence[Passage], encoder: Encoder, progress: Progress | None = None
) -> None:
    """Build the part's draft; the caller holds its lock and calls ``publish`` next."""
    from searchain.retrieval import plaid
    from searchain.retrieval.vectors import VectorStore

    draft = _draft(root, key)
    needed = len(passages) * BYTES_PER_PASSAGE
    if shutil.disk_usage(root).free < needed and not draft.is_dir():
        raise SetupError(
            f"building an index of {len(passages):,} passages needs about {needed / 1e9:,.1f} GB in "
            f"{str(root)!r}; make room there, or set SEARCHAIN_HOME to another folder"
        )
    vectors = VectorStore(draft / "blocks")
    vectors.encode(encoder, passages, progress)
    store.write(draft, passages)
    if len(passages) > EXACT_LIMIT:
        shutil.rmtree(draft / "plaid", ignore_errors=True)
        plaid.build(draft / "plaid", encoder, vectors, len(passages), progress)
    else:
        vectors.join(draft / "vectors.safetensors", len(passages))
    shutil.rmtree(draft / "blocks")
    (draft / "part.json").write_text(json.dumps({"format": _format(passages), "passages": len(passages)}))


def publish(root: Path, key: str) -> bool:
    """Give a complete draft its name; False when there is neither draft nor part."""
    if not (root / key).is_dir():
        if not (_draft(root, key) / "part.json").is_file():
            return False
        _draft(root, key).rename(root / key)
    return True


def open_part(root: Path, key: str, encoder: Encoder) -> colbert.Part:
    from searchain.retrieval.colbert import ExactPart, PlaidPart

    directory = root / key
    return PlaidPart(directory, encoder) if (directory / "plaid").is_dir() else ExactPart(directory)


def collect_garbage(root: Path, used: set[str]) -> None:
    """Remove the parts that no index holds, and old drafts that nobody works on."""
    for directory in root.iterdir() if root.is_dir() else ():
        if not directory.is_dir():
            continue
        if not directory.name.startswith("."):
            if directory.name not in used:
                shutil.rmtree(directory, ignore_errors=True)
        elif time.time() - directory.stat().st_mtime > DRAFT_DAYS * 86_400:
            try:
                with lock(root, directory.name.removeprefix(".").removesuffix(".draft")).acquire(blocking=False):
                    shutil.rmtree(directory, ignore_errors=True)
            except Timeout:
                pass


def _format(passages: Sequence[Passage]) -> int:
    """The oldest format that holds ``passages``: parts without places keep their keys, and are not built again."""
    return FORMAT if any(passage.place for passage in passages) else 1


def _draft(root: Path, key: str) -> Path:
    return root / f".{key}.draft"
