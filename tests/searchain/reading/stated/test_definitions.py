"""Who or what something is, told by the short description of its article."""

import pytest

from searchain.events import fold
from searchain.llm.scripted import ScriptedModel
from searchain.pipeline import SearChain
from searchain.reading.stated.definitions import PROBABILITY, defined
from searchain.settings import Settings
from searchain.types import Hit, Outcome, Passage, Reading
from tests.support.fakes import Rating

CURIE = Passage(
    "c",
    "Marie Curie",
    "Short description: Polish-French physicist and chemist (1867–1934).\n"
    "Marie Curie was a physicist and chemist. She won two Nobel Prizes.",
)
PLAIN = Passage("r", "Radium", "Radium is a chemical element.")
NONE = Reading("", None, -2.0)


@pytest.mark.parametrize("question", ["who is marie curie", "Who was Marie Curie?", "What's Marie Curie?"])
def test_an_article_says_who_it_is_about(question):
    hit, reading = defined(question, [Hit(PLAIN, 2.0, 1), Hit(CURIE, 1.0, 2)], [NONE, NONE])
    assert (hit.passage, reading.answer) == (CURIE, "Polish-French physicist and chemist (1867–1934)")
    assert CURIE.text[reading.span.start : reading.span.end] == reading.answer
    assert reading.probability == PROBABILITY


@pytest.mark.parametrize(
    "question",
    ["what type of animal is a gaur", "The gaur is what kind of animal?", "a gaur is a type of what", "what is a gaur"],
)
def test_an_article_says_of_what_kind_its_subject_is(question):
    gaur = Passage("g", "Gaur", "Short description: Largest species of wild cattle.\nThe gaur is a bovine.")
    assert defined(question, [Hit(gaur, 1.0, 1)], [NONE])[1].answer == "Largest species of wild cattle"


def test_what_repeats_the_question_defines_nothing():
    skink = Passage("s", "Skink", "Short description: Family of reptiles.\nSkinks are lizards.")
    assert defined("A skink is what type of reptile?", [Hit(skink, 1.0, 1)], [NONE]) is None
    assert defined("What is a skink?", [Hit(skink, 1.0, 1)], [NONE])[1].answer == "Family of reptiles"


@pytest.mark.parametrize(
    "question",
    [
        "what type of food does marie curie like",
        "what is radium",
        "who was the husband of marie curie",
        "when was marie curie born",
        "marie curie",
        "who is marie",
    ],
)
def test_nothing_else_is_defined(question):
    assert defined(question, [Hit(CURIE, 2.0, 1), Hit(PLAIN, 1.0, 2)], [NONE, NONE]) is None


class Found:
    def search(self, query, k):
        return [Hit(CURIE, 2.0, 1), Hit(PLAIN, 1.0, 2)][:k]


class Silent:
    def read(self, query, passages):
        return [NONE for _ in passages]


class AsRead(Rating):
    def of_step(self, step, evidence, judgement):
        return evidence.reading.probability

    def of_reply(self, question, path, final_answer, direct=None):
        return path[-1].probability


def test_the_reply_gives_the_description_and_the_first_sentence():
    searchain = SearChain(
        model=ScriptedModel("[Query 1]: who is marie curie\n"),
        retriever=Found(),
        reader=Silent(),
        settings=Settings.of("default", reply="template"),
        probability=AsRead(),
    )
    turn = fold(searchain.stream("who is marie curie"))
    assert (turn.final_answer, turn.outcome) == ("Polish-French physicist and chemist (1867–1934)", Outcome.SUPPORTED)
    assert turn.answer == (
        "Polish-French physicist and chemist (1867–1934) [1]. Marie Curie was a physicist and chemist [2]. "
        "She won two Nobel Prizes [3]."
    )


def test_a_figure_is_no_definition():
    light = Passage("light", "Speed of light", "Short description: Speed of waves.\nThe speed of light is a constant.")
    assert defined("what is the speed of light", [Hit(light, 1.0, 1)], [NONE]) is None
