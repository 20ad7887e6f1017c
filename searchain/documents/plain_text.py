"""Convert a text file to document text; blank lines separate paragraphs. Runs in the child process only."""

import re
from collections.abc import Sequence

from searchain.documents.decoding import decode
from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer, is_question

_HEADING = re.compile(r"(?:chapter|part|book|section|appendix)\s+[\divxlc]+\b|\d+(?:\.\d+)*\.?\s+[A-Z]", re.IGNORECASE)
_UNDERLINE = re.compile(r"[=\-~^]{3,}")
_MARKER = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+\S")


def read(content: bytes, writer: Writer) -> None:
    """Write the text of a file."""
    write_text(decode(content), writer)


def write_text(text: str, writer: Writer) -> None:
    """Write the paragraphs, with their line ends."""
    paragraphs = [
        [line.rstrip() for line in paragraph.strip("\n").split("\n")] for paragraph in re.split(r"\n\s*\n|\f", text)
    ]
    has_headings = sum(map(_begins_with_heading, paragraphs)) > 1  # one alone may be "Dear Anna"
    for lines in paragraphs:
        if len(lines) == 2 and _UNDERLINE.fullmatch(lines[1].strip()):
            writer.put_block(BlockKind.HEADING, lines[0].strip(), level=1 if lines[1].strip()[0] == "=" else 2)
        elif len(lines) == 1 and _is_heading(lines[0].strip()):
            writer.put_block(BlockKind.HEADING, lines[0].strip(), level=3)
        elif sum(bool(_MARKER.match(line)) for line in lines) > 1:
            _write_items(lines, writer)
        else:
            if len(lines) > 1 and is_question(lines[0].strip()):
                writer.put_block(BlockKind.PARAGRAPH, lines.pop(0).strip())
            elif has_headings and _begins_with_heading(lines):
                writer.put_block(BlockKind.HEADING, lines.pop(0).strip(), level=3)
            writer.put_block(BlockKind.PARAGRAPH, "\n".join(lines).strip())


def _begins_with_heading(lines: Sequence[str]) -> bool:
    """Tell whether the first line names what the sentences below it are about: it is short, and not by wrapping."""
    first, *below = (line.strip() for line in lines)
    is_name = first[:1].isupper() and len(first.split()) <= 6 and first.replace(" ", "").isalpha()
    if not below or not is_name:
        return False
    return below[0][:1].isupper() and below[-1][-1:] in ".!?" and 2 * len(first) < max(map(len, below))


def _is_heading(line: str) -> bool:
    if len(line.split()) > 10 or len(line) > 80 or re.search(r"[.,;!?]$", line) or not re.search("[A-Za-z]{2}", line):
        return False
    return bool(_HEADING.match(line)) or (line.isupper() and len(line) > 3)


def _write_items(lines: list[str], writer: Writer) -> None:
    item: list[str] = []
    is_item = False
    for line in [*lines, None]:
        if line is None or _MARKER.match(line):
            kind = BlockKind.LIST_ITEM if is_item else BlockKind.PARAGRAPH
            writer.put_block(kind, " ".join(part.strip() for part in item), level=int(is_item))
            item, is_item = [], True
        if line is not None:
            item.append(line)
