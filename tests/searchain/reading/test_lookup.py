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
    assert look_up("which poem tells of war", WordRetriever((poem,)), Pointing(), 5).reading.answer == "Homer's Iliad"


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


def test_a_name_takes_the_place_of_the_common_noun_that_it_ends_with():
    khan = Passage("g", "Genghis Khan", "Genghis Khan was the founder and first khan of the Mongol Empire.")

    def rated(name, noun):
        by_name, by_noun = Reading("Genghis Khan", Span(0, 12), 1.0), Reading("khan", Span(39, 43), 1.0)
        options = (replace(by_noun, probability=noun), replace(by_name, probability=name))
        return lambda query, hits, readings: [replace(options[0], others=options[1:])]

    class Pointing:
        def read(self, query, passages):
            return [Reading("khan", Span(39, 43), 1.0) for _ in passages]

    def found(name, noun, question="Who founded the empire?"):
        read = look_up(question, WordRetriever((khan,)), Pointing(), 1, rate=rated(name, noun))
        return read.reading.answer, read.reading.probability, khan.text[read.reading.span.start : read.reading.span.end]

    assert found(0.82, 0.96) == ("Genghis Khan", 0.82, "Genghis Khan")
    assert found(0.5, 0.96) == ("khan", 0.96, "khan")
    assert found(0.82, 0.96, "Which title did the founder of the empire have?")[0] == "khan"
    assert look_up("Who founded the empire?", WordRetriever((khan,)), Pointing(), 1).reading.answer == "khan"
