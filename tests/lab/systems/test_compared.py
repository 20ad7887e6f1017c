"""The compared systems, each with the sequence of calls of its own paper; the answer is always Honshu."""

import json

import pytest

from lab.scripted.model import ScriptedModel
from lab.systems.base import SYSTEMS, Compared
from searchain.cancel import CancelToken
from searchain.errors import CannotSample, RateLimited, UsageError
from searchain.events import fold, from_payload, to_payload
from searchain.llm.base import Cut, CutReason
from searchain.methods.base import find
from searchain.pipeline import SearChain
from searchain.turn_json import as_json
from searchain.types import Outcome, Status, Support, TaskKind, Verdict
from tests.support.fakes import CITY, ISLAND, QUESTION, KnowingReader, Rating, WordRetriever

COURSES = [name for name, system in SYSTEMS.items() if isinstance(system, Compared) and not name.startswith("direct")]
END = "So the final answer is: Honshu."


@pytest.fixture(autouse=True)
def home(index_home):
    """Nothing is prepared there."""


@pytest.fixture
def quick_clusters(monkeypatch):
    """Auto-CoT's questions are not encoded, which takes long beside other tests."""
    monkeypatch.setattr("lab.systems.auto_cot._clusters", lambda pool, k: [[one] for one in pool[:k]])


class Counting(KnowingReader):
    """Reads the city in every query that names Nintendo, the island in those that name Kyoto or an island."""

    def __init__(self):
        super().__init__({"nintendo": {"nintendo": ("Kyoto", 5.0)}, "kyoto": {"island": ("Honshu", 6.0)}})


class NoSearch:
    def search(self, query, k):
        raise AssertionError(f"searched for {query!r}")


def parts_of(name, *replies, reading="reader", delay=0.0, **changes):
    system = find(name)
    return SearChain(
        model=ScriptedModel(*replies, delay=delay),
        retriever=WordRetriever() if system.uses_ir else NoSearch(),
        reader=Counting(),
        index="toy",
        settings=system.settings(**{"task": TaskKind.MULTIHOP, "reading": reading, **changes}),
        probability=Rating(),
    )


def asked(name, *replies, question=QUESTION, **changes):
    """The turn, the model's calls and the queries of one run; its events survive storage."""
    parts = parts_of(name, *replies, **changes)
    events = list(find(name).make(parts).stream(question))
    assert [from_payload(json.loads(json.dumps(to_payload(event)))) for event in events] == events
    turn = fold(events)
    values = as_json(turn, conversation="", turn_id="")
    assert values["system"] == turn.system == name
    found = {hit.passage for hits in turn.hits.values() for hit in hits}
    assert {source.passage for source in turn.sources} <= found
    assert turn.outcome is (Outcome.UNRATED if turn.final_answer else Outcome.NOT_FOUND)
    return turn, parts.model.calls, getattr(parts.retriever, "queries", [])


def told(calls, place):
    """All words of one request."""
    return "\n".join(message.content for message in calls[place].messages)


def test_cot_is_one_call_after_the_demonstrations():
    turn, calls, _ = asked("cot", f"Nintendo is in Kyoto. Kyoto is on Honshu. {END}")
    assert (turn.final_answer, turn.status, turn.usage.llm_calls, turn.round) == ("Honshu", Status.PARTIAL, 1, 1)
    assert turn.answer == f"Nintendo is in Kyoto. Kyoto is on Honshu. {END}"
    assert {sentence.support for sentence in turn.sentences} == {Support.OWN}
    roles = [message.role for message in calls[0].messages]
    assert roles == ["system", *["user", "assistant"] * 4, "user"]  # table 8: four demonstrations


def test_cot_sc_takes_the_answer_of_most_samples():
    turn, calls, _ = asked("cot-sc", "The answer is Kyushu.", f"It is so. {END}", END, samples=3)
    assert (turn.final_answer, turn.answer) == ("Honshu", f"It is so. {END}")
    assert [(call.sampling.temperature, call.sampling.seed) for call in calls] == [(0.7, 0), (0.7, 1), (0.7, 2)]
    (weighed,) = turn.weighed
    assert [(one.answer, one.votes) for one in weighed.samples] == [("Kyushu", 1), ("Honshu", 2), ("Honshu", 2)]
    assert (weighed.kind, weighed.chosen) == ("answers", 1)


@pytest.mark.parametrize("samples", [1, 3])
def test_where_no_samples_can_be_drawn_there_is_one_reply_and_no_vote(samples):
    turn, calls, _ = asked("cot-sc", CannotSample("no temperature"), END, samples=samples)
    assert turn.final_answer == "Honshu"
    assert [fault.what for fault in turn.faults] == ["no temperature"]
    assert [call.sampling.temperature for call in calls] == [0.7, 0]


def test_recite_answers_from_each_recited_passage():
    turn, calls, _ = asked("recite", "Kyoto: on Honshu", "Kyoto: far", "x", "Honshu", "Kyushu", "Honshu", samples=3)
    assert turn.final_answer == "Honshu"
    assert "Kyoto: far" in told(calls, 4)
    assert [call.sampling.seed for call in calls] == [0, 1, 2, 0, 0, 0]
    assert turn.sources == ()  # a recited passage is none
    assert [one.kind for one in turn.weighed] == ["recitations", "answers"]


def test_self_ask_is_cut_where_the_search_answers_or_a_passage_takes_the_place_of_its_reading():
    turn, calls, queries = asked(
        "self-ask", f"Follow up: {CITY}\nIntermediate answer: Tokyo", f"Follow up: {ISLAND}", END
    )
    assert (turn.final_answer, queries) == ("Honshu", [CITY, ISLAND])
    assert "Intermediate answer: Honshu." in told(calls, 2)
    assert "Intermediate answer: Kyoto." in told(calls, 1)
    assert not any("Tokyo" in told(calls, place) for place in range(3))
    assert turn.round == 2  # the paper's #r
    found = [(node.query, node.answer, node.verdict) for node in turn.nodes]
    assert found == [(CITY, "Kyoto", Verdict.COMPLETED), (ISLAND, "Honshu", Verdict.COMPLETED)]
    assert (turn.answer, turn.sources[0].passage.id) == ("So the final answer is: Honshu [1].", "kyoto")
    turn, calls, _ = asked("self-ask", f"Follow up: {CITY}", END, reading="passage")
    assert "Intermediate answer: Nintendo: Nintendo Co., Ltd." in told(calls, 1)


def test_self_ask_alone_is_one_call():
    text = f"Follow up: {CITY}\nIntermediate answer: Kyoto.\nFollow up: {ISLAND}\nIntermediate answer: Honshu.\n{END}"
    turn, _, _ = asked("self-ask-no-ir", text)
    assert (turn.final_answer, turn.usage.llm_calls) == ("Honshu", 1)
    assert [(n.query, n.answer, n.verdict) for n in turn.nodes] == [(CITY, "Kyoto", None), (ISLAND, "Honshu", None)]


def test_least_to_most_solves_the_parts_and_then_the_question():
    turn, calls, _ = asked("least-to-most", f'"{CITY}", "{ISLAND}"', "Kyoto", "Honshu", "Honshu")
    assert turn.final_answer == "Honshu"
    said = [message.content for message in calls[3].messages][-5:]
    assert said == [f"Question: {CITY}", "Kyoto", f"Question: {ISLAND}", "Honshu", f"Question: {QUESTION}"]
    assert [node.query for node in turn.nodes] == [CITY, ISLAND, QUESTION]


def test_plan_and_solve_searches_its_steps_as_one_batch_and_alone_is_asked_for_the_answer_it_lacks():
    turn, calls, queries = asked("plan-and-solve-ir", f"1. {CITY}\n2. {ISLAND}\nSolution: x", "The answer is Honshu.")
    assert (turn.final_answer, sorted(queries), turn.round) == ("Honshu", sorted([CITY, ISLAND]), 1)
    assert calls[1].messages[-1].content == "1. Kyoto\n2. Honshu\nSolution:"
    turn, calls, _ = asked("plan-and-solve", f"1. {CITY}\nSolution: Kyoto it is.", "Honshu.")
    assert (turn.final_answer, calls[1].max_tokens) == ("Honshu", 32)
    assert turn.answer == "Kyoto it is. So the final answer is Honshu."


def test_toolformer_answers_its_call_and_hides_it():
    turn, calls, queries = asked(
        "toolformer", f'Let me see. [QA("{CITY}") -> made up]', "Kyoto is on an island. The answer is Honshu."
    )
    assert (turn.final_answer, queries) == ("Honshu", [CITY])
    assert "-> Kyoto]" in told(calls, 1)
    assert "made up" not in told(calls, 1)
    assert "QA(" not in turn.answer
    assert "QA(" in turn.chains[0]


def test_react_searches_and_finishes():
    turn, calls, queries = asked(
        "react-cot-sc",
        "Thought 1: Where is it?\nAction 1: Search[Nintendo headquarters]\nObservation 1: x",
        f"Thought 2: It is in Kyoto.\nAction 2: Search[{ISLAND}]",
        "Thought 3: Kyoto is on Honshu.\nAction 3: Finish[Honshu]",
        reading="passage",
    )
    assert (turn.final_answer, queries) == ("Honshu", ["Nintendo headquarters", ISLAND])
    assert "Observation 1: Nintendo: Nintendo Co., Ltd." in told(calls, 1)
    assert "Observation 1: x" not in told(calls, 1)
    assert turn.answer == "Kyoto is on Honshu [1][2]. So the final answer is Honshu."


def test_react_is_asked_for_an_action_and_looks_words_up():
    turn, calls, queries = asked(
        "react-cot-sc",
        "Thought 1: It is.\nAction 1: Search[Nintendo headquarters]",
        "Thought 2: I wonder.",
        "Lookup[Kyoto]",
        "Thought 3: I know.\nAction 3: Jump[out]",
        "No action",
        "Thought 4: So be it.\nAction 4: Finish[Honshu]",
    )
    assert (turn.final_answer, len(queries)) == ("Honshu", 1)
    assert calls[2].messages[-1].content == "Action 2:"
    assert "(Result 1 / 1) Nintendo Co., Ltd." in told(calls, 3)
    assert "Observation 3: Invalid action." in told(calls, 5)


def test_verify_and_edit_leaves_what_a_majority_agrees_on_and_mends_each_other_thought():
    turn, _, queries = asked("verify-and-edit", END, END, END, "The answer is Kyushu.", "x")
    assert (turn.final_answer, queries, turn.usage.llm_calls) == ("Honshu", [], 5)
    first = "Nintendo is in Osaka. It is on Kyushu. So the final answer is: Kyushu."
    others = [f"The answer is {one}." for one in ("Shikoku", "Hokkaido", "Okinawa", "Sado")]
    turn, calls, queries = asked(
        "verify-and-edit", first, *others, CITY, "It is in Kyoto.", ISLAND, "Kyoto is on Honshu.", "Honshu"
    )
    assert (turn.final_answer, queries) == ("Honshu", [CITY, ISLAND])
    assert "It is in Kyoto. Kyoto is on Honshu." in told(calls, -1)
    assert turn.answer == "It is in Kyoto [1]. Kyoto is on Honshu [2]. So the final answer is Honshu."


def test_tree_of_thought_looks_up_what_the_votes_choose():
    turn, calls, queries = asked(
        "tree-of-thought-ir",
        *(CITY, "Who is Nintendo?"),
        *("1", "The best choice is 1", "none of them"),
        *(ISLAND, "Where is Sega?"),
        *("2", "1", "1"),
        *("Finish: Honshu", "Finish: Honshu"),
        thoughts=2,
        votes=3,
    )
    assert turn.final_answer == "Honshu"
    assert len(queries) == 2
    assert len(calls) == 12  # none on equal thoughts
    thoughts = [one for one in turn.weighed if one.kind == "thoughts"]
    assert [sum(sample.votes for sample in one.samples) for one in thoughts] == [2, 3, 0]
    assert [one.samples[one.chosen].text for one in thoughts][:2] == queries


def test_dsp_fuses_the_passages_of_its_queries_and_votes():
    prepared = ["x"] * 48  # the plain program solves no training question
    hop = (f"It must be found. Search query: {CITY}", f"Search query: {ISLAND}")
    turn, calls, queries = asked("dsp", *prepared, *hop, *hop, END, END, "x", queries=2, answers=3)
    assert turn.final_answer == "Honshu"
    assert queries[-6:] == [CITY, ISLAND, QUESTION] * 2
    assert "Context:\nIt must be found.\n" in told(calls, 50)
    assert "Kyoto: Kyoto is a city" in told(calls, 52)
    assert [len(hits) for hits in turn.hits.values()] == [4, 4]
    assert [node.verdict for node in turn.nodes] == [Verdict.AGREED, Verdict.AGREED]
    assert turn.usage.llm_calls == 7  # what was prepared serves every question
    again = asked("dsp", *hop, *hop, END, END, "x", queries=2, answers=3)[0]
    assert again.answer == turn.answer


def test_auto_cot_writes_its_own_demonstrations_once(quick_clusters):
    thoughts = [text for number in range(2) for text in (f"Thought {number}.", f"A{number}.")]
    turn, calls, _ = asked("auto-cot", *thoughts, END, examples=2)
    assert (turn.final_answer, turn.usage.llm_calls) == ("Honshu", 1)
    assert "Thought 0. So the final answer is: A0." in told(calls, 4)
    assert asked("auto-cot", END, examples=2)[0].final_answer == "Honshu"


def test_marks_stand_behind_the_first_sentence_that_says_the_answer_and_made_up_ones_are_dropped():
    turn, *_ = asked("self-ask", f"Follow up: {CITY}", "So the final answer is: Kyoto [7]. Kyoto.")
    assert (turn.answer, turn.invented_markers) == ("So the final answer is: Kyoto [1]. Kyoto.", 1)


@pytest.mark.parametrize("name", COURSES)
def test_every_system_comes_to_an_end(name):
    turn, calls, _ = asked(name, lambda messages: f'Thought {len(messages)} "{CITY}" [QA("{CITY}") Search[Kyoto]')
    assert turn.status in (Status.PARTIAL, Status.NOT_FOUND)
    assert turn.usage.llm_calls <= find(name).settings().max_llm_calls


def usual(name):
    """Replies that take a system through its whole course."""
    return {
        "self-ask": [f"Follow up: {CITY}", f"Follow up: {ISLAND}", END],
        "least-to-most": [f'"{CITY}"', "Kyoto", END],
        "plan-and-solve-ir": [f"1. {CITY}\n2. {ISLAND}", "Kyoto it is.", "Honshu"],
        "plan-and-solve": ["Kyoto it is.", "Honshu"],
        "toolformer": [f'[QA("{CITY}") ->', END],
        "react-cot-sc": ["Thought 1: Hm.\nAction 1: Search[Nintendo]", "Thought 2: So.\nAction 2: Finish[Honshu]"],
        "verify-and-edit": [*[f"It is {n}. The answer is {n}." for n in range(5)], CITY, "Kyoto.", "Honshu"],
        "tree-of-thought-ir": [*[CITY, ISLAND] * 3, *["1"] * 5, *["Finish: Honshu"] * 5],
        "recite": [*["Kyoto: a city"] * 5, *[END] * 5],
        "cot-sc": [END] * 5,
    }.get(name, [END])


@pytest.mark.parametrize("name", COURSES)
def test_a_service_that_fails_at_any_call_ends_every_system_as_failed(name, tmp_path, monkeypatch, quick_clusters):
    small = {**find(name).small} | ({"thoughts": 5} if name == "tree-of-thought-ir" else {})
    replies = usual(name)
    whole, calls, _ = asked(name, *replies, *[END] * 80, **small)
    assert whole.final_answer
    few = len(calls) <= 20
    for call in range(len(calls)) if few else {*range(0, len(calls), 6), len(calls) - 1}:
        monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / str(call)))  # nothing is prepared
        parts = parts_of(name, *[*replies, *[END] * 80][:call], RateLimited("busy"), *[END] * 80, **small)
        turn = fold(find(name).make(parts).stream(QUESTION))
        assert (turn.status, turn.message) == (Status.FAILED, "busy"), call


@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_stop_ends_every_system(name, call, quick_clusters):
    cancel, asked_before = CancelToken(), []

    def reply(messages):
        asked_before.append(messages)
        if len(asked_before) == call:
            cancel.set()
        return f"{len(asked_before)} {CITY}"

    turn = fold(find(name).make(parts_of(name, reply)).stream(QUESTION, cancel=cancel))
    assert turn.status is Status.STOPPED if len(asked_before) >= call else turn.status is not Status.FAILED


def test_samples_that_are_whole_when_the_budget_ends_are_voted_on():
    turn, calls, _ = asked("cot-sc", *[END] * 9, samples=9, max_llm_calls=8)
    assert (turn.final_answer, len(calls)) == ("Honshu", 8)
    assert [one.what for one in turn.faults] == ["this run may ask the model no more often (the setting max_llm_calls)"]


def test_a_system_that_searches_cannot_do_without():
    with pytest.raises(UsageError, match="choose 'self-ask-no-ir'"):
        find("self-ask").settings(use_ir=False)
    partners = {name: find(name).without_search for name in COURSES if find(name).uses_ir}
    assert partners["plan-and-solve-ir"] == "plan-and-solve"
    assert find("direct-retrieval").without_search == "direct"
    assert set(partners.values()) <= set(SYSTEMS)


@pytest.mark.parametrize("reason", list(CutReason))
def test_why_a_reply_is_not_whole_is_told(reason, monkeypatch):
    monkeypatch.setattr(ScriptedModel, "stream", lambda *_, **__: iter([Cut(reason)]))
    turn, *_ = asked("cot", END)
    assert (turn.status, turn.message) == (Status.NOT_FOUND, f"the model {reason}")
    assert [fault.what for fault in turn.faults] == [f"the model {reason}"]


def test_a_budget_that_ends_within_the_steps_leaves_what_they_found_and_not_the_trace():
    turn, *_ = asked("self-ask", f"Follow up: {CITY}", f"Follow up: {ISLAND}", END, max_llm_calls=2)
    assert turn.answer == "Kyoto [1]. Honshu [2]."
    assert [node.answer for node in turn.nodes] == ["Kyoto", "Honshu"]
    spent = "this run may ask the model no more often (the setting max_llm_calls)"
    assert (turn.status, [fault.what for fault in turn.faults]) == (Status.NOT_FOUND, [spent])
