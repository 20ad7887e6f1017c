import re
from dataclasses import replace
from html import unescape

from searchain.events import BranchOpened, NodeJudged, NodeParsed, RoundStarted, TracingStarted, Turn, fold
from searchain.types import Node, Verdict
from tests.support.stories import nintendo, started
from ui.page.tree_view import panel, tree

ISLAND = "On which island is Tokyo?"


def items(html: str) -> list[tuple[int, str, bool]]:
    """Level, text and whether it was set aside, of every item; without its folded details."""
    html = re.sub('<span class="to-details">.*?</span>|<dl class="details">.*?</dl>', "", html)
    found = re.findall(r'<li class="([^"]+)".*?aria-level="(\d+)"[^>]*>(.*?)</li>', html)
    return [
        (int(level), " ".join(unescape(re.sub("<[^>]+>", " ", text)).split()), "is-rejected" in names)
        for names, level, text in found
    ]


def test_a_correction_opens_a_branch_and_the_rejected_one_stays_with_the_reason():
    told = items(tree("t1", fold(nintendo())))
    assert told == [
        (1, "↻ Dropped: the article says otherwise Where is the headquarters of Nintendo? Tokyo", True),
        (
            1,
            "↻ the article says otherwise Where is the headquarters of Nintendo? Kyoto "
            "The article says Kyoto; the model had said Tokyo.",
            False,
        ),
        (2, "→ looked up On which island is Kyoto? Honshu", False),
    ]


def test_every_step_is_there_for_researchers():
    assert items(tree("t1", fold(nintendo()), is_full=True)) == [
        (
            1,
            "Round 1 ↻ Dropped: the article says otherwise Where is the headquarters of Nintendo? Tokyo → Kyoto",
            True,
        ),
        (2, "Round 1 – Dropped with the step above On which island is Tokyo? Honshu", True),
        (
            1,
            "Round 2 ↻ the article says otherwise new branch Where is the headquarters of Nintendo? Tokyo → Kyoto",
            False,
        ),
        (2, "Round 2 → looked up On which island is Kyoto? Honshu", False),
    ]


def test_a_step_that_is_looked_up_anew_with_the_same_answer_is_told_once():
    parsed = NodeParsed(node="a", parent=None, round=1, query="Who?", answer=None)
    judged = NodeJudged(node="a", verdict=Verdict.COMPLETED, rule="read", before=None, after="Ann")
    branch = BranchOpened(node="b", mends="a", parent=None, round=2, query="Who?", answer="Ann")
    turn = fold([*started("q"), RoundStarted(round=1), parsed, judged, branch])
    again = fold([NodeJudged(node="b", verdict=Verdict.COMPLETED, rule="read", before=None, after="Ann")], turn)
    for told in (turn, again, fold([TracingStarted(path=("b",), writer="model")], again)):
        assert len(items(tree("t1", told))) == 1


def test_a_node_is_searched_then_read():
    story = nintendo()
    opened = fold(story[:7])
    found = next(event for event in story if event.type == "searched")
    states = [items(tree("t1", turn))[0][1] for turn in (opened, fold([found], opened))]
    assert states == [
        "… searching Where is the headquarters of Nintendo? Tokyo",
        "… reading Where is the headquarters of Nintendo? Tokyo",
    ]


def test_only_the_first_item_is_a_tab_stop_and_places_are_told():
    html = tree("t1", fold(nintendo()))
    places = re.findall(r'aria-level="(\d)" aria-posinset="(\d)" aria-setsize="(\d)"', html)
    assert places == [("1", "1", "2"), ("1", "2", "2"), ("2", "1", "1")]
    assert re.findall(r"<summary([^>]*)>", html) == ["", ' tabindex="-1"', ' tabindex="-1"']


def test_a_very_long_chain_is_drawn():
    nodes = tuple(Node(id=f"n{i}", parent=f"n{i - 1}" if i else None, round=1, query=f"q{i}") for i in range(3_000))
    assert tree("t1", replace(Turn(question="q"), nodes=nodes)).count("<li ") == 3_000


def test_nodes_off_the_path_of_the_reply_are_marked_unused():
    parsed = [NodeParsed(node=n, parent=None, round=1, query=n, answer="x") for n in ("a", "b")]
    turn = fold([*started("q"), RoundStarted(round=1), *parsed])
    turn = replace(turn, nodes=(replace(turn.nodes[0], on_path=True), turn.nodes[1]))
    assert len(items(tree("t1", turn))) == 1
    assert ["Not used in the reply" in text for _, text, _ in items(tree("t1", turn, is_full=True))] == [False, True]


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


def test_a_branch_that_waits_for_its_verdict_shows_the_announced_answer():
    turn = fold(
        [
            *started("q"),
            RoundStarted(round=1),
            NodeParsed(node="a", parent=None, round=1, query=ISLAND, answer="x"),
            BranchOpened(node="b", mends="a", parent=None, round=2, query=ISLAND, answer="y"),
        ]
    )
    assert items(tree("t1", turn)) == [(1, f"… searching {ISLAND} y", False)]


def test_a_node_tells_in_its_details_who_said_what_and_where_it_is_cited():
    html = tree("t1", fold(nintendo()))
    told = [
        " ".join(unescape(re.sub("<[^>]+>", " ", dl)).split())
        for dl in re.findall('<dl class="details">(.*?)</dl>', html)
    ]
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


def test_rails_join_an_item_to_its_parent_and_siblings():
    def rails(*parents: str | None) -> list[list[str]]:
        nodes = tuple(Node(id=str(i), parent=parent, round=1, query="q") for i, parent in enumerate(parents))
        html = tree("t1", replace(Turn(question="q"), nodes=nodes))
        return [re.findall(r'<i class="(?:rail )?([^"]+)"', item) for item in html.split("<li")[1:]]

    assert rails(None, "0", "1", None) == [["at-1", "elbow"], ["at-1", "elbow"], ["at-1", "elbow"], ["elbow"]]
    assert rails(None, "0", "0") == [["elbow"], ["at-2", "elbow"], ["elbow"]]
    deep = rails(None, "0", "1", "2", "3", "4", "3")  # the last two levels share an indent
    assert deep[4:] == [["at-5", "elbow"], ["at-5", "elbow"], ["elbow"]]
