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
    ("find", "said", "expected"),
    [
        (text.dates, "10 May 1913", ((1913, 5, 10),)),
        (text.dates, "May 10, 1913", ((1913, 5, 10),)),
        (text.dates, "May 1913", ((1913, 5, None),)),
        (text.dates, "in 1913 and 2001", ((1913, None, None), (2001, None, None))),
        (text.dates, "1913-05-10", ((1913, 5, 10),)),
        (text.dates, "the 3rd of June 1789", ((1789, 6, 3),)),
        (text.dates, "may be 12", ()),
        (text.dates, "no date", ()),
        (text.numbers, "three", (3.0,)),
        (text.numbers, "1.46 million", (1_460_000.0,)),
        (text.numbers, "2 thousand and 5", (2000.0, 5.0)),
        (text.numbers, "a million", ()),
        (text.numbers, "none", ()),
        (text.is_yes_no_question, "Is Kyoto on Honshu?", True),
        (text.is_yes_no_question, "Which city is it?", False),
        (text.is_yes_no_question, "Was Ada born before Charles or after him?", False),
        (text.is_yes_no_question, "Who is it?", False),
        (text.is_yes_no_question, "Are both in Japan?", False),
        (text.is_yes_no_question, "Is A older than B?", False),
        (text.is_comparison, "Who was born later, Ada or Charles?", True),
        (text.is_comparison, "Which is older, A or B?", True),
        (text.is_comparison, "Do both have a king?", True),
        (text.is_comparison, "Is A taller than B?", True),
        (text.is_comparison, "Who was the first king of A?", False),
        (text.is_comparison, "In which city or town is it?", False),
    ],
)
def test_dates_numbers_and_the_form_of_questions(find, said, expected):
    assert find(said) == expected


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
