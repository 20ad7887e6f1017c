"""Read the slides of a PowerPoint presentation. Runs in the child process only."""

import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from searchain.documents.office_xml import (
    Relation,
    main_part,
    number_in,
    open_zip,
    parts_of,
    read_entry,
    read_xml,
    relation_id,
    relations,
    stated_title,
    text_of,
)
from searchain.documents.parsed import BlockKind
from searchain.documents.sheets import shown
from searchain.documents.tables import Cell, Line, put_lines, put_rows, written
from searchain.documents.writer import Writer, title_of

_SKIPPED = frozenset(("sldNum", "dt", "sldImg", "hdr"))  # placeholders that hold the number or the date of a slide
_UNREAD = {"pic": "picture", "oMath": "formula", "oleObj": "embedded object"}
"""Elements that are not read → what people call one."""


def read(content: bytes, writer: Writer) -> str | None:
    """Write every slide; return the title in the properties, or else that of the first slide."""
    with open_zip(content) as packed:
        main = main_part(packed, "ppt/presentation.xml")
        root = read_xml(read_entry(packed, main))
        named = relations(packed, main)
        authors = [one for part in parts_of(packed, named.values(), "commentAuthors", "authors") for one in part]
        show = _Show(packed, writer, {one.get("id"): one.get("name") or "" for one in authors})
        first = number_in(root.get("firstSlideNum"), 1)
        for number, element in enumerate(root.iterfind("{*}sldIdLst/{*}sldId"), first):
            if slide := named.get(relation_id(element)):
                show.read_slide(number, slide.target)
        writer.leave_out(show.unread)
        return title_of(stated_title(packed, writer), writer)


@dataclass
class _Show:
    """A presentation that is being written."""

    packed: zipfile.ZipFile
    writer: Writer
    authors: dict[str | None, str]  # of comments
    unread: Counter[str] = field(default_factory=Counter)
    _footers: set[str] = field(default_factory=set)

    def read_slide(self, number: int, part: str) -> None:
        """Write the title, the shapes, the notes and the comments of a slide."""
        slide, named = read_xml(read_entry(self.packed, part)), relations(self.packed, part)
        etree.strip_elements(slide, "{*}Fallback")  # what older programs show instead
        self.unread.update(name for tag, name in _UNREAD.items() for _ in slide.iter(f"{{*}}{tag}"))
        self.writer.label(f"slide {number}")
        shapes = list(slide.iter("{*}sp", "{*}graphicFrame"))
        shapes.sort(key=lambda shape: _role(shape) not in ("title", "ctrTitle"))
        for shape in shapes:
            role = _role(shape)
            if role in ("title", "ctrTitle"):
                self.writer.put_title(text_of(shape), is_hidden=slide.get("show") == "0")
            elif etree.QName(shape).localname == "graphicFrame":
                self._write_frame(shape, named)
            elif role == "ftr":
                self._write_footer(text_of(shape))
            elif role not in _SKIPPED:
                self._write_paragraphs(shape, are_items=role in ("body", "obj"))
        for notes in parts_of(self.packed, named.values(), "notesSlide"):
            bodies = [text_of(shape) for shape in notes.iter("{*}sp") if _role(shape) == "body"]
            self._put("Notes: ", *filter(None, bodies))
        for comments in parts_of(self.packed, named.values(), "comments"):
            for comment in comments.iter("{*}cm", "{*}reply"):
                words = [text_of(one) for one in comment if etree.QName(one).localname in ("text", "txBody")]
                self._put(f"Comment by {self.authors.get(comment.get('authorId')) or 'a reader'}: ", *words)

    def _put(self, head: str, *texts: str) -> None:
        if texts:
            self.writer.put_block(BlockKind.PARAGRAPH, head + " ".join(texts))

    def _write_footer(self, text: str) -> None:
        """Write what stands below every slide, once."""
        if text not in self._footers:
            self._footers.add(text)
            self.writer.put_block(BlockKind.PARAGRAPH, text)

    def _write_paragraphs(self, shape: etree._Element, *, are_items: bool) -> None:
        paragraphs = [one for one in shape.iterfind("{*}txBody/{*}p") if text_of(one)]
        numbers: dict[int, int] = {}
        for paragraph in paragraphs:
            if (look := paragraph.find("{*}pPr")) is None:
                look = etree.Element("none")
            level = number_in(look.get("lvl"))
            bullet = next((etree.QName(one).localname for one in look if "}bu" in one.tag), "")
            form = {"buNone": "none", "buAutoNum": "number", "buChar": "mark", "buBlip": "mark"}.get(bullet, "")
            numbers = {deep: count for deep, count in numbers.items() if deep < level + (form == "number")}
            text = text_of(paragraph)
            if form == "none" or not (form or (are_items and len(paragraphs) > 1)):
                self.writer.put_block(BlockKind.PARAGRAPH, text)
                continue
            if form == "number":
                start = number_in(look.find("{*}buAutoNum").get("startAt"), 1)
                numbers[level] = numbers.get(level, start - 1) + 1
            mark = f"{numbers[level]}. " if form == "number" else "- "
            self.writer.put_block(BlockKind.LIST_ITEM, mark + text, level=level + 1, added=((0, len(mark)),))

    def _write_frame(self, frame: etree._Element, named: Mapping[str, Relation]) -> None:
        if (table := frame.find(".//{*}tbl")) is not None:
            put_rows(_rows(table), self.writer)
            return
        ids = {value for one in frame.iter() for name, value in one.items() if name.endswith(("}id", "}dm"))}
        parts = [named[id] for id in ids if id in named]
        for chart in parts_of(self.packed, parts, "chart"):
            title, lines = chart.find("{*}chart/{*}title"), _chart_lines(chart)
            self.writer.put_block(BlockKind.PARAGRAPH, text_of(title) if title is not None else "")
            put_lines(lines, self.writer)
            self.unread.update(() if lines else ("chart",))
        for diagram in parts_of(self.packed, parts, "diagramData"):
            for point in diagram.iter("{*}pt"):
                self.writer.put_block(BlockKind.PARAGRAPH, text_of(point))


def _role(shape: etree._Element) -> str | None:
    """Return what a shape is for, such as ``title``; ``None`` if it is not a placeholder."""
    place = shape.find("*/{*}nvPr/{*}ph")
    return place.get("type", "obj") if place is not None else None


def _rows(table: etree._Element) -> list[list[Cell]]:
    look = table.find("{*}tblPr")
    has_head = look is not None and look.get("firstRow") in ("1", "true")
    return [
        [
            Cell(
                text_of(cell), (has_head and not number) or _is_bold(cell), number_in(cell.get("gridSpan"), 1),
                number_in(cell.get("rowSpan"), 1),
            )
            for cell in row.iterfind("{*}tc")
            if cell.get("hMerge") is None and cell.get("vMerge") is None
        ]
        for number, row in enumerate(table.iterfind("{*}tr"))
    ]  # fmt: skip


def _is_bold(cell: etree._Element) -> bool:
    looks = [run.find("{*}rPr") for run in cell.iter("{*}r")]
    return bool(looks) and all(look is not None and look.get("b") in ("1", "true") for look in looks)


def _chart_lines(chart: etree._Element) -> list[Line]:
    """Return the values of a chart, a row for each category; no rows if its series have no categories."""
    rows: dict[str, list[tuple[str, str, Cell]]] = {}
    for series in chart.iter("{*}ser"):
        names, values, title = (series.find(f"{{*}}{tag}") for tag in ("cat", "val", "tx"))
        if names is None or values is None:
            return []
        name = f"{_values(title)}: " if title is not None else ""
        shown_values = dict(_points(values))
        for id, category in _points(names):
            row = rows.setdefault(id, [("", "", Cell(category))])
            row += [("; ", name, Cell(shown_values[id]))] if id in shown_values else []
    return [written(row) for row in rows.values()]


def _points(data: etree._Element) -> Iterator[tuple[str, str]]:
    """Yield the index and the words of each point of a series."""
    code = data.findtext(".//{*}formatCode") or "General"
    is_number = data.find(".//{*}numCache") is not None
    for point in data.iter("{*}pt"):
        text = _values(point)
        yield point.get("idx") or "", _value(text, code) if is_number else text


def _values(element: etree._Element) -> str:
    """Return the words of the ``c:v`` below an element of a chart."""
    return " ".join(" ".join(one.text or "" for one in element.iter("{*}v")).split())


def _value(text: str, code: str) -> str:
    try:
        return shown(float(text), code)
    except (ValueError, OverflowError):
        return text
