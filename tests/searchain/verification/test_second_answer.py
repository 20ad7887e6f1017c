"""A model's second answer to a node: what becomes of verdict and answer."""

from dataclasses import replace

import pytest

from searchain.settings import Settings
from searchain.types import Node, Passage, Span, TaskKind, Verdict
from searchain.verification.second_answer import second_answer

PASSAGE = Passage("kyoto", "Kyoto", "Kyoto is a city in the Kansai region on the island of Honshu.")
ANSWERS = {"model_answer": "Kanto", "reader_answer": "Honshu", "answer": "Honshu"}
JUDGED = {"verdict": Verdict.CORRECTED, "rule": "different", "confidence": 3.0, "probability": 0.8}
READ = Node("n1", None, 1, "In which region is Kyoto?", passage=PASSAGE, span=Span(54, 60), **ANSWERS, **JUDGED)
DISPUTED = replace(READ, verdict=Verdict.DISPUTED, answer="Kanto", probability=None)
LABELLED = replace(DISPUTED, query="Is Kyoto in Kanto?", answer="yes", reader_answer=PASSAGE.text, rule="stance")
COMPLETED = replace(READ, verdict=Verdict.COMPLETED, rule="read")
AGREED = replace(READ, verdict=Verdict.AGREED)
OPEN = replace(READ, verdict=Verdict.UNCONFIRMED, answer=None)


@pytest.mark.parametrize(
    ("settled", "answer", "expected"),
    [
        (READ, "the island of Honshu", ("corrected", "different", "the island of Honshu")),
        (READ, "Kanto", ("disputed", "different", "Kanto")),
        (READ, "Kansai", ("corrected", "in-passage", "Kansai")),
        (READ, None, ("corrected", "different", "Honshu")),
        (COMPLETED, "Kanto", ("disputed", "read", "Kanto")),
        (AGREED, "Kanto", ("corrected", "different", "Honshu")),
        (OPEN, "Kanto", ("unconfirmed", "different", "Kanto")),
        (DISPUTED, "Kanto", ("disputed", "different", "Kanto")),
        (DISPUTED, "Honshu", ("corrected", "different", "Honshu")),
        (LABELLED, "yes", ("disputed", "stance", "yes")),
    ],
)
def test_the_word_of_a_capable_model(settled, answer, expected):
    settings = Settings.of(theta=0.5, floor=-1.0)
    judgement = second_answer(settled, answer, TaskKind.MULTIHOP, settings, keeps_word=True)
    assert (judgement.verdict.value, judgement.rule, judgement.answer) == expected
    assert judgement.quote == (Span(23, 29) if judgement.rule == "in-passage" else None)


def test_a_small_models_word_gives_way_and_the_papers_stands_against_any_reading():
    small = second_answer(READ, "Kansai", TaskKind.MULTIHOP, Settings.of(theta=0.5), keeps_word=False)
    assert (small.verdict, small.answer, small.probability) == (Verdict.CORRECTED, "Honshu", 0.8)
    paper = second_answer(READ, "Kansai", TaskKind.MULTIHOP, Settings.of("paper", theta=0.5), keeps_word=True)
    assert (paper.verdict, paper.answer) == (Verdict.DISPUTED, "Kansai")
