"""Read the lines of a file and the pages of a dump of Wikipedia, and turn a record into clean passages.

    kilt        a line a page: {"wikipedia_id", "wikipedia_title", "text": [paragraphs]}
    cirrus      two lines a page, as CirrusSearch exports them: {"index": …}, {"title", "text", "namespace"}
    mediawiki   the XML of Special:Export and dumps.wikimedia.org, whose wikitext becomes plain text

Redirects and pages that are not articles are skipped. Long texts are cut into passages of about 150 words, between
paragraphs or, in long paragraphs, between sentences.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path
from typing import Any, TypeGuard
from urllib.parse import quote
from xml.etree import ElementTree

from searchain.language import sentences
from searchain.safe_text import without_controls
from searchain.types import Passage

TARGET = 150
"""Words up to which paragraphs are joined: with the title about the 220 tokens that ColBERT reads."""
MAXIMUM = 180


def split_text(text: str) -> list[tuple[int, str]]:
    """Cut ``text`` into passages; return each, in order, with the line (from 1) where it starts.

    Whole paragraphs are joined up to ``TARGET`` words; a paragraph above ``MAXIMUM`` is cut between sentences, and a
    sentence above it between words. Only white space between passages is lost.
    """
    spans: list[tuple[int, int]] = []
    words = 0
    for start, end, may_join in _units(text):
        size = len(text[start:end].split())
        if spans and may_join and words + size <= TARGET:
            spans[-1] = (spans[-1][0], end)
            words += size
        else:
            spans.append((start, end))
            words = size
    passages, line, counted = [], 1, 0
    for start, end in spans:
        line += text.count("\n", counted, start)
        counted = start
        passages.append((line, text[start:end]))
    return passages


def _units(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether it may join the previous piece) of pieces that are not cut further."""
    for paragraph in re.finditer(r"\S(?:.|\n(?!\s*\n))*", text):
        start, end = paragraph.span()
        if len(paragraph[0].split()) <= MAXIMUM:
            yield start, end, True
            continue
        for number, (first, last) in enumerate(sentences.split(paragraph[0])):
            for low, high in _word_runs(text, start + first, start + last):
                yield low, high, number > 0


def _word_runs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    words = [(start + match.start(), start + match.end()) for match in re.finditer(r"\S+", text[start:end])]
    if len(words) <= MAXIMUM:
        return [(start, end)]
    return [(words[i][0], words[min(i + TARGET, len(words)) - 1][1]) for i in range(0, len(words), TARGET)]


MAX_LINE = 10_000_000
"""Most bytes of a line; a longer line is not a passage."""
MAX_WORDS = 1_000
"""Most words of a passage. A longer record is split like a text file, as ColBERT reads only 220 tokens."""
COMPRESSED = (".gz", ".bz2", ".xz")
Found = tuple[int, Passage | str]
"""(number of the line or page from 1, its passage or the reason for none)."""


def lines(file: BufferedIOBase) -> Iterator[tuple[int, str | None, str]]:
    """Yield (number from 1, text or ``None``, the reason for ``None``) of the lines that are not blank."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        if not line.endswith(b"\n") and len(line) == MAX_LINE:
            while (rest := file.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, None, f"longer than {MAX_LINE:,} bytes"
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            yield number, None, "not UTF-8"
            continue
        if text.strip():
            yield number, text.rstrip("\r\n"), ""


def passages_of(path: Path, id: object, title: str, text: str, url: object) -> Iterable[Passage | str]:
    """Return the passage of one record (several for a long one), or the reason why it has none."""
    title, text = " ".join(without_controls(title).split()), without_controls(text).strip()
    if not text:
        return ["empty text"]
    if isinstance(id, bool) or not isinstance(id, str | int | None):
        return ["the id is neither text nor a number"]
    name = without_controls(str(id)).strip() if id is not None else ""
    name = name or f"{stem(path)}-{hashlib.sha256((title + text).encode()).hexdigest()[:10]}"
    link = url if isinstance(url, str) and re.match(r"https?://", url) else None
    if len(text.split()) <= MAX_WORDS:
        return [Passage(name, title, text, link)]
    return [Passage(f"{name}#{n}", title, piece, link) for n, (_, piece) in enumerate(split_text(text), 1)]


def article(id: str, title: str, text: str, url: str | None) -> Iterator[Passage]:
    """Yield the passages of a whole article, with ids ``ID#1``, ``ID#2`` …"""
    title = " ".join(without_controls(title).split())
    for number, (_, piece) in enumerate(split_text(without_controls(text)), 1):
        yield Passage(f"{id}#{number}", title, piece, url)


def stem(path: Path) -> str:
    """Return the file's name without its endings."""
    return (path.with_suffix("") if path.suffix in COMPRESSED else path).stem


WIKIPEDIA = "https://en.wikipedia.org/wiki/"
MAX_WIKITEXT = 2_000_000
"""Most characters of a page, which is MediaWiki's own limit."""
_SECTION, _BULLET = "Section::::", "BULLET::::"
_APPENDICES = "References|Notes|Citations|Sources|Bibliography|Further reading|External links|See also|Footnotes"
"""Headings of sections that hold no sentences."""
_SILENT = frozenset({"ref", "table", "gallery", "timeline", "math", "score", "imagemap"})
"""Elements whose content is not a sentence of the article."""
_NAMESPACED = re.compile(r"(?:file|image|category|media)\s*:", re.IGNORECASE)


def wikipedia_url(title: str, root: str = WIKIPEDIA) -> str:
    """Return the URL of the page ``title``, in the English Wikipedia unless ``root`` names another.

    >>> wikipedia_url("Who's Afraid? (C# & R)")
    "https://en.wikipedia.org/wiki/Who's_Afraid%3F_(C%23_%26_R)"
    """
    return root + quote(title.replace(" ", "_"), safe="/:@!$'()*,;")


def read_kilt(path: Path, file: BufferedIOBase) -> Iterator[Found]:
    """Yield passages of neighbouring paragraphs of a section; id ``12#3-5`` is page 12, KILT's paragraphs 3 to 5."""
    for number, record, reason in objects(file):
        if record is None:
            yield number, reason
            continue
        id, title, paragraphs = (record.get(name) for name in ("wikipedia_id", "wikipedia_title", "text"))
        if not isinstance(id, str | int) or not isinstance(title, str) or not _are_texts(paragraphs):
            yield number, "no KILT page: wikipedia_id, wikipedia_title and a list text are needed"
            continue
        yield from ((number, passage) for passage in _paragraphs(str(id), title, paragraphs))


def _are_texts(values: object) -> TypeGuard[list[str]]:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _paragraphs(id: str, title: str, paragraphs: Sequence[str]) -> Iterator[Passage]:
    url, name = wikipedia_url(title), " ".join(without_controls(title).split())
    for first, last, text in _joined(paragraphs):
        where = f"{id}#{first}" if first == last else f"{id}#{first}-{last}"
        pieces = split_text(text) if len(text.split()) > MAXIMUM else [(1, text)]
        for part, (_, piece) in enumerate(pieces, 1):
            yield Passage(where if len(pieces) == 1 else f"{where}.{part}", name, piece, url)


def _joined(paragraphs: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Join neighbouring paragraphs; yield (first, last, text). Paragraph 0, the title, is left out."""
    held: list[str] = []
    first = last = words = 0
    for number, paragraph in enumerate(paragraphs):
        text = without_controls(paragraph).strip()
        is_heading = number == 0 or text.startswith(_SECTION)
        if held and (is_heading or words + len(text.split()) > TARGET):
            yield first, last, "\n".join(held)
            held, words = [], 0
        if is_heading or not text:
            continue
        first = first if held else number
        last = number
        held.append(text.removeprefix(_BULLET).removeprefix("-").strip())
        words += len(text.split())
    if held:
        yield first, last, "\n".join(held)


def read_cirrus(path: Path, file: BufferedIOBase) -> Iterator[Found]:
    """Yield passages of the plain text of articles; the page's id comes from the line before."""
    id = ""
    for number, record, reason in objects(file):
        if record is None:
            yield number, reason
        elif isinstance(named := record.get("index"), dict) and "text" not in record:
            id = str(named.get("_id", ""))
        else:
            title, text, page = record.get("title"), record.get("text"), id or str(record.get("page_id") or "")
            id = ""
            if record.get("namespace", 0) != 0:
                continue
            if not page or not isinstance(title, str) or not isinstance(text, str):
                yield number, "no page: an id, a title and a text are needed"
                continue
            yield from ((number, passage) for passage in article(page, title, text, _address(title, record)))


def _address(title: str, record: dict[str, Any]) -> str | None:
    """Return the URL of a page on the Wikipedia that ``record`` names; ``None`` if it names none."""
    wiki = re.fullmatch(r"([a-z]{2,12})wiki", str(record.get("wiki", "")))
    return wikipedia_url(title, f"https://{wiki[1]}.wikipedia.org/wiki/") if wiki else None


def read_mediawiki(path: Path, file: BufferedIOBase) -> Iterator[Found]:
    """Yield passages of the wikitext of articles; one page is in memory at a time.

    Raises ``ElementTree.ParseError`` if the XML is broken or cut off.
    """
    for number, (base, page) in enumerate(_pages(file), 1):
        revision = _by_name(page.get("revision", ()))
        id, title, text = _text(page, "id"), _text(page, "title"), _text(revision, "text")
        if _text(page, "ns") not in ("", "0") or "redirect" in page:
            continue
        if not title or not id or len(text) > MAX_WIKITEXT:
            yield number, f"no page: it has no title or no id, or more than {MAX_WIKITEXT:,} characters"
            continue
        url = wikipedia_url(title, base) if base.startswith(("http://", "https://")) else None
        yield from ((number, passage) for passage in article(id, title, plain_text(text), url))


def _pages(file: BufferedIOBase) -> Iterator[tuple[str, dict[str, ElementTree.Element]]]:
    """Yield (base URL of the wiki, elements of a page); a page is cleared when the next one is requested."""
    root: ElementTree.Element | None = None
    base = ""
    for event, element in ElementTree.iterparse(file, events=("start", "end")):
        root = element if root is None else root
        name = element.tag.rpartition("}")[2]
        if event == "end" and name == "base":
            base = (element.text or "").rpartition("/")[0] + "/"
        if event == "end" and name == "page":
            yield base, _by_name(element)
            root.clear()  # else every page stays in memory


def _by_name(elements: Iterable[ElementTree.Element]) -> dict[str, ElementTree.Element]:
    return {element.tag.rpartition("}")[2]: element for element in elements}


def _text(elements: dict[str, ElementTree.Element], name: str) -> str:
    return ((elements[name].text or "") if name in elements else "").strip()


def plain_text(wikitext: str) -> str:
    """Return the plain text of a page, without templates, tables, pictures, notes and appendices.

    >>> plain_text("'''Kyoto''' is a [[city]].{{cn}}<ref>x</ref> [[File:A.jpg|thumb|A]]")
    'Kyoto is a city.'
    """
    import mwparserfromhell  # here: no other command needs it

    code = mwparserfromhell.parse(wikitext)
    for section in code.get_sections(levels=[2], matches=rf"^\s*(?:{_APPENDICES})\s*$"):
        _remove(code, section)
    for link in code.filter_wikilinks(matches=lambda node: bool(_NAMESPACED.match(str(node.title).strip()))):
        _remove(code, link)
    for tag in code.filter_tags(matches=lambda node: str(node.tag).strip().lower() in _SILENT):
        _remove(code, tag)
    text = re.sub(r" ?\([\s,;]*\)", "", str(code.strip_code(normalize=True, collapse=True)))  # it held a template
    return "\n\n".join(line.strip() for line in text.splitlines() if line.strip())


def _remove(code: Any, node: Any) -> None:
    with suppress(ValueError):  # it went with what it stands in
        code.remove(node)


def objects(file: BufferedIOBase) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Yield (line number, JSON object or ``None``, the reason for ``None``) of the lines that are not blank."""
    for number, line, reason in lines(file):
        try:
            record, reason = json.loads(line) if line is not None else None, reason or "not a JSON object"
        except (ValueError, RecursionError):
            record, reason = None, "not JSON"
        yield number, record if isinstance(record, dict) else None, reason
