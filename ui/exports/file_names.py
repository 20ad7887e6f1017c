"""Name files so that people recognise them and every file system takes them."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from urllib.parse import quote

EVERYTHING = "SearChain conversations"
_MOST = 80
"""Most bytes of the title in a file name; file systems take 255 for the whole name."""


def file_name(title: str, suffix: str, day: str = "") -> str:
    """Return the words of ``title`` and the ``day``, joined by hyphens, with ``suffix``.

    Args:
        title: letters and digits of any script are kept, all else stands between words.
        day: a time that begins with a date, such as "2026-11-23T10:00:00Z"; by default today.

    >>> file_name("Who painted “The Mona Lisa”?", ".md", "2026-11-23T10:00:00Z")
    'Who-painted-The-Mona-Lisa-2026-11-23.md'
    >>> file_name("../..", ".csv", "2026-11-23")
    'conversation-2026-11-23.csv'
    """
    words = "-".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", title)))
    return f"{_cut(words) or 'conversation'}-{day[:10] or datetime.now(UTC).date().isoformat()}{suffix}"


def attachment(name: str) -> str:
    """Return a ``Content-Disposition`` header with the name in ASCII for old browsers and in full for others."""
    plain = re.sub(r"[^\w .-]", "", unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()).strip("-")
    return f"attachment; filename=\"{plain}\"; filename*=utf-8''{quote(name, safe='')}"


def _cut(words: str) -> str:
    """Cut ``words`` to ``_MOST`` bytes, between words if possible."""
    if len(words.encode()) <= _MOST:
        return words
    begin = words.encode()[: _MOST + 1].decode(errors="ignore")
    return begin.rpartition("-")[0] or begin[:-1]
