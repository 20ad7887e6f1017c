"""Convert an Org file to document text. Runs in the child process only."""

from collections.abc import Sequence
from itertools import groupby

from searchain.documents.decoding import decode
from searchain.documents.parsed import BlockKind
from searchain.documents.tables import Cell, put_rows
from searchain.documents.writer import Writer, title_of

_FACTS = frozenset(("author", "date", "subtitle", "description", "caption"))  # keywords whose values a reader would see
_CODE = frozenset(("src", "example", "export"))


def read(content: bytes, writer: Writer) -> str | None:
    """Write headings, paragraphs, lists, tables and code, without drawers and comments; return the title."""
    reader = _Reader(writer)
    for line in decode(content).split("\n"):
        reader.read(line)
    reader.end()
    return title_of(None, writer)


class _Reader:
    """One pass over the lines; those of a paragraph, a list item, a table or code are collected."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._kind = BlockKind.PARAGRAPH
        self._level = 0
        self._lines: list[str] = []
        self._until: str | None = None  # the line, in lower case, that ends the drawer or the code that is being read

    def read(self, line: str) -> None:
        plain = line.strip()
        first = plain.partition(" ")[0]
        if self._until is not None:
            self._within(line, plain.lower())
        elif first in ("", "#"):
            self.end()
        elif plain.startswith("#+"):
            self._keyword(plain)
        elif len(plain) > 2 and plain == first and plain[0] == plain[-1] == ":":
            self.end()
            self._until = ":end:"
        elif line.startswith("*") and not first.strip("*"):
            self.end()
            heading = without_links(plain.removeprefix(first).strip())
            self._writer.put_block(BlockKind.HEADING, heading, level=len(first) + 1)
        else:
            self._gather(line, plain, first)

    def _within(self, line: str, plain: str) -> None:
        if plain == self._until:
            self._until = None
            self.end()
        elif self._kind is BlockKind.CODE:
            self._lines.append(line)

    def _keyword(self, plain: str) -> None:
        self.end()
        name, _, value = plain.removeprefix("#+").partition(" ")
        name, value = name.lower().rstrip(":"), without_links(value.strip())
        if name == "title":
            self._writer.put_block(BlockKind.HEADING, value, level=1)
        elif name in _FACTS:
            self._writer.put_block(BlockKind.PARAGRAPH, f"{name.capitalize()}: {value}")
        elif name.startswith("begin_") and name.removeprefix("begin_") in _CODE:
            self._kind, self._until = BlockKind.CODE, f"#+{name.replace('begin', 'end', 1)}"

    def _gather(self, line: str, plain: str, first: str) -> None:
        kind = BlockKind.PARAGRAPH
        if first.startswith("|"):
            kind = BlockKind.TABLE_ROW
        elif first in ("-", "+") or (first[-1] in ".)" and first[:-1].isdecimal()):
            self.end()
            kind, self._level = BlockKind.LIST_ITEM, 1 + (len(line) - len(line.lstrip())) // 2
        elif self._kind is BlockKind.LIST_ITEM and line[0].isspace():
            kind = BlockKind.LIST_ITEM
        if kind is not self._kind:
            self.end()
        self._kind = kind
        self._lines.append(plain)

    def end(self) -> None:
        """Write what was collected."""
        kind, lines = self._kind, self._lines
        self._kind, self._lines = BlockKind.PARAGRAPH, []
        match kind:
            case BlockKind.TABLE_ROW:
                _write_table(lines, self._writer)
            case BlockKind.CODE:
                self._writer.put_block(kind, "\n".join(lines).strip("\n"))
            case _:
                level = self._level if kind is BlockKind.LIST_ITEM else 0
                self._writer.put_block(kind, without_links(" ".join(lines)), level=level)


def _write_table(lines: Sequence[str], writer: Writer) -> None:
    """Write the rows of a table; what stands above its first rule names the columns."""
    parts = [list(rows) for is_rule, rows in groupby(lines, lambda line: line.startswith("|-")) if not is_rule]
    heads = len(parts[0]) if len(parts) > 1 else 0
    rows = [[without_links(cell.strip()) for cell in line.strip("|").split("|")] for part in parts for line in part]
    put_rows([[Cell(cell, n < heads) for cell in row] for n, row in enumerate(rows)], writer)


def without_links(text: str) -> str:
    """Return ``text`` with the words of each link ``[[target][words]]``, or its target, in its place."""
    first, *others = text.split("[[")
    for other in others:
        link, _, after = other.partition("]]")
        first += link.rpartition("][")[2] + after
    return first
