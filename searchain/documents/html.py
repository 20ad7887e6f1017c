"""Convert the main part of a web page, without menus and the like, to text. Runs in the child process only."""

import re
from collections import Counter

import trafilatura
from lxml import etree
from lxml.html import HtmlElement

from searchain.documents.decoding import decode
from searchain.documents.html_blocks import HtmlBlock, blocks_of, parse, write
from searchain.documents.parsed import BlockKind
from searchain.documents.writer import Writer, title_of

MAX_JUDGED = 3_000_000
"""Most characters of a page whose main part is searched, at a second per 400,000; a longer page is kept whole."""
SHORT = 25
"""Fewest letters of a block that may be part of a line in the main part; a shorter one must be a whole line, or consist
of words that no other block accounts for."""
_NOT_LETTER = re.compile(r"[\W_]+")


def read(content: bytes, writer: Writer) -> str | None:
    """Write the main text of a page, and return its title."""
    text = decode(content)
    root = parse(text)
    title = root.findtext(".//title")
    stated = {meta.get("name") or meta.get("property"): meta.get("content") or "" for meta in root.iter("meta")}
    writer.author = stated.get("author", "")
    dates = ("article:modified_time", "article:published_time", "date")
    writer.changed = next(filter(None, map(stated.get, dates)), "")
    write(_main(root, text), writer)
    return title_of(title, writer)


def _main(root: HtmlElement, page: str) -> list[HtmlBlock]:
    """Return the blocks in the main part that trafilatura finds, with whole tables and lists and all headings above."""
    blocks = blocks_of(root)
    if len(page) > MAX_JUDGED:
        return blocks
    etree.strip_attributes(root, "rowspan", "colspan")  # trafilatura writes a cell for each row and column
    main = trafilatura.extract(root, favor_recall=True, include_comments=False, prune_xpath="//nav") or ""
    lines = {_letters(line) for line in main.split("\n")}
    whole = _letters(main)
    kept = [_is_in(block, lines, whole) for block in blocks]
    if not any(kept):
        return blocks
    _keep_rest(blocks, kept, main)
    groups = {block.group for block, is_kept in zip(blocks, kept, strict=True) if is_kept and block.group}
    found: list[HtmlBlock] = []
    waiting: list[HtmlBlock] = []
    for block, is_kept in zip(blocks, kept, strict=True):
        if is_kept or block.group in groups:
            found += [*waiting, block]
            waiting = []
        elif block.kind is BlockKind.HEADING:
            waiting = [heading for heading in waiting if heading.level < block.level] + [block]
        else:
            waiting = []
    return found


def _is_in(block: HtmlBlock, lines: set[str], whole: str) -> bool:
    if block.kind is BlockKind.CODE:
        return any(_letters(line) in lines for line in block.text.split("\n") if _letters(line))
    letters = _letters(block.said)
    return bool(letters) and (letters in lines or (len(letters) >= SHORT and letters in whole))


def _keep_rest(blocks: list[HtmlBlock], kept: list[bool], main: str) -> None:
    """Keep further blocks until all words of the main part are there, those between kept blocks first.

    Short blocks, such as the cells and lines of a form, are cut in other ways there.
    """
    left = Counter(_words(main))
    for block, is_kept in zip(blocks, kept, strict=True):
        if is_kept:
            left.subtract(_words(block.said))
    first, last = kept.index(True), len(kept) - kept[::-1].index(True)
    for number in (*range(first, last), *range(last, len(blocks)), *range(first)):
        words = Counter(_words(blocks[number].said))
        if not kept[number] and words and words <= left:
            kept[number] = True
            left -= words


def _words(text: str) -> list[str]:
    return _NOT_LETTER.sub(" ", text.lower()).split()


def _letters(text: str) -> str:
    return _NOT_LETTER.sub("", text).lower()
