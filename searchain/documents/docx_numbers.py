"""Compute the numbers that Word shows before headings and list items, such as ``2.1`` or ``(c)``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree

from searchain.documents.office_xml import W, child_number, child_value

LEVELS = 9
"""How many levels a list of Word has."""
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        written += letters * times
    return written


def _letters(number: int) -> str:
    """Write 1 as ``a``, 26 as ``z``, 27 as ``aa``, 28 as ``bb``."""
    times, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (times + 1)


_WRITERS: dict[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
}
MOST_SPECIAL = 999
"""The greatest number that is written in letters or Roman; a greater one is written in digits."""


def in_form(number: int, form: str) -> str:
    """Write a number in a form of Word, such as ``upperRoman``."""
    write = _WRITERS.get(form, str) if 0 < number <= MOST_SPECIAL else str
    return write(number)


@dataclass(frozen=True, slots=True)
class Level:
    start: int
    form: str
    text: str
    """Its label, with ``%1`` for the number of the first level."""
    style: str | None
    """The style of paragraphs that have this level."""


@dataclass(slots=True)
class NumberedList:
    """A list with its levels and the numbers so far, which several ``w:num`` may continue."""

    levels: dict[int, Level]
    reached: dict[int, int] = field(default_factory=dict)

    def next(self, level: int) -> str:
        """Count one more paragraph of ``level``, and return its label."""
        known = self.levels[level]
        self.reached[level] = self.reached.get(level, known.start - 1) + 1
        for deeper in range(level + 1, LEVELS):
            self.reached.pop(deeper, None)
        if known.form in ("bullet", "none"):
            return ""
        label = known.text
        for number in range(level + 1):
            if (part := self.levels.get(number)) is not None:
                label = label.replace(f"%{number + 1}", in_form(self.reached.get(number, part.start), part.form))
        return label.strip()


class Numbers:
    """The numbers of a document's paragraphs, which must be asked for in order."""

    def __init__(
        self,
        lists: dict[str, NumberedList],
        restarts: dict[str, dict[int, int]],
        styles: dict[str, tuple[str | None, int | None]],
    ) -> None:
        self._lists, self._restarts, self._styles = lists, restarts, styles

    def label(self, paragraph: etree._Element) -> str:
        """Return the label of the next paragraph; ``""`` without one, or if it is a mere bullet."""
        properties = paragraph.find(f"{W}pPr")
        style = child_value(properties, "pStyle") or ""
        of_style, level_of_style = self._styles.get(style, (None, None))
        id = child_value(properties, "numPr", "numId") or of_style or ""
        found = self._lists.get(id)
        if found is None:
            return ""
        level = child_number(properties, "numPr", "ilvl")
        if level is None:
            linked = (number for number, one in found.levels.items() if one.style == style)
            level = level_of_style if level_of_style is not None else next(linked, 0)
        if level not in found.levels:
            return ""
        for restarted, start in self._restarts.pop(id, {}).items():
            found.reached[restarted] = start - 1
        return found.next(level)


def numbers_of(numbering: etree._Element, styles: etree._Element) -> Numbers:
    """Read the lists of a document, and the styles that number their paragraphs."""
    abstract, lists, restarts = {}, {}, {}
    for one in numbering:
        if one.tag == f"{W}abstractNum":
            abstract[one.get(f"{W}abstractNumId")] = NumberedList(_levels(one))
        elif one.tag == f"{W}num" and (known := abstract.get(child_value(one, "abstractNumId"))) is not None:
            id = one.get(f"{W}numId") or ""
            lists[id] = known
            restarts[id] = {
                int(override.get(f"{W}ilvl") or 0): start
                for override in one.iter(f"{W}lvlOverride")
                if (start := child_number(override, "startOverride")) is not None
            }
    return Numbers(lists, restarts, _numbered_styles(styles))


def _levels(one: etree._Element) -> dict[int, Level]:
    return {
        int(level.get(f"{W}ilvl") or 0): Level(
            start=child_number(level, "start") or 0,
            form="decimal" if level.find(f"{W}isLgl") is not None else child_value(level, "numFmt") or "decimal",
            text=child_value(level, "lvlText") or "",
            style=child_value(level, "pStyle"),
        )
        for level in one.iter(f"{W}lvl")
    }


def _numbered_styles(styles: etree._Element | None) -> dict[str, tuple[str | None, int | None]]:
    """Map each paragraph style to its list and level, its own or those of the style that it is based on."""
    known = {
        style.get(f"{W}styleId") or "": style for style in (styles.iter(f"{W}style") if styles is not None else ())
    }
    found: dict[str, tuple[str | None, int | None]] = {}
    for id in known:
        style, depth = known.get(id), 0
        while style is not None and depth < LEVELS:
            if (number := child_value(style, "pPr", "numPr", "numId")) is not None:
                found[id] = number, child_number(style, "pPr", "numPr", "ilvl")
                break
            style, depth = known.get(child_value(style, "basedOn") or ""), depth + 1
    return found
