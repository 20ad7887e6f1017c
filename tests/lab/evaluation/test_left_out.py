"""Questions whose titles are left out of the search, and data in the Reader's form."""

import pytest

from lab.evaluation.examples import Example, leave_out
from lab.evaluation.left_out import LeavingOut
from lab.evaluation.scoring import line_of
from searchain.errors import UsageError
from searchain.events import fold
from tests.support.fakes import CITY, EXAMPLE, QUESTION, RIGHT_CHAIN, WordRetriever, toy_searchain


def titles(hits):
    return [hit.passage.title for hit in hits]


def test_the_others_move_up():
    plain = WordRetriever()
    hits = LeavingOut(plain, ["NINTENDO ", "Kyoto"]).search(CITY, 2)
    everything = [title for title in titles(plain.search(CITY, 4)) if title not in ("Nintendo", "Kyoto")]
    assert titles(hits) == everything
    assert [hit.rank for hit in hits] == [1, 2]
    assert titles(LeavingOut(plain, []).search(CITY, 3)) == titles(plain.search(CITY, 3))


def test_a_whole_run_finds_nothing_under_these_titles():
    (example,) = leave_out([EXAMPLE])
    made = toy_searchain(*RIGHT_CHAIN, retriever=LeavingOut(WordRetriever(), example.supporting_titles))
    line = line_of(example, fold(made.stream(QUESTION)))
    assert {hit["title"] for search in line["searches"] for hit in search["hits"]} == {"Sega", "Rainbow"}
    assert (line["answerable"], line["left_out"], line["recall_5"]) == (False, True, None)


def test_examples_without_titles_stay_as_they_are():
    plain = Example("q", "Who?", ("Ada",), answerable=False)
    assert leave_out([plain, EXAMPLE])[0] is plain
    assert leave_out([EXAMPLE])[0].task is None
    with pytest.raises(UsageError, match="no question names supporting titles"):
        leave_out([plain])
