"""Which article a question for a definition names."""

import pytest

from searchain.chain.named import kind_of
from searchain.types import TaskKind
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
