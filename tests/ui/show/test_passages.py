from dataclasses import replace

from searchain.events import fold
from searchain.types import Passage, Span, Support
from tests.support.stories import nintendo, reply
from ui.page import evidence, transcript
from ui.show import terminal
from ui.show.passages import by_passage, captioned, quotes_description

TURN = fold(nintendo())
FIRST, SECOND = TURN.sources
AGAIN = replace(FIRST, number=3, span=Span(0, 8))
TWICE = replace(TURN, sources=(FIRST, SECOND, AGAIN))


def test_a_passage_stands_once_with_all_its_numbers():
    assert [[one.number for one in same] for same in by_passage(TWICE.sources)] == [[1, 3], [2]]


def test_a_sentence_that_is_only_the_description_is_a_caption():
    passage = Passage("e", "Albert Einstein", "Short description: Physicist (1879–1955).\nHe was a physicist.")
    turn = replace(TURN, sources=(replace(FIRST, passage=passage),))
    for text, is_caption in (("Physicist (1879–1955) [1].", True), ("He was a physicist [1].", False)):
        (bound,) = reply((text, Support.COMPLETED))
        assert quotes_description(turn, bound.sentence) is is_caption
        shown = replace(turn, answer=text, sentences=(bound.sentence,))
        assert ("is-caption" in transcript.messages("t1", shown)[-1]["content"]) is is_caption


def test_spans_that_overlap_are_marked_once():
    assert captioned("Kyoto City", [Span(0, 5), Span(0, 10), Span(2, 4)]) == ([], [("Kyoto", True), (" City", True)])
    assert captioned("Kyoto", []) == ([], [("Kyoto", False)])


def test_the_terminal_names_a_passage_once():
    lines = list(terminal.sources(TWICE))
    assert [line for line in lines if not line.startswith(" ")] == [
        "[1][3] Nintendo https://en.wikipedia.org/wiki/Nintendo",
        "[2] Kyoto",
    ]
    assert [line[:9] for line in lines[1:3]] == ["    [1] “", "    [3] “"]


def test_the_page_names_a_passage_once_above_its_citations():
    page = str(evidence.panel([("t1", TWICE)]))
    assert page.count("<h4>Nintendo") == 1
    assert page.count('class="title unseen">Nintendo') == 2
