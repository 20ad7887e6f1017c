import re
from dataclasses import replace
from html import unescape

import pytest

from searchain import events
from searchain.events import ModelFault, ReplyDelta, TracingStarted, fold
from searchain.reply.notes import NOTHING_FOUND
from searchain.types import Outcome, Passage, Source, Span, Status, Support, Usage, Verdict
from tests.support.stories import QUESTION, ending, nintendo, reply, started
from ui.page.transcript import messages, notice
from ui.show.labels import rated

STORY = nintendo()


def seen(message: dict) -> str:
    """The text that a reader sees, without the buttons below it (``ui.page.progress``)."""
    said = re.split(r'<(?:div|span) class="acts"', message["content"])[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", said)).split())


def test_a_finished_turn_is_a_question_a_folded_chain_and_a_cited_reply():
    question, answer = messages("t1", fold(STORY))
    assert (question["role"], seen(question)) == ("user", QUESTION)
    assert seen(answer).partition(" Details ")[0] == (
        "Honshu ✓ Supported about 9 in 10 such answers are right "
        "Nintendo has its headquarters in Kyoto [1] . ✓ Its source says it Kyoto lies on Honshu [2] . ✓ Its source says it "
        "Honshu is the largest island of Japan. from the model ↻ The article says Kyoto; the model had said Tokyo. [1] "
        "2 searches · 3.2 s "
        "↻ Searched: Where is the headquarters of Nintendo? … found in “Nintendo”: Kyoto "
        "→ Searched: On which island is Kyoto? … found in “Kyoto”: Honshu"
    )
    assert re.findall(r'href="(#[^"]+)"', answer["content"]) == ["#ev-t1-1", "#ev-t1-2", "#ev-t1-1"]
    on_one_line = re.findall(r'class="cited">.*?</a>(.*?)</span>', answer["content"])  # with its number
    assert on_one_line == [".", "."]


def test_labels_are_told_in_words_and_where_nothing_was_found_that_is_said_once():
    for label, told in {"SUPPORTS": "The claim is supported", "REFUTES": "The claim is refuted", "no": "no"}.items():
        assert seen(messages("t1", replace(fold(STORY), final_answer=label))[-1]).startswith(f"{told} ✓ Supported")
    text = f"{NOTHING_FOUND} No passage confirms it."
    said, rest = reply((NOTHING_FOUND, Support.NONE), ("No passage confirms it.", Support.NONE))
    turn = fold([*started("q"), TracingStarted(path=(), writer="template"), ReplyDelta(text=text), said, rest])
    over = replace(turn, status=Status.NOT_FOUND, outcome=Outcome.NOT_FOUND)
    assert seen(messages("t1", over)[-1]).startswith("– Not found in the introductions")
    assert NOTHING_FOUND not in seen(messages("t1", over)[-1])


def test_what_is_being_written_has_links_where_there_is_a_source_and_is_one_line_for_markdown():
    assert seen(messages("t1", fold(STORY[:4]))[1]) == "Looking things up Next: Where is the head"
    second = [at for at, event in enumerate(STORY) if isinstance(event, ReplyDelta)][1]
    answer = messages("t1", fold(STORY[: second + 1]))[-1]
    written = "Writing the reply Nintendo has its headquarters in Kyoto [1] . Writing the reply"
    assert seen(answer).startswith(f"… … {written}")
    assert "#ev-t1-1" in answer["content"]
    turn = fold([*started("q"), TracingStarted(path=(), writer="model"), ReplyDelta(text="As [7] says [x].")])
    assert "<a" not in messages("t1", turn)[-1]["content"]
    turn = fold([*started("one\n\ntwo"), ModelFault(what="a\n\nb", action="c")])
    contents = [message["content"] for message in (*messages("t1", turn), notice("x\n\ny"))]
    assert [content for content in contents if "\n" in content or not content.startswith(("<div", "<ol"))] == []


NOT_FOUND = "– Not found in the introductions of English Wikipedia articles."
WAYS = "Ask differently Add your documents Search beyond your documents See what it knows"


@pytest.mark.parametrize(
    ("status", "outcome", "message", "line"),
    [
        (Status.FAILED, None, "no answer; check --base-url", "! Could not go on no answer; check --base-url"),
        (Status.PARTIAL, Outcome.UNSURE, "open: Who is X?", "Honshu ? Not sure"),
        (Status.NOT_FOUND, Outcome.NOT_FOUND, "", f"{NOT_FOUND} {WAYS}"),
        (Status.INTERRUPTED, None, "ask again", "■ Interrupted ask again"),
    ],
)
def test_how_a_run_ended_is_said_in_one_line(status, outcome, message, line):
    final = "Honshu" if status is Status.PARTIAL else ""
    end = ending(status, outcome, final_answer=final, usage=Usage(seconds=1), message=message)
    assert seen(messages("t1", fold([*started("q"), end]))[-1]) == line


CITY = Source(1, Passage("k", "Kyoto", "Kyoto is a city."), None, 0.0, "q", Verdict.COMPLETED, "n1")
_STEP = (events.RoundStarted(round=1), events.NodeParsed(node="n1", parent=None, round=1, query="q", answer=None))


def test_a_sentence_says_whether_its_source_says_it_also_in_states_of_older_versions():
    (bound,) = reply(("Kyoto may be <old> [1].", Support.PARTLY))
    bound = replace(bound, sentence=replace(bound.sentence, uncarried=(Span(6, 9), Span(13, 14))))
    said = ReplyDelta(text="Kyoto may be <old> [1].", sources=(CITY,))
    turn = fold([*started("q"), *_STEP, TracingStarted(path=(), writer="model"), said, bound])
    assert "Its source" not in seen(messages("t1", turn)[-1])  # while the run goes on nothing is rated
    over = replace(turn, status=Status.PARTIAL, outcome=Outcome.UNSURE)
    assert "? Its source says a part" in seen(messages("t1", over)[-1])
    shown = messages("t1", over)[-1]["content"]
    assert shown.count('<span class="uncarried">') == 2
    assert '<span class="uncarried">may</span>' in shown
    quoted = replace(bound.sentence, support=Support.QUOTED, uncarried=())
    shown = messages("t1", replace(over, sentences=(quoted,)))[-1]["content"]
    assert 'is-verbatim" title="Word for word from “Kyoto”"' in shown
    for text, support, word in (
        ("Kyoto is a city [1].", Support.WEAK, "Word for word"),
        ("Kyoto lies there [1].", Support.WEAK, "Its source does not say it"),
        ("Kyoto lies there [1].", Support.CORRECTED, "Its source says it"),
        ("Kyoto lies there.", Support.NONE, "from the model"),
    ):
        said = ReplyDelta(text=text, sources=(CITY,))
        turn = fold([*started("q"), TracingStarted(path=(), writer="model"), said, *reply((text, support))])
        over = replace(turn, status=Status.PARTIAL, outcome=Outcome.UNSURE)
        assert rated(over, over.sentences[0]).word == word


def test_candidates_are_told_in_the_details_and_faults_and_rewritten_questions_in_the_chain():
    candidates = (
        events.Candidate("chain", "n4", "<i>Honshu", 0.312),
        events.Candidate("question", "n3", "Kyoto", None),
    )
    weighed = events.CandidatesWeighed(candidates=candidates, chosen=0)
    chain = messages("t1", fold([*STORY[:-1], weighed, STORY[-1]]))[1]
    told = "<i>Honshu from the chain, about 3 in 10 (31 %); Kyoto from the question itself"
    assert f"Details two answers were weighed: {told} Model" in seen(chain)
    assert "<i>Honshu" not in chain["content"]
    rewritten = events.QuestionRewritten(standalone="Where is Sega?", by="model")
    fault = ModelFault(what="the model wrote no query", action="asked again")
    turn = fold([*started("And Sega?"), rewritten, fault])
    assert seen(messages("t1", turn)[1]) == (
        "Understood as: Where is Sega? Looking things up Thinking about what to look up "
        "the model wrote no query; asked again"
    )


@pytest.mark.parametrize("checked_by", [None, "careful"])
def test_a_reply_without_an_answer_has_no_headline_while_it_is_written_and_checked(checked_by):
    told = fold([*started("q"), TracingStarted(path=(), writer="template"), ReplyDelta(text=NOTHING_FOUND)])
    content = messages("t1", replace(told, checked_by=checked_by))[-1]["content"]
    assert 'class="final"' not in content
    assert NOTHING_FOUND in content
    answered = fold([*started("q"), TracingStarted(path=(), writer="template"), ReplyDelta(text="It is Kyoto.")])
    assert '<p class="final">…</p>' in messages("t1", replace(answered, checked_by=checked_by))[-1]["content"]
