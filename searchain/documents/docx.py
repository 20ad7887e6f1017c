"""Convert a Word document to document text through HTML. Runs in the child process only."""

from __future__ import annotations

import io
import zipfile

import mammoth
from lxml import etree

from searchain.documents.html import first_heading
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.writer import Writer
from searchain.documents.zips import open_zip, read_entry

_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
"""


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the properties, or else the first heading."""
    with open_zip(content) as packed:
        stated = _title(packed)
    without_pictures = mammoth.images.img_element(lambda image: {"src": ""})
    converted = mammoth.convert_to_html(io.BytesIO(content), style_map=_STYLES, convert_image=without_pictures)
    if converted.value.strip():
        write(blocks_of(parse(converted.value)), writer)
    return stated or first_heading(writer)


def _title(packed: zipfile.ZipFile) -> str | None:
    try:
        properties = read_xml(read_entry(packed, "docProps/core.xml"))
    except (KeyError, etree.XMLSyntaxError):
        return None
    return properties.findtext("{http://purl.org/dc/elements/1.1/}title")


def read_xml(content: bytes) -> etree._Element:
    """Parse XML without entities, network or unlimited depth.

    Raises:
        lxml.etree.XMLSyntaxError: the XML is not well-formed.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    return etree.fromstring(content, parser)
