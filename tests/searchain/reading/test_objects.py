"""The object of a verb is read whole."""

import pytest

from searchain.reading.objects import whole_object
from searchain.types import Span


@pytest.mark.parametrize(
    ("query", "passage", "read", "whole"),
    [
        (
            "What did the auditors find?",
            "The year was good. The auditors found a gap of 46 euros in the tea fund.",
            "tea fund",
            "a gap of 46 euros in the tea fund",
        ),
        ("what did the club plan", "The club planned a party for members.", "members", "a party for members"),
        ("What does the crew carry?", "The crew carries sacks of flour.", "flour", "flour"),
        ("What did Fleming discover?", "Fleming discovered penicillin in 1928.", "penicillin", "penicillin"),
        ("What did the mayor find?", "The auditors found a gap in the fund.", "fund", "fund"),
        ("What did Curie win?", "Curie won a prize, the first of two in physics.", "physics", "physics"),
        ("Who found a gap?", "The auditors found a gap in the fund.", "fund", "fund"),
    ],
)
def test_only_what_lies_inside_the_object_is_widened(query, passage, read, whole):
    at = passage.index(read)
    span = whole_object(query, passage, Span(at, at + len(read)))
    assert passage[span.start : span.end] == whole
