"""Step × evidence → verdict: every rule, in both profiles, and the bugs that other implementations have."""

from dataclasses import dataclass

import pytest

from searchain.language.same_answer import agreement
from searchain.settings import Settings
from searchain.types import Evidence, Hit, Opinion, Passage, Step, TaskKind, Verdict
from searchain.verification.judge import judge, with_witness
from tests.support.fakes import read_in
from tests.support.json_lines import kept

DEFAULT, PAPER = Settings.of(theta=0.5, floor=-1.0), Settings.of("paper", theta=1.5)
BARD = Passage(
    "b", "William Shakespeare", "William Shakespeare, also known as the Bard, wrote Hamlet in the United States (US)."
)

ANSWERS = kept("judged-answers.json")


@pytest.mark.parametrize(("answer", "reading", "expected", "rule"), ANSWERS, ids=[f"{a}|{r}" for a, r, *_ in ANSWERS])
def test_agreement_of_short_answers(answer, reading, expected, rule):
    assert agreement(answer, reading, BARD) == (expected, rule)


def evidence(text, answer, confidence, title="T"):
    hit = Hit(Passage("p", title, text), 1.0, 1)
    return Evidence((hit,), hit, read_in(hit.passage, answer, confidence))


CITY = "Nintendo is based in Kyoto."


@dataclass(frozen=True)
class Case:
    """A step, its evidence, and the judgement of it."""

    answer: str | None
    found: Evidence
    verdict: str
    rule: str
    in_force: str | None
    feedback: str | None = None
    task: str = "multihop"
    query: str = "Where?"
    settings: Settings = DEFAULT


def read(confidence, title="T"):
    """A reading of "Kyoto" in the sentence about Nintendo."""
    return evidence(CITY, "Kyoto", confidence, title)


LONG = evidence(f"It is old. {CITY} It makes games.", "Kyoto", 3)
DAY, JAPAN = "July 17, 1955", "Nintendo is based in Kyoto, Japan."
CASES = {
    "agrees": Case("Kyoto", read(3), "agreed", "exact", "Kyoto"),
    "agrees on the year": Case("1955", evidence(f"Opened on {DAY}.", DAY, 3), "agreed", "date", DAY, query="When?"),
    "the model says more": Case(DAY, evidence("Opened in 1955.", "1955", 3), "agreed", "date", DAY, query="When?"),
    "differs": Case("Osaka", read(3), "corrected", "different", "Kyoto", feedback="verification"),
    "differs below θ": Case("Osaka", read(0.5), "unconfirmed", "low-confidence", "Osaka"),
    "empty reading": Case("Kyoto", evidence(CITY, "", 9), "unconfirmed", "no-span", "Kyoto"),
    "nothing found": Case("Kyoto", Evidence((), None, None), "unconfirmed", "nothing-found", "Kyoto"),
    "unsolved": Case(None, read(3), "completed", "read", "Kyoto", feedback="completion"),
    "unsolved below θ": Case(None, read(0), "completed", "read-below-threshold", "Kyoto", feedback="completion"),
    "unsolved below the floor": Case(None, read(-2), "unconfirmed", "below-floor", None, feedback="passage"),
    "unsolved below the floor, paper": Case(
        None, read(-2), "completed", "read-below-threshold", "Kyoto", feedback="completion", settings=PAPER
    ),
    "unsolved, empty reading": Case(
        None, evidence(CITY, "", 9), "unconfirmed", "no-span", None, feedback="passage", settings=PAPER
    ),
    "unsolved, nothing found": Case(None, Evidence((), None, None), "unconfirmed", "nothing-found", None),
    "paper: reading in answer": Case(
        "in Kyoto, Japan", read(2), "agreed", "reading-in-answer", "in Kyoto, Japan", settings=PAPER
    ),
    "paper: at token boundaries": Case(
        "Kyotographer", read(2), "corrected", "reading-not-in-answer", "Kyoto", feedback="verification", settings=PAPER
    ),
    "a label is no span": Case("no", read(5), "unconfirmed", "undecided", "no", query="Is Nintendo based in Osaka?"),
    "undecided gives the passage": Case(
        None, read(5, "Nintendo"), "unconfirmed", "undecided", None, "passage", "yesno", "Is Nintendo based in Osaka?"
    ),
    "a title is no label": Case(
        "No Time to Die", evidence("It was Gravity.", "Gravity", 5), "corrected", "negation", "Gravity", "verification"
    ),
    "a comparison is no span": Case(
        "Nintendo", read(5), "unconfirmed", "undecided", "Nintendo", query="Which is older, Sega or Nintendo?"
    ),
    "long agrees": Case(JAPAN, LONG, "agreed", "rouge-l", JAPAN, task="longform", query="Where is it?"),
    "long unsolved": Case(
        None, LONG, "completed", "window", CITY, "completion", "longform", "Where is Nintendo based?"
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_judge(case):
    judgement = judge(Step(case.query, case.answer), case.found, TaskKind(case.task), case.settings)
    found = judgement.verdict, judgement.rule, judgement.answer, judgement.feedback
    assert found == (Verdict(case.verdict), case.rule, case.in_force, case.feedback)


def two(first, second):
    """Evidence of two passages, the first chosen: (text, answer, confidence) each."""
    hits = [Hit(Passage(f"p{rank}", f"T{rank}", one[0]), 1.0, rank) for rank, one in enumerate((first, second), 1)]
    readings = [read_in(hit.passage, *one[1:]) for hit, one in zip(hits, (first, second), strict=True)]
    return Evidence(tuple(hits), hits[0], readings[0], tuple(readings))


HOPPER = ("Grace Hopper was a programmer.", "Grace Hopper", 2.7)
LOVELACE = ("Ada Lovelace was the first.", "Ada Lovelace", 1.9)


@pytest.mark.parametrize(
    ("answer", "evidence", "settings", "chosen", "verdict"),
    [
        ("Ada Lovelace", two(HOPPER, LOVELACE), DEFAULT, "T2", Verdict.AGREED),
        ("Ada Lovelace", two(HOPPER, (*LOVELACE[:2], 0.5)), DEFAULT, "T1", Verdict.CORRECTED),
        ("Alan Turing", two(HOPPER, LOVELACE), DEFAULT, "T1", Verdict.CORRECTED),
        ("Grace Hopper", two(HOPPER, LOVELACE), DEFAULT, "T1", Verdict.AGREED),
        ("Ada Lovelace", two(HOPPER, LOVELACE), PAPER, "T1", Verdict.CORRECTED),
        (None, two(HOPPER, LOVELACE), DEFAULT, "T1", Verdict.COMPLETED),
    ],
    ids=["a witness", "not confident", "no witness", "no need", "paper", "unsolved"],
)
def test_a_passage_that_confirms_the_model_keeps_others_from_correcting_it(answer, evidence, settings, chosen, verdict):
    step = Step("Who was the first programmer?", answer)
    found = with_witness(step, evidence, TaskKind.MULTIHOP, settings)
    assert found.chosen.passage.title == chosen
    assert judge(step, found, TaskKind.MULTIHOP, settings).verdict is verdict


AGRA = Passage("agra", "Taj Mahal", "It was commissioned by the fifth Mughal emperor, Shah Jahan. It cost 32 million.")
WHO = "Who commissioned the Taj Mahal?"


@pytest.mark.parametrize(
    ("query", "answer", "verdict", "rule", "place"),
    [
        (WHO, "Shah Jahan", "agreed", "in-passage", "Shah Jahan"),
        (WHO, "Emperor Shah Jahan", "agreed", "in-passage", "emperor, Shah Jahan"),
        (WHO, "Akbar", "corrected", "different", None),
        (WHO, "Jah", "corrected", "different", None),
        (WHO, "the Taj Mahal", "corrected", "different", None),
        ("When was the Taj Mahal built?", "Shah Jahan", "corrected", "different", None),
    ],
    ids=["stands there", "with a title", "another", "no whole word", "what is asked about", "another kind"],
)
def test_a_capable_models_answer_that_stands_in_the_passage_is_not_corrected(query, answer, verdict, rule, place):
    hit, reading = Hit(AGRA, 1.0, 1), read_in(AGRA, "fifth Mughal", 3.0)
    found = Evidence((hit,), hit, reading, (reading,))
    judgement = judge(Step(query, answer), found, TaskKind.MULTIHOP, DEFAULT, keeps_word=True)
    quote = judgement.quote and AGRA.text[judgement.quote.start : judgement.quote.end]
    assert (judgement.verdict, judgement.rule, quote) == (Verdict(verdict), rule, place)
    small = judge(Step(query, answer), found, TaskKind.MULTIHOP, DEFAULT)
    assert small.verdict is Verdict.CORRECTED


def test_a_long_answer_is_corrected_in_the_paper_by_what_was_read():
    found = evidence(f"It is old. {CITY}", "Kyoto", 3)
    judgement = judge(Step("What is it for?", "Nothing at all."), found, TaskKind.LONGFORM, PAPER)
    assert (judgement.verdict, judgement.answer) == (Verdict.CORRECTED, "Kyoto")


@pytest.mark.parametrize(
    ("query", "answer"),
    [("my son lives there, is Oslo north of Riga", "yes"), ("Which lies further north, Oslo or Riga?", None)],
)
def test_an_opinion_decides_a_yes_no_question_in_any_form_and_no_choice_between_two_things(query, answer):
    hit = Hit(Passage("1", "Oslo", "My son lives there: Oslo lies further north than Riga, is north of it."), 1, 1.0)
    evidence = Evidence((hit,), hit, read_in(hit.passage, "Oslo", 1.0), opinions=(Opinion(0.95, 0.02, 0.03),))
    assert judge(Step(query, None), evidence, TaskKind.YESNO, Settings()).answer == answer
