"""Cut HTML into headings, paragraphs, list items and table rows. Runs in the child process only.

Nothing of the page is executed or fetched. Parts that a reader would not see (scripts, hidden elements) are left out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lxml import etree, html

from searchain.documents.parsed import BlockKind
from searchain.documents.tables import Cell, grid_of, lines_of
from searchain.documents.writer import Writer, is_question

_SKIPPED = frozenset(
    "script style noscript template iframe object embed svg math canvas select textarea button dialog head".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter output q rp rt ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
_BOLD = frozenset(("b", "strong"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class HtmlBlock:
    """One block before it is written."""

    kind: BlockKind
    text: str
    level: int = 0
    group: int = 0
    """The number of its table or list, 0 without one."""
    added: tuple[tuple[int, int], ...] = ()
    """The ranges of ``text`` that do not stand here in the page, such as column names and list marks."""

    @property
    def said(self) -> str:
        """The words of the page itself."""
        places = pairwise([(0, 0), *self.added, (len(self.text), 0)])
        return "".join(self.text[before:after] for (_, before), (after, _) in places)


@dataclass(slots=True)
class _Table:
    number: int
    rows: list[list[Cell]] = field(default_factory=list)


def parse(text: str) -> html.HtmlElement:
    """Parse a page as browsers do. Raises ``ValueError`` if the page holds no element."""
    parser = html.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        return html.document_fromstring(text.encode("utf-8", errors="replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError) as error:
        raise ValueError("no element") from error


def blocks_of(root: html.HtmlElement, *, numbers_items: bool = True) -> list[HtmlBlock]:
    """Read the blocks below ``root``, in order.

    ``numbers_items``: write numbers before the items of numbered lists; else their text begins with them, but for items
    with an id, such as notes.
    """
    walk = _Walk(numbers_items)
    walk.read(root)
    return walk.blocks


def write(blocks: Sequence[HtmlBlock], writer: Writer) -> None:
    for block in blocks:
        writer.put_block(block.kind, block.text, level=block.level, added=block.added)


class _Walk:
    """One pass over the elements; text is collected until a block begins or ends."""

    def __init__(self, numbers_items: bool) -> None:
        self._numbers_items = numbers_items
        self.blocks: list[HtmlBlock] = []
        self._gathered: list[str] = []
        self._kinds: list[tuple[BlockKind, int]] = []
        self._lists: list[tuple[int, bool, int]] = []  # (number, whether it is numbered, items so far)
        self._marker = ""
        self._tables: list[_Table] = []
        self._bold = 0
        self._opens_bold = False  # whether the present bold text begins a paragraph
        self._has_plain = False  # whether the cell has text that is not bold
        self._groups = 0
        self._pre = 0

    def read(self, root: html.HtmlElement) -> None:
        skipped: etree._Element | None = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            tag = element.tag if isinstance(element.tag, str) else ""
            if skipped is not None:
                if event == "end" and element is skipped:
                    skipped = None
                    self._add(element.tail)
                continue
            if event == "start":
                if not tag or tag in _SKIPPED or _is_hidden(element):
                    skipped = element
                    continue
                self._start(tag, element)
                self._add(element.text)
            else:
                self._end(tag, element)
                if element is not root:
                    self._add(element.tail)
        self._flush()

    def _add(self, text: str | None) -> None:
        if text:
            self._gathered.append(text)
            self._has_plain |= not self._bold and not text.isspace()

    def _start(self, tag: str, element: etree._Element) -> None:
        if tag in _INLINE:
            if tag in _BOLD:
                self._begin_bold()
            return
        if tag in ("br", "hr"):
            self._add("\n" if self._pre else " ")
            return
        if self._tables and tag != "table":
            self._start_in_table(tag)
            return
        self._flush()
        if tag == "table" and _is_data(element):
            self._groups += 1
            self._tables.append(_Table(self._groups))
        elif tag in ("ul", "ol"):
            self._groups += 1
            self._lists.append((self._groups, tag == "ol", 0))
        elif tag == "li":
            self._begin_item(has_number=self._numbers_items or element.get("id") is not None)
        elif tag in _HEADINGS:
            self._kinds.append((BlockKind.HEADING, _HEADINGS[tag]))
        elif tag == "pre":
            self._pre += 1
            self._kinds.append((BlockKind.CODE, 0))

    def _start_in_table(self, tag: str) -> None:
        if tag in ("td", "th", "caption"):
            self._gathered = []
            self._has_plain = False
        elif tag == "tr":
            self._tables[-1].rows.append([])
        else:
            self._add(" ")  # blocks in a cell stay in the cell

    def _end(self, tag: str, element: etree._Element) -> None:
        if tag in _BOLD:
            self._end_bold()
        if tag in _INLINE or tag in ("br", "hr"):
            return
        if self._tables:
            table = self._tables[-1]
            if tag in ("td", "th") and table.rows:
                table.rows[-1].append(self._cell(element))
            elif tag == "caption":
                self.blocks.append(HtmlBlock(BlockKind.PARAGRAPH, self._taken(), group=table.number))
            elif tag == "table":
                self._tables.pop()
                self._gathered = []
                for line in lines_of(grid_of(table.rows)):
                    self.blocks.append(HtmlBlock(BlockKind.TABLE_ROW, line.text, line.level, table.number, line.added))
            else:
                self._add(" ")
            return
        self._flush()
        if tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif (tag in _HEADINGS or tag in ("pre", "li")) and self._kinds:
            self._kinds.pop()
            self._pre -= tag == "pre"

    def _begin_bold(self) -> None:
        if not self._bold:
            is_blank = len(self._gathered) < 3 and not any(map(str.strip, self._gathered))
            self._opens_bold = is_blank and not self._kinds and not self._tables
        self._bold += 1

    def _end_bold(self) -> None:
        self._bold -= 1
        if not self._bold and self._opens_bold and is_question(_plain(self._gathered)):
            self._flush()  # its answer goes on in the same paragraph

    def _cell(self, element: etree._Element) -> Cell:
        is_bold, text = not self._has_plain, self._taken()
        is_name = element.tag == "th" or element.getparent().getparent().tag == "thead"
        columns, rows = (_span(element.get(name)) for name in ("colspan", "rowspan"))
        return Cell(text, is_name or (bool(text) and is_bold) or text.endswith(":"), columns, rows)

    def _begin_item(self, *, has_number: bool) -> None:
        marker = "- "
        if self._lists:
            number, is_numbered, items = self._lists[-1]
            self._lists[-1] = number, is_numbered, items + 1
            if is_numbered:
                marker = f"{items + 1}. " if has_number else ""
        self._marker = marker
        self._kinds.append((BlockKind.LIST_ITEM, max(len(self._lists), 1)))

    def _taken(self) -> str:
        """Return the collected text as one line, and start anew."""
        text = _plain(self._gathered)
        self._gathered = []
        return text

    def _flush(self) -> None:
        kind, level = self._kinds[-1] if self._kinds else (BlockKind.PARAGRAPH, 0)
        if kind is BlockKind.CODE:
            text = "".join(self._gathered).strip("\n").rstrip()
            self._gathered = []
        else:
            text = self._taken()
        if not text:
            return
        marker = ""
        if kind is BlockKind.LIST_ITEM:
            marker, self._marker = self._marker, ""
        group = self._lists[-1][0] if self._lists else 0
        self.blocks.append(HtmlBlock(kind, marker + text, level, group, ((0, len(marker)),) if marker else ()))


def _plain(texts: Iterable[str]) -> str:
    return _SPACE.sub(" ", "".join(texts)).strip()


def _is_hidden(element: etree._Element) -> bool:
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or bool(_HIDDEN.search(element.get("style") or ""))
    )


def _span(stated: str | None) -> int:
    """Return how many columns or rows a cell covers; one if it states no number, as in browsers."""
    return max(1, int(stated)) if stated and stated.strip().isdecimal() and len(stated) < 6 else 1


def _is_data(table: etree._Element) -> bool:
    """Return whether a table holds data; a table with inner tables or a single column only arranges the page."""
    if next(table.iterdescendants("table"), None) is not None:
        return False
    return any(sum(child.tag in ("td", "th") for child in row) > 1 for row in table.iterdescendants("tr"))
