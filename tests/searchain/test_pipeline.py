"""The loop, told as stories: a scripted model, a toy corpus, and the events that come out."""

import re
import threading
import time
from dataclasses import replace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.cancel import CancelToken
from searchain.errors import RateLimited
from searchain.events import BranchOpened, ChainDelta, FeedbackSent, NodeJudged, RunFinished, Searched, fold
from searchain.pipeline import _Run
from searchain.reply.citations import key_of
from searchain.turn_json import as_json
from searchain.types import Abilities, Exchange, Outcome, Status, Support, Verdict
from tests.support.fakes import CITY, ISLAND, KYOTO, NINTENDO, QUESTION, KnowingReader, NoReader, WordRetriever, around
from tests.support.fakes import chain_text as chain
from tests.support.question_head import head

STEPS = (CITY, "Kyoto"), (ISLAND, "Honshu")
SOLVED, HALF = chain(*STEPS), chain((CITY, "Kyoto"), (ISLAND, None))
WRONG = chain((CITY, "Osaka"))
AGREED, CORRECTED, COMPLETED, UNCONFIRMED = Verdict.AGREED, Verdict.CORRECTED, Verdict.COMPLETED, Verdict.UNCONFIRMED
DISPUTED = Verdict.DISPUTED


def final(answer, *sentences):
    """A final reply that cites with the keys it finds in the prompt: ``{0}`` is the first."""

    def write(messages):
        keys = list(dict.fromkeys(re.findall(r"\(key (k\d+)\)", messages[-1].content)))
        said = " ".join(sentence.format(*(f"[{key}]" for key in keys)) for sentence in sentences)
        return f"[Answer]: {answer}\n[Final Content]: {said}"

    return write


def run(*replies, question=QUESTION, history=(), delay=0.0, abilities=Abilities.CAPABLE, **named):
    model = ScriptedModel(*replies, delay=delay, abilities=abilities)
    retriever = named.pop("retriever", None) or WordRetriever()
    searchain = around(model, retriever=retriever, index="toy", **{"first_call": "plan"} | named)
    events = list(searchain.stream(question, history=history))
    assert isinstance(events[-1], RunFinished)
    assert not any(isinstance(event, RunFinished) for event in events[:-1])
    turn = fold(events)
    check_contract(turn)
    return turn, events, model, retriever


def check_contract(turn):
    """What holds for every turn, however it went."""
    assert [source.number for source in turn.sources] == list(range(1, len(turn.sources) + 1))
    for source in turn.sources:
        if source.span is not None:
            assert 0 <= source.span.start < source.span.end <= len(source.passage.text)
    for sentence in turn.sentences:
        assert turn.answer[sentence.start : sentence.end] == sentence.text
        assert set(sentence.citations) <= {source.number for source in turn.sources}
        for mark in sentence.marks:
            assert turn.answer[mark.start : mark.end] == f"[{mark.number}]"
    nodes = {node.id: node for node in turn.nodes}
    for source in turn.sources:
        assert nodes[source.node].on_path
    for node in turn.nodes:
        if node.verdict is AGREED:
            assert node.reader_answer
    as_json(turn, conversation="c", turn_id="t")


def told(turn):
    return [(node.query, node.answer, node.verdict, node.on_path) for node in turn.nodes]


WRITTEN = final("Honshu", "Nintendo has its headquarters in Kyoto {0}.", "Kyoto lies on the island of Honshu {1}.")


def test_a_chain_that_agrees_needs_one_round_and_the_keys_in_the_prompt_are_opaque():
    turn, _, model, _ = run(SOLVED, WRITTEN)
    assert told(turn) == [(CITY, "Kyoto", AGREED, True), (ISLAND, "Honshu", AGREED, True)]
    assert (turn.status, turn.final_answer, turn.round) == (Status.ANSWERED, "Honshu", 1)
    assert turn.answer == "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on the island of Honshu [2]."
    assert [(s.support, s.citations) for s in turn.sentences] == [(Support.SUPPORTED, (1,)), (Support.SUPPORTED, (2,))]
    assert [(s.passage, s.quote) for s in turn.sources] == [(NINTENDO, "Kyoto"), (KYOTO, "Honshu")]
    assert len(model.calls) == 2
    prompt = model.calls[-1].messages[-1].content
    assert all(f"(key {key_of(node)})" in prompt for node in turn.nodes)
    assert "[1]" not in prompt


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_a_wrong_answer_is_corrected_in_a_new_branch(profile):
    first = chain((CITY, "Osaka"), ("On which Japanese island is Osaka?", "Honshu"))
    turn, events, model, _ = run(first, SOLVED, WRITTEN, profile=profile, delay=0.003)
    rejected = [(CITY, "Kyoto", CORRECTED, False)]
    if profile == "paper":  # the whole first chain was written before anything was looked up
        rejected.append(("On which Japanese island is Osaka?", "Honshu", None, False))
    assert told(turn) == [*rejected, (CITY, "Kyoto", CORRECTED, True), (ISLAND, "Honshu", AGREED, True)]
    assert [s.support for s in turn.sentences] == [Support.SUPPORTED, Support.SUPPORTED]
    judged = next(event for event in events if isinstance(event, NodeJudged))
    assert (judged.before, judged.after) == ("Osaka", "Kyoto")
    feedback = next(event for event in events if isinstance(event, FeedbackSent))
    assert feedback.kind == "verification"
    assert f'the answer to "{CITY}" is "Kyoto"' in feedback.text
    assert NINTENDO.text in feedback.text
    opened = next(event for event in events if isinstance(event, BranchOpened))
    assert (opened.mends, opened.parent, opened.query, opened.answer, opened.round) == ("n1", None, CITY, "Kyoto", 2)


@pytest.mark.parametrize("profile", ["default", "paper"])
def test_an_unsolved_query_is_completed_and_every_call_is_counted(profile):
    replies = chain((CITY, None)), HALF, chain((ISLAND, "Honshu"), first=2), WRITTEN
    turn, events, model, _ = run(*replies, profile=profile, theta=1.0)
    assert turn.usage.llm_calls == len(model.calls) == 4
    assert min(turn.usage.completion_tokens, turn.usage.prompt_tokens, turn.usage.seconds) > 0
    assert told(turn) == [(*step, COMPLETED, on_path) for step in STEPS for on_path in (False, True)]
    ended = (Status.ANSWERED, Outcome.SUPPORTED) if profile == "default" else (Status.PARTIAL, Outcome.UNRATED)
    assert (turn.status, turn.outcome, turn.round) == (*ended, 3)
    assert [s.support for s in turn.sentences] == [Support.SUPPORTED, Support.SUPPORTED]
    assert [event.kind for event in events if isinstance(event, FeedbackSent)] == ["completion", "completion"]


def test_default_cuts_generation_at_the_first_node_that_needs_feedback():
    script = WRONG + chain(*((f"Which place {i} is in Osaka?", "x") for i in range(2, 40)), first=2)
    model = ScriptedModel(script, SOLVED, WRITTEN, delay=0.002)
    searchain = around(model, first_call="plan")
    turn = fold(searchain.stream(QUESTION))
    assert turn.status is Status.ANSWERED
    assert not model.calls[0].is_finished
    assert len(model.calls[0].delivered) < len(script) / 2


def test_paper_writes_the_whole_chain_before_it_looks():
    _, events, model, _ = run(chain((CITY, "Osaka"), (ISLAND, "Kyushu")), SOLVED, WRITTEN, profile="paper")
    kinds = [type(event) for event in events]
    last_delta = max(i for i, event in enumerate(events) if isinstance(event, ChainDelta) and event.round == 1)
    assert kinds.index(Searched) > last_delta
    assert model.calls[0].is_finished
    assert all(len(event.hits) == 1 for event in events if isinstance(event, Searched))


def test_paper_reads_the_likeliest_span_and_the_default_one_of_the_kind_that_is_asked_for():
    class Kinds(NoReader):
        plain = KnowingReader()

    plan = chain((CITY, None)), chain((CITY, "Kyoto")), final("Kyoto", "Kyoto {0}.")
    paper, *_ = run(*plan, question=CITY, reader=Kinds(), profile="paper")
    default, *_ = run(*plan, question=CITY, reader=Kinds())
    assert [turn.nodes[0].reader_answer for turn in (paper, default)] == ["Kyoto", ""]


def test_retrieval_starts_before_the_answer_is_written():
    searched = threading.Event()

    class Watching(WordRetriever):
        def search(self, query, k):
            searched.set()
            return super().search(query, k)

    class Slow(ScriptedModel):
        def stream(self, *args, **kwargs):
            for piece in super().stream(*args, **kwargs):
                if "Answer" in str(piece):
                    assert searched.wait(5), "the query line was complete, but nobody searched"
                yield piece

    model = Slow(SOLVED, "[Query 1")
    model._replies[1] = WRITTEN
    searchain = around(model, retriever=Watching(), probability=None, first_call="plan")
    assert fold(searchain.stream(QUESTION)).status in (Status.ANSWERED, Status.PARTIAL)


def test_messages_are_only_appended():
    _, _, model, _ = run(WRONG, HALF, chain((ISLAND, "Honshu"), first=2), WRITTEN)
    for before, after in zip(model.calls, model.calls[1:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
    roles = [message.role for message in model.calls[-1].messages]
    assert roles == ["system"] + ["user", "assistant"] * 3 + ["user"]


def test_a_disputed_step_says_both_rewrites_no_query_and_is_not_supported():
    osaka = "On which Japanese island is Osaka?"
    turn, *_ = run(WRONG, chain((CITY, "Osaka"), (osaka, "Honshu")), WRITTEN)
    assert [(node.query, node.answer) for node in turn.nodes if node.on_path] == [(CITY, "Osaka"), (osaka, "Honshu")]
    disputed = turn.sentences[-1]
    assert disputed.text == f"The model answers “Osaka” to “{CITY}”; the passage says “Kyoto” [1]."
    assert (disputed.support, turn.sentences[0].support) == (Support.OWN, Support.SUPPORTED)
    assert (turn.outcome, turn.status, turn.final_answer) == (Outcome.UNSURE, Status.PARTIAL, "Honshu")
    assert turn.message == f"the model and the passage 'Nintendo' disagree on the step {CITY!r}"


def test_a_stubborn_model_never_loops_and_a_restated_query_is_not_asked_again():
    always = lambda messages: chain((CITY, None)) if "key k" not in messages[-1].content else "nonsense"  # noqa: E731
    turn, events, _, retriever = run(always, max_rounds=5)
    assert turn.round == 2
    assert retriever.queries.count(CITY) == 1
    assert (turn.status, turn.final_answer, turn.writer) == (Status.ANSWERED, "Kyoto", "template")
    turn, _, _, retriever = run(HALF, SOLVED, WRITTEN)
    assert [(node.query, node.verdict) for node in turn.nodes if node.on_path] == [(CITY, AGREED), (ISLAND, COMPLETED)]
    assert sorted(retriever.queries) == sorted([QUESTION, CITY, ISLAND])


def test_the_last_round_settles_its_node_and_leaves_later_ones_unconfirmed_or_to_follow():
    reply = final("Kyushu", "Nintendo has its headquarters in Kyoto {0}.")
    turn, *_ = run(chain((CITY, "Osaka"), (ISLAND, "Kyushu")), reply, max_rounds=1)
    assert told(turn) == [(CITY, "Kyoto", CORRECTED, True), (ISLAND, "Kyushu", UNCONFIRMED, True)]
    assert turn.status is Status.PARTIAL
    assert ISLAND in turn.message
    turn, *_ = run(chain((CITY, None)), "x", max_rounds=1)
    assert told(turn) == [(CITY, "Kyoto", COMPLETED, True)]
    assert turn.status is Status.PARTIAL
    assert turn.message == f"the rounds ended at the step {CITY!r}, and more may have to follow"


def test_an_empty_reading_never_agrees_and_is_never_imposed():
    turn, events, *_ = run(HALF, chain((ISLAND, None), first=2), "no keys", reader=NoReader())
    assert [(n.verdict, n.answer) for n in turn.nodes if n.on_path] == [(UNCONFIRMED, "Kyoto"), (UNCONFIRMED, None)]
    assert [event.kind for event in events if isinstance(event, FeedbackSent)] == ["passage"]
    assert turn.status is Status.PARTIAL


def test_a_reply_without_a_node_is_repaired_once_and_then_the_question_itself_is_looked_up():
    turn, events, model, _ = run("Let me think about it.", SOLVED, WRITTEN)
    assert turn.status is Status.ANSWERED
    assert [fault.action for fault in turn.faults] == ["asked once more, saying what was wrong"]
    assert "Let me think about it." in model.calls[1].messages[-1].content
    turn, events, _, retriever = run("Hm.", "", "Hm.", "no keys", question=CITY)
    assert retriever.queries == [CITY]
    assert (turn.final_answer, turn.status) == ("Kyoto", Status.ANSWERED)
    assert [fault.action for fault in turn.faults][:2] == [
        "asked once more, saying what was wrong",
        "looked up the question itself",
    ]


def test_references_to_earlier_answers_are_filled_in():
    turn, _, _, retriever = run(chain((CITY, "Kyoto"), ("On which Japanese island is #1?", "Honshu")), WRITTEN)
    assert set(retriever.queries) == {QUESTION, CITY, ISLAND}
    assert turn.status is Status.ANSWERED


@pytest.mark.parametrize(
    ("setting", "verdicts", "searches"),
    [
        (dict(use_ir=False), [None, None], 0),
        (dict(use_verification=False), [UNCONFIRMED, COMPLETED], 2),
        (dict(use_completion=False), [CORRECTED, UNCONFIRMED], 2),
    ],
    ids=["no-ir", "no-verification", "no-completion"],
)
def test_ablations_are_settings(setting, verdicts, searches):
    replies = {
        "use_ir": [chain((CITY, "Osaka"), (ISLAND, "Honshu")), "[Answer]: Honshu\n[Final Content]: It is Honshu."],
        "use_verification": [chain((CITY, "Osaka"), (ISLAND, None)), chain((ISLAND, "Honshu"), first=2), WRITTEN],
        "use_completion": [WRONG, HALF, WRITTEN],
    }[next(iter(setting))]
    turn, _, model, retriever = run(*replies, **setting)
    assert [node.verdict for node in turn.nodes if node.on_path] == verdicts
    assert len(retriever.queries) == searches
    if setting == dict(use_ir=False):
        assert turn.sources == ()
        assert {s.support for s in turn.sentences} == {Support.OWN}
        assert "Unsolved" not in model.calls[0].messages[0].content


def test_invented_keys_are_dropped_and_counted():
    reply = final("Honshu", "Nintendo sits in Kyoto {0} [k98765] [7].", "Kyoto lies on Honshu {1}.", "Japan is old.")
    turn, *_ = run(SOLVED, reply)
    assert turn.answer == "Nintendo sits in Kyoto [1]. Kyoto lies on Honshu [2]. Japan is old."
    assert (turn.invented_markers, turn.sentences[-1].support) == (2, Support.OWN)


UNUSABLE = {
    "empty": "", "cites nothing": "It is Honshu, surely.", "repeats": "[Final Content]: " + "Honshu. " * 30,
    "says something else": final("Honshu", "The Louvre is a museum in Paris {0}."),
    "service fails": RateLimited("too many requests"),
}  # fmt: skip


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_reply_is_replaced_by_one_from_the_path(reply):
    turn, *_ = run(SOLVED, reply)
    assert (turn.writer, turn.final_answer, turn.status) == ("template", "Honshu", Status.ANSWERED)
    assert turn.answer == (
        "Honshu [1][2]. Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in Kyoto [2]. "
        "Kyoto is a city in the Kansai region of Japan's largest and most populous island of Honshu [1]."
    )
    assert {s.support for s in turn.sentences} == {Support.QUOTED}
    assert len(turn.faults) == 1


def test_a_service_that_fails_at_once_ends_the_run_and_later_still_gives_what_was_settled():
    busy = "model 'm' at h: too many requests; wait a minute and ask again"
    turn, *_ = run(RateLimited(busy))
    assert (turn.status, turn.message) == (Status.FAILED, busy)
    turn, *_ = run(chain((CITY, None)), RateLimited("too many requests"))
    assert turn.final_answer == "Kyoto"
    assert [fault.what for fault in turn.faults] == ["too many requests"]


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), RateLimited("too many requests")])
def test_a_run_that_an_error_ends_tells_what_it_used(error):
    turn, *_ = run(SOLVED, lambda messages: (_ for _ in ()).throw(error))
    assert turn.usage.prompt_tokens > 0
    if isinstance(error, ZeroDivisionError):
        assert turn.status is Status.FAILED
        assert turn.message == "unexpected ZeroDivisionError: division by zero; ask again"


def test_a_spent_budget_ends_with_a_reply():
    turn, *_ = run(chain((CITY, None)), HALF, max_llm_calls=2)
    assert (turn.writer, turn.final_answer) == ("template", "Honshu")
    assert any("(the setting max_" in fault.what for fault in turn.faults)


def test_stop_keeps_the_partial_tree():
    cancel = CancelToken()
    model = ScriptedModel(chain((CITY, "Kyoto")) + "[Query 2]: " + "On which island " * 50, delay=0.005)
    searchain = around(model, probability=None, first_call="plan")
    events = []
    for event in searchain.stream(QUESTION, cancel=cancel):
        events.append(event)
        if isinstance(event, NodeJudged):
            cancel.set()
    turn = fold(events)
    assert turn.status is Status.STOPPED
    assert told(turn) == [(CITY, "Kyoto", AGREED, False)]
    assert not model.calls[0].is_finished


def test_nothing_found_says_so_and_names_the_step():
    turn, *_ = run(chain((CITY, None)), chain((CITY, None)), "x", reader=NoReader())
    assert (turn.status, turn.final_answer) == (Status.NOT_FOUND, "")
    assert CITY in turn.message
    assert turn.answer.startswith("I found no answer.")
    assert "Nintendo" in turn.answer


@pytest.mark.parametrize(
    ("abilities", "written", "standalone"),
    [
        (Abilities.CAPABLE, ["Which town is home to Nintendo?"], "Which town is home to Nintendo?"),
        (Abilities.SMALL, [], "In which city is Nintendo?"),
    ],
)
def test_only_a_capable_model_rewrites_a_follow_up(abilities, written, standalone):
    history = [Exchange("Which company makes Mario?", "Nintendo [1].", "Nintendo")]
    asked = {"question": "In which city is that company?", "history": history, "abilities": abilities, "head": head()}
    turn, *_ = run(*written, chain((CITY, "Kyoto")), final("Kyoto", "Kyoto {0}."), **asked)
    assert (turn.question, turn.standalone_question) == ("In which city is that company?", standalone)


@pytest.mark.parametrize("profile", ["default", "paper"])
@pytest.mark.parametrize(
    "rest",
    [[(f"Which place number {i} is in Osaka?", "x") for i in range(2, 30)], [(CITY, "Osaka")] * 12],
    ids=["new steps", "the same step"],
)
def test_what_a_model_that_runs_on_has_written_is_still_checked(profile, rest):
    turn, *_ = run(chain((CITY, "Osaka"), *rest), SOLVED, WRITTEN, profile=profile, retriever=WordRetriever(delay=0.05))
    assert [(n.answer, n.verdict) for n in turn.nodes if n.on_path] == [("Kyoto", CORRECTED), ("Honshu", AGREED)]


def test_a_model_that_writes_white_space_for_ever_is_cut():
    class Blank(ScriptedModel):
        def stream(self, messages, *, cancel, **rest):
            if self.calls:
                yield from super().stream(messages, cancel=cancel, **rest)
                return
            self.calls.append(None)
            yield chain((CITY, "Kyoto"))
            while not cancel.is_set:
                yield "\n"
                time.sleep(0.0005)

    model = Blank(final("Kyoto", "Nintendo has its headquarters in Kyoto {0}."))
    searchain = around(model, first_call="plan", max_seconds=10)
    turn = fold(searchain.stream(CITY))
    assert turn.status is Status.ANSWERED
    assert not turn.faults
    assert turn.usage.seconds < 10


def test_the_seconds_of_the_budget_hold_for_the_reply_too():
    slow = (
        "[Answer]: Kyoto\n[Final Content]: " + "Nintendo has its headquarters in Kyoto. " * 1_000
    )  # some five seconds
    turn, *_ = run(chain((CITY, "Kyoto")), slow, max_seconds=2.0, delay=0.005)
    assert turn.usage.seconds < 15
    assert (turn.writer, turn.final_answer) == ("template", "Kyoto")
    assert any("(the setting max_" in fault.what for fault in turn.faults)


def mended_by_a_stubborn_model(**settings):
    abilities = settings.pop("abilities", Abilities.CAPABLE)
    turn, *_ = run(
        chain((CITY, "Osaka")), chain((CITY, "Osaka"), (ISLAND, "Honshu")), WRITTEN, abilities=abilities, **settings
    )
    node = next(node for node in turn.nodes if node.mends)
    return node.model_answer, node.reader_answer, node.answer, node.verdict


def test_where_a_capable_model_insists_the_node_is_disputed_and_where_a_small_one_does_the_reading_stands():
    assert mended_by_a_stubborn_model() == ("Osaka", "Kyoto", "Osaka", DISPUTED)
    assert mended_by_a_stubborn_model(abilities=Abilities.SMALL) == ("Osaka", "Kyoto", "Kyoto", CORRECTED)
    by_the_paper = mended_by_a_stubborn_model(abilities=Abilities.SMALL, profile="paper")
    assert by_the_paper == ("Osaka", "Kyoto", "Osaka", DISPUTED)


def test_the_fold_of_the_events_is_the_tree():
    model = ScriptedModel(
        chain((CITY, "Osaka")), chain((CITY, "Kyoto"), (ISLAND, None)), chain((ISLAND, "Honshu"), first=2), WRITTEN
    )
    run_ = _Run(around(model, probability=None, first_call="plan"), QUESTION, (), CancelToken())
    turn = fold(run_.events())
    assert [replace(node, on_path=False) for node in turn.nodes] == list(run_.tree)
