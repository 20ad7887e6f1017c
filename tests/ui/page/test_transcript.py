import re
from dataclasses import replace

import pytest

from searchain.events import (
    Candidate,
    CandidatesWeighed,
    ModelFault,
    QuestionRewritten,
    ReplyDelta,
    RunFinished,
    TracingStarted,
    Turn,
    fold,
)
from searchain.reply.template import NOTHING_FOUND
from searchain.types import Outcome, Status, Support, TaskKind, Usage
from tests.support.stories import QUESTION, nintendo, reply, started
from ui.page.transcript import messages, notice

STORY = nintendo()


def seen(message: dict) -> str:
    """The text that a reader sees, without the buttons below it (``ui.page.reply_buttons``)."""
    from html import unescape

    said = re.split(r'<(?:div|span) class="acts"', message["content"])[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", said)).split())


def until(kind: type, count: int = 1) -> Turn:
    """The turn after the ``count``-th event of this kind."""
    at = [i for i, event in enumerate(STORY) if isinstance(event, kind)][count - 1]
    return fold(STORY[: at + 1])


def test_a_finished_turn_is_a_question_a_folded_chain_and_a_cited_reply():
    question, chain, answer = messages("t1", fold(STORY))
    assert (question["role"], seen(question)) == ("user", QUESTION)
    assert chain["metadata"] == {"title": "2 rounds · 2 queries · 3.2 s", "status": "done"}
    assert seen(chain) == (
        "Round 1 ↻ Where is the headquarters of Nintendo? Tokyo → Kyoto corrected – On which island is Tokyo? Honshu not checked "
        "Round 2 ↻ Where is the headquarters of Nintendo? Tokyo → Kyoto corrected + On which island is Kyoto? Honshu completed"
    )
    assert seen(answer) == (
        "Nintendo has its headquarters in Kyoto [1] . ✓ supported Kyoto lies on Honshu [2] . ✓ supported "
        "Honshu is the largest island of Japan. ? not sure ✓ supported ? not sure ✓ Supported: Honshu"
    )
    assert re.findall(r'href="(#[^"]+)"', answer["content"]) == ["#ev-t1-1", "#ev-t1-2"]
    assert re.findall(r'class="cited">.*?</a>(.*?)</span>', answer["content"]) == [
        ".",
        ".",
    ]  # on one line with its number


def test_where_the_web_is_searched_each_reply_says_so():
    turn = replace(fold(STORY), index="searxng=http://127.0.0.1:8888")
    assert messages("t1", turn)[1]["metadata"]["title"] == "the web was searched · 2 rounds · 2 queries · 3.2 s"
    going = replace(turn, status=None, writer=None)
    assert messages("t1", going)[1]["metadata"]["title"] == "Searching the web for evidence"


def test_an_explanation_is_not_said_twice():
    told = messages("t1", replace(fold(STORY), task=TaskKind.LONGFORM))[-1]
    assert seen(told).endswith("✓ Supported")


@pytest.mark.parametrize(
    ("label", "told"), [("SUPPORTS", "the claim is supported"), ("REFUTES", "the claim is refuted"), ("no", "no")]
)
def test_labels_are_told_in_words(label, told):
    assert seen(messages("t1", replace(fold(STORY), final_answer=label))[-1]).endswith(f"✓ Supported: {told}")


def test_the_chain_is_open_and_shows_what_is_being_written_while_it_grows():
    turn = fold(STORY[:4])
    question, chain = messages("t1", turn)
    assert chain["metadata"] == {"title": "Searching for evidence", "status": "pending"}
    assert seen(chain) == "Round 1 Where is the head"


def test_marks_are_links_from_the_first_moment_they_are_shown():
    answer = messages("t1", until(ReplyDelta, 2))[-1]
    assert seen(answer) == "Nintendo has its headquarters in Kyoto [1] ."
    assert "#ev-t1-1" in answer["content"]


def test_a_second_reply_replaces_the_first():
    turn = fold([TracingStarted(path=("n3", "n4"), writer="template")], until(ReplyDelta, 3))
    assert len(messages("t1", turn)) == 2


def test_numbers_without_a_source_stay_text():
    turn = fold([*started("q"), TracingStarted(path=(), writer="model"), ReplyDelta(text="As [7] says [x].")])
    assert "<a" not in messages("t1", turn)[-1]["content"]


@pytest.mark.parametrize(
    ("status", "outcome", "message", "line"),
    [
        (Status.STOPPED, None, "", "■ Stopped What was found so far is kept."),
        (
            Status.FAILED,
            None,
            "no answer from api.example.org; check --base-url",
            "! Could not go on no answer from api.example.org; check --base-url",
        ),
        (Status.PARTIAL, Outcome.UNSURE, "open: Who is X?", "? Not sure: Honshu open: Who is X?"),
        (Status.PARTIAL, None, "open: Who is X?", "– Not rated: Honshu open: Who is X?"),
        (Status.NOT_FOUND, Outcome.NOT_FOUND, "", "– Not found"),
        (Status.INTERRUPTED, None, "ask again", "■ Interrupted ask again"),
    ],
)
def test_how_a_run_ended_is_said_in_one_line(status, outcome, message, line):
    final = "Honshu" if status is Status.PARTIAL else ""
    end = RunFinished(
        status=status,
        outcome=outcome,
        final_answer=final,
        invented_markers=0,
        usage=Usage(seconds=1),
        message=message,
    )
    assert seen(messages("t1", fold([*started("q"), end]))[-1]) == line


def test_weak_sentences_say_so():
    (bound,) = reply(("Kyoto may be old.", Support.WEAK))
    turn = fold([*started("q"), TracingStarted(path=(), writer="model"), ReplyDelta(text="Kyoto may be old."), bound])
    assert seen(messages("t1", turn)[-1]) == "Kyoto may be old."  # while the run goes on nothing is rated
    over = replace(turn, status=Status.PARTIAL, outcome=Outcome.UNSURE)
    assert seen(messages("t1", over)[-1]) == "Kyoto may be old. ? not sure ? not sure ? Not sure"
    assert 'title="not sure: the cited passage does not settle it"' in messages("t1", over)[-1]["content"]


def test_a_reply_that_found_nothing_is_not_called_the_models_knowledge():
    text = f"{NOTHING_FOUND} No passage confirms it."
    said, rest = reply((NOTHING_FOUND, Support.NONE), ("No passage confirms it.", Support.NONE))
    turn = fold([*started("q"), TracingStarted(path=(), writer="template"), ReplyDelta(text=text), said, rest])
    over = replace(turn, status=Status.NOT_FOUND, outcome=Outcome.NOT_FOUND)
    assert seen(messages("t1", over)[-1]) == (
        "I found no answer. – about the search No passage confirms it. ? not sure ? not sure – about the search "
        "– Not found"
    )


def test_candidates_that_were_weighed_are_a_line_of_the_chain():
    weighed = CandidatesWeighed(
        candidates=(Candidate("chain", "n4", "<i>Honshu", 0.312), Candidate("question", "n3", "Kyoto", None)), chosen=0
    )
    chain = messages("t1", fold([*STORY[:-1], weighed]))[1]
    assert seen(chain).endswith(
        "two answers were weighed: <i>Honshu (31 %) from the chain, Kyoto from the question itself"
    )
    assert "<i>Honshu" not in chain["content"]


def test_faults_and_rewritten_questions_are_lines_of_the_chain():
    turn = fold(
        [
            *started("And Sega?"),
            QuestionRewritten(standalone="Where is Sega?", by="model"),
            ModelFault(what="The model wrote no query.", action="Asked again."),
        ]
    )
    assert seen(messages("t1", turn)[1]) == "Understood as: Where is Sega? The model wrote no query. Asked again."


def test_every_message_is_one_line_so_that_markdown_leaves_it_alone():
    turn = fold([*started("one\n\ntwo"), ModelFault(what="a\n\nb", action="c")])
    contents = [message["content"] for message in (*messages("t1", turn), notice("x\n\ny"))]
    assert [content for content in contents if "\n" in content or not content.startswith(("<div", "<ol"))] == []
