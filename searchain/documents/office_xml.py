"""Open packed files, of which hostile ones are refused before anything is unpacked, and read the XML of office files.

Runs in the child process only."""

import io
import posixpath
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from searchain.documents import limits
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused


def open_zip(content: bytes) -> zipfile.ZipFile:
    """Open a zip whose entries keep within the limits.

    ``zipfile`` never reads more of an entry than its stated size, so checking the stated sizes is enough. Raises
    ``DocumentRefused`` if the zip is damaged, has a password, or is too large when unpacked.
    """
    try:
        packed = zipfile.ZipFile(io.BytesIO(content))
        entries = packed.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise DocumentRefused("failed", "The file is damaged or incomplete and cannot be unpacked.") from error
    if len(entries) > limits.MAX_ENTRIES:
        raise DocumentRefused(
            "too_large", f"The file packs {len(entries):,} entries; at most {limits.MAX_ENTRIES:,} are read."
        )
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > limits.MAX_UNPACKED:
        raise DocumentRefused(
            "too_large",
            f"The file unpacks to {unpacked / 1e6:,.0f} MB; at most {limits.MAX_UNPACKED / 1e6:.0f} MB are read.",
        )
    if unpacked > limits.RATIO_FROM and unpacked > limits.MAX_RATIO * len(content):
        raise DocumentRefused(
            "too_large", f"The file unpacks to {unpacked / len(content):,.0f} times its size, as zip bombs do."
        )
    if any(entry.flag_bits & 1 for entry in entries):
        raise DocumentRefused("encrypted", "The file is packed with a password; pack it without one.")
    return packed


def read_entry(packed: zipfile.ZipFile, name: str) -> bytes:
    """Read one entry whole. Raises ``KeyError`` if none has this name, and ``DocumentRefused`` if it is damaged."""
    try:
        return packed.read(name)
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise DocumentRefused("failed", "The file is damaged or incomplete and cannot be unpacked.") from error


W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of Word documents."""

SAFE: dict[str, bool] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
}
"""How XML of strangers is parsed."""


def read_xml(content: bytes) -> etree._Element:
    """Parse XML without comments, entities, network or unlimited depth.

    Raises ``lxml.etree.XMLSyntaxError`` if the XML is not well-formed.
    """
    parser = etree.XMLParser(**SAFE, huge_tree=False)
    return etree.fromstring(content, parser)


class Relation(NamedTuple):
    """How a part of a file names another part."""

    kind: str
    """Such as ``comments``."""
    target: str


def relations(packed: zipfile.ZipFile, part: str) -> dict[str, Relation]:
    """Return the parts that ``part`` names and that are there, by the ids of their relations."""
    folder, file = posixpath.split(part)
    try:
        found = read_xml(read_entry(packed, posixpath.join(folder, "_rels", f"{file}.rels")))
    except KeyError:
        return {}
    named: dict[str, Relation] = {}
    for one in found.iter("{*}Relationship"):
        target = posixpath.normpath(posixpath.join("/", folder, one.get("Target") or "")).lstrip("/")
        if target in packed.NameToInfo:
            named[one.get("Id") or ""] = Relation((one.get("Type") or "").rpartition("/")[2], target)
    return named


def relation_id(element: etree._Element) -> str:
    """Return the id of the relation that an element names; ``""`` without one."""
    return next((value for name, value in element.items() if name.endswith("}id")), "")


def parts_of(packed: zipfile.ZipFile, named: Iterable[Relation], *kinds: str) -> Iterator[etree._Element]:
    """Yield those of the ``named`` parts that have one of ``kinds``, such as ``comments``."""
    for relation in named:
        if relation.kind in kinds:
            yield read_xml(read_entry(packed, relation.target))


def part_of(packed: zipfile.ZipFile, part: str, kind: str) -> etree._Element:
    """Return the part of one kind that ``part`` names; an empty element without one."""
    return next(parts_of(packed, relations(packed, part).values(), kind), etree.Element("none"))


def main_part(packed: zipfile.ZipFile, usual: str) -> str:
    """Return the name of the part with the document itself."""
    return next((target for kind, target in relations(packed, "").values() if kind == "officeDocument"), usual)


def stated_title(packed: zipfile.ZipFile, writer: Writer, part: str = "docProps/core.xml") -> str | None:
    """Return the title in the properties of a file; keep the author and the date in them."""
    try:
        properties = read_xml(read_entry(packed, part))
    except (KeyError, etree.XMLSyntaxError):
        return None
    core = "{http://purl.org/dc/elements/1.1/}"
    writer.author = properties.findtext(f".//{core}creator") or ""
    writer.changed = properties.findtext(".//{http://purl.org/dc/terms/}modified") or ""
    writer.changed = writer.changed or properties.findtext(f".//{core}date") or ""
    return properties.findtext(f".//{core}title")


def text_of(element: etree._Element) -> str:
    """Return the words of an element as one line, without those that say how characters are pronounced."""
    words = (
        (one.text or "") if etree.QName(one).localname in ("t", "text") else " "
        for one in element.iter("{*}t", "{*}text", "{*}p", "{*}br", "{*}tab")
        if etree.QName(one.getparent()).localname != "rPh"
    )
    return " ".join("".join(words).split())


def number_in(text: str | None, otherwise: int = 0) -> int:
    """Return a number of at most nine digits; ``otherwise`` for any other text."""
    return int(text) if text and text.isdecimal() and len(text) < 10 else otherwise


def is_on(element: etree._Element | None) -> bool:
    """Tell whether a property such as bold is there and not switched off."""
    return element is not None and element.get("val", "1") not in ("0", "false")


def child_value(element: etree._Element | None, *path: str) -> str | None:
    """Return what ``w:val`` says in the element at ``path`` below ``element``; ``None`` without it."""
    found = element.find("/".join(f"{W}{name}" for name in path)) if element is not None else None
    return found.get(f"{W}val") if found is not None else None


def child_number(element: etree._Element | None, *path: str) -> int | None:
    """Return ``child_value`` as a number; ``None`` if it is not a number of at most six digits."""
    value = child_value(element, *path) or ""
    return int(value) if value.isdecimal() and len(value) <= 6 else None


LEVELS = 9
"""How many levels a list of Word has."""
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written


def _letters(number: int) -> str:
    """Write 1 as ``a``, 26 as ``z``, 27 as ``aa``, 28 as ``bb``."""
    times, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (times + 1)


_WRITERS: dict[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
}
MOST_SPECIAL = 999
"""The greatest number that is written in letters or Roman; a greater one is written in digits."""


@dataclass(frozen=True, slots=True)
class Level:
    start: int
    form: str
    text: str
    """Its label, with ``%1`` for the number of the first level."""
    style: str | None
    """The style of paragraphs that have this level."""


@dataclass(slots=True)
class NumberedList:
    """A list with its levels and the numbers so far, which several ``w:num`` may continue."""

    levels: dict[int, Level]
    reached: dict[int, int] = field(default_factory=dict)

    def next(self, level: int) -> str:
        """Count one more paragraph of ``level``, and return its label."""
        known = self.levels[level]
        self.reached[level] = self.reached.get(level, known.start - 1) + 1
        for deeper in range(level + 1, LEVELS):
            self.reached.pop(deeper, None)
        if known.form in ("bullet", "none"):
            return ""
        label = known.text
        for number in range(level + 1):
            if (part := self.levels.get(number)) is not None:
                reached = self.reached.get(number, part.start)
                write = _WRITERS.get(part.form, str) if 0 < reached <= MOST_SPECIAL else str
                label = label.replace(f"%{number + 1}", write(reached))
        return label.strip()


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers of a document's paragraphs, which must be asked for in order."""

    _lists: dict[str, NumberedList]
    _restarts: dict[str, dict[int, int]]
    _styles: dict[str, tuple[str | None, int | None]]

    def label(self, paragraph: etree._Element) -> str:
        """Return the label of the next paragraph; ``""`` without one, or if it is a mere bullet."""
        properties = paragraph.find(f"{W}pPr")
        style = child_value(properties, "pStyle") or ""
        of_style, level_of_style = self._styles.get(style, (None, None))
        id = child_value(properties, "numPr", "numId") or of_style or ""
        found = self._lists.get(id)
        if found is None:
            return ""
        level = child_number(properties, "numPr", "ilvl")
        if level is None:
            linked = (number for number, one in found.levels.items() if one.style == style)
            level = level_of_style if level_of_style is not None else next(linked, 0)
        if level not in found.levels:
            return ""
        for restarted, start in self._restarts.pop(id, {}).items():
            found.reached[restarted] = start - 1
        return found.next(level)


def numbers_of(numbering: etree._Element, styles: etree._Element) -> Numbers:
    """Read the lists of a document, and the styles that number their paragraphs."""
    abstract, lists, restarts = {}, {}, {}
    for one in numbering:
        if one.tag == f"{W}abstractNum":
            abstract[one.get(f"{W}abstractNumId")] = NumberedList(_levels(one))
        elif one.tag == f"{W}num" and (known := abstract.get(child_value(one, "abstractNumId"))) is not None:
            id = one.get(f"{W}numId") or ""
            lists[id] = known
            restarts[id] = {
                int(override.get(f"{W}ilvl") or 0): start
                for override in one.iter(f"{W}lvlOverride")
                if (start := child_number(override, "startOverride")) is not None
            }
    return Numbers(lists, restarts, _numbered_styles(styles))


def _levels(one: etree._Element) -> dict[int, Level]:
    return {
        int(level.get(f"{W}ilvl") or 0): Level(
            start=child_number(level, "start") or 0,
            form="decimal" if level.find(f"{W}isLgl") is not None else child_value(level, "numFmt") or "decimal",
            text=child_value(level, "lvlText") or "",
            style=child_value(level, "pStyle"),
        )
        for level in one.iter(f"{W}lvl")
    }


def _numbered_styles(styles: etree._Element) -> dict[str, tuple[str | None, int | None]]:
    """Map each paragraph style to its list and level, its own or those of the style that it is based on."""
    known = {style.get(f"{W}styleId") or "": style for style in styles.iter(f"{W}style")}
    found: dict[str, tuple[str | None, int | None]] = {}
    for id in known:
        style, depth = known.get(id), 0
        while style is not None and depth < LEVELS:
            if (number := child_value(style, "pPr", "numPr", "numId")) is not None:
                found[id] = number, child_number(style, "pPr", "numPr", "ilvl")
                break
            style, depth = known.get(child_value(style, "basedOn") or ""), depth + 1
    return found
