"""Decode the bytes of text files in any encoding. Runs in the child process only."""

from __future__ import annotations

import re

import charset_normalizer

from searchain.safe_text import without_controls

_DECLARED = re.compile(rb"""<\?xml[^>]*encoding=["']([\w.-]+)|<meta[^>]*charset=["']?([\w.-]+)""", re.IGNORECASE)
_SAMPLE = 200_000
"""How many bytes are read to guess an encoding."""


def decode(content: bytes) -> str:
    """Decode ``content`` by its byte order mark, its declared encoding, as UTF-8, or by the most likely encoding.

    Line ends become line feeds; controls become spaces.
    """
    return without_controls(_decoded(content).replace("\r\n", "\n").replace("\r", "\n"))


def _decoded(content: bytes) -> str:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, errors="replace")
    declared = _DECLARED.search(content[:2048])
    for encoding in (*((declared[1] or declared[2]).decode() for _ in [0] if declared), "utf-8"):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    best = charset_normalizer.from_bytes(content[:_SAMPLE]).best()
    return content.decode(best.encoding if best else "cp1252", errors="replace")
