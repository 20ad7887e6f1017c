"""Read the sheets of an Excel workbook, with the values that it shows. Runs in the child process only."""

import io
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from lxml import etree

from searchain.documents.office_xml import (
    SAFE,
    Relation,
    is_on,
    main_part,
    number_in,
    open_zip,
    part_of,
    read_entry,
    read_xml,
    relation_id,
    relations,
    stated_title,
    text_of,
)
from searchain.documents.sheets import BUILT_IN, Filled, Sheet, check_count, shown
from searchain.documents.writer import Writer, own_title

_UNREAD = {"pic": "picture", "graphicFrame": "chart"}  # elements of a drawing that are not read → what people call one
_BESIDE = frozenset(("table", "comments", "threadedComment", "drawing"))
"""The kinds of parts of a sheet that are read beside its cells."""
_Area = tuple[int, int, int, int]  # the first row and column and the last row and column of a range of cells


def read(content: bytes, writer: Writer) -> str | None:
    """Write every sheet, and return the title that the workbook states."""
    with open_zip(content) as packed:
        book = _Book(packed)
        for sheet in book.sheets():
            sheet.write(writer)
        writer.leave_out(book.unread)
        return own_title(stated_title(packed, writer))


@dataclass(frozen=True, slots=True)
class _Look:
    code: str = "General"
    is_bold: bool = False


@dataclass
class _Book:
    """The parts of a workbook that its sheets refer to."""

    packed: zipfile.ZipFile
    unread: Counter[str] = field(default_factory=Counter)
    _count: int = 0

    @cached_property
    def _main(self) -> str:
        return main_part(self.packed, "xl/workbook.xml")

    def _part(self, kind: str) -> etree._Element:
        return part_of(self.packed, self._main, kind)

    @cached_property
    def _texts(self) -> list[str]:
        return [text_of(item) for item in self._part("sharedStrings").iterfind("{*}si")]

    @cached_property
    def _looks(self) -> dict[int, _Look]:
        part = self._part("styles")
        codes = dict(BUILT_IN)
        for one in part.iterfind("{*}numFmts/{*}numFmt"):
            codes[number_in(one.get("numFmtId"))] = one.get("formatCode") or "General"
        bold = {n: is_on(font.find("{*}b")) for n, font in enumerate(part.iterfind("{*}fonts/{*}font"))}
        styles = part.iterfind("{*}cellXfs/{*}xf")
        looks = ((number_in(style.get("numFmtId")), number_in(style.get("fontId"))) for style in styles)
        return {n: _Look(codes.get(code, "General"), bold.get(font, False)) for n, (code, font) in enumerate(looks)}

    @cached_property
    def _people(self) -> dict[str | None, str]:
        return {one.get("id"): one.get("displayName") or "" for one in self._part("person")}

    def sheets(self) -> Iterator[Sheet]:
        root = read_xml(read_entry(self.packed, self._main))
        settings = root.find("{*}workbookPr")
        from_1904 = settings is not None and settings.get("date1904") in ("1", "true")
        named = relations(self.packed, self._main)
        for element in root.iterfind("{*}sheets/{*}sheet"):
            if (relation := named.get(relation_id(element))) is None:
                continue
            sheet = Sheet(element.get("name") or "", element.get("state") in ("hidden", "veryHidden"))
            if relation.kind == "chartsheet":
                self.unread["chart"] += 1
            elif relation.kind == "worksheet":
                self._read_cells(sheet, relation.target, from_1904)
            yield sheet

    def _read_cells(self, sheet: Sheet, part: str, from_1904: bool) -> None:
        others = relations(self.packed, part).values()
        xml = {one: read_xml(read_entry(self.packed, one.target)) for one in others if one.kind in _BESIDE}
        heads: list[_Area] = []
        for relation, root in xml.items():
            if relation.kind == "table" and root.get("headerRowCount") != "0":
                top, left, _, right = _area(root.get("ref"))
                heads.append((top, left, top, right))
        cells, merged = self._cells(part, heads, from_1904)
        spans = {(top, left): (bottom - top + 1, right - left + 1) for top, left, bottom, right in merged}
        for cell in cells:
            is_head = any(t <= cell.row <= b and le <= cell.column <= r for t, le, b, r in heads)
            rows, columns = spans.get((cell.row, cell.column), (1, 1))
            if is_head or rows * columns > 1:
                cell = replace(cell, is_name=cell.is_name or is_head, rows=rows, columns=columns)
            sheet.cells.append(cell)
        sheet.comments = list(self._comments(xml))
        self._read_drawings(sheet, (root for relation, root in xml.items() if relation.kind == "drawing"))

    def _read_drawings(self, sheet: Sheet, drawings: Iterable[etree._Element]) -> None:
        """Take the words of text boxes, and count what is not read."""
        for drawing in drawings:
            etree.strip_elements(drawing, "{*}Fallback")  # what older programs show instead
            self.unread.update(name for tag, name in _UNREAD.items() for _ in drawing.iter(f"{{*}}{tag}"))
            sheet.others += [text_of(shape) for shape in drawing.iter("{*}txBody")]

    def _cells(self, part: str, heads: list[_Area], from_1904: bool) -> tuple[list[Filled], list[_Area]]:
        """Return the filled cells of a sheet and its merged ranges; add to ``heads`` the rows that name columns."""
        cells: list[Filled] = []
        merged: list[_Area] = []
        row = column = 0
        tags = ["{*}row", "{*}c", "{*}mergeCell", "{*}autoFilter", "{*}pane"]
        source = io.BytesIO(read_entry(self.packed, part))
        walk = etree.iterparse(source, events=("start", "end"), tag=tags, **SAFE)
        for event, element in walk:
            tag = etree.QName(element).localname
            if tag == "row":
                if event == "start":
                    row, column = number_in(element.get("r")) or row + 1, 0
                else:
                    element.clear()
            elif event == "start":
                continue
            elif tag == "c":
                _, column = _place(element.get("r")) if element.get("r") else (row, column + 1)
                look = self._looks.get(number_in(element.get("s")), _Look())
                text, is_value = self._shown(element, look, from_1904)
                if text:
                    cells.append(Filled(row, column, text, look.is_bold, is_value))
            elif tag == "mergeCell":
                merged.append(_area(element.get("ref")))
            elif tag == "autoFilter":
                top, left, _, right = _area(element.get("ref"))
                heads.append((top, left, top, right))
            elif element.get("state") == "frozen" and element.get("ySplit"):
                heads.append((1, 1, int(float(element.get("ySplit") or 0)), 1 << 20))
        self._count += len(cells)
        check_count(self._count)
        return cells, merged

    def _shown(self, cell: etree._Element, look: _Look, from_1904: bool) -> tuple[str, bool]:
        """Return what a cell shows, and whether it is a number or a date."""
        kind, value = cell.get("t"), cell.findtext("{*}v")
        if kind == "inlineStr":
            return text_of(cell), False
        if not value:
            is_uncomputed = cell.find("{*}f") is not None and kind != "str"
            self.unread.update(("uncomputed formula",) if is_uncomputed else ())
            return "", False
        match kind:
            case "s":
                number = number_in(value, -1)
                return (self._texts[number] if 0 <= number < len(self._texts) else ""), False
            case "b":
                return ("TRUE" if value == "1" else "FALSE"), False
            case None | "n":
                try:
                    return shown(float(value), look.code, from_1904=from_1904), True
                except (ValueError, OverflowError):
                    return value, True
        return " ".join(value.split()), kind == "d"

    def _comments(self, xml: dict[Relation, etree._Element]) -> Iterator[tuple[str, str, str]]:
        """Yield the cell, the author and the words of each comment; those of a thread stand also in an older form."""
        threads = [one for relation, root in xml.items() if relation.kind == "threadedComment" for one in root]
        yield from ((one.get("ref") or "", self._people.get(one.get("personId"), ""), text_of(one)) for one in threads)
        threaded = {one.get("ref") for one in threads}
        for relation, root in xml.items():
            if relation.kind != "comments":
                continue
            authors = [author.text or "" for author in root.iter("{*}author")]
            for one in root.iter("{*}comment"):
                author = dict(enumerate(authors)).get(number_in(one.get("authorId")), "")
                if one.get("ref") not in threaded:
                    yield one.get("ref") or "", author, text_of(one).removeprefix(f"{author}:").strip()


def _place(name: str) -> tuple[int, int]:
    """Return the row and the column of a cell by its name, such as ``AB12``."""
    letters = name.rstrip("0123456789")
    column = 0
    for letter in letters.upper():
        column = 26 * column + ord(letter) - ord("A") + 1
    return number_in(name[len(letters) :]), column


def _area(stated: str | None) -> _Area:
    """Return the range that ``stated`` names, such as ``A1:D10``."""
    first, _, last = (stated or "").partition(":")
    return *_place(first), *_place(last or first)
