"""BibTeX: a bibliography of the sources that replies cite, one entry each.

Texts are untrusted: they are escaped, so that none can end its field, run a TeX command, or start another entry.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator

from searchain.safe_text import one_line, web_address
from searchain.types import Source
from storage.history.finished_turns import Record

_PLAIN = {"\\": "textbackslash", "{": "textbraceleft", "}": "textbraceright"}
_PLAIN |= {"~": "textasciitilde", "^": "textasciicircum"}
_TEX = str.maketrans(
    {character: rf"\{name}{{}}" for character, name in _PLAIN.items()} | {one: rf"\{one}" for one in "$&#_%"}
)
"""BibTeX counts braces even after a backslash, so they are written as commands."""
_IN_ADDRESS = str.maketrans({one: f"%{ord(one):02X}" for one in '{}\\^`"<>|'})
_KEY = 24  # the most characters of the title in an entry's key


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write an entry per source at its first citation; ``note`` has the question that it was cited for."""
    seen: set[str] = set()
    for record in records:
        for source in record.state().sources:
            key = _key(source)
            if key not in seen:
                seen.add(key)
                yield _entry(key, source, record)


def _key(source: Source) -> str:
    """Return the entry's key, the same in every file: words of the title, and a hash to separate equal titles."""
    passage = source.passage
    plain = unicodedata.normalize("NFKD", passage.title).encode("ascii", "ignore").decode()
    words = re.sub("[^a-z0-9]+", "-", plain.casefold())[:_KEY].strip("-")
    digest = hashlib.sha256(f"{passage.title}\n{passage.url or passage.id}".encode("utf-8", "replace")).hexdigest()
    return f"{words or 'source'}-{digest[:8]}"


def _entry(key: str, source: Source, record: Record) -> str:
    passage = source.passage
    before, found, after = source.parts
    url = passage.url if web_address(passage.url) else None
    fields = {
        "title": f"{{{_tex(passage.title) or 'Untitled'}}}",
        "url": url.translate(_IN_ADDRESS) if url else "",
        "urldate": record.created[:10],
        "note": f"Cited for: {_tex(record.question)}",
        "abstract": _tex(before + found + after),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{key},\n{lines}}}\n\n"


def _tex(text: str) -> str:
    """Put ``text`` on one line and escape every character that has a meaning in TeX."""
    return one_line(text).translate(_TEX)
