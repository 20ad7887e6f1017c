"""Read quantities with their units, so that "1,980 mi" and "3,190 km" can be compared.

Values are converted to one unit per dimension: metres, square metres, cubic metres, kilograms, seconds, metres per
second, kelvins. The factors are the units' definitions (BIPM's SI brochure; NIST SP 811 for the customary ones).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_LENGTHS = {
    "mm millimetre millimeter": 1e-3,
    "cm centimetre centimeter": 1e-2,
    "m metre meter": 1.0,
    "km kilometre kilometer": 1e3,
    "inch inches": 0.0254,  # "522,250 in 2021" has none
    "ft foot feet": 0.3048,
    "yd yard": 0.9144,
    "mi mile": 1609.344,
    "nmi": 1852.0,
}
_FACTORS = {
    "length": _LENGTHS,
    "area": {"ha hectare": 1e4, "acre": 4046.8564224},
    "volume": {"l litre liter": 1e-3, "ml millilitre milliliter": 1e-6, "gallon": 3.785411784e-3},
    "mass": {
        "g gram": 1e-3,
        "kg kilogram kilogramme": 1.0,
        "t tonne ton": 1e3,
        "lb lbs pound": 0.45359237,
        "oz ounce": 0.028349523125,
    },
    "time": {
        "second": 1.0,
        "minute": 60.0,
        "h hour": 3600.0,
        "day": 86400.0,
        "week": 604800.0,
        "month": 2629746.0,
        "year": 31556952.0,
    },
    "temperature": {"K kelvin": 1.0},
}
_UNITS = {
    name: (dimension, factor)
    for dimension, units in _FACTORS.items()
    for names, factor in units.items()
    for name in names.split()
}
_POWERS = {2: "area", 3: "volume"}
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_QUANTITY = re.compile(
    r"(?P<minus>(?<!\S)[−-])?(?P<number>(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])\d+(?:\.\d+)?)"
    r"(?:[\s-]*(?P<scale>thousand|million|billion|trillion))?"
    r"[\s-]*(?:(?P<temperature>°\s?[CF]\b|degrees (?:Celsius|Fahrenheit))"
    r"|(?P<word>square|cubic|sq\.?|cu\.?)?[\s-]*(?P<unit>[A-Za-z]+)(?P<power>[23²³])?(?P<per>\s?/\s?(?:h|s)\b|ph\b)?)"
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
    if match["temperature"]:
        is_celsius = match["temperature"].rstrip().endswith(("C", "Celsius"))
        return Quantity(value + 273.15 if is_celsius else (value - 32) / 1.8 + 273.15, "temperature")
    name = match["unit"]
    if name == "mph" or (name + (match["per"] or "").strip()).casefold() == "mph":
        return Quantity(value * 0.44704, "speed")
    known = _UNITS.get(name) or _UNITS.get(name.casefold()) or _UNITS.get(name.casefold().removesuffix("s"))
    if known is None:
        return None
    dimension, factor = known
    power = 2 if match["power"] in ("2", "²") or (match["word"] or "").startswith("sq") else 1
    power = 3 if match["power"] in ("3", "³") or (match["word"] or "").startswith("cu") else power
    if dimension == "length" and power > 1:
        return Quantity(value * factor**power, _POWERS[power])
    if dimension == "length" and match["per"]:
        return Quantity(value * factor / (3600.0 if "h" in match["per"] else 1.0), "speed")
    return Quantity(value * factor, dimension)


SAME = 0.01
"""How far two figures of one quantity lie apart at most: they are rounded, and converted."""


def same_quantity(one: str, other: str) -> bool | None:
    """Tell whether two texts give the same quantity, in whatever units; ``None`` where they give none of one kind.

    >>> same_quantity("1,980 mi", "3,190 km"), same_quantity("8,849 m", "8,611 m"), same_quantity("8 km", "8 years")
    (True, False, None)
    """
    pairs = [(a, b) for a in quantities(one) for b in quantities(other) if a.dimension == b.dimension]
    if not pairs:
        return None
    return any(math.isclose(a.value, b.value, rel_tol=SAME) for a, b in pairs)


def without_quantities(text: str) -> str:
    """Return ``text`` without what is measured in a unit, so that plain counts are left.

    >>> without_quantities("1,767 km², 300,000")
    ' , 300,000'
    """
    return _QUANTITY.sub(lambda match: match[0] if _quantity(match) is None else " ", text)
