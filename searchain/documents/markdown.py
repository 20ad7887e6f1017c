"""Convert Markdown to document text through HTML. Runs in the child process only."""

import re

from markdown_it import MarkdownIt

from searchain.documents.decoding import decode
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.writer import Writer, title_of

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n(?:---|\.\.\.)\n", re.DOTALL)


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the front matter, or else the first heading."""
    text = decode(content)
    front = _FRONT_MATTER.match(text)
    write_text(text[front.end() :] if front else text, writer)
    lines = (line.partition(":") for line in front[1].splitlines()) if front else ()
    stated = {name.strip(): value.strip().strip("\"'") for name, _, value in lines}
    writer.author, writer.changed = stated.get("author", ""), stated.get("date", "")
    return title_of(stated.get("title"), writer)


def write_text(text: str, writer: Writer) -> None:
    """Write the blocks of a Markdown text."""
    rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    if rendered.strip():
        write(blocks_of(parse(rendered)), writer)
