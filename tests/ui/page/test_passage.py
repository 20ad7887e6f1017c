import re
from html import unescape

import pytest

from searchain.types import Span
from ui.page.evidence import LONG, quotation

WORDS = "word " * 400  # 2,000 characters
SPAN = Span(1000, 1004)


def shown(html: str) -> str:
    """What is seen before the whole passage is asked for."""
    return unescape(re.sub("<[^>]+>", "", re.sub('<span class="rest">.*?</span>|<button.*', "", html)))


def text(html: str) -> str:
    return unescape(re.sub("<[^>]+>", "", re.sub("<button.*", "", html)))


@pytest.mark.parametrize(
    ("words", "span", "begin", "end"),
    [
        (WORDS, SPAN, 765, 1239),
        (WORDS, Span(0, 4), 0, 479),
        (WORDS, Span(1996, 2000), 1760, 2000),
        (WORDS * 3, Span(2000, 3999), 1765, 4234),
        (WORDS, None, 0, 479),
        ("x" * 2000, SPAN, 760, 1244),
        (WORDS[:LONG], Span(5, 9), 0, LONG),
        ("", None, 0, 0),
    ],
)
def test_a_long_passage_shows_the_part_around_its_span(words, span, begin, end):
    html = quotation(words, span)
    assert (shown(html), text(html)) == (words[begin:end], words)
    assert ("<button" in html) == (end - begin < len(words))
    assert re.findall("<mark>(.*?)</mark>", html) == ([words[span.start : span.end]] if span else [])
