"""Which sentence of a passage is quoted, and that a tick needs one that carries question and answer."""

from dataclasses import replace

import pytest

from searchain.events import fold
from searchain.language import text
from searchain.reading.similarity import QueryEncoder
from searchain.reading.stance import MiniLMStance, embedded_stance
from searchain.reply.outcome import NOT_CARRIED
from searchain.reply.quoting import FEATURES, Quoter, Weights
from searchain.reply.template import quote_of
from searchain.retrieval.corpus import default_corpus
from searchain.types import Node, Opinion, Outcome, Passage, Span, Verdict
from searchain.verification.probability import Logistic
from tests.support.fakes import RIGHT_CHAIN, toy_searchain
from tests.support.json_lines import kept

POET = Passage(
    "v",
    "Virgil",
    "Short description: Roman poet.\nVirgil was an ancient Roman poet of the Augustan period. He wrote the Aeneid, "
    "an epic. Dante made Virgil his guide.",
)
TOWER = Passage(
    "t", "Eiffel Tower", "Short description: Tower in Paris.\nThe tower has three levels. It was built after the dam."
)
BY_WORDS = Weights(
    Logistic(-4.0, tuple(0.0 if name == "together" else 8.0 for name in FEATURES)),
    read=0.001,
    least=0.9999,
    least_label=0.5,
)


class WordStance:
    """Supports a statement all of whose words stand in the passage, and refutes one with "before" beside "after"."""

    def judge(self, statement, passages):
        return [self._opinion(statement, one) for one in passages]

    def _opinion(self, statement, passage):
        asked, held = text.content_words(statement), text.content_words(f"{passage.title} {passage.text}")
        if "before" in statement and "after" in passage.text:
            return Opinion(0.0, 1.0, 0.0)
        return Opinion(1.0, 0.0, 0.0) if asked <= held else Opinion(0.0, 0.0, 1.0)


def quoter(weights=BY_WORDS):
    return Quoter(WordStance(), lambda one, other: 0.0, weights)


def step(query, answer, passage, at=None):
    start = passage.text.index(at or answer)
    span = Span(start, start + len(at or answer))
    return Node("n1", None, 1, query, answer=answer, verdict=Verdict.COMPLETED, passage=passage, span=span)


def test_the_sentence_that_carries_question_and_answer_is_quoted():
    node = step("who wrote the epic Aeneid", "Virgil", POET)
    quoted = quoter().quoted(node)
    assert quoted.is_carried
    assert quote_of(quoted.node) == (
        "Virgil was an ancient Roman poet of the Augustan period. He wrote the Aeneid, an epic."
    )
    assert not quoter().quoted(step("who wrote the Iliad", "Virgil", POET)).is_carried


def test_a_label_is_quoted_from_what_decides_it_and_never_from_a_description():
    node = step("The Eiffel Tower was built before the dam.", "REFUTES", TOWER, at="Tower in Paris")
    quoted = quoter().quoted(node)
    assert quoted.is_carried
    assert quote_of(quoted.node) == "The tower has three levels. It was built after the dam."
    bare = replace(TOWER, text="Yes. The tower is red.")
    assert quote_of(quoter().quoted(step("Is the tower red?", "yes", bare, at="Yes")).node) == "The tower is red."
    open_claim = step("The Eiffel Tower is red.", "SUPPORTS", TOWER, at="Tower in Paris")
    assert not quoter().quoted(open_claim).is_carried


class Forbids:
    """Gives "no" by every prohibition, the surer the longer it is."""

    def judge(self, statement, passages):
        found = [0.6 + len(p.text) / 1000 if {"not", "never"} & set(text.tokens(p.text)) else 0.0 for p in passages]
        return [Opinion(0.0, no, 1.0 - no) for no in found]


def test_of_several_prohibitions_the_one_about_the_question_carries_no():
    said = "Wooden boards must not be washed. Never open the door while a programme is running. Silver may be washed."
    node = step("May I put a wooden chopping board in?", "no", Passage("m", "Manual", said), at="Never")
    by_words = Quoter(Forbids(), lambda one, other: len(text.content_words(one) & text.content_words(other)), BY_WORDS)
    assert by_words.quoted(node).is_carried
    assert quote_of(by_words.quoted(node).node) == "Wooden boards must not be washed."


@pytest.mark.parametrize(("least", "outcome"), [(0.0, Outcome.SUPPORTED), (1.1, Outcome.UNSURE)])
def test_a_tick_needs_a_quotation_that_carries_the_answer(least, outcome):
    chain = toy_searchain(*RIGHT_CHAIN)
    chain.quoter = quoter(replace(BY_WORDS, least=least))
    turn = fold(chain.stream("On which Japanese island is the company Nintendo based?"))
    assert turn.outcome is outcome
    assert (turn.message == NOT_CARRIED) is (outcome is Outcome.UNSURE)


@pytest.fixture(scope="module")
def real():
    return Quoter(MiniLMStance(embedded_stance()), QueryEncoder())


@pytest.fixture(scope="module")
def corpus():
    return {passage.title: passage for passage in default_corpus()}


@pytest.mark.parametrize(("question", "answer", "title", "at", "quoted"), kept("quoted-sentences.json"))
def test_the_embedded_parts_quote_the_sentence_that_answers(real, corpus, question, answer, title, at, quoted):
    found = real.quoted(step(question, answer, corpus[title], at=at))
    assert found.is_carried is (quoted is not None)
    assert quoted is None or quoted in quote_of(found.node)
