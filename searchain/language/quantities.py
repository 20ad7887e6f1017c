"""Read quantities with their units, so that "1,980 mi" and "3,190 km" can be compared.

Values are converted to one unit per dimension: metres, square metres, cubic metres, kilograms, seconds, metres per
second, kelvins. ``quantities.json`` beside this file holds the factors. It leaves out "in", which hardly ever means
inches.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
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


def without_quantities(text: str) -> str:
    """Remove all quantities with a unit from ``text``, so that plain counts remain.

    >>> without_quantities("1,767 km², 300,000")
    ' , 300,000'
    """
    return _QUANTITY.sub(lambda match: match[0] if _quantity(match) is None else " ", text)
