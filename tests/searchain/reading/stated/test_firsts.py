"""The first and the last: answered by the title of the article that says so of its subject."""

import pytest

from searchain.reading.stated.firsts import PROBABILITY, first
from searchain.types import Passage
from tests.support.stated_articles import answer_of

ADA = Passage(
    "a", "Ada Lee", "Short description: Pilot (born 1937).\nAda Lee is a pilot. She was the first woman in space."
)
SAL = Passage("s", "Sal Roe", "Sal Roe became the first American woman in space, in 1983.")
CAESAR = Passage("c", "Octavius", "Octavius was a general and the first Roman emperor, reigning from 27 BC.")
GEORGE = Passage("g", "George Hill", "George Hill was a farmer and the first president of the United States from 1789.")
YURI = Passage("y", "Yuri Orlov", "Yuri Orlov became the first person to journey into outer space, in 1961.")
CARL = Passage("b", "Carl Benn", "Carl Benn's motor car is considered the first car put into series production.")
AHMAD = Passage("d", "Ahmad Shah", "Ahmad Shah was the first ruler and the founder of his empire.")
ROMANOV = Passage("r", "Nicholas III", "Nicholas III was the last Emperor of Russia, from 1894.")


def answer_to(question, *passages):
    return answer_of(first, question, *passages, probability=PROBABILITY)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who was the first woman in space", "Ada Lee"),
        ("Who was the first American woman in space?", "Sal Roe"),
        ("who was the first emperor of rome", "Octavius"),
        ("first president of the USA", "George Hill"),
        ("Who was the first man in space?", "Yuri Orlov"),
        ("who was the last tsar of russia", "Nicholas III"),
        ("who was the first tsar of russia", None),
        ("who was the first president", None),
        ("who was the first ruler", None),
        ("who was the first woman on the moon", None),
        ("what was the first car put into series production", None),
        ("when did the first woman fly in space", None),
    ],
)
def test_the_first_of_all_that_is_asked(question, expected):
    assert answer_to(question, SAL, ADA, CAESAR, GEORGE, YURI, CARL, AHMAD, ROMANOV) == expected
