"""A yes/no question is answered by what is read to the open question behind it."""

from types import SimpleNamespace

import pytest

from searchain.language.proposals import Proposal
from searchain.reading.lookup import look_up
from searchain.reading.proposed import confirms
from searchain.settings import Settings
from searchain.types import Evidence, Hit, Passage, Reading, Span, Step, TaskKind, Verdict
from searchain.verification.judge import PROPOSED, judge, with_stance

ANKARA = Passage("a", "Ankara", "Ankara is the capital of Turkey. Istanbul is larger.")
SHARED = Passage("s", "Nobel", "Pierre and Marie Curie discovered radium.")


def evidence(passage: Passage, answer: str, probability: float | None = 0.9) -> Evidence:
    hit, start = Hit(passage, 1.0, 1), passage.text.index(answer)
    return Evidence((hit,), hit, Reading(answer, Span(start, start + len(answer)), 3.0, probability=probability))


@pytest.mark.parametrize(
    ("found", "value", "answer"),
    [
        (evidence(ANKARA, "Ankara"), "ankara", True),
        (evidence(ANKARA, "Ankara"), "istanbul", False),
        (evidence(ANKARA, "Ankara", 0.4), "istanbul", None),
        (evidence(ANKARA, "Ankara", None), "ankara", None),
        (evidence(SHARED, "Marie Curie"), "pierre", None),
        (Evidence((), None, None), "ankara", None),
    ],
)
def test_it_confirms_denies_or_does_not_tell(found, value, answer):
    assert confirms(found, Proposal("?", value)) is answer


class Finds:
    def __init__(self):
        self.asked = []

    def search(self, query, k):
        self.asked.append(query)
        return [Hit(ANKARA, 1.0, 1)]


class Reads:
    def read(self, query, passages):
        return [Reading("Ankara", Span(0, 6), 3.0) for _ in passages]


class Unsure:
    def judge(self, statement, passages):
        raise AssertionError("the stance model is not asked")


@pytest.mark.parametrize(("city", "label"), [("Istanbul", "no"), ("Ankara", "yes")])
def test_the_label_follows_from_the_reading(city, label):
    query = f"Is {city} the capital of Turkey?"
    retriever, rate = Finds(), lambda query, hits, readings: [Reading("Ankara", Span(0, 6), 3.0, probability=0.9)]
    found = look_up(query, retriever, Reads(), 1, stance=Unsure(), rate=rate)
    assert retriever.asked == ["what is the capital of Turkey"]
    step, settings = Step(query, None), Settings()
    judged = judge(step, with_stance(step, found, settings), TaskKind.MULTIHOP, settings)
    assert (judged.answer, judged.rule, judged.verdict) == (label, PROPOSED, Verdict.COMPLETED)


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Istanbul is the capital of Turkey.", "REFUTES"),
        ("The capital of Turkey is Ankara.", "SUPPORTS"),
        ("Ankara is a city.", "SUPPORTS"),
    ],
)
def test_a_claim_is_decided_as_the_question_that_it_answers(claim, label):
    city = Passage("a", "Ankara", "Short description: City in Turkey.\nAnkara is a city.")
    retriever = SimpleNamespace(search=lambda query, k: [Hit(ANKARA if "capital" in query else city, 1.0, 1)])

    def rate(query, hits, readings):
        return [Reading("Ankara", Span(0, 6), 3.0, probability=0.9)]

    found = look_up(claim, retriever, Reads(), 1, stance=Unsure(), rate=rate, task=TaskKind.FACTCHECK)
    step, settings = Step(claim, None), Settings()
    judged = judge(step, with_stance(step, found, settings), TaskKind.FACTCHECK, settings)
    assert (judged.answer, judged.rule, judged.verdict) == (label, PROPOSED, Verdict.COMPLETED)


def test_without_probabilities_nothing_is_opened():
    retriever = Finds()
    look_up("Is Istanbul the capital of Turkey?", retriever, Reads(), 1)
    assert retriever.asked == ["Is Istanbul the capital of Turkey?"]
