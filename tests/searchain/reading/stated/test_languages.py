"""Languages by the article of the country, or by that of the language."""

import pytest

from searchain.reading.stated.languages import ONE_OF_SEVERAL, PROBABILITY, language, official_language
from searchain.types import Hit, Passage, Reading


@pytest.mark.parametrize(
    ("title", "said", "expected"),
    [
        ("Brunei", "Its official language is Malay, and Islam is its religion.", "Malay"),
        (
            "Comoros",
            "The country has three official languages: Comorian, French and Arabic.",
            "Comorian, French and Arabic",
        ),
        (
            "Finland",
            "The official languages are Finnish and Swedish, the mother tongues of most.",
            "Finnish and Swedish",
        ),
        ("Iceland", "The official language of the country is Icelandic.", "Icelandic"),
        ("Monaco", "Although French is the official language of Monaco, Italian is spoken too.", "French"),
        ("Nepal", "Nepal is a state, with Nepali as the official language.", "Nepali"),
        (
            "Uzbekistan",
            "Uzbek, spoken by more than 89% of the people, is the official language of the country.",
            "Uzbek",
        ),
        ("DR Congo", "French is the official and most widely spoken language.", "French"),
        ("Mali", "French was the official language until 2022.", None),
        ("Lusaka", "English is the official language of the city administration.", None),
        ("Bahia", "It is where Portuguese is an official language.", None),
        ("Twoland", "The official language is Alban. Borgish is the official language.", None),
    ],
)
def test_the_official_languages_are_read_from_the_article(title, said, expected):
    passage = Passage("x", title, said)
    span = official_language(passage)
    assert (span and passage.text[span.start : span.end]) == expected


GERMAN = Passage(
    "g",
    "German language",
    "German is a West Germanic language. It is the majority and official language in Germany, Austria, and Liechtenstein.",
)
MARATHI = Passage(
    "m",
    "Marathi language",
    "Marathi is a language. It is the official language of Maharashtra, and an additional official language in Goa.",
)
PORTUGUESE = Passage(
    "p",
    "Portuguese language",
    "Portuguese is a language. It is the official language of two countries — Portugal, Brazil — and is known in Macau.",
)
SWISS = Passage("s", "Switzerland", "Switzerland is a country. It has four national languages.")
BURMESE = Passage("b", "Burmese language", "Burmese is spoken in Myanmar, where it is the official language.")
HITS = [Hit(passage, 1.0, rank) for rank, passage in enumerate((GERMAN, MARATHI, PORTUGUESE, SWISS, BURMESE), 1)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("what language do they speak in austria", "German"),
        ("What is the official language of Maharashtra?", "Marathi"),
        ("which language is spoken in Goa", None),
        ("official language of brazil", "Portuguese"),
        ("what language is spoken in macau", None),
        ("what languages are spoken in switzerland", None),
        ("what is the main language of myanmar", "Burmese"),
        ("where is austria", None),
    ],
)
def test_a_language_names_the_places_of_which_it_is_the_official_one(query, expected):
    found = language(query, HITS, [Reading("", None, 0.5)] * len(HITS))
    assert (found and found[1].answer) == expected
    assert not found or found[1].probability == (
        ONE_OF_SEVERAL if expected in ("German", "Portuguese") else PROBABILITY
    )


def test_of_several_languages_none_is_taken_for_all():
    hits = [
        Hit(SWISS, 1.0, 1),
        Hit(Passage("x", "German language", "It is the official language of Switzerland."), 0.9, 2),
    ]
    assert language("what language do they speak in switzerland", hits, [Reading("", None, 0.5)] * 2) is None


def test_the_article_of_the_place_counts_first():
    hungary = Passage("h", "Hungary", "Hungary is a country. The official language is Magyar.")
    hungarian = Passage("l", "Hungarian language", "Hungarian is a language. It is the official language of Hungary.")
    hits = [Hit(hungarian, 1.0, 1), Hit(hungary, 0.9, 2)]
    hit, reading = language("what language do they speak in hungary", hits, [Reading("", None, 0.5)] * 2)
    assert (hit.passage.title, reading.answer) == ("Hungary", "Magyar")


@pytest.mark.parametrize(
    "said",
    [
        "However, English is the official language.",
        "The official language of Uganda is English.",
    ],
)
def test_an_opening_word_or_another_country_gives_no_language(said):
    span = official_language(Passage("k", "Kenya", said))
    assert span is None or said[span.start : span.end] == "English"
    assert span is None or "Uganda" not in said


@pytest.mark.parametrize(("place", "known"), [("sudan", False), ("South Sudan", True), ("guinea", False)])
def test_only_the_whole_name_of_a_place_counts(place, known):
    lead = "Ana is a language. It is the official language of South Sudan."
    hits = [Hit(Passage("l", "Ana language", lead), 1.0, 1)]
    found = language(f"what language is spoken in {place}", hits, [Reading("", None, 0.5)])
    assert (found is not None) is known
