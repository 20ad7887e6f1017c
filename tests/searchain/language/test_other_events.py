"""The date of another event than the one asked for."""

import pytest

from searchain.language.other_events import is_of_other_event
from searchain.types import Passage, Span


@pytest.mark.parametrize(
    ("query", "said", "date", "expected"),
    [
        ("when was the phone released", "The phone was announced on January 9, 2007.", "January 9, 2007", True),
        ("when was the phone released", "It was announced and released in 2007.", "2007", False),
        ("when was the phone released", "It went on sale on June 29, 2007.", "June 29, 2007", False),
        (
            "when was it released",
            "It was announced on May 3, 2007, at a fair, and launched in June.",
            "May 3, 2007",
            True,
        ),
        ("when was it released", "It was announced in May, and launched on June 29, 2007.", "June 29, 2007", False),
        ("when was the wall built", "He ruled until the fall of the wall in 1989.", "1989", True),
        ("when was the wall built", "Its construction began in 1961; it fell in 1989.", "1961", False),
        ("when did the poet die", "She was born in Rome in 1801.", "1801", True),
        ("when did the poet die", "Born in 1801, she died in 1850.", "1850", False),
        ("when was the firm founded", "It was acquired by Acme in 1999.", "1999", True),
        ("where was the firm founded", "It was acquired by Acme in 1999.", "1999", False),
        ("when was the charter written", "It superseded the first charter on March 4, 1789.", "March 4, 1789", True),
        ("when was the charter written", "It was drafted in 1787 and ratified a year later.", "1787", False),
        ("when was the treaty signed", "It was announced in 1999.", "1999", False),
    ],
)
def test_the_words_around_a_date_tell_its_event(query, said, date, expected):
    start = said.index(date)
    assert is_of_other_event(query, Passage("x", "Thing", said), Span(start, start + len(date))) is expected


def test_the_sentence_before_says_nothing_of_it():
    said = "It was announced early. In 2007 it came to the shops."
    at = said.index("2007")
    assert not is_of_other_event("when was it released", Passage("x", "Thing", said), Span(at, at + 4))
