"""What is read in the passages of a query."""

from dataclasses import replace

import pytest

from searchain.reading.lookup import look_up
from searchain.types import Opinion, Passage, Reading, Span, TaskKind
from tests.support.fakes import WordRetriever


@pytest.mark.parametrize(
    ("claim", "is_heard"),
    [
        ("There is a film called The Big Country.", True),
        ("The current film is a western.", True),
        ("An early film was made by Wyler.", True),
        ("Wyler made a western.", True),
        ("Mozart made a western.", False),
    ],
)
def test_a_claim_is_heard_from_passages_that_name_its_subject(claim, is_heard):
    film = Passage(
        "f", "The Big Country", "The Big Country is a western film of 1958, which was made by William Wyler."
    )

    class Silent:
        def read(self, query, passages):
            return [Reading("", None, -5.0) for _ in passages]

    class Agreeing:
        def judge(self, query, passages):
            return [Opinion(0.9, 0.05, 0.05) for _ in passages]

    found = look_up(claim, WordRetriever((film,)), Silent(), 5, stance=Agreeing(), task=TaskKind.FACTCHECK)
    assert [opinion.supports > 0 for opinion in found.opinions] == [is_heard]


def test_the_owner_is_the_answer_where_the_query_names_what_is_owned():
    poem = Passage("i", "Trojan War", "The war is told in Homer's Iliad, and in other works.")
    span = Span(poem.text.index("Homer"), poem.text.index("Iliad") + 5)

    class Pointing:
        def read(self, query, passages):
            return [Reading("Homer's Iliad", span, 1.0) for _ in passages]

    found = look_up("who wrote the iliad of the war", WordRetriever((poem,)), Pointing(), 5)
    assert (found.reading.answer, poem.text[found.reading.span.start : found.reading.span.end]) == ("Homer", "Homer")
    assert (
        look_up("which poem tells of the war", WordRetriever((poem,)), Pointing(), 5).reading.answer == "Homer's Iliad"
    )


def test_of_passages_with_the_same_answer_the_most_relevant_one_is_cited():
    hamlet = Passage("h", "Hamlet", "Hamlet was written by William Shakespeare.")
    othello = Passage("o", "Othello", "Othello, like Hamlet, was written by William Shakespeare.")

    class Pointing:
        def read(self, query, passages):
            at = [passage.text.index("William") for passage in passages]
            relevance = [2.0 if passage is hamlet else -1.0 for passage in passages]
            return [Reading("William Shakespeare", Span(a, a + 19), f) for a, f in zip(at, relevance, strict=True)]

    def rate(query, hits, readings):
        return [replace(one, probability=0.9 if one.confidence > 0 else 0.95) for one in readings]

    found = look_up("who wrote hamlet", WordRetriever((othello, hamlet)), Pointing(), 5, rate=rate)
    assert (found.chosen.passage, found.reading.probability) == (hamlet, 0.9)
