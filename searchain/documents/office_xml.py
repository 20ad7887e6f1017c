"""Open packed files, of which hostile ones are refused before anything is unpacked, and read the XML of office files.

Runs in the child process only."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from searchain.documents import limits
from searchain.documents.writer import Writer
from searchain.errors import DocumentRefused


def open_zip(content: bytes) -> zipfile.ZipFile:
    """Open a zip whose entries keep within the limits.

    ``zipfile`` never reads more of an entry than its stated size, so checking the stated sizes is enough.

    Raises:
        DocumentRefused: the zip is damaged, has a password, or is too large when unpacked.
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
    """Read one entry whole.

    Raises:
        KeyError: no entry has this name.
        DocumentRefused: the entry is damaged.
    """
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

    Raises:
        lxml.etree.XMLSyntaxError: the XML is not well-formed.
    """
    parser = etree.XMLParser(**SAFE, huge_tree=False)
    return etree.fromstring(content, parser)


class Relation(NamedTuple):
    """How a part of a file names another part."""

    id: str
    kind: str
    """Such as ``comments``."""
    target: str


def relations(packed: zipfile.ZipFile, part: str) -> list[Relation]:
    """Return the parts that ``part`` names, in order."""
    folder, file = posixpath.split(part)
    try:
        found = read_xml(read_entry(packed, posixpath.join(folder, "_rels", f"{file}.rels")))
    except KeyError:
        return []
    return [
        Relation(
            one.get("Id") or "",
            (one.get("Type") or "").rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, one.get("Target") or "")).lstrip("/"),
        )
        for one in found.iter("{*}Relationship")
    ]


def parts_of(packed: zipfile.ZipFile, named: Iterable[Relation], *kinds: str) -> Iterator[etree._Element]:
    """Yield those of the ``named`` parts that are there and have one of ``kinds``, such as ``comments``."""
    for relation in named:
        if relation.kind in kinds and relation.target in packed.NameToInfo:
            yield read_xml(read_entry(packed, relation.target))


def part_of(packed: zipfile.ZipFile, part: str, kind: str) -> etree._Element:
    """Return the part of one kind that ``part`` names; an empty element without one."""
    return next(parts_of(packed, relations(packed, part), kind), etree.Element("none"))


def main_part(packed: zipfile.ZipFile, usual: str) -> str:
    """Return the name of the part with the document itself."""
    return next((target for _, kind, target in relations(packed, "") if kind == "officeDocument"), usual)


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
