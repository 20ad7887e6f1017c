"""What ``eval --corpus`` names: a file, whose index is built once and kept, or an index."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import UsageError

if TYPE_CHECKING:
    from searchain.retrieval.base import Progress


def index_of(corpus: str, progress: Progress | None = None) -> str:
    """The name of the index of ``corpus``: a file's is ``eval-`` and 12 digits that stand for its content and the
    checkpoint, built now unless it is there already.

    Raises:
        UsageError, IndexNotFound: ``corpus`` is neither a file nor an index.
        SearChainError: the index cannot be built.
    """
    from searchain.retrieval import checkpoint, indexes, registry

    path = Path(corpus)
    if not path.is_file():
        if not registry.NAME.fullmatch(corpus):
            raise UsageError(f"no file {corpus!r}; a corpus is a .jsonl file, the name of an index, or 'default'")
        return indexes.get(corpus).name
    digest = hashlib.sha256(checkpoint.fingerprint(checkpoint.embedded_checkpoint()).encode())
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return indexes.build_index(f"eval-{digest.hexdigest()[:12]}", [path], progress=progress).index.name
