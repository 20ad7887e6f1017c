"""A reply is read again before it is final, and stays as it was where that cannot be done."""

import json
import threading
import time
from dataclasses import replace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.cancel import CancelToken
from searchain.chain.dialogue import BudgetSpent
from searchain.errors import ModelServerError
from searchain.events import ReplyReviewed, ReviewStarted, RunFinished, TracingStarted, fold, from_payload, to_payload
from searchain.llm.base import Form
from searchain.reply.review import Review
from searchain.reply.second_reader import SecondReader, parse
from searchain.types import Outcome, Place, Status, TaskKind
from searchain.verification.second_opinion import read_second_opinion
from storage.log import verify
from tests.support import fakes
from ui.show.second_reading import reviewed

PLAN = fakes.chain_text((fakes.CITY, "Kyoto"), (fakes.ISLAND, "Honshu"))
MISSED = {"question": "What does Sega make?", "reader": fakes.NoReader(), "plan": "No.", "max_rounds": 1}


class Opinion:
    """Weighs as it is told: the reply, by default as before, and what the second reader answers."""

    def __init__(self, first=None, second=None, least=fakes.Rating.threshold):
        self.first, self.second, self.least = first, second, least

    def weigh(self, question, answers):
        first = [self.first or one.before for one in answers if one.is_first]
        return [first[0] if one.is_first else self.second if one.agrees else None for one in answers]


def ask(*readings, opinion=None, own=None, passages=fakes.CORPUS, rating=None, plan=PLAN, cancel=None, **named):
    """Run with a careful model that reads ``readings`` and finds answers likely; returns the events and the model."""
    question, delay, seconds = named.pop("question", fakes.QUESTION), named.pop("delay", 0.0), named.pop("seconds", 5.0)
    careful = fakes.JudgingModel(*readings, name="careful", delay=delay, finds=named.pop("finds", None))
    review = Review(SecondReader(careful, seconds=seconds), opinion or Opinion(), own=own)
    parts = {"retriever": fakes.WordRetriever(passages), "probability": rating or fakes.Rating(0.4), "review": review}
    chain = fakes.around(ScriptedModel(plan), reply="template", **parts, **named)
    events = list(chain.stream(question, cancel=cancel))
    assert isinstance(events[-1], RunFinished)
    assert list(verify.faults(fold(events))) == []
    assert [from_payload(json.loads(json.dumps(to_payload(event)))) for event in events] == events
    return events, careful


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


def test_what_reads_the_same_confirms_and_ticks_nothing_by_itself():
    events, careful = ask("Honshu")
    turn = fold(events)
    (reviewed,) = of(ReplyReviewed, events)
    assert (reviewed.outcome, reviewed.first, reviewed.second) == ("confirmed", "Honshu", "Honshu")
    assert (turn.outcome, turn.probability, turn.final_answer) == (Outcome.UNSURE, 0.4, "Honshu")
    assert turn.message == "the evidence is not sure enough; the careful model finds the same"
    assert events.index(of(ReviewStarted, events)[0]) < events.index(reviewed) < len(events) - 1
    (call,) = careful.calls
    asked = call.messages[0].content
    assert call.form is Form.READING
    assert asked.index("Nintendo: ") < asked.index("Kyoto: ") < asked.index(fakes.QUESTION)
    assert careful.judged == ["Honshu"]
    assert [(a.answer, a.is_first, a.agrees, a.before) for a in reviewed.answers] == [("Honshu", True, True, 0.4)]
    assert turn.usage.llm_calls == 3


def test_what_reads_otherwise_withdraws():
    turn = fold(ask("Shikoku")[0])
    assert (turn.review.outcome, turn.outcome, turn.status) == ("withdrawn", Outcome.UNSURE, Status.PARTIAL)
    assert turn.message == "the careful model finds “Shikoku”"
    turn = fold(ask("not found", "Shikoku", opinion=Opinion(0.3), rating=fakes.Rating(0.85))[0])
    assert (turn.review.outcome, turn.outcome, turn.probability) == ("withdrawn", Outcome.UNSURE, 0.3)
    assert turn.message == "the careful model finds no answer in the passages"


def test_what_was_read_twice_has_a_threshold_of_its_own():
    turn = fold(ask("Honshu", opinion=Opinion(0.8, least=0.75))[0])
    assert (turn.outcome, turn.probability, turn.threshold) == (Outcome.SUPPORTED, 0.8, 0.75)
    turn = fold(ask("Honshu", opinion=Opinion(0.8))[0])
    assert (turn.outcome, turn.threshold) == (Outcome.UNSURE, 0.9)


def test_a_corrected_reply_cites_the_passage_that_holds_the_answer():
    asked = {"question": fakes.ISLAND, "plan": fakes.chain_text((fakes.ISLAND, "Honshu")), "max_rounds": 1}
    events, _ = ask("Kansai", opinion=Opinion(0.2, 0.95), **asked)
    turn = fold(events)
    assert len(of(TracingStarted, events)) == 2
    assert (turn.final_answer, turn.outcome, turn.probability) == ("Kansai", Outcome.SUPPORTED, 0.95)
    assert [(source.passage.id, source.quote) for source in turn.sources] == [("kyoto", "Kansai")]
    assert turn.answer.startswith("Kansai [1].")
    assert [node.query for node in turn.nodes if node.on_path] == [fakes.ISLAND]
    assert turn.message == "the careful model corrected “Honshu”"
    assert (turn.review.chosen, turn.review.second) == (turn.final_answer, turn.final_answer)


def test_no_answer_takes_the_place_of_the_first_that_the_model_does_not_give():
    sees = read_second_opinion()
    (reviewed,) = of(ReplyReviewed, ask("not found", opinion=sees, rating=fakes.Rating(0.5))[0])
    assert [one.answer for one in reviewed.answers] == ["Honshu"]
    assert reviewed.outcome in ("confirmed", "withdrawn")


class RatesOthers(fakes.Rating):
    """Rates the answers that are not the first of their passage, too."""

    def rated(self, query, hits, readings):
        return [replace(one, others=tuple(replace(other, probability=0.3) for other in one.others)) for one in readings]


def test_what_the_model_alone_read_is_rated_by_the_readers():
    asked = {"question": fakes.ISLAND, "plan": fakes.chain_text((fakes.ISLAND, "Honshu")), "max_rounds": 1}
    for read, before in (("Kansai", 0.3), ("Shikoku", None)):  # no passage holds Shikoku
        (reviewed,) = of(ReplyReviewed, ask(read, rating=RatesOthers(0.4), **asked)[0])
        assert [one.before for one in reviewed.answers if one.answer == read] == [before]


def test_what_was_not_found_is_read_again():
    turn = fold(ask("video game", opinion=Opinion(None, 0.6), **MISSED)[0])
    assert (turn.final_answer, turn.outcome, turn.review.outcome) == ("video game", Outcome.UNSURE, "corrected")
    assert turn.sources[0].passage.id == "sega"


@pytest.mark.parametrize(
    "settings",
    [
        {"profile": "paper"},
        {"use_verification": False},
        {"task": TaskKind.LONGFORM, "max_rounds": 1},
        {"rating": fakes.Rating()},
        {"task": TaskKind.FACTCHECK, "reader": fakes.NoReader(), "opinion": Opinion(0.5, 0.9)},
    ],
)
def test_some_replies_are_not_read_again(settings):
    events, careful = ask("Honshu", **settings)
    assert (of(ReviewStarted, events), careful.calls) == ([], [])


def test_a_supported_reply_is_read_again_unless_it_is_very_likely():
    doubted = fold(ask("Shikoku", rating=fakes.Rating(0.92), opinion=Opinion(0.6))[0])
    assert (doubted.outcome, doubted.review.outcome) == (Outcome.UNSURE, "withdrawn")
    assert fold(ask("Honshu", rating=fakes.Rating(0.92), opinion=Opinion(0.95))[0]).outcome is Outcome.SUPPORTED
    events, careful = ask("Shikoku", rating=fakes.Rating(0.93))
    assert (fold(events).outcome, careful.calls) == (Outcome.SUPPORTED, [])


PLACE = Place("d", "0" * 64, 0, 1)
OWN = tuple(replace(one, place=PLACE) for one in fakes.CORPUS)
BESIDE = tuple(replace(one, place=PLACE if one.id == "kyoto" else None) for one in fakes.CORPUS)


class Unsure(fakes.Rating):
    """Finds answers too little likely for the threshold of their owner, which is ``threshold``."""

    threshold = 0.99


@pytest.mark.parametrize(("passages", "is_own"), [(fakes.CORPUS, False), (OWN, True), (BESIDE, False)])
def test_over_own_documents_alone_the_model_judges_and_their_own_rule_decides(passages, is_own):
    finds = {"Honshu": 0.6}
    events, careful = ask("Honshu", passages=passages, opinion=Opinion(0.6), own=Opinion(0.95), finds=finds)
    turn = fold(events)
    assert turn.probability == (0.95 if is_own else 0.6)
    assert (turn.review.outcome, turn.review.second) == ("confirmed", "" if is_own else "Honshu")
    assert (careful.calls == []) is is_own  # what it judges it need not write
    assert careful.judged == ["Honshu"]
    assert (turn.outcome is Outcome.SUPPORTED) is is_own


def test_what_is_not_right_or_likely_enough_in_own_documents_is_withdrawn():
    turn = fold(ask(passages=OWN, own=Opinion(0.95), finds={"Honshu": 0.4})[0])
    assert (turn.review.outcome, turn.outcome, turn.probability) == ("withdrawn", Outcome.UNSURE, 0.95)
    assert turn.message == "the careful model does not find it right"
    assert reviewed(turn.review).startswith("checked by careful: it does not find “Honshu” right; so the reply is not")
    turn = fold(ask(passages=OWN, own=Opinion(0.95), rating=Unsure(0.9), finds={"Honshu": 0.9})[0])
    assert (turn.review.outcome, turn.outcome, turn.probability) == ("confirmed", Outcome.UNSURE, 0.95)


ON_HONSHU = {"question": "Is Kyoto on Honshu?", "task": TaskKind.YESNO, "plan": fakes.chain_text((fakes.ISLAND, "yes"))}


@pytest.mark.parametrize(("reading", "given"), [("video game", MISSED), ("yes", ON_HONSHU)])
def test_what_was_not_found_or_is_yes_or_no_is_answered_over_own_documents_too(reading, given):
    _, careful = ask(reading, passages=OWN, own=Opinion(0.95), **given)
    assert [call.form for call in careful.calls] == [Form.READING]


def test_a_run_without_time_left_keeps_the_reply(monkeypatch):
    def spent(self, *given):
        raise BudgetSpent("max_seconds")

    monkeypatch.setattr(SecondReader, "judge", spent)
    turn = fold(ask(passages=OWN, own=Opinion(0.95))[0])
    assert (turn.final_answer, turn.outcome, turn.review) == ("Honshu", Outcome.UNSURE, None)
    assert [fault.what for fault in turn.faults] == ["the time of the run is used up"]


@pytest.mark.parametrize(
    ("readings", "how", "what"),
    [
        ([ModelServerError("careful failed; look at its log")], {}, "careful failed; look at its log"),
        (["Shikoku and more"], {"delay": 0.3, "seconds": 0.3}, "careful did not finish its check within 0.3 s"),
    ],
)
def test_a_failure_keeps_the_first_reply(readings, how, what):
    events, _ = ask(*readings, **how)
    turn = fold(events)
    assert (turn.outcome, turn.final_answer, turn.review) == (Outcome.UNSURE, "Honshu", None)
    assert [(fault.what, fault.action) for fault in turn.faults] == [(what, "kept the reply as it was")]
    assert turn.message == "the evidence is not sure enough"


def test_a_stop_keeps_the_first_reply_and_its_outcome():
    cancel = CancelToken()

    def read(messages):
        threading.Timer(0.1, cancel.set).start()
        return "Shikoku"

    events, careful = ask(read, delay=20.0, seconds=60.0, cancel=cancel)
    turn = fold(events)
    assert (turn.status, turn.outcome) == (Status.PARTIAL, Outcome.UNSURE)
    assert (turn.final_answer, turn.review) == ("Honshu", None)
    assert not careful.calls[0].is_finished  # generation ended too
    assert turn.usage.llm_calls == 2  # what was begun has its price
    assert turn.usage.prompt_tokens > len(careful.calls[0].messages[0].content) // 4


def test_one_question_is_read_at_a_time():
    at_once, most = 0, 0
    lock = threading.Lock()

    def read(messages):
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.1)
        with lock:
            at_once -= 1
        return "Honshu"

    reader, spent = SecondReader(fakes.JudgingModel(read)), []
    threads = [
        threading.Thread(target=reader.read, args=(fakes.QUESTION, [], TaskKind.MULTIHOP, CancelToken(), spent.append))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, sum(usage.llm_calls for usage in spent)) == (1, 8)


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("Honshu", "Honshu"),
        ("[Answer]: Honshu.", "Honshu"),
        ("Answer: “Honshu”\nbecause", "Honshu"),
        ("not found", ""),
        ("Cartilage: not found", ""),
        ("Nonesuch Palace", "Nonesuch Palace"),
        ("", ""),
    ],
)
def test_what_the_model_writes_is_read(written, answer):
    assert parse(written) == answer
