"""Write files whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Give a draft to write beside ``path``, and put it in the place of ``path`` at the end.

    When the block fails, the draft is removed and ``path`` stays as it was.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")  # several processes may write the same file
    try:
        yield draft
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
