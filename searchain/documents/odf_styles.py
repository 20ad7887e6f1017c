"""Look up what the styles of an OpenDocument file say: bold, hidden, numbered."""

from __future__ import annotations

from lxml import etree

from searchain.documents.docx_numbers import Level, NumberedList
from searchain.documents.office_xml import number_in

_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
MOST_PARENTS = 20
"""Most styles that continue one another."""
_HEAD = "Table_20_Heading"
"""The style of LibreOffice for the paragraphs of a header."""


def attribute(element: etree._Element, name: str) -> str:
    """Return an attribute by its name without a namespace; ``""`` without it."""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


class Styles:
    """The styles of a document.

    Args:
        roots: the elements of the entries ``content.xml`` and ``styles.xml``.
    """

    def __init__(self, *roots: etree._Element) -> None:
        self._styles: dict[str, etree._Element] = {}
        self._levels: dict[str, dict[int, Level]] = {}
        self._lists: dict[str, NumberedList] = {}
        for root in reversed(roots):
            for style in root.iter("{*}style"):
                self._styles[attribute(style, "name")] = style
            for style in root.iter("{*}list-style"):
                self._levels[attribute(style, "name")] = _levels(style)
            for style in root.iter("{*}outline-style"):
                self._levels[""] = _levels(style)
        self._headings = NumberedList(self._levels.get("", {}))

    def _chain(self, name: str) -> list[str]:
        """Return a style and those that it continues."""
        names = [name]
        while (style := self._styles.get(names[-1])) is not None and len(names) < MOST_PARENTS:
            names.append(attribute(style, "parent-style-name"))
        return names

    def _property(self, name: str, property: str) -> str:
        """Return a property of a style or of the one that it continues."""
        parts = (part for one in self._chain(name) if one in self._styles for part in self._styles[one])
        return next(filter(None, (attribute(part, property) for part in parts)), "")

    def is_title(self, paragraph: etree._Element) -> bool:
        """Tell whether a paragraph is the title of its document."""
        return "Title" in self._chain(attribute(paragraph, "style-name"))

    def is_hidden(self, element: etree._Element) -> bool:
        """Tell whether a sheet or a slide is hidden."""
        name = attribute(element, "style-name")
        return self._property(name, "display") == "false" or self._property(name, "visibility") == "hidden"

    def is_bold_cell(self, cell: etree._Element, usual: str = "") -> bool:
        """Tell whether the words of a cell are bold or a header; ``usual`` is the style of cells in its column."""
        paragraph = next(cell.iter("{*}p"), None)
        span = (
            next(cell.iter("{*}span"), None) if paragraph is not None and not (paragraph.text or "").strip() else None
        )
        names = [attribute(one, "style-name") for one in (cell, paragraph, span) if one is not None]
        names[0] = names[0] or usual
        return any(
            _HEAD in self._chain(name) or self._property(name, "font-weight") in ("bold", "700")
            for name in names
            if name
        )

    def restart(self, style: str) -> None:
        """Begin the numbers of a list anew."""
        self._lists.pop(style, None)

    def item_mark(self, style: str, level: int, start: int = -1) -> str:
        """Return what stands before the next item of a list; it counts from ``start`` if that is not negative."""
        found = self._lists.setdefault(style, NumberedList(self._levels.get(style, {})))
        if level not in found.levels:
            return "- "
        if start >= 0:
            found.reached[level] = start - 1
        return f"{found.next(level)} ".lstrip()

    def heading_number(self, level: int) -> str:
        """Return the number of the next heading of a level, from 1; ``""`` if headings have none."""
        label = self._headings.next(level - 1) if level - 1 in self._headings.levels else ""
        return f"{label} " if label else ""


def _levels(style: etree._Element) -> dict[int, Level]:
    """Return the numbered levels of a list."""
    found = {}
    for element in style:
        level = number_in(attribute(element, "level"), 0) - 1
        if etree.QName(element).localname not in ("list-level-style-number", "outline-level-style") or level < 0:
            continue
        shown = max(number_in(attribute(element, "display-levels"), 1), 1)
        numbers = ".".join(f"%{number}" for number in range(max(level - shown, -1) + 2, level + 2))
        text = attribute(element, "num-prefix") + numbers + attribute(element, "num-suffix")
        form = _FORMS.get(attribute(element, "num-format"), "none")
        found[level] = Level(number_in(attribute(element, "start-value"), 1), form, text, None)
    return found
