"""Read the value that an answer gives: a date as far as it is known, an amount with its unit, a count, or words.

Amounts are converted to one unit per dimension, so that "1,980 mi" and "3,190 km" can be compared: metres, square
metres, cubic metres, kilograms, seconds, metres per second, kelvins. ``quantities.json`` beside this file holds the
factors. It leaves out "in", which hardly ever means inches.
"""

import json
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from searchain.language import text

_TABLES = json.loads(Path(__file__).with_name("quantities.json").read_text(encoding="utf-8"))
_UNITS: dict[str, tuple[str, float]] = {
    name: (dimension, factor)
    for dimension, units in _TABLES.items()
    if dimension != "source"
    for names, factor in units.items()
    for name in names.split()
}
_LENGTHS = {name: factor for name, (dimension, factor) in _UNITS.items() if dimension == "length"}
_UNITS |= {f"{name}{mark}": ("area", factor**2) for name, factor in _LENGTHS.items() for mark in "2²"}
_UNITS |= {f"{name}{mark}": ("volume", factor**3) for name, factor in _LENGTHS.items() for mark in "3³"}
_UNITS |= {f"{name}/h": ("speed", factor / 3600) for name, factor in _LENGTHS.items()}
_UNITS |= {f"{name}/s": ("speed", factor) for name, factor in _LENGTHS.items()}
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_QUANTITY = re.compile(
    r"(?P<minus>(?<!\S)[−-])?(?P<number>(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])\d+(?:\.\d+)?)"
    r"(?:[\s-]*(?P<scale>thousand|million|billion|trillion))?"
    r"[\s-]*(?:(?:°\s?|degrees )(?P<degrees>C|F|Celsius|Fahrenheit)\b"
    r"|(?:(?P<square>square|sq\b\.?)|(?P<cubic>cubic|cu\b\.?))?[\s-]*(?P<unit>[A-Za-z]+)(?P<rest>[23²³]|\s?/\s?[hs]\b)?)"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in the base unit of its dimension."""

    value: float
    dimension: str


def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the quantities of ``text`` whose units are known, in order.

    >>> [(round(one.value), one.dimension) for one in quantities("507,204.95 square km, or 3,180 km (1,976 mi)")]
    [(507204950000, 'area'), (3180000, 'length'), (3180064, 'length')]
    >>> quantities("1,833.2 km2")[0].dimension, quantities("12 apostles")
    ('area', ())
    """
    found = (_quantity(match) for match in _QUANTITY.finditer(text))
    return tuple(quantity for quantity in found if quantity is not None)


def _quantity(match: re.Match[str]) -> Quantity | None:
    value = float(match["number"].replace(",", "")) * _SCALES.get(match["scale"] or "", 1.0)
    value = -value if match["minus"] else value
    if degrees := match["degrees"]:
        return Quantity((value if degrees[0] == "C" else (value - 32) / 1.8) + 273.15, "temperature")
    name, mark = match["unit"], "2" if match["square"] else "3" if match["cubic"] else (match["rest"] or "")
    mark = mark.replace(" ", "")
    forms = (f"{form}{mark}" for form in (name, name.casefold(), name.casefold().removesuffix("s")))
    known = next((_UNITS[form] for form in forms if form in _UNITS), None)
    return Quantity(value * known[1], known[0]) if known else None


SAME = 0.01
"""The greatest relative difference of two figures that count as equal, since figures are rounded and converted."""


def same_quantity(one: str, other: str) -> bool | None:
    """Tell whether two texts give the same quantity in any units; ``None`` if they share no dimension.

    >>> same_quantity("1,980 mi", "3,190 km"), same_quantity("8,849 m", "8,611 m"), same_quantity("8 km", "8 years")
    (True, False, None)
    """
    pairs = [(a, b) for a in quantities(one) for b in quantities(other) if a.dimension == b.dimension]
    if not pairs:
        return None
    return any(math.isclose(a.value, b.value, rel_tol=SAME) for a, b in pairs)


NEAR = 1e-3
"""Least relative difference of two amounts that are ordered; closer ones count as equal."""
_OTHER_ERAS = frozenset("bc bce ad ce century centuries millennium millennia".split())
_YEAR = re.compile(r"\d{4}")
_YEARS = range(1500, 2101)
Value = tuple[int, int | None, int | None] | Quantity | float | str
"""A date is a year, a month and a day, of which the last two may be unknown."""
Kind = Enum("Kind", "DATE AMOUNT COUNT WORDS")


def value_of(answer: str, kind: Kind, dimensions: Collection[str] = (), *, takes_last: bool = False) -> Value | None:
    """Return the value of ``kind`` that ``answer`` gives, an amount in one of ``dimensions``; ``None`` without one.

    >>> value_of("born 2 May 1901", Kind.DATE), value_of("Kyoto", Kind.DATE), value_of("about 300 BC", Kind.DATE)
    ((1901, 5, 2), None, None)
    >>> value_of("October 4, 1916May 5, 2002", Kind.DATE)
    >>> value_of("82 km", Kind.AMOUNT, ["mass"]), value_of("522,250 in 2021", Kind.COUNT), value_of("7", Kind.WORDS)
    (None, 522250.0, None)
    """
    match kind:
        case Kind.DATE:
            dates = text.dates(answer) if _OTHER_ERAS.isdisjoint(text.tokens(answer)) else ()
            is_whole = len(_YEAR.findall(answer)) <= len(dates)  # "October 4, 1916May 5, 2002" cannot be told apart
            return dates[-1 if takes_last else 0] if dates and is_whole else None
        case Kind.AMOUNT:
            return next((one for one in quantities(answer) if one.dimension in dimensions), None)
        case Kind.COUNT:  # a number that may be a year counts nothing
            bare = _QUANTITY.sub(lambda match: match[0] if _quantity(match) is None else " ", answer)
            return next((one for one in text.numbers(bare) if one not in _YEARS), None)
    written = "United States" if answer.replace(".", "") in ("US", "USA") else answer
    return written if written and not text.numbers(written) else None


def order(one: Value, other: Value) -> int | None:
    """Return -1 if ``one`` is less or earlier, 1 if it is more or later; ``None`` if they cannot be ordered.

    >>> order((1914, None, None), (1913, 5, 10)), order((1913, None, None), (1913, 5, 10))
    (1, None)
    >>> order(Quantity(3.0, "length"), Quantity(4.0, "mass")), order(3.0, 4.0)
    (None, -1)
    """
    match one, other:
        case tuple(), tuple():
            a, b = next(((a, b) for a, b in zip(one, other, strict=True) if a != b), (None, None))
            return None if a is None or b is None else -1 if a < b else 1
        case (Quantity(), Quantity()) if one.dimension == other.dimension:
            return order(one.value, other.value)
        case (float(), float()) if not math.isclose(one, other, rel_tol=NEAR):
            return -1 if one < other else 1
    return None
