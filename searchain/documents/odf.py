"""Read OpenDocument texts, spreadsheets and presentations. Runs in the child process only."""

import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from searchain.documents.office_xml import Level, NumberedList, number_in, open_zip, read_entry, read_xml, stated_title
from searchain.documents.parsed import BlockKind
from searchain.documents.sheets import Filled, Sheet, check_count, name_of
from searchain.documents.tables import MAX_COLUMNS, Cell, put_rows
from searchain.documents.writer import Writer, own_title, title_of
from searchain.errors import DocumentRefused

_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
MOST_PARENTS = 20
"""Most styles that continue one another."""
_HEAD = "Table_20_Heading"  # the style of LibreOffice for the paragraphs of a header


def attribute(element: etree._Element, name: str) -> str:
    """Return an attribute by its name without a namespace; ``""`` without it."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


class Styles:
    """The styles of a document. ``roots``: the elements of the entries ``content.xml`` and ``styles.xml``."""

    def __init__(self, *roots: etree._Element) -> None:
        self._styles: dict[str, etree._Element] = {}
        self._levels: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, NumberedList] = {}
        for root in reversed(roots):
            for style in root.iter("{*}style"):
                self._styles[attribute(style, "name")] = style
            for style in root.iter("{*}list-style"):
                self._levels[attribute(style, "name")] = _levels(style)
            for style in root.iter("{*}outline-style"):
                self._levels[""] = _levels(style)
        self._headings = NumberedList(self._levels.get("", {}))

    def _chain(self, name: str) -> list[str]:
        """Return a style and those that it continues."""
        names = [name]
        while (style := self._styles.get(names[-1])) is not None and len(names) < MOST_PARENTS:
            names.append(attribute(style, "parent-style-name"))
        return names

    def _property(self, name: str, property: str) -> str:
        """Return a property of a style or of the one that it continues."""
        parts = (part for one in self._chain(name) if one in self._styles for part in self._styles[one])
        return next(filter(None, (attribute(part, property) for part in parts)), "")

    def is_title(self, paragraph: etree._Element) -> bool:
        """Tell whether a paragraph is the title of its document."""
        return "Title" in self._chain(attribute(paragraph, "style-name"))

    def is_hidden(self, element: etree._Element) -> bool:
        """Tell whether a sheet or a slide is hidden."""
        name = attribute(element, "style-name")
        return self._property(name, "display") == "false" or self._property(name, "visibility") == "hidden"

    def is_bold_cell(self, cell: etree._Element, usual: str = "") -> bool:
        """Tell whether the words of a cell are bold or a header; ``usual`` is the style of cells in its column."""
        paragraph = next(cell.iter("{*}p"), None)
        is_whole = paragraph is not None and not (paragraph.text or "").strip()
        span = next(cell.iter("{*}span"), None) if is_whole else None
        names = [attribute(one, "style-name") for one in (cell, paragraph, span) if one is not None]
        names[0] = names[0] or usual
        return any(
            _HEAD in self._chain(name) or self._property(name, "font-weight") in ("bold", "700")
            for name in filter(None, names)
        )

    def restart(self, style: str) -> None:
        """Begin the numbers of a list anew."""
        self._lists.pop(style, None)

    def item_mark(self, style: str, level: int, start: int = -1) -> str:
        """Return what stands before the next item of a list; it counts from ``start`` if that is not negative."""
        found = self._lists.setdefault(style, NumberedList(self._levels.get(style, {})))
        if level not in found.levels:
            return "- "
        if start >= 0:
            found.reached[level] = start - 1
        return f"{found.next(level)} ".lstrip()

    def heading_number(self, level: int) -> str:
        """Return the number of the next heading of a level, from 1; ``""`` if headings have none."""
        label = self._headings.next(level - 1) if level - 1 in self._headings.levels else ""
        return f"{label} " if label else ""


def _levels(style: etree._Element) -> dict[int, Level]:
    found = {}
    for element in style:
        level = number_in(attribute(element, "level"), 0) - 1
        if etree.QName(element).localname not in ("list-level-style-number", "outline-level-style") or level < 0:
            continue
        shown = max(number_in(attribute(element, "display-levels"), 1), 1)
        numbers = ".".join(f"%{number}" for number in range(max(level - shown, -1) + 2, level + 2))
        text = attribute(element, "num-prefix") + numbers + attribute(element, "num-suffix")
        form = _FORMS.get(attribute(element, "num-format"), "none")
        found[level] = Level(number_in(attribute(element, "start-value"), 1), form, text, None)
    return found


_SKIPPED = frozenset(
    "tracked-changes forms sequence-decls variable-decls user-field-decls dde-connection-decls notes title desc "
    "settings page-thumbnail annotation-end ruby-text event-listeners glue-point".split()
)
_APART = frozenset("frame g custom-shape rect ellipse circle polygon path a line connector caption".split())
"""Drawn things, whose words are paragraphs of their own below the paragraph that they are anchored to."""
_MARGINS = frozenset("header footer date-time page-number page".split())  # classes of frames that repeat on every slide
_VALUES = ("string-value", "date-value", "time-value", "boolean-value", "value")


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the properties, or else the first heading."""
    with open_zip(content) as packed:
        manifest = _entry(packed, "META-INF/manifest.xml")
        if next(manifest.iter("{*}encryption-data"), None) is not None:
            raise DocumentRefused("encrypted", "The document has a password; save it without one.")
        root, styles = read_xml(read_entry(packed, "content.xml")), _entry(packed, "styles.xml")
        media = {attribute(one, "full-path"): attribute(one, "media-type") for one in manifest.iter("{*}file-entry")}
        walk = _Walk(writer, Styles(root, styles), media)
        stated = stated_title(packed, writer, "meta.xml")
        for body in root.iterfind("{*}body/*"):
            match etree.QName(body).localname:
                case "spreadsheet":
                    walk.sheets(body)
                    stated = own_title(stated) or ""
                case "presentation":
                    walk.slides(body)
                case _:
                    walk.text(body, styles)
        writer.leave_out(walk.unread)
        return stated if stated == "" else title_of(stated, writer)


def _entry(packed: zipfile.ZipFile, name: str) -> etree._Element:
    """Return an entry; an empty element if the file has none."""
    return read_xml(read_entry(packed, name)) if name in packed.NameToInfo else etree.Element("none")


@dataclass
class _Walk:
    """One pass over the elements of a document."""

    writer: Writer
    styles: Styles
    media: dict[str, str]
    unread: Counter[str] = field(default_factory=Counter)
    _lists: list[str] = field(default_factory=list)  # the style of each list around the place that is read
    _mark: str = ""  # what stands before the next paragraph of a list
    _later: list[etree._Element] = field(default_factory=list)
    """Comments and drawn things of the paragraph that is read."""
    _notes: list[str] = field(default_factory=list)
    _cells: int = 0

    def text(self, body: etree._Element, styles: etree._Element) -> None:
        """Write a text between its headers and footers, and its notes at the end."""
        margins: dict[str, dict[str, None]] = {"header": {}, "footer": {}}
        for page in styles.iterfind("{*}master-styles/{*}master-page"):
            for part in page:
                side = etree.QName(part).localname.partition("-")[0]
                if side in margins and not _only_numbers_pages(part):
                    margins[side] |= dict.fromkeys([self._words(part)])
        for words in margins["header"]:
            self._put(words)
        self._read(body)
        for note in self._notes:
            self.writer.put_block(BlockKind.LIST_ITEM, note, level=1)
        for words in margins["footer"]:
            self._put(words)

    def slides(self, body: etree._Element) -> None:
        """Write the slides, each with its title first and its notes last."""
        for number, page in enumerate(body.iterfind("{*}page"), 1):
            self.writer.label(f"slide {number}")
            titles = [one for one in page if attribute(one, "class") == "title"]
            for title in map(self._words, titles):
                self.writer.put_title(title, is_hidden=self.styles.is_hidden(page))
            for shape in page:
                if shape not in titles and attribute(shape, "class") not in _MARGINS:
                    self._read_block(shape)
            for notes in page.iterfind("{*}notes"):
                words = " ".join(filter(None, (self._words(one) for one in notes.iter("{*}text-box"))))
                self._put(f"Notes: {words}" if words else "")
            self._flush()

    def sheets(self, body: etree._Element) -> None:
        """Write the tables of a spreadsheet."""
        for table in body.iterfind("{*}table"):
            sheet = Sheet(attribute(table, "name"), self.styles.is_hidden(table))
            usual, row = _styles_of_columns(table), 1
            for element, is_head in _rows(table):
                repeated = number_in(attribute(element, "number-rows-repeated"), 1)
                self._read_row(sheet, element, range(row, row + repeated), is_head, usual)
                row += repeated
            sheet.others = [self._words(box) for box in table.iterfind("{*}shapes//{*}text-box")]
            for frame in table.iter("{*}frame"):
                self._count_unread(frame)
            sheet.write(self.writer)

    def _read_row(
        self, sheet: Sheet, element: etree._Element, rows: range, is_head: bool, usual: Sequence[tuple[int, str]]
    ) -> None:
        """Read a row that stands for all ``rows``; ``usual`` are the last columns of areas with their usual styles."""
        column = 1
        for cell in element.iterfind("{*}*"):
            repeated = number_in(attribute(cell, "number-columns-repeated"), 1)
            columns, column = range(column, column + repeated), column + repeated
            text = self._words(cell)
            for comment in self._later:
                if etree.QName(comment).localname == "annotation":
                    sheet.comments.append((name_of(rows[0], columns[0]), *self._comment(comment)))
            self._later.clear()
            if etree.QName(cell).localname != "table-cell":
                continue  # a merged cell covers it
            text = text or next(filter(None, (attribute(cell, name) for name in _VALUES)), "")
            if not text:
                self.unread.update(("uncomputed formula",) if attribute(cell, "formula") else ())
                continue
            self._cells += len(rows) * repeated
            check_count(self._cells)
            is_value = attribute(cell, "value-type") not in ("", "string")
            style = next((style for last, style in usual if columns[0] <= last), "")
            (wide, high), is_name = _spans(cell), is_head or self.styles.is_bold_cell(cell, style)
            sheet.cells += [Filled(row, at, text, is_name, is_value, high, wide) for row in rows for at in columns]

    def _put(self, text: str) -> None:
        self.writer.put_block(BlockKind.PARAGRAPH, text)

    def _read(self, element: etree._Element) -> None:
        for child in element.iterfind("{*}*"):
            self._read_block(child)

    def _read_block(self, element: etree._Element) -> None:
        match etree.QName(element).localname:
            case "p" | "h":
                self._read_paragraph(element)
            case "list":
                self._read_list(element)
            case "table":
                self._read_table(element)
            case "annotation":
                self._later.append(element)
            case name if name not in _SKIPPED:
                self._count_unread(element)
                self._read(element)

    def _read_paragraph(self, element: etree._Element) -> None:
        text = self._inline(element)
        mark, self._mark = self._mark, ""
        if etree.QName(element).localname == "p" and self.styles.is_title(element):
            self.writer.put_block(BlockKind.HEADING, text, level=1)
        elif etree.QName(element).localname == "h":
            level = number_in(attribute(element, "outline-level"), 1)
            if not self._lists and text and attribute(element, "is-list-header") != "true":
                mark = self.styles.heading_number(level)
            mark = mark.removeprefix("- ")
            self.writer.put_block(BlockKind.HEADING, mark + text, level=level)
        elif self._lists and text:
            added = ((0, len(mark)),) if mark else ()
            self.writer.put_block(BlockKind.LIST_ITEM, mark + text, level=len(self._lists), added=added)
        else:
            self._put(text)
        self._flush()

    def _flush(self) -> None:
        """Write the comments and drawn things of the paragraph that was read."""
        later, self._later, lists, self._lists = self._later, [], self._lists, []
        for element in later:
            if etree.QName(element).localname == "annotation":
                author, words = self._comment(element)
                self._put(f"Comment by {author or 'a reader'}: {words}")
            else:
                self._read_block(element)
        self._lists = lists

    def _comment(self, element: etree._Element) -> tuple[str, str]:
        return element.findtext("{*}creator") or "", self._words(element)

    def _read_list(self, element: etree._Element) -> None:
        style = attribute(element, "style-name") or (self._lists[-1] if self._lists else "")
        goes_on = attribute(element, "continue-numbering") or attribute(element, "continue-list")
        if style not in self._lists[-1:] and not goes_on:
            self.styles.restart(style)
        self._lists.append(style)
        for item in element.iterfind("{*}*"):
            is_item, words = etree.QName(item).localname == "list-item", item.find("*")
            if is_item and words is not None and etree.QName(words).localname != "list":
                start = number_in(attribute(item, "start-value"), -1)
                self._mark = self.styles.item_mark(style, len(self._lists) - 1, start)
            self._read(item)
        self._lists.pop()
        self._mark = ""

    def _read_table(self, table: etree._Element) -> None:
        rows: list[list[Cell]] = []
        for row, is_head in _rows(table):
            rows.append([])
            for cell in row.iterfind("{*}table-cell"):
                columns, height = _spans(cell)
                made = Cell(self._words(cell), is_head or self.styles.is_bold_cell(cell), columns, height)
                rows[-1] += [made] * min(number_in(attribute(cell, "number-columns-repeated"), 1), MAX_COLUMNS)
        put_rows(rows, self.writer)
        self._flush()

    def _count_unread(self, element: etree._Element) -> None:
        """Count a picture, a chart or a formula; a picture beside an object or a table only stands for it."""
        kinds = {etree.QName(child).localname: child for child in element.iterfind("{*}*")}
        if "object" in kinds or "object-ole" in kinds:
            target = attribute(kinds.get("object", element), "href").removeprefix("./").rstrip("/") + "/"
            kind = self.media.get(target, "").rpartition(".")[2]
            self.unread[kind if kind in ("chart", "formula") else "embedded object"] += 1
        elif "image" in kinds and "table" not in kinds:
            self.unread["picture"] += 1

    def _words(self, element: etree._Element) -> str:
        """Return the words of all paragraphs below an element as one line."""
        found = []
        for child in element.iterfind("{*}*"):
            match etree.QName(child).localname:
                case "p" | "h":
                    found.append(self._inline(child))
                case "annotation":
                    self._later.append(child)
                case name if name not in _SKIPPED:
                    found.append(self._words(child))
        return " ".join(filter(None, found))

    def _inline(self, element: etree._Element) -> str:
        """Return the words of a paragraph as one line."""
        return " ".join("".join(self._pieces(element)).split())

    def _pieces(self, element: etree._Element) -> Iterator[str]:
        yield element.text or ""
        for child in element.iterfind("{*}*"):
            name = etree.QName(child).localname
            if name in ("s", "tab", "line-break"):
                yield " "
            elif name == "note":
                number = child.findtext("{*}note-citation") or "*"
                yield f"[{number}]"
                self._notes += [f"{number}. {self._words(body)}" for body in child.iterfind("{*}note-body")]
            elif name == "annotation" or name in _APART - {"a"} or etree.QName(child).namespace.endswith("drawing:1.0"):
                self._later.append(child)
            elif name not in _SKIPPED:
                yield from self._pieces(child)
            yield child.tail or ""


def _rows(table: etree._Element, *, are_heads: bool = False) -> Iterator[tuple[etree._Element, bool]]:
    """Yield the rows of a table, and whether each repeats as a header."""
    for child in table.iterfind("{*}*"):
        name = etree.QName(child).localname
        if name == "table-row":
            yield child, are_heads
        elif name in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(child, are_heads=are_heads or name == "table-header-rows")


def _styles_of_columns(table: etree._Element) -> list[tuple[int, str]]:
    """Return the usual style of cells of neighbouring columns, each with the number of the last column."""
    found, last = [], 0
    for column in table.iter("{*}table-column"):
        last += number_in(attribute(column, "number-columns-repeated"), 1)
        found.append((last, attribute(column, "default-cell-style-name")))
    return found


def _spans(cell: etree._Element) -> tuple[int, int]:
    columns, rows = (number_in(attribute(cell, f"number-{what}-spanned"), 1) for what in ("columns", "rows"))
    return max(columns, 1), max(rows, 1)


def _only_numbers_pages(part: etree._Element) -> bool:
    words = [word for word in "".join(part.itertext()).split() if any(map(str.isalpha, word))]
    return next(part.iter("{*}page-number"), None) is not None and len(words) <= 2
