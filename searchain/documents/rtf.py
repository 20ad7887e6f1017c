"""Read RTF files: paragraphs, headings, lists, tables, notes. Runs in the child process only.

A file is groups in braces, which keep their own settings, and control words such as ``\\par``. A group may be a
*destination*, whose text stands elsewhere, as that of a footnote, or is not for readers, as the bytes of a picture.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from searchain.documents.office_xml import counted
from searchain.documents.parsed import BlockKind
from searchain.documents.tables import Cell, lines_of
from searchain.documents.titles import title_of
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused

MAX_DEPTH = 5_000
"""Most groups in one another."""
NEAR = 60
"""Most twentieths of a point between two edges of cells that are the same column's."""
_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})? ?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<symbol>[^a-zA-Z])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\",
    re.DOTALL,
)
_CHARACTERS = {
    "line": " ", "tab": " ", "nestcell": " ", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ",
    "qmspace": " ", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}  # fmt: skip
_SYMBOLS = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}
_KEPT = frozenset(
    "footnote annotation atnauthor title listtext pntext header headerl headerr headerf footer footerl footerr footerf "
    "fonttbl stylesheet".split()
)
"""Destinations whose text is read apart."""
_DROPPED = frozenset(
    "colortbl info pict object nonshppict fldinst bkmkstart bkmkend themedata colorschememapping datastore xe tc rxe "
    "listtable listoverridetable revtbl rsidtbl generator latentstyles private template filetbl".split()
)
"""Destinations that hold no text for readers, besides those that a file marks as such with a star."""
_CODECS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    254: "cp437", 255: "cp850",
}  # fmt: skip
"""Character set of a font → codec; Windows-1252, or what the file states, for any other."""

_SETTINGS: dict[str, Callable[[int | None], dict[str, Any]]] = {
    "plain": lambda _: {"codec": "", "is_bold": False, "is_hidden": False},
    "pard": lambda _: {"in_table": False, "style": 0, "outline": 9, "level": 0},
    "intbl": lambda _: {"in_table": True},
    "uc": lambda number: {"fallback": max(number or 0, 0)},
    "b": lambda number: {"is_bold": number != 0},
    "v": lambda number: {"is_hidden": number != 0},
    "deleted": lambda number: {"is_hidden": number != 0},
    "s": lambda number: {"style": number or 0},
    "outlinelevel": lambda number: {"outline": number or 0},
    "ilvl": lambda number: {"level": number or 0},
}
"""Control word → the settings that it changes; ``\\b0`` ends what ``\\b`` begins."""


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the properties, or else the first heading.

    Raises:
        DocumentRefused: the groups are nested too deeply.
    """
    walk = _Walk(writer)
    walk.read(content.decode("latin-1"))
    return title_of(walk.title, writer)


@dataclass(frozen=True, slots=True)
class _State:
    """The settings of a group."""

    destination: str = ""
    """The one that this group or one around it is; ``""`` in the text itself."""
    begins: bool = False
    """Whether this very group is the destination."""
    is_dropped: bool = False
    codec: str = ""
    font: int = 0
    fallback: int = 1
    """How many characters follow a Unicode character for programs that do not know it."""
    is_bold: bool = False
    is_hidden: bool = False
    in_table: bool = False
    style: int = 0
    outline: int = 9
    """The level of a heading, from 0; 9 for other text."""
    level: int = 0
    """The level of a list, from 0."""


@dataclass(slots=True)
class _Row:
    """A row of a table."""

    cells: list[Cell] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    """The right edge of each cell, in twentieths of a point."""
    is_head: bool = False
    hanging: set[int] = field(default_factory=set)
    """Numbers of the cells that belong to the cell above."""


class _Walk:
    """One pass over the tokens of a file."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.title: str | None = None
        self._state = _State()
        self._above: list[_State] = []
        self._texts: list[list[str]] = [[]]
        """The text that is being read, and around it those that it interrupts."""
        self._bytes = bytearray()
        self._skip = 0
        """How many characters to skip, which stand for a Unicode character before."""
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        self._headings: dict[int, int] = {}
        self._has_plain = False
        self._mark = ""
        self._row = _Row()
        self._rows: list[_Row] = []
        self._author = ""
        self._later: list[str] = []
        self._notes: list[str] = []
        self._margins: set[str] = set()
        self._footers: list[str] = []
        self._numbers_pages = False
        """Whether the header or footer that is read shows the number of the page."""
        self._unread: Counter[str] = Counter()

    def read(self, text: str) -> None:
        at = 0
        while (match := _TOKEN.match(text, at)) is not None:
            at = match.end()
            word, number = match["word"], int(match["number"]) if match["number"] else None
            if match["brace"] == "{":
                self._open()
            elif match["brace"]:
                self._close()
                if not self._above:
                    break
            elif word == "bin":
                at += max(number or 0, 0)
            elif word:
                self._control(word, number)
            elif match["symbol"] is not None:
                self._symbol(match["symbol"])
            else:
                self._add(bytes.fromhex(match["hex"]) if match["hex"] else (match["text"] or "").encode("latin-1"))
        while self._above:
            self._close()
        self._end_paragraph()
        self._end_table()
        for note in self._notes:
            self._writer.put_block(BlockKind.LIST_ITEM, note, level=1)
        for text in self._footers:
            self._writer.put_block(BlockKind.PARAGRAPH, text)
        self._writer.unread += counted(self._unread)

    def _open(self) -> None:
        self._decode()
        if len(self._above) == MAX_DEPTH:
            raise DocumentRefused("failed", "The file is nested too deeply to be read.")
        self._above.append(self._state)
        self._state = replace(self._state, begins=False)

    def _close(self) -> None:
        self._decode()
        state, self._state = self._state, self._above.pop() if self._above else _State()
        if state.destination in ("fonttbl", "stylesheet"):
            self._learn(state)
        if state.begins:
            self._put_apart(state.destination, _line("".join(self._texts.pop())))

    def _learn(self, state: _State) -> None:
        """Learn the level of a style by its outline or its name."""
        name, self._texts[-1] = _line("".join(self._texts[-1])).rstrip(";").casefold(), []
        if state.destination == "stylesheet":
            known = {"title": 0} | {f"heading {level}": level - 1 for level in range(1, 7)}
            outline = state.outline if state.outline < 9 else known.get(name, 9)
            if outline < 9:
                self._headings[state.style] = outline

    def _put_apart(self, destination: str, text: str) -> None:
        """Put the text of a destination where it belongs."""
        match destination:
            case "title":
                self.title = text
            case "atnauthor":
                self._author = text
            case "listtext" | "pntext":
                self._mark = f"{text} " if any(map(str.isalnum, text)) else "- "
            case "footnote" if text:
                self._notes.append(f"{len(self._notes) + 1}. {text}")
                self._texts[-1].append(f"[{len(self._notes)}]")
            case "annotation" if text:
                self._later.append(f"Comment by {self._author or 'a reader'}: {text}")
            case name if name.startswith(("header", "footer")):
                self._put_margin(text, is_header=name.startswith("header"))

    def _put_margin(self, text: str, *, is_header: bool) -> None:
        """Write a header at once and a footer at the end, each once, unless it says only the number of the page."""
        words = sum(any(map(str.isalpha, word)) for word in text.split())
        numbers_pages, self._numbers_pages = self._numbers_pages, False
        if text in self._margins or (numbers_pages and words <= 2):
            return
        self._margins.add(text)
        if is_header:
            self._writer.put_block(BlockKind.PARAGRAPH, text)
        else:
            self._footers.append(text)

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":
            self._decode()
            self._state = replace(self._state, is_dropped=True)
        elif symbol in "\r\n":
            self._control("par", None)
        elif symbol in _SYMBOLS:
            self._add(_SYMBOLS[symbol].encode())

    def _add(self, text: bytes) -> None:
        skipped = min(self._skip, len(text))
        self._skip -= skipped
        self._bytes += text[skipped:]

    def _decode(self) -> None:
        """Add the bytes since the last control word to the text."""
        if self._bytes:
            self._write(self._bytes.decode(self._state.codec or self._codec, "replace"))
            self._bytes.clear()

    def _write(self, text: str) -> None:
        if self._state.is_dropped or self._state.is_hidden:
            return
        self._texts[-1].append(text)
        if not self._state.destination:
            self._has_plain |= not self._state.is_bold and not text.isspace()

    def _control(self, word: str, number: int | None) -> None:
        self._decode()
        if word == "u":
            self._write(chr((number or 0) % 0x10000))
            self._skip = self._state.fallback
        elif word in _CHARACTERS:
            self._write(_CHARACTERS[word])
        elif word in _KEPT and not (word == "title" and self._state.destination != "info"):
            self._texts.append([])
            self._state = replace(self._state, destination=word, begins=True, is_dropped=False)
        elif word in _DROPPED:
            if word in ("pict", "object") and self._state.destination not in ("nonshppict", "object"):
                self._unread["picture" if word == "pict" else "embedded object"] += 1
            self._state = replace(self._state, destination=word, is_dropped=True)
        elif word == "shptxt":
            self._state = replace(self._state, destination="", is_dropped=False)
        elif word == "chpgn":
            self._numbers_pages = True
        elif word in ("par", "sect", "page", "cell", "row", "trowd", "trhdr", "cellx", "clvmrg"):
            self._structure(word, number or 0)
        else:
            self._set(word, number)

    def _set(self, word: str, number: int | None) -> None:
        """Change a setting of the group, or learn a font."""
        state, value = self._state, number or 0
        if word in _SETTINGS:
            self._state = replace(state, **_SETTINGS[word](number))
        elif word == "ansicpg" and _is_codec(f"cp{value}"):
            self._codec = f"cp{value}"
        elif word in ("mac", "pc"):
            self._codec = {"mac": "mac_roman", "pc": "cp437"}[word]
        elif word == "f":
            self._state = replace(state, font=value, codec=self._fonts.get(value, ""))
        elif word == "fcharset" and value in _CODECS:
            self._fonts[state.font] = _CODECS[value]

    def _structure(self, word: str, number: int) -> None:
        """End a paragraph, a cell or a row, or define a row."""
        if self._state.destination:
            self._write(" ")
            return
        match word:
            case "trowd":
                self._row = _Row(cells=self._row.cells)
            case "trhdr":
                self._row.is_head = True
            case "clvmrg":
                self._row.hanging.add(len(self._row.edges))
            case "cellx":
                self._row.edges.append(number)
            case "cell":
                self._row.cells.append(Cell(self._taken(), is_name=not self._has_plain))
                self._has_plain = False
            case "row":
                self._rows.append(self._row)
                self._row = replace(self._row, cells=[])
            case _ if self._state.in_table:
                self._write(" ")
            case _:
                self._end_paragraph()

    def _taken(self) -> str:
        text, self._texts[-1] = _line("".join(self._texts[-1])), []
        mark, self._mark = self._mark, ""
        return mark + text if text else ""

    def _end_paragraph(self) -> None:
        mark, text = self._mark, self._taken()
        outline = min(self._state.outline, self._headings.get(self._state.style, 9))
        self._has_plain = False
        if text:
            self._end_table()
        if text and outline < 9:
            self._writer.put_block(BlockKind.HEADING, text.removeprefix("- "), level=outline + 1)
        elif text and mark:
            added = ((0, 2),) if mark == "- " else ()
            self._writer.put_block(BlockKind.LIST_ITEM, text, level=self._state.level + 1, added=added)
        else:
            self._writer.put_block(BlockKind.PARAGRAPH, text)
        for comment in self._later:
            self._writer.put_block(BlockKind.PARAGRAPH, comment)
        self._later.clear()

    def _end_table(self) -> None:
        rows, self._rows = self._rows, []
        for line in lines_of(_grid(rows)):
            self._writer.put_block(BlockKind.TABLE_ROW, line.text, level=line.level, added=line.added)


def _grid(rows: list[_Row]) -> list[list[Cell]]:
    """Find out by their edges which columns the cells cover, and join each cell with those below that continue it."""
    edges: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges}):
        if not edges or edge - edges[-1] > NEAR:
            edges.append(edge)
    written: list[list[Cell]] = []
    above: dict[int, tuple[list[Cell], int]] = {}
    """Column → the row and the number of the last cell that begins there."""
    for row in rows:
        made: list[Cell] = []
        left = 0
        for number, cell in enumerate(row.cells):
            edge = row.edges[number] if number < len(row.edges) else 0
            right = sum(one <= edge for one in edges)
            if number in row.hanging and left in above:
                holder, at = above[left]
                holder[at] = replace(holder[at], rows=holder[at].rows + 1)
            else:
                is_name = row.is_head or cell.is_name
                above[left] = made, len(made)
                made.append(replace(cell, columns=max(right - left, 1), is_name=is_name))
            left = max(right, left + 1)
        written.append(made)
    return written


def _line(text: str) -> str:
    """Return text as one line; two halves of a character beyond 16 bits become one."""
    return " ".join(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").split())


def _is_codec(name: str) -> bool:
    try:
        return bool(codecs.lookup(name))
    except LookupError:
        return False
