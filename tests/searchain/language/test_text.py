"""Words, numbers, dates and names in short texts."""

import pytest

from searchain.language import text


@pytest.mark.parametrize(
    ("inner", "outer", "expected"),
    [
        ("Kyoto", "in Kyoto, Japan", True),
        ("89", "1989", False),
        ("1", "[Answer 1]", True),
        ("", "anything", False),
        ("1,000", "about 1000 people", True),
        ("Café", "a cafe", True),
        ("Nintendo's", "Nintendo", True),
    ],
)
def test_contains_at_token_boundaries(inner, outer, expected):
    assert text.contains(inner, outer) is expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("10 May 1913", ((1913, 5, 10),)),
        ("May 10, 1913", ((1913, 5, 10),)),
        ("May 1913", ((1913, 5, None),)),
        ("in 1913 and 2001", ((1913, None, None), (2001, None, None))),
        ("1913-05-10", ((1913, 5, 10),)),
        ("the 3rd of June 1789", ((1789, 6, 3),)),
        ("may be 12", ()),
        ("no date", ()),
    ],
)
def test_dates(value, expected):
    assert text.dates(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("three", (3.0,)),
        ("1.46 million", (1_460_000.0,)),
        ("2 thousand and 5", (2000.0, 5.0)),
        ("a million", ()),
        ("none", ()),
    ],
)
def test_numbers(value, expected):
    assert text.numbers(value) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Is Kyoto on Honshu?", True),
        ("Which city is it?", False),
        ("Was Ada born before Charles or after him?", False),
        ("Who is it?", False),
        ("Are both in Japan?", False),
        ("Is A older than B?", False),
    ],
)
def test_yes_no_questions(query, expected):
    assert text.is_yes_no_question(query) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Who was born later, Ada or Charles?", True),
        ("Which is older, A or B?", True),
        ("Do both have a king?", True),
        ("Is A taller than B?", True),
        ("Who was the first king of A?", False),
        ("In which city or town is it?", False),
    ],
)
def test_comparisons(query, expected):
    assert text.is_comparison(query) is expected


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
    [
        ("galileo", ["Galileo Galilei was an astronomer."], "Galileo"),
        ("the nile", ["Nile. The Nile is a river."], "The Nile"),
        ("lion", ["Lion. The lion is a cat."], "lion"),
        ("plato", ["A platonic idea."], "plato"),
        ("Mars", ["mars"], "Mars"),
        ("", ["x"], ""),
    ],
)
def test_a_name_typed_small_is_written_as_in_the_passages(name, texts, expected):
    assert text.as_written(name, texts) == expected
