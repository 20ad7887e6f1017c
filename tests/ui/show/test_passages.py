from dataclasses import replace

from searchain.events import fold
from searchain.types import Span
from tests.support.stories import nintendo
from ui.page import evidence
from ui.show.passages import captioned

TURN = fold(nintendo())
FIRST, SECOND = TURN.sources
AGAIN = replace(FIRST, number=3, span=Span(0, 8))
TWICE = replace(TURN, sources=(FIRST, SECOND, AGAIN))


def test_spans_that_overlap_are_marked_once():
    assert captioned("Kyoto City", [Span(0, 5), Span(0, 10), Span(2, 4)]) == ([], [("Kyoto", True), (" City", True)])
    assert captioned("Kyoto", []) == ([], [("Kyoto", False)])


def test_the_page_names_a_passage_once_above_its_citations():
    page = str(evidence.panel([("t1", TWICE)]))
    assert page.count("<h4>Nintendo") == 1
    assert page.count('class="title unseen">Nintendo') == 2
