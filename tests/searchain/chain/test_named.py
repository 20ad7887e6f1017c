"""Which article a question for a definition names, and which queries a part of a question may mean."""

import pytest

from searchain.chain.joined import queries_of
from searchain.chain.named import kind_of
from searchain.types import Exchange, TaskKind
from tests.support.fakes import WordRetriever, article

ARTICLES = [
    article("Turkey", "Country in West Asia", "Turkey is a country. Ankara is in Turkey."),
    article("Hamlet", "Tragedy by William Shakespeare", "Hamlet is a tragedy."),
    article("Venus", "Second planet from the Sun", "Venus is a planet."),
    article("Ada King", "English film director (1899–1980)", "Ada King was a director."),
    article("Bob Ray", "Head of state of Peru", "Bob Ray is a politician."),
    article("Dolphin", "Marine mammals", "A dolphin is a mammal. Some dolphins jump."),
]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("what is turkey", "Turkey"),
        ("what is a dolphin", "Dolphin"),
        ("what is hamlet", "Hamlet"),
        ("who was hamlet", None),
        ("who is venus", None),
        ("who was ada king", "Ada King"),
        ("who is bob ray", None),  # no year tells that it is a person
    ],
)
def test_somebody_is_no_play(question, title):
    kind, named = kind_of(question, None, TaskKind.MULTIHOP, WordRetriever(ARTICLES))
    assert (kind is TaskKind.DEFINE) is (title is not None)
    assert (named and named.found[0].article.passage.title) == title


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
