"""Whether something lies in a place: answered with yes by its own article."""

import pytest

from searchain.reading.stated.lying import lying
from searchain.types import Hit, Passage

HILL = Passage(
    "k",
    "Mount Kilimanjaro",
    "Short description: Mountain in Tanzania, highest in Africa.\nMount Kilimanjaro is a volcano near Moshi.",
)
MUSEUM = Passage("l", "Louvre", "Short description: Art museum.\nThe Louvre is a national art museum in Paris, France.")
PERSON = Passage("p", "Ada King", "Short description: English writer (1815–1852).\nAda King was born in London.")
STATE = Passage("v", "Vatican City", "Short description: Small state.\nVatican City is a state outside Italy in Rome.")


def place(title: str, lead: str) -> Passage:
    return Passage(title, title, lead)


@pytest.mark.parametrize(
    ("query", "passage", "said"),
    [
        ("is kilimanjaro in tanzania", HILL, "Mountain in Tanzania"),
        ("Is Mount Kilimanjaro located in Africa?", HILL, "Mountain in Tanzania, highest in Africa"),
        ("is the louvre in paris", MUSEUM, "The Louvre is a national art museum in Paris"),
        ("is kilimanjaro in kenya", HILL, None),
        ("is the louvre in tanzania", HILL, None),
        ("was ada king in london", PERSON, None),
        ("is vatican city in rome", STATE, None),
        ("is kilimanjaro a volcano", HILL, None),
        ("is corsica in italy", place("Corsica", "Corsica is an island between France and Italy."), None),
        ("is spain in africa", place("Spain", "Spain is a country in Europe with territories in Africa."), None),
        ("is jersey in france", place("Jersey", "Jersey is an island off the coast of France."), None),
        ("is gibraltar in spain", place("Gibraltar", "Gibraltar is a territory, bordering on Spain."), None),
        ("is ireland in britain", place("Ireland", "Ireland is an island separated from the island of Britain."), None),
        ("is tokyo in japan", place("Tokyo", "Tokyo is the capital of Japan."), "Tokyo is the capital of Japan"),
    ],
)
def test_the_description_or_the_first_sentence_says_where(query, passage, said):
    found = lying(query, [Hit(passage, 1.0, 1)])
    assert (found and passage.text[found[1].start : found[1].end]) == said
    assert found is None or found[2] is True


@pytest.mark.parametrize(
    ("query", "passage", "expected"),
    [
        ("is kilimanjaro in asia", HILL, False),
        ("is mount kilimanjaro in south america", HILL, False),
        (
            "is egypt in asia",
            place("Egypt", "Short description: Country in Africa.\nIt is dry. Sinai is in Asia."),
            None,
        ),
        ("is armenia in europe", place("Armenia", "Short description: Country in West Asia.\nIt is high."), None),
        ("is egypt in oceania", place("Egypt", "Short description: Country in Africa.\nIt is dry."), False),
        ("is panama in north america", place("Panama", "Short description: Country in South America.\nX."), None),
        ("is haiti in asia", place("Haiti", "Short description: Country of African people.\nX."), None),
        ("were the vikings in asia", place("Vikings", "Short description: Seafarers in Europe.\nX."), None),
        ("is autumn in asia", place("Autumn", "Short description: One of four seasons.\nIn Europe it is mild."), None),
        ("is chad in europe", place("Chad", "Short description: Country in Africa.\nIt was a European colony."), None),
        ("is the louvre in africa", MUSEUM, None),
        ("was ada king in africa", PERSON, None),
        ("is the lion in europe", place("Lion", "Short description: Cat.\nIt is found in Africa."), None),
    ],
)
def test_only_another_continent_is_a_no(query, passage, expected):
    found = lying(query, [Hit(passage, 1.0, 1)])
    assert (found and found[2]) is expected


@pytest.mark.parametrize(
    ("query", "passage"),
    [
        ("is taiwan in china", place("Taiwan", "Short description: Country.\nTaiwan, officially the Republic of China, is an island.")),
        ("is the sea of japan in japan", place("Sea of Japan", "Short description: Sea.\nThe Sea of Japan is a marginal sea.")),
    ],
)  # fmt: skip
def test_the_name_of_a_thing_does_not_say_where_it_lies(query, passage):
    assert lying(query, [Hit(passage, 1.0, 1)]) is None
