import re
from dataclasses import replace
from html import unescape

from searchain.events import fold
from searchain.types import Span, Verdict
from tests.support.stories import everest, nintendo
from ui.page.evidence import panel, rests_on

TURN = fold(nintendo())


def seen(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def one(source) -> str:
    """The panel with the card of ``source`` alone."""
    html = panel([("t1", replace(TURN, sources=(source,), hits={}))])
    return html[html.index("<details") : html.index("</section>")]


def test_a_card_shows_the_passage_with_its_span_and_why_it_is_cited():
    html = one(TURN.sources[0])
    assert seen(html) == (
        "[1] Nintendo Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in Kyoto . "
        "Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in Kyoto . "
        "It develops, publishes, and manufactures both video games and video game consoles. "
        "The article says Kyoto; the model had said Tokyo. "
        "Open the page Back to the reply Report: it does not support this You said: does not support it "
        "Details Looked up Where is the headquarters of Nintendo? How the article says otherwise (corrected) "
        "Why they name different things Score of the reading (f) 6.21 How sure about 9 in 10 (93 %) Place among the passages found 1 in its search"
    )
    assert re.findall("<mark>(.*?)</mark>", html) == ["Kyoto"]
    assert 'id="ev-t1-1"' in html
    assert 'href="https://en.wikipedia.org/wiki/Nintendo"' in html


def test_a_card_says_a_quoted_sentence_with_one_full_stop():
    span = TURN.sources[0].span
    whole = replace(TURN.sources[0], verdict=Verdict.COMPLETED, span=Span(span.start, span.end + 1))
    assert "this passage says “Kyoto”." in seen(one(whole))


def test_an_unsafe_address_is_no_link():
    passage = replace(TURN.sources[0].passage, url="javascript:alert(1)")
    assert "href" not in one(replace(TURN.sources[0], passage=passage))


def test_citations_of_one_page_stand_together_under_its_title():
    html = panel([("t1", fold(everest()))])
    (document,) = re.findall('<section class="document">(.*?)</section>', html)
    assert seen(document).startswith("Mount Everest 2 citations [1] Mount Everest")
    assert re.findall('<details class="card" id="([^"]+)"', document) == ["ev-t1-1", "ev-t1-2"]
    assert re.findall('<details class="card" id="([^"]+)"', html) == [f"ev-t1-{number}" for number in range(1, 6)]


def test_a_card_names_the_nodes_that_rest_on_it():
    turn = fold(everest())
    assert re.findall('data-nodes="([^"]*)"', panel([("t1", turn)])) == [
        "nd-t1-n1",
        "nd-t1-n4",
        "nd-t1-n5",
        "nd-t1-n7",
        "nd-t1-n8",
    ]
    again = replace(turn.node("n1"), id="n13", parent="n12")  # the step asked again: its evidence is the same
    assert [node.id for node in (*turn.nodes, again) if rests_on(node, turn.sources[0])] == ["n1", "n13"]
