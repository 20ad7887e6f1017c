"""Read the XML of office files. Runs in the child process only."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lxml import etree

from searchain.documents.writer import Writer
from searchain.documents.zips import read_entry

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
