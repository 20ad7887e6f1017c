"""Convert a Word document to document text through HTML. Runs in the child process only."""

from __future__ import annotations

import io

import mammoth

from searchain.documents.docx_body import whole_body
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.office_xml import stated_title
from searchain.documents.titles import title_of
from searchain.documents.writer import Writer
from searchain.documents.zips import open_zip

_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
"""


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the properties, or else the first heading."""
    with open_zip(content) as packed:
        stated, file = stated_title(packed, writer), whole_body(packed, writer)
    without_pictures = mammoth.images.img_element(lambda image: {"src": ""})
    converted = mammoth.convert_to_html(io.BytesIO(file), style_map=_STYLES, convert_image=without_pictures)
    if converted.value.strip():
        root = parse(converted.value)
        for link in list(root.iter("a")):
            if (link.get("href") or "").startswith(("#footnote-ref", "#endnote-ref")):
                link.drop_tree()  # the arrow back
        write(blocks_of(root, numbers_items=False), writer)
    return title_of(stated, writer)
