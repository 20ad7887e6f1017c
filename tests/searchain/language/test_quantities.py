"""Quantities with their units."""

import pytest

from searchain.language.values import quantities


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("98-kilometer-long", 98_000, "length"),
        ("8,848.86 m (29,031 ft)", 8_848.86, "length"),
        ("1.5 million square kilometres", 1.5e12, "area"),
        ("2.5 cubic miles", 2.5 * 1609.344**3, "volume"),
        ("120 km/h", 120_000 / 3600, "speed"),
        ("−10 °C or 14 degrees Fahrenheit", 263.15, "temperature"),
        ("16 years", 16 * 31_556_952, "time"),
        ("1990", None, None),
        ("522,250 in 2021", None, None),
        ("12 apostles", None, None),
        ("the 5th of May", None, None),
        ("v1.5 m", None, None),
        ("", None, None),
    ],
)
def test_the_first_quantity_in_base_units(text, value, dimension):
    found = [(one.value, one.dimension) for one in quantities(text)[:1]]
    assert found == ([] if value is None else [(pytest.approx(value), dimension)])
