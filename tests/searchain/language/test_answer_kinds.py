"""What kind of answer a query wants, and whether a span can be one."""

import pytest

from searchain.language.answer_kinds import AnswerKind, fits, kind_asked


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("When did the war end?", AnswerKind.DATE),
        ("How many strings has a violin?", AnswerKind.NUMBER),
        ("Who wrote Hamlet?", AnswerKind.PERSON),
        ("Where was Mozart born?", AnswerKind.PLACE),
        ("In which city is the Louvre?", AnswerKind.NAMED_PLACE),
        ("How heavy is the boat trailer T-9?", AnswerKind.NUMBER),
        ("What is a monsoon?", AnswerKind.OTHER),
        ("Kyoto lies on Honshu.", AnswerKind.OTHER),
    ],
)
def test_the_words_of_a_query_tell_what_it_wants(query: str, kind: AnswerKind) -> None:
    assert kind_asked(query) is kind


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("When was Isaac Newton born?", "25 December 1642", True),
        ("When was Isaac Newton born?", "English", False),
        ("How many people live in Lyon?", "522,000", True),
        ("How many people live in Lyon?", "the Rhône", False),
        ("How many moons has Venus?", "none", True),
        ("Who wrote Hamlet?", "Hamlet", False),
        ("In which city is the Louvre?", "1793", False),
        ("Which is larger, Lyon or Nice?", "Nice", True),
        ("What did the auditors find?", "missing receipts", True),
    ],
)
def test_what_can_hardly_be_the_answer_does_not_fit(query: str, answer: str, expected: bool) -> None:
    assert fits(query, answer) is expected
