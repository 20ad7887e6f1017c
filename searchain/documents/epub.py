"""Convert an EPUB book to document text, its chapters in spine order. Runs in the child process only."""

import posixpath
from contextlib import suppress
from urllib.parse import unquote

from lxml import etree

from searchain.documents.decoding import decode
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.office_xml import open_zip, read_entry, read_xml
from searchain.documents.writer import Writer, title_of
from searchain.errors import DocumentRefused

_TITLE, _CREATOR, _DATE = (f"{{http://purl.org/dc/elements/1.1/}}{name}" for name in ("title", "creator", "date"))


def read(content: bytes, writer: Writer) -> str | None:
    """Write the chapters, and return the book's title."""
    with open_zip(content) as packed:
        if "META-INF/encryption.xml" in packed.namelist() and "META-INF/rights.xml" in packed.namelist():
            raise DocumentRefused("encrypted", "The book has copy protection and cannot be read.")
        try:
            container = read_xml(read_entry(packed, "META-INF/container.xml"))
            root = next(container.iter("{*}rootfile")).get("full-path") or ""
            package = read_xml(read_entry(packed, root))
        except (KeyError, StopIteration, etree.XMLSyntaxError) as error:
            raise DocumentRefused("failed", "The book is damaged: it has no readable list of chapters.") from error
        for name in _chapters(package, posixpath.dirname(root)):
            with suppress(KeyError, ValueError):  # a chapter that the book names and does not hold
                write(blocks_of(parse(decode(read_entry(packed, name)))), writer)
        writer.author = ", ".join(filter(None, (creator.text for creator in package.iter(_CREATOR))))
        writer.changed = package.findtext(f".//{_DATE}") or ""
        return title_of(package.findtext(f".//{_TITLE}"), writer)


def _chapters(package: etree._Element, folder: str) -> list[str]:
    items = {
        item.get("id"): item.get("href") or ""
        for item in package.iter("{*}item")
        if "html" in (item.get("media-type") or "") and "nav" not in (item.get("properties") or "").split()
    }
    wanted = [item.get("idref") for item in package.iter("{*}itemref")]
    return [posixpath.normpath(posixpath.join(folder, unquote(items[id]))) for id in wanted if id in items]
