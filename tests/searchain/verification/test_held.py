"""Answers of a model that saw passages, judged as far as the words of a passage go."""

import pytest

from searchain.settings import Settings
from searchain.types import Evidence, Hit, Passage, Reading, Step, Verdict
from searchain.verification.held import hold
from tests.support.fakes import read_in

TOLSTOY = Passage("tolstoy", "Leo Tolstoy", "Count Leo Tolstoy (1828–1910) was a writer. He wrote War and Peace.")
FRESCO = Passage("fresco", "The School of Athens", "The School of Athens is a fresco by Raphael. Julius II ordered it.")
LEE = Passage("lee", "Tim Berners-Lee", "Sir Timothy John Berners-Lee is an English scientist. He invented the Web.")
LAKE = Passage("lake", "Lake Titicaca", "The surface of Lake Titicaca lies at 3,812 m.")
SETTINGS = Settings().with_thresholds(0.0, 0.0)


def evidence(passage, read="", probability=0.9):
    reading = read_in(passage, read, 2.0, probability=probability if read else None)
    hit = Hit(passage, 1.0, 1)
    return Evidence((hit,), hit, reading, (reading,))


@pytest.mark.parametrize(
    ("query", "answer", "passage", "read", "rule", "kept"),
    [
        ("Who wrote War and Peace?", "Leo Tolstoy", TOLSTOY, "Leo Tolstoy", "exact", "Leo Tolstoy"),
        ("Who wrote War and Peace?", "Leo Tolstoy", TOLSTOY, "", "stands", "Leo Tolstoy"),
        ("When was Tolstoy born?", "9 September 1828", TOLSTOY, "1828", "beyond", "1828"),
        ("When was Tolstoy born?", "around 1828", TOLSTOY, "1828", "exact", "1828"),
        ("When was Tolstoy born?", "1830", TOLSTOY, "1828", "not-held", "1830"),
        ("Who ordered it?", "The king of Athens", FRESCO, "", "not-held", "The king of Athens"),
        ("Who painted it?", "Raphael, a pupil of Perugino", FRESCO, "Raphael", "beyond", "Raphael"),
        ("Who invented the Web?", "Tim Berners-Lee", LEE, "", "stands", "Tim Berners-Lee"),
        ("How high is Lake Titicaca?", "3,812 metres", LAKE, "3,812 m", "number", "3,812 m"),
        ("How high is Lake Titicaca?", "about 3,812 m", LAKE, "3,812 m", "exact", "3,812 m"),
    ],
)
def test_an_answer_is_kept_as_far_as_the_words_of_a_passage_go(query, answer, passage, read, rule, kept):
    _, judgement = hold(Step(query, answer), evidence(passage, read), (), SETTINGS)
    against = Verdict.DISPUTED if read else Verdict.UNCONFIRMED
    verdict = against if rule == "not-held" else Verdict.AGREED
    assert (judgement.verdict, judgement.rule, judgement.answer) == (verdict, rule, kept)


def test_a_passage_that_another_query_found_can_hold_the_answer():
    cited = (Hit(FRESCO, 1.0, 1), Reading("", None, -3.0))
    found, judgement = hold(Step("Who ordered the fresco?", "Julius II"), evidence(TOLSTOY), [cited], SETTINGS)
    assert judgement.verdict is Verdict.AGREED
    assert found.chosen.passage is FRESCO
    assert FRESCO in [hit.passage for hit in found.hits]
