"""An explanation written anew by a larger model: what its passages carry is kept, with the place that carries it."""

from dataclasses import replace

import pytest

from lab.scripted.model import ScriptedModel
from searchain.cancel import CancelToken
from searchain.errors import ModelServerError
from searchain.events import fold
from searchain.reply.review import Review
from searchain.reply.second_reader import SecondReader
from searchain.reply.sentence_support import Carrying
from searchain.types import Abilities, Outcome, Passage, Place, Span, Support
from searchain.verification.second_opinion import read_second_opinion
from tests.support.fakes import RAINBOW, JudgingModel, WordRetriever, around, chain_text

SKY = Passage("sky", "Sky", "The clear daytime sky appears blue because of Rayleigh scattering. Dust makes it paler.")
SEA = Passage("sea", "Sea", "The sea covers 71 % of the Earth.")
PASSAGES = {"k101": SKY, "k102": SEA}


def carrying(question="Why is the sky blue?"):
    return Carrying(question, None, CancelToken())


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("The sky is blue because of Rayleigh scattering.", "k101"),
        ("The sea covers 71 % of the Earth.", "k102"),
        ("The sea covers 80 % of the Earth.", None),  # a number of its own
        ("Cats purr when they are content.", None),
    ],
)
def test_a_sentence_is_bound_to_the_passage_that_carries_it(said, key):
    assert carrying().carrier(said, PASSAGES) == key


def test_a_key_is_put_before_the_full_stop_of_a_sentence_without_one():
    content = "The sky is blue because of Rayleigh scattering. The sea covers 71 % of the Earth [k102]. Cats purr."
    assert "".join(carrying().keyed(content, PASSAGES)) == (
        "The sky is blue because of Rayleigh scattering [k101]. The sea covers 71 % of the Earth [k102]. Cats purr."
    )


def test_a_sentence_that_cites_nothing_has_no_support_and_a_wrong_number_weakens_it():
    one = carrying()
    assert one.carried("The sky is blue.", []).state is Support.OWN
    assert one.carried("The sea covers 71 % of the Earth.", [SEA]).state.is_carried
    found = one.carried("The sea covers 17 % of the Earth.", [SEA])
    assert (found.state, found.uncarried) == (Support.PARTLY, (Span(15, 17),))


WHY = "Why does a rainbow appear?"


def shared_words(one, other):
    return len(set(one.lower().split()) & set(other.lower().split())) / 20


def explained(*writings, seconds=5.0, found=RAINBOW):
    """Ask why, over the passage ``found``; returns the turn and the larger model, which writes ``writings``."""
    larger = JudgingModel(*writings, name="larger")
    planner = ScriptedModel(chain_text((WHY, None)), abilities=Abilities.TRAINED)
    review = Review(SecondReader(larger, seconds=seconds), read_second_opinion())
    chain = around(planner, probability=None, similarity=shared_words, review=review, retriever=WordRetriever([found]))
    return fold(chain.stream(WHY)), larger


def test_an_explanation_is_written_anew_from_its_passages():
    turn, larger = explained("A rainbow is caused by reflection and dispersion of light in water droplets.")
    assert "[1] Rainbow: A rainbow is caused by" in larger.calls[0].messages[0].content
    assert turn.answer.startswith("A rainbow is caused by reflection and dispersion of light in water droplets [1].")
    assert turn.sources[0].quote.startswith("A rainbow is caused by refraction")
    assert turn.sentences[0].support.is_carried
    assert (turn.final_answer, turn.outcome) == (turn.sentences[0].text.replace(" [1]", ""), Outcome.QUOTED)
    assert turn.message == "written by larger from these passages; each sentence was checked"


def test_quotations_of_own_documents_are_not_written_anew():
    place = Place("rainbow", "0" * 64, 0, len(RAINBOW.text))
    turn, larger = explained("A rainbow is caused by dispersion.", found=replace(RAINBOW, place=place))
    assert "refraction, reflection and dispersion" in turn.answer
    assert larger.calls == []


@pytest.mark.parametrize(
    "writing", ["Rainbows were invented by Newton in 1704.", "", ModelServerError("larger failed")]
)
def test_the_quotations_stay_where_the_passages_carry_too_little(writing):
    turn, _ = explained(writing)
    assert "refraction, reflection and dispersion" in turn.answer
    assert "Newton" not in turn.answer
