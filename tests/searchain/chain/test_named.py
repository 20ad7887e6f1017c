"""Which article a question for a definition names."""

import pytest

from searchain.chain.named import kind_of
from searchain.types import Passage, TaskKind
from tests.support.fakes import WordRetriever

ARTICLES = [
    Passage("t", "Turkey", "Short description: Country in West Asia.\nTurkey is a country. Ankara is in Turkey."),
    Passage("h", "Hamlet", "Short description: Tragedy by William Shakespeare.\nHamlet is a tragedy."),
    Passage("v", "Venus", "Short description: Second planet from the Sun.\nVenus is a planet."),
    Passage("a", "Ada King", "Short description: English film director (1899–1980).\nAda King was a director."),
    Passage("b", "Bob Ray", "Short description: Head of state of Peru.\nBob Ray is a politician."),
    Passage("d", "Dolphin", "Short description: Marine mammals.\nA dolphin is a mammal. Some dolphins jump."),
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
