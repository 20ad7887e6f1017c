"""The embedded models over one passage: what is said, contradicted in one value, and what is not there."""

import pytest

from searchain.assemble import Choice, Parts
from searchain.types import Passage

LEASE = Passage(
    "p1",
    "lease",
    "The tenant is Owen Pryce. The monthly rent is 1,150 euros without heating. The deposit is 3,450 euros in three "
    "equal parts. The lease begins on 1 October 2024. The bicycle cellar may be used free of charge.",
)


@pytest.fixture(scope="module")
def judge():
    return Parts(Choice(careful="off")).checker("default").judging


@pytest.mark.parametrize(
    ("sentence", "state", "in_sentence", "in_passage"),
    [
        ("The lease begins on 1 October 2024.", "quoted", [], "The lease begins on 1 October 2024."),
        ("The rent is 1,150 euros a month.", "supported", [], "The monthly rent is 1,150 euros without heating."),
        ("The rent is 1,250 euros a month.", "contradicted", ["1,250"], "1,150 euros"),
        ("The lease begins on 1 November 2024.", "contradicted", ["1 November 2024"], "1 October 2024"),
        ("The tenant is Daniel Shaw.", "contradicted", ["Daniel Shaw"], "Owen Pryce"),
        ("The balcony faces south.", "absent", [], None),
    ],
)
def test_a_sentence_beside_a_passage(judge, sentence, state, in_sentence, in_passage):
    found = judge.judge(sentence, [LEASE])
    assert found.state.value == state
    assert [sentence[span.start : span.end] for span in found.uncarried] == in_sentence
    assert (found.span and LEASE.text[found.span.start : found.span.end]) == in_passage


def test_without_passages_a_sentence_is_absent(judge):
    assert judge.judge("The rent is 5 euros.", []).state.value == "absent"


def test_what_says_what_another_document_is_about_is_not_said_by_this_one(judge):
    chess = Passage(
        "c", "minutes_chess", "Minutes of the chess club\nThe club met in March. Bela Nagy was elected chair."
    )
    garden = Passage("g", "minutes_march", "Minutes of the allotment club\nThe club met in March.")
    sentence = "Bela Nagy was elected chair of the allotment club."
    found = judge.judge(sentence, [chess, garden])
    assert (found.state.value, [sentence[s.start : s.end] for s in found.uncarried]) == ("partly", ["allotment"])
    assert judge.judge("Bela Nagy was elected chair of the chess club.", [chess, garden]).state.value == "supported"
