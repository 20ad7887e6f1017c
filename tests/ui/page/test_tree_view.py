import re
from dataclasses import replace

from searchain.events import Turn, fold
from searchain.types import Node
from tests.support.stories import nintendo
from tests.ui.page.test_evidence import seen
from ui.page.tree_view import panel, tree

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
        re.match(r"<div [^>]+>", panel(turns, conversation))[0]
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
