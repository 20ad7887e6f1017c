"""Read the XML of office files. Runs in the child process only."""

from __future__ import annotations

from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of Word documents."""


def read_xml(content: bytes) -> etree._Element:
    """Parse XML without entities, network or unlimited depth.

    Raises:
        lxml.etree.XMLSyntaxError: the XML is not well-formed.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    return etree.fromstring(content, parser)


def child_value(element: etree._Element | None, *path: str) -> str | None:
    """Return what ``w:val`` says in the element at ``path`` below ``element``; ``None`` without it."""
    found = element.find("/".join(f"{W}{name}" for name in path)) if element is not None else None
    return found.get(f"{W}val") if found is not None else None


def child_number(element: etree._Element | None, *path: str) -> int | None:
    """Return ``child_value`` as a number; ``None`` if it is not a number of at most six digits."""
    value = child_value(element, *path) or ""
    return int(value) if value.isdecimal() and len(value) <= 6 else None
