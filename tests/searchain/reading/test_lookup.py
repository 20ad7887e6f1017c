"""What is read in the passages of a query."""

from dataclasses import replace

from searchain.reading.lookup import look_up
from searchain.types import Passage, Reading, Span
from tests.support.fakes import WordRetriever


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
