"""Decode the bytes of text files in any encoding. Runs in the child process only."""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress

import charset_normalizer

from searchain.safe_text import without_controls

_DECLARED = re.compile(rb"""<\?xml[^>]*encoding=["']([\w.-]+)|<meta[^>]*charset=["']?([\w.-]+)""", re.IGNORECASE)
_SAMPLE = 200_000  # how many bytes are read to guess an encoding
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE: dict[tuple[bool, ...], str] = {
    (False, True, True, True): "utf-32-le",
    (False, False, True, True): "utf-32-le",
    (True, True, True, False): "utf-32-be",
    (True, True, False, False): "utf-32-be",
    (False, True, False, True): "utf-16-le",
    (True, False, True, False): "utf-16-be",
}
"""Which of four successive bytes are mostly zero → the encoding."""
_AS_BROWSERS_READ = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "shift_jis": "cp932"}
"""Declared encodings that stand for a larger one, as every browser reads them."""
_CLOSE = 0.05
"""How much less a text may look like a known language and still be taken for Windows-1252, the usual encoding."""
_TEXT_CONTROLS = frozenset("\t\n\v\f\r\b\x1b")
MOST_CONTROLS = 0.02
"""The greatest share of control characters in a text."""


def decode(content: bytes, stated: str | None = None) -> str:
    """Decode ``content`` by its byte order mark, its zero bytes, its declared encoding, as UTF-8, or by a guess.

    Line ends become line feeds; controls become spaces. ``stated``: the encoding that something else says it has, such
    as the header of a message.
    """
    return without_controls(_decoded(content, stated).replace("\r\n", "\n").replace("\r", "\n"))


def is_text(content: bytes) -> bool:
    """Tell whether ``content`` is text in some encoding: it has hardly any control characters."""
    text = _decoded(content[:_SAMPLE])
    controls = sum(character < " " and character not in _TEXT_CONTROLS for character in text)
    return controls <= max(1, MOST_CONTROLS * len(text))


def guessed(content: bytes) -> str | None:
    """Guess the encoding of a text that is not UTF-8; ``None`` if no encoding makes sense of it."""
    found = list(charset_normalizer.from_bytes(content[:_SAMPLE]))
    if not found:
        return None
    best = found[0]
    for match in found:
        is_as_clean = match.chaos <= best.chaos and match.coherence >= best.coherence - _CLOSE
        if is_as_clean and "cp1252" in (match.encoding, *match.could_be_from_charset):
            return "cp1252"
    return best.encoding


def _decoded(content: bytes, stated: str | None = None) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, errors="replace")
    for encoding in (*_usual(stated), *_declared(content), "utf-8"):
        with suppress(UnicodeDecodeError, LookupError):
            return content.decode(encoding)
    return content.decode(guessed(content) or "cp1252", errors="replace")


def _declared(content: bytes) -> Iterator[str]:
    """Yield the encoding that zero bytes show or the file states."""
    sample = content[:4096]
    zeros = [sample[n::4].count(0) > len(sample[n::4]) / 2 for n in range(4)]
    if wide := _WIDE.get(tuple(zeros)):
        yield wide
    if found := _DECLARED.search(content[:2048]):
        yield from _usual((found[1] or found[2]).decode(errors="replace"))


def _usual(stated: str | None) -> Iterator[str]:
    """Yield the encoding that browsers read for a stated one; nothing for an unknown one."""
    try:
        name = codecs.lookup(stated or "").name
    except LookupError:
        return
    if not name.startswith(("utf-16", "utf-32")):  # their declaration could not be read
        yield _AS_BROWSERS_READ.get(name, name)
