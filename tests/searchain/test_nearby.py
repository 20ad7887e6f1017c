"""A question that no passage answers outright is shown the sentences nearest to it, and asks behind the last one."""

import pytest

from searchain.events import fold
from searchain.language.text import content_words
from searchain.types import Abilities, Outcome, Passage, Status
from tests.support.fakes import KnowingReader, WordRetriever, toy_searchain
from ui.show.labels import ended
from ui.show.signs import PERHAPS

VACCINE = Passage("vaccine", "Vaccines", "People can have allergic reactions to any vaccine. It is stored cold.")
CANALS = Passage("canals", "Venice", "The canals of the city of Venice are about two metres deep. Boats are rowed.")


def sharing(one, other):
    """The share of words that two texts have in common."""
    words, others = content_words(one), content_words(other)
    return len(words & others) / max(1, len(words | others))


def ask(question):
    chain = toy_searchain(
        *["[Query 1]: What is a reaction?\n[Unsolved Query]\n"] * 6,
        reader=KnowingReader({}),
        retriever=WordRetriever((VACCINE, CANALS)),
        abilities=Abilities.TRAINED,
        passages=1,
    )
    chain.similarity = sharing
    return fold(chain.stream(question))


@pytest.mark.parametrize(
    ("question", "is_near"),
    [("Can people have allergic reactions to a vaccine?", True), ("Can a vaccine be kept by a tall doctor?", False)],
)
def test_the_nearest_sentences_stand_where_nothing_answers(question, is_near):
    turn = ask(question)
    assert turn.final_answer == ""
    if is_near:
        assert (turn.status, turn.outcome, turn.probability) == (Status.PARTIAL, Outcome.UNSURE, None)
        assert ended(turn) is PERHAPS
        assert turn.answer.startswith("No passage answers this outright; these sentences are the nearest. People can")
        assert turn.message == "no passage answers it outright"
        assert turn.sources[0].passage is VACCINE
    else:
        assert (turn.status, turn.outcome) == (Status.NOT_FOUND, Outcome.NOT_FOUND)
