"""Elements by symbol and number; formulas of compounds."""

import pytest

from searchain.reading.stated.elements import element
from searchain.types import Hit, Passage, Reading


def made(number: int, symbol: str, name: str) -> Passage:
    said = f"Short description: Chemical element with atomic number {number} ({symbol}).\n{name} is an element."
    return Passage(name, name, said)


HITS = [
    Hit(passage, 1.0, rank)
    for rank, passage in enumerate(
        (
            made(46, "Pd", "Palladium"),
            made(3, "Li", "Lithium"),
            Passage("w", "Water", "Water is a compound with the chemical formula H2O. It is clear."),
            Passage("g", "Gypsum", "Gypsum is a mineral with the chemical formula CaSO4·2H2O. It is soft."),
            Passage("u", "Urea", "Urea is a compound with chemical formula CO(NH2)2. It is white."),
        ),
        1,
    )
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Pd is the chemical symbol for which element?", "Palladium"),
        ("what element has the symbol pd", "Palladium"),
        ("Which chemical element does ‘Li’ represent in the Periodic Table?", "Lithium"),
        ("which element has the atomic number 3?", "Lithium"),
        ("which element has the atomic number 4?", None),
        ("what is the chemical formula of water", "H2O"),
        ("formula for urea", "CO(NH2)2"),
        ("what is the formula of gypsum", None),
        ("what is the formula of success", None),
        ("who discovered palladium", None),
    ],
)
def test_elements_and_formulas(query, expected):
    found = element(query, HITS, [Reading("", None, 0.5)] * len(HITS))
    assert (found and found[1].answer) == expected
