"""Convert XML to document text: records as lines and tables, prose as prose. Runs in the child process only."""

from html import unescape
from typing import Any

from lxml import etree

from searchain.documents import html
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.office_xml import read_xml
from searchain.documents.values import write as write_values
from searchain.documents.writer import Writer, title_of
from searchain.errors import DocumentRefused

_AS_HTML = {
    **dict.fromkeys(("para", "paragraph", "p", "simpara", "abstract", "verse", "l"), "p"),
    **dict.fromkeys(("programlisting", "screen", "literallayout", "code-block"), "pre"),
    **dict.fromkeys(("listitem", "item", "list-item", "li"), "li"),
    **dict.fromkeys(("row", "tr"), "tr"),
    **dict.fromkeys(("entry", "cell", "td"), "td"),
    **dict.fromkeys(("table", "informaltable", "thead", "tbody", "th", "ul", "ol", "caption", "br"), None),
    "orderedlist": "ol",
}
"""Names of elements in forms of prose (DocBook, TEI, JATS and others) → HTML; ``None``: the same name."""
_TITLES = frozenset(("title", "head", "subtitle"))


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text, and return its title. Raises ``DocumentRefused`` if the XML is not well-formed."""
    try:
        root = read_xml(content)
    except etree.XMLSyntaxError as error:
        raise DocumentRefused("failed", f"The file is no well-formed XML; see its line {error.lineno}.") from error
    if _name(root) == "html":
        return html.read(content, writer)
    for entity in root.iter(etree.Entity):
        entity.tail = f"{unescape(f'&{entity.name};')}{entity.tail or ''}"
    etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction, etree.Entity)
    if any(map(_is_mixed, root.iter())):
        write(blocks_of(_as_html(root)), writer)
    else:
        write_values({_name(root): _value(root)}, writer)
    return title_of(None, writer)


def _name(element: etree._Element) -> str:
    return etree.QName(element).localname


def _is_mixed(element: etree._Element) -> bool:
    """Tell whether an element has elements within its text, as prose has."""
    return len(element) > 0 and any(text and text.strip() for text in (element.text, *(one.tail for one in element)))


def _value(element: etree._Element) -> Any:
    """Return an element as a text, or as an object of its attributes and elements; those of one name are a list."""
    found: dict[str, Any] = {etree.QName(name).localname: value for name, value in element.attrib.items()}
    for child in element:
        found.setdefault(_name(child), []).append(_value(child))
    text = _plain((element.text or "").strip())
    if not found:
        return text
    inner = {name: one[0] if isinstance(one, list) and len(one) == 1 else one for name, one in found.items()}
    return {"": text} | inner if text else inner


def _plain(text: str) -> str:
    """Return the words of a text that is HTML, as in feeds."""
    return " ".join(block.text for block in blocks_of(parse(text))) if "</" in text or "/>" in text else text


def _as_html(root: etree._Element) -> etree._Element:
    """Rename the elements to those of HTML; unknown ones within text stay in its line."""
    mixed = set(filter(_is_mixed, root.iter()))
    titled = {element for element in root.iter() if any(_name(child) in _TITLES for child in element)}
    levels = {root: 1}
    for element in list(root.iter()):
        name, parent = _name(element), element.getparent()
        if parent is not None:
            levels[element] = levels[parent] + (parent in titled and name not in _TITLES)
        element.attrib.clear()
        element.tag = _tag(name, levels[element], parent in mixed)
        if element.tag == "div" and not len(element) and (element.text or "").strip():
            element.text = f"{name}: {element.text.strip()}"
    return root


def _tag(name: str, level: int, is_in_text: bool) -> str:
    if name in _AS_HTML:
        return _AS_HTML[name] or name
    if is_in_text:
        return "span"
    return f"h{min(level, 6)}" if name in _TITLES else "div"
