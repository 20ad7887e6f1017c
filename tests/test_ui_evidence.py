import re
from dataclasses import replace
from html import unescape

from searchain.events import fold
from tests.hostile import PAYLOADS
from tests.told import nintendo
from ui.evidence import card, panel

TURN = fold(nintendo())


def seen(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def test_a_card_shows_the_passage_with_its_span_and_why_it_is_cited():
    html = card("t1", TURN, TURN.sources[0])
    assert seen(html) == (
        "[1] Nintendo ↻ corrected Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in Kyoto . "
        "It develops, publishes, and manufactures both video games and video game consoles. "
        "Why this citation. The model answered “Tokyo”; this passage says “Kyoto”, and the reply follows the passage. "
        "Rule: spans differ. Query Where is the headquarters of Nintendo? Confidence 6.21 Rank 1 in its search "
        "Open the page Back to the reply")
    assert re.findall("<mark>(.*?)</mark>", html) == ["Kyoto"]
    assert 'id="ev-t1-1"' in html and 'href="https://en.wikipedia.org/wiki/Nintendo"' in html


def test_ids_are_unique_over_turns():
    ids = re.findall(r' id="([^"]+)"', panel([("t1", TURN), ("t2", TURN)]))
    assert ids == ["ev-t2-1", "ev-t2-2", "ev-t1-1", "ev-t1-2"]


def test_a_source_without_a_span_marks_nothing():
    html = card("t1", TURN, replace(TURN.sources[0], span=None))
    assert "<mark>" not in html and "nothing certain" in seen(html)


def test_an_unsafe_address_is_no_link():
    passage = replace(TURN.sources[0].passage, url="javascript:alert(1)")
    assert "href" not in card("t1", TURN, replace(TURN.sources[0], passage=passage))


def test_hostile_passages_add_no_markup():
    plain = re.findall("<[^>]+>", card("t1", TURN, replace(TURN.sources[0], span=None)))
    for payload in PAYLOADS:
        passage = replace(TURN.sources[0].passage, title=payload, text=payload)
        assert re.findall("<[^>]+>", card("t1", TURN, replace(TURN.sources[0], passage=passage, span=None))) == plain
