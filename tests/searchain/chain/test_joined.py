"""The queries that a part of a question may mean."""

from searchain.chain.joined import queries_of
from searchain.types import Exchange


class Names:
    """Exchanges "it" for the answer of the last exchange, or for the last name of its question."""

    def standalone(self, question, history):
        last = history[-1] if history else Exchange("", "")
        return question.replace(" it", f" {last.final_answer or last.question.split()[-2]}")

    def leans(self, question, history):
        return " it" in question


def test_a_part_may_mean_the_answer_of_the_part_before_it_or_what_that_names():
    said = [Exchange("Which country is Fuji in?", "Japan", "Japan")]
    assert queries_of("how high is it?", said, Names()) == ("How high is Japan?", "How high is Fuji?")


def test_a_part_that_stands_alone_is_one_query():
    said = [Exchange("Who wrote Emma?", "Jane Austen", "Jane Austen")]
    assert queries_of("population of Peru", said, Names()) == ("What is the population of Peru?",)
    assert queries_of("the landlord's number", said, Names()) == ("What is the landlord's number?",)
