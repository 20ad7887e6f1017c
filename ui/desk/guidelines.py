"""Reads annotation-guidelines.md: the guidelines for annotators, which the page also shows beside a reply."""

import re
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("annotation-guidelines.md")
PREFIX = "guidelines-"
"""The prefix of section IDs, which keeps them apart from other IDs of the page."""
MORE = "\n# On demand\n"
_TEMPLATES = str.maketrans({character: f"&#{ord(character)};" for character in "{}$"})
"""Entities for characters that a template of the page would read as code."""


@cache
def html() -> str:
    """Return the required part as HTML of plain elements; each section has an ID (``guidelines-places-of-marks``)."""
    return rendered(_text().partition(MORE)[0])


@cache
def more() -> str:
    """Return the optional part as HTML."""
    return rendered(_text().partition(MORE)[2])


def rendered(text: str) -> str:
    """Convert Markdown to HTML. HTML tags in it are escaped, and so are characters that a template reads as code."""
    from markdown_it import MarkdownIt  # here, because `--help` need not pay for it

    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    for opening, heading in zip(tokens, tokens[1:], strict=False):
        if opening.type == "heading_open":
            opening.attrSet("id", PREFIX + "-".join(re.findall(r"\w+", heading.content.casefold())))
    for link in (token for block in tokens for token in block.children or () if token.type == "link_open"):
        link.attrSet("href", str(link.attrs["href"]).replace("#", f"#{PREFIX}", 1))
    return reader.renderer.render(tokens, reader.options, {}).translate(_TEMPLATES)


def _text() -> str:
    return FILE.read_text(encoding="utf-8")
