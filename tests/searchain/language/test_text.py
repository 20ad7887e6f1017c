"""Words, numbers, dates and names in short texts."""

import json

import pytest

from searchain.language import text
from tests.support.json_lines import kept


@pytest.mark.parametrize(("inner", "outer", "expected"), kept("texts.json")["contained"])
def test_contains_at_token_boundaries(inner, outer, expected):
    assert text.contains(inner, outer) is expected


@pytest.mark.parametrize(("find", "said", "expected"), kept("texts.json")["found"])
def test_dates_numbers_and_the_form_of_questions(find, said, expected):
    assert json.dumps(getattr(text, find)(said)) == json.dumps(expected)


@pytest.mark.parametrize(("name", "texts", "expected"), kept("texts.json")["names"])
def test_a_name_typed_small_is_written_as_in_the_passages(name, texts, expected):
    assert text.as_written(name, texts) == expected
