"""The panel of sources and the tree of steps: what they show, and what stays text."""

import re
from dataclasses import replace
from html import unescape

import pytest

from searchain.events import Turn, fold
from searchain.types import Hit, Node, Passage, Place, Span, Verdict
from tests.support.hostile import PAYLOADS
from tests.support.stories import KYOTO, everest, nintendo
from ui.page.evidence import LONG, also_found, next_questions, panel, quotation, rests_on, uncited
from ui.page.tree_view import panel as reasoning
from ui.page.tree_view import tree

TURN = fold(nintendo())
WORDS = "word " * 400  # 2,000 characters
SPAN = Span(1000, 1004)


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

    span, passage = TURN.sources[0].span, replace(TURN.sources[0].passage, url="javascript:alert(1)")
    whole = replace(TURN.sources[0], verdict=Verdict.COMPLETED, span=Span(span.start, span.end + 1))
    assert "this passage says “Kyoto”." in seen(one(whole))  # with one full stop
    assert "href" not in one(replace(TURN.sources[0], passage=passage))  # an unsafe address is no link


def test_citations_of_one_page_stand_together_and_name_the_nodes_that_rest_on_them():
    html = panel([("t1", fold(everest()))])
    (document,) = re.findall('<section class="document">(.*?)</section>', html)
    assert seen(document).startswith("Mount Everest 2 citations [1] Mount Everest")
    assert re.findall('<details class="card" id="([^"]+)"', document) == ["ev-t1-1", "ev-t1-2"]
    assert re.findall('<details class="card" id="([^"]+)"', html) == [f"ev-t1-{number}" for number in range(1, 6)]
    turn = fold(everest())
    named = re.findall('data-nodes="([^"]*)"', panel([("t1", turn)]))
    assert named == [f"nd-t1-n{number}" for number in (1, 4, 5, 7, 8)]
    again = replace(turn.node("n1"), id="n13", parent="n12")  # the step asked again: its evidence is the same
    assert [node.id for node in (*turn.nodes, again) if rests_on(node, turn.sources[0])] == ["n1", "n13"]


def text(html: str, left_out: str = "") -> str:
    return unescape(re.sub("<[^>]+>", "", re.sub(f"{left_out}<button.*", "", html)))


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
    shown = text(html, '<span class="rest">.*?</span>|')  # before the whole passage is asked for
    assert (shown, text(html)) == (words[begin:end], words)
    assert ("<button" in html) == (end - begin < len(words))
    assert re.findall("<mark>(.*?)</mark>", html) == ([words[span.start : span.end]] if span else [])


def test_every_uncited_passage_is_listed_once_with_its_best_query_and_adds_no_markup():
    found = [(each.hit.passage.title, each.hit.rank, each.query) for each in uncited(fold(everest()))]
    assert found == [
        *((f"Another page {number}", 1, f"What is step {number + 8}?") for number in range(1, 5)),
        *((f"Another page {number}", number - 2, "What is the highest mountain on Earth?") for number in (5, 6, 7)),
    ]
    turn = fold(everest())

    def tags(title: str) -> list[str]:
        passages = [replace(KYOTO, title=f"{number} {title}", text=title) for number in range(1, 8)]
        hits = {"n1": tuple(Hit(passage, 1.0, number) for number, passage in enumerate(passages, 1))}
        return re.findall("<[^>]+>", also_found("t1", replace(turn, hits=hits)))

    assert [payload for payload in PAYLOADS if tags(payload) != tags("plain")] == []


def test_what_may_be_asked_next_is_about_passages_that_were_found():
    turn = fold(everest())
    near = [Passage(f"p{number}", f"Page {number}", "It names Mount Everest.") for number in range(1, 5)]
    found = replace(turn, hits={"n1": tuple(Hit(one, 1.0, rank) for rank, one in enumerate(near, 1))})
    # the reply names none of them
    assert next_questions(found) == ["Tell me about Mount Everest.", "Tell me about القاهرة."]
    named = replace(found, answer="Mount Everest is on page 4 and page 2.", final_answer="Page 2")
    assert next_questions(named) == [f"Tell me about {title}." for title in ("Page 2", "Mount Everest", "Page 4")]
    assert next_questions(fold(nintendo())) == ["Tell me about Kyoto."]  # Nintendo was asked about
    turn = replace(turn, answer="Ada Lovelace saw it.", sources=())
    life = "Ada Lovelace (1815–1852) was an English mathematician. She saw Mount Everest."
    she = Passage("ada", "Ada Lovelace (countess)", life)
    found = replace(turn, hits={"n1": (Hit(she, 1.0, 1),)})
    assert next_questions(found) == ["Tell me about Ada Lovelace."]
    assert next_questions(replace(found, standalone_question="Who was Ada Lovelace?")) == []
    own = replace(she, title="letters.pdf › To the bank", place=Place("01DOC", "0" * 64, 0, 10))
    found = replace(turn, hits={"n1": (Hit(own, 1.0, 1), Hit(replace(own, id="other"), 0.9, 2))})
    assert next_questions(found) == ["Summarise the section To the bank."]
    assert next_questions(replace(found, standalone_question="What did she write to the bank?")) == []
    faq = replace(own, title="faq.md › What does a ride cost?")
    assert next_questions(replace(found, hits={"n1": (Hit(faq, 1.0, 1),)})) == ["What does a ride cost?"]
    plain = replace(turn, final_answer="", hits={"n1": (Hit(replace(own, title="letters.pdf"), 1.0, 1),)})
    assert next_questions(plain) == ["What are these documents about?"]
    assert next_questions(replace(plain, final_answer="40 euros")) == []


# the steps

SEAT = "Where is the headquarters of Nintendo?"


def items(html: str) -> list[tuple[int, str, bool]]:
    """Level, text and whether it was set aside, of every item; without its folded details."""
    html = re.sub('<span class="to-details">.*?</span>|<dl class="details">.*?</dl>', "", html)
    found = re.findall(r'<li class="([^"]+)".*?aria-level="(\d+)"[^>]*>(.*?)</li>', html)
    return [(int(level), seen(text), "is-rejected" in names) for names, level, text in found]


def test_a_correction_opens_a_branch_and_the_rejected_one_stays_with_the_reason():
    otherwise, why = "the article says otherwise", "The article says Kyoto; the model had said Tokyo."
    assert items(tree("t1", fold(nintendo()))) == [
        (1, f"↻ Dropped: {otherwise} {SEAT} Tokyo", True),
        (1, f"↻ {otherwise} {SEAT} Kyoto {why}", False),
        (2, "→ looked up On which island is Kyoto? Honshu", False),
    ]
    assert items(tree("t1", fold(nintendo()), is_full=True)) == [  # every step is there for researchers
        (1, f"Round 1 ↻ Dropped: {otherwise} {SEAT} Tokyo → Kyoto", True),
        (2, "Round 1 – Dropped with the step above On which island is Tokyo? Honshu", True),
        (1, f"Round 2 ↻ {otherwise} new branch {SEAT} Tokyo → Kyoto", False),
        (2, "Round 2 → looked up On which island is Kyoto? Honshu", False),
    ]


def test_a_node_is_searched_then_read_and_only_the_first_is_a_tab_stop():
    story = nintendo()
    opened = fold(story[:7])
    found = next(event for event in story if event.type == "searched")
    states = [items(tree("t1", turn))[0][1] for turn in (opened, fold([found], opened))]
    assert states == [f"… searching {SEAT} Tokyo", f"… reading {SEAT} Tokyo"]
    html = tree("t1", fold(nintendo()))
    places = re.findall(r'aria-level="(\d)" aria-posinset="(\d)" aria-setsize="(\d)"', html)
    assert places == [("1", "1", "2"), ("1", "2", "2"), ("2", "1", "1")]
    assert re.findall(r"<summary([^>]*)>", html) == ["", ' tabindex="-1"', ' tabindex="-1"']


def test_a_very_long_chain_is_drawn_and_what_has_no_answer_says_so_unless_it_is_a_checked_sentence():
    nodes = tuple(Node(id=f"n{i}", parent=f"n{i - 1}" if i else None, round=1, query=f"q{i}") for i in range(3_000))
    assert tree("t1", replace(Turn(question="q"), nodes=nodes)).count("<li ") == 3_000
    turn = replace(Turn(question="q"), nodes=(Node(id="n1", parent=None, round=1, query="Dogs are welcome."),))
    assert "no answer" in tree("t1", turn)
    assert "no answer" not in tree("t1", replace(turn, system="check"))


def test_the_panel_tells_its_state_turn_and_conversation():
    running, done = fold(nintendo("why?")[:-1]), fold(nintendo("<why>"))
    heads = [
        re.match(r"<div [^>]+>", reasoning(turns, conversation))[0]
        for turns, conversation in (((), None), ([("t1", running)], "c1"), ([("t1", done), ("t2", done)], "c1"))
    ]
    assert heads == [
        '<div id="reasoning" data-state="idle" data-turn="" data-question="" data-conversation="" data-elapsed="">',
        '<div id="reasoning" data-state="running" data-turn="t1" data-question="why?" data-conversation="c1" data-elapsed="0.0">',
        '<div id="reasoning" data-state="done" data-turn="t2" data-question="&#60;why&#62;" data-conversation="c1" data-elapsed="">',
    ]


def test_a_node_tells_in_its_details_who_said_what_and_where_it_is_cited():
    html = tree("t1", fold(nintendo()))
    told = [seen(details) for details in re.findall('<dl class="details">(.*?)</dl>', html)]
    assert told == [
        "Model’s answer Tokyo Answer in the passage Kyoto How the article says otherwise (corrected), in round 1 Score of the reading (f) 6.21 How sure about 9 in 10 (93 %) "
        "Passage Nintendo, rank 1 of 1 Why they name different things",
        "Answer in the passage Kyoto How the article says otherwise (corrected), in round 2 Score of the reading (f) 6.21 How sure about 9 in 10 (93 %) Passage Nintendo, rank 1 of 1 "
        "Replaces Tokyo: they name different things Cited as [1] open the passage",
        "Model’s answer left open Answer in the passage Honshu How looked up (completed), in round 2 Score of the reading (f) 5.87 How sure about 9 in 10 (91 %) "
        "Passage Kyoto, rank 1 of 1 "
        "Why what was read is sure enough Cited as [2] open the passage",
    ]
    assert re.findall('href="(#[^"]+)"', html) == ["#ev-t1-1", "#ev-t1-2"]
