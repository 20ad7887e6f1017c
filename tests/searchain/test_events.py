"""Events survive the way to text and back; the fold refuses a broken log; fast deltas are joined."""

import json
from dataclasses import replace

import pytest
from pydantic import ValidationError

from lab.scripted.model import ScriptedModel
from searchain import events
from searchain.chain.throttle import join_deltas
from searchain.events import ChainDelta, ReplyDelta, RoundStarted, RunFinished, fold, from_payload, to_payload
from searchain.types import Hit, Mark, Outcome, Passage, Place, Sentence, Source, Span, Status, Support, Usage, Verdict
from tests.support.fakes import CITY, ISLAND, QUESTION, around
from tests.support.stories import NINTENDO, nintendo, reply, unrated


@pytest.fixture
def story():
    model = ScriptedModel(
        "Hm.",
        f"[Query 1]: {CITY}\n[Unsolved Query]\n",
        f"[Query 1]: {CITY}\n[Answer 1]: Kyoto\n[Query 2]: {ISLAND}\n[Answer 2]: Kyushu\n",
        f"[Query 2]: {ISLAND}\n[Answer 2]: Honshu\n",
        "unusable",
    )
    return list(around(model, first_call="plan").stream(QUESTION))


def test_every_event_survives_json_and_folding_in_parts_is_folding_at_once(story):
    for event in story:
        assert from_payload(json.loads(json.dumps(to_payload(event)))) == event
    turn = fold(story[:7])
    assert fold(story[7:], turn) == fold(story)


def test_unknown_versions_types_and_nodes_are_refused():
    payload = to_payload(RoundStarted(round=1))
    for broken in ({**payload, "version": 2}, {**payload, "type": "nonsense"}, {}):
        with pytest.raises(ValidationError):
            from_payload(broken)
    with pytest.raises(KeyError):
        fold([events.NodeJudged(node="n9", verdict=Verdict.AGREED, rule="exact", before=None, after=None)])


def test_a_reply_is_cut_at_the_citations_that_lead_somewhere():
    source = Source(1, NINTENDO, None, 1.0, "q", Verdict.AGREED, "n1")
    answer = "So it is [1]. Or not [2]."
    told = reply((answer[:13], Support.WEAK), (answer[14:], Support.NONE))
    turn = fold([events.ReplyDelta(text=answer, sources=(source,)), *told])
    first = (Mark(1, 9, 12), source)
    assert list(turn.pieces()) == ["So it is ", first, ". Or not [2]."]
    assert list(turn.pieces(14)) == ["Or not [2]."]
    assert (turn.source(1), turn.source(2)) == (source, None)


@pytest.mark.parametrize("event", unrated(nintendo()), ids=lambda event: event.type)
def test_payloads_of_version_1_are_read_and_written_to_the_letter(event):
    payload = to_payload(event)
    assert not {"outcome", "probability", "threshold", "likelihood"} & (
        set(payload)
        | set(payload.get("sentence", ()))
        | set(payload.get("reading", ()))
        | {name for one in payload.get("sources", ()) for name in one}
    )
    assert from_payload(json.loads(json.dumps(payload))) == event
    assert to_payload(from_payload(payload)) == payload


def test_a_passage_without_a_place_is_written_as_before_there_were_places():
    place = Place("01j0000000000000000000doc0", "ab" * 32, 7, 12)
    plain = Passage("a", "A", "words")
    other = events.Searched(node="n1", query="q", hits=(Hit(plain, 1.0, 1),), seconds=0.0)
    own = replace(other, hits=(Hit(replace(plain, place=place), 1.0, 1),))
    assert from_payload(to_payload(own)) == own
    assert "place" not in to_payload(other)["hits"][0]["passage"]
    assert from_payload(to_payload(other)) == other


def test_what_was_measured_is_folded_and_written():
    turn = fold(map(from_payload, map(to_payload, nintendo())))
    assert (turn.outcome, turn.probability) == (Outcome.SUPPORTED, 0.91)
    assert [node.probability for node in turn.nodes] == [0.93, None, 0.93, 0.91]
    assert [source.probability for source in turn.sources] == [0.93, 0.91]
    assert [sentence.probability for sentence in turn.sentences] == [0.93, 0.91, None]
    assert {event["version"] for event in map(to_payload, nintendo()) if event["type"] in RATED} == {2, 3, 6}


RATED = ("node_read", "node_judged", "reply_delta", "sentence_bound", "run_finished")


def test_the_chosen_candidate_comes_first():
    first, second = events.Candidate("chain", "n1", "Kyoto", 0.31), events.Candidate("question", "n2", "Honshu", 0.62)
    weighed = events.CandidatesWeighed(candidates=(first, second), chosen=1)
    assert from_payload(json.loads(json.dumps(to_payload(weighed)))) == weighed
    assert fold([weighed]).candidates == (second, first)


def test_a_sentence_of_an_older_version_keeps_its_state_and_its_form():
    sentence = Sentence("It is so [1].", 0, 13, (Mark(1, 9, 12),), Support.WEAK, 0.3)
    old = events.SentenceBound(sentence=sentence, version=2)
    assert "uncarried" not in to_payload(old)["sentence"]
    assert from_payload(json.loads(json.dumps(to_payload(old)))) == old
    now = replace(old, version=3, sentence=replace(sentence, support=Support.PARTLY, uncarried=(Span(6, 8),)))
    assert to_payload(now)["sentence"]["uncarried"] == [{"start": 6, "end": 8}]
    assert from_payload(json.loads(json.dumps(to_payload(now)))) == now


def test_samples_are_kept_in_the_order_in_which_they_were_weighed():
    first = events.SamplesWeighed(
        round=1, kind="thoughts", samples=(events.Sample("a", "a", 3), events.Sample("b", "b", 2)), chosen=0
    )
    second = replace(first, round=2, kind="answers", chosen=None)
    assert fold([RoundStarted(round=1), first, second]).weighed == (first, second)
    assert from_payload(json.loads(json.dumps(to_payload(first)))) == first


def test_runs_of_before_there_were_systems_are_read_and_written_as_they_were():
    old = {"type": "run_started", "version": 1, "question": "?", "model": "m", "index": "i", "settings": {}}
    for profile, system in (("default", "searchain"), ("paper", "searchain-paper"), ("foreign", "m")):
        event = from_payload({**old, "profile": profile})
        assert to_payload(event) == {**old, "profile": profile}
        assert fold([event]).system == system
    now = events.RunStarted(
        question="?", model="m", index="i", profile="default", settings={}, system="cot", beside="t"
    )
    assert (fold([now]).system, fold([now]).beside) == ("cot", "t")


def test_the_usage_of_before_words_were_counted_is_written_as_it_was():
    end = RunFinished(status=Status.PARTIAL, final_answer="", invented_markers=0, usage=Usage(), version=2)
    assert "prompt_words" not in to_payload(end)["usage"]
    assert to_payload(replace(end, version=3))["usage"]["prompt_words"] == 0
    assert "as_of" not in to_payload(replace(end, version=5))
    assert fold([from_payload(to_payload(replace(end, version=6, as_of="2024-06")))]).as_of == "2024-06"
    assert from_payload(to_payload(end)) == end


def test_fast_deltas_are_joined_and_order_is_kept():
    now = [0.0]

    def events():
        yield RoundStarted(round=1)
        for letter in "abcdef":
            now[0] += 0.04
            yield ChainDelta(round=1, text=letter)
        yield RoundStarted(round=2)
        yield ReplyDelta(text="x")
        yield ReplyDelta(text="y")

    assert list(join_deltas(events(), interval=0.1, clock=lambda: now[0])) == [
        RoundStarted(round=1),
        ChainDelta(round=1, text="a"),
        ChainDelta(round=1, text="bcd"),
        ChainDelta(round=1, text="ef"),
        RoundStarted(round=2),
        ReplyDelta(text="xy"),
    ]
