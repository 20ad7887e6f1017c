"""Events survive the way to text and back; the fold refuses a broken log."""

import json
import typing

import pytest
from pydantic import ValidationError

from searchain.events import (
    ChainDelta,
    Event,
    NodeJudged,
    ReplyDelta,
    RoundStarted,
    RunFinished,
    fold,
    from_payload,
    to_payload,
)
from searchain.llm.scripted import ScriptedModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Mark, Source, Status, Support, Usage, Verdict
from tests.support.fakes import CITY, ISLAND, QUESTION, KnowingReader, Rating, WordRetriever
from tests.support.stories import NINTENDO, reply


@pytest.fixture
def story():
    model = ScriptedModel(
        "Hm.",
        f"[Query 1]: {CITY}\n[Unsolved Query]\n",
        f"[Query 1]: {CITY}\n[Answer 1]: Kyoto\n[Query 2]: {ISLAND}\n[Answer 2]: Kyushu\n",
        f"[Query 2]: {ISLAND}\n[Answer 2]: Honshu\n",
        "unusable",
    )
    return list(
        SearChain(
            model=model, retriever=WordRetriever(), reader=KnowingReader(), settings=Settings.of(), probability=Rating()
        ).stream(QUESTION)
    )


def test_every_event_survives_json(story):
    for event in story:
        assert from_payload(json.loads(json.dumps(to_payload(event)))) == event


def test_the_story_uses_most_kinds(story):
    unused = {kind.__name__ for kind in typing.get_args(Event)} - {type(event).__name__ for event in story}
    assert unused == {"QuestionRewritten"}


def test_folding_in_parts_is_folding_at_once(story):
    turn = fold(story[:7])
    assert fold(story[7:], turn) == fold(story)


def test_an_unknown_version_or_type_is_refused():
    payload = to_payload(RoundStarted(round=1))
    for broken in ({**payload, "version": 2}, {**payload, "type": "nonsense"}, {}):
        with pytest.raises(ValidationError):
            from_payload(broken)


def test_a_verdict_on_a_node_that_was_never_announced_is_a_broken_log():
    with pytest.raises(KeyError):
        fold([NodeJudged(node="n9", verdict=Verdict.AGREED, rule="exact", before=None, after=None)])


def test_status_and_usage_come_with_the_end():
    usage = Usage(llm_calls=1)
    turn = fold(
        [
            RoundStarted(round=1),
            ChainDelta(round=1, text="a"),
            ChainDelta(round=1, text="b"),
            RunFinished(status=Status.PARTIAL, final_answer="x", invented_markers=1, usage=usage, message="m"),
        ]
    )
    assert (turn.chains, turn.status, turn.final_answer, turn.invented_markers, turn.usage, turn.message) == (
        ("ab",),
        Status.PARTIAL,
        "x",
        1,
        usage,
        "m",
    )


def test_a_reply_is_cut_at_the_citations_that_lead_somewhere():
    source = Source(1, NINTENDO, None, 1.0, "q", Verdict.AGREED, "n1")
    answer = "So it is [1]. Or not [2]."
    turn = fold(
        [ReplyDelta(text=answer, sources=(source,)), *reply((answer[:13], Support.WEAK), (answer[14:], Support.NONE))],
    )
    first = (Mark(1, 9, 12), source)
    assert list(turn.pieces()) == ["So it is ", first, ". Or not [2]."]
    assert list(turn.pieces(14)) == ["Or not [2]."]
    assert (turn.source(1), turn.source(2)) == (source, None)
