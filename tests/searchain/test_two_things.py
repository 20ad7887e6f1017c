"""A question about two named things is answered by the articles about both, where they decide it."""

import pytest

from searchain.events import fold
from searchain.llm.base import CAPABLE, SMALL
from searchain.llm.scripted import ScriptedModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Outcome, Passage, Reading, Span
from tests.support.fakes import KnowingReader, Rating, WordRetriever


def article(title, description, lead):
    return Passage(title, title, f"Short description: {description}.\n{lead}")


MARS = article("Mars", "Fourth planet from the Sun", "Mars is the fourth planet from the Sun. It is red.")
VENUS = article("Venus", "Second planet from the Sun", "Venus is the second planet from the Sun.")
PLUTO = article("Pluto", "Dwarf planet", "Pluto is a dwarf planet.")
DANUBE = article("Danube", "River in Europe", "The Danube is a river in Europe.")
ALPS = article("Alps", "Mountain range in Europe", "The Alps are a mountain range.")
KENYA = article("Kenya", "Country in East Africa", "Kenya is a country.")
POET = article("Ann Lee", "English poet (1564–1616)", "Ann Lee was an English poet.")
WRITER = article("Bo Eck", "Spanish writer (1547–1616)", "Bo Eck was a Spanish writer.")
SONY = article("Sony", "Japanese company", "Sony is a Japanese company that made the Walkman, a tape player.")
SEGA = article("Sega", "Japanese company", "Sega is a Japanese company that made games.")
FRUIT = article("Apple", "Edible fruit", "An apple is the fruit of a tree.")
APPLE = article("Apple Inc.", "Technology company", "Apple Inc. is a technology company.")
GUESS = "[Query 1]: What is it?\n[Unsolved Query]\n"
CORPUS = (MARS, VENUS, PLUTO, DANUBE, ALPS, KENYA, POET, WRITER, SONY, SEGA, FRUIT, APPLE)


def ask(question, reader=None, abilities=SMALL, profile="default", corpus=CORPUS, delay=0.0, **settings):
    model = ScriptedModel(*[GUESS] * 6)
    model.abilities = abilities
    chain = SearChain(
        model=model,
        retriever=WordRetriever(corpus, delay),
        reader=reader or KnowingReader({}),
        settings=Settings.of(profile, reply="template", **settings),
        probability=Rating(),
    )
    return fold(chain.stream(question)), model


def test_what_both_share_is_answered_with_a_sentence_of_each():
    turn, model = ask("What do Mars and Venus have in common?")
    assert (turn.final_answer, turn.outcome, turn.probability, model.calls) == ("planet", Outcome.UNSURE, None, [])
    assert turn.answer.startswith("Planet [1][2]. ")
    assert {source.passage.title for source in turn.sources} == {"Mars", "Venus"}
    assert "Mars is the fourth planet from the Sun [" in turn.answer
    assert "Venus is the second planet from the Sun [" in turn.answer


def test_things_with_nothing_in_common_are_put_side_by_side_as_before():
    turn, _ = ask("What do Mars and the Danube have in common?")
    assert turn.final_answer == "Mars: Fourth planet from the Sun; Danube: River in Europe"


def test_a_fact_that_both_descriptions_give_is_supported():
    turn, _ = ask("In what year did both Ann Lee and Bo Eck die?")
    assert (turn.final_answer, turn.outcome) == ("1616", Outcome.SUPPORTED)
    assert turn.probability == pytest.approx(0.9025)


def test_facts_that_differ_are_not_found_and_both_are_shown():
    turn, _ = ask("In what year were both Ann Lee and Bo Eck born?")
    assert (turn.final_answer, turn.outcome) == ("", Outcome.NOT_FOUND)
    assert "English poet (1564–1616)" in turn.answer
    assert "Spanish writer (1547–1616)" in turn.answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are Mars and Venus both planets?", "yes"),
        ("are mars and pluto both planets", "no"),
        ("Are both Mars and Venus planets?", "yes"),
    ],
)
def test_both_are_so_only_if_each_is_so(question, answer):
    turn, model = ask(question)
    assert (turn.final_answer, turn.outcome, model.calls) == (answer, Outcome.UNSURE, [])
    assert turn.answer.startswith(f"{answer.capitalize()} [1][2].")


def test_the_model_plans_where_one_of_both_is_open():
    assert ask("Are Mars and Kenya both popular?")[1].calls


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        ("Which is a river, the Danube or the Alps?", "Danube", Outcome.UNSURE),
        ("which of these is a planet, pluto or venus", "Venus", Outcome.SUPPORTED),
        ("Which company made the Walkman, Sega or Sony?", "Sony", Outcome.UNSURE),
        ("Among Sega and Sony who made the Walkman?", "Sony", Outcome.UNSURE),
    ],
)
def test_one_of_two_is_chosen(question, answer, outcome):
    turn, _ = ask(question)
    assert (turn.final_answer, turn.outcome) == (answer, outcome)


def test_the_answer_to_the_question_without_both_names_chooses():
    start = SONY.text.index("Sony is")
    known = KnowingReader({"Sony": {"who made the walkman?": ("Sony", 5.0)}})
    known.read = lambda query, passages: [
        Reading("Sony", Span(start, start + 4), 5.0, probability=0.8)
        if passage is SONY and query == "Who made the tape?"
        else Reading("", None, -5.0)
        for passage in passages
    ]
    assert ask("Who made the tape, Sega or Sony?", known)[0].final_answer == "Sony"


def test_a_third_thing_is_never_the_answer():
    known = KnowingReader({"Venus": {"popular": ("Venus", 5.0)}})
    assert ask("Which is popular, Sega or Sony?", known)[0].final_answer in ("", "Sega", "Sony")


def test_a_people_is_no_profession():
    english = article("Cy Dunn", "English singer (1600–1660)", "Cy Dunn was an English singer.")
    corpus = (*CORPUS, english)
    assert ask("What do Ann Lee and Cy Dunn have in common?", corpus=corpus)[0].final_answer == "English"
    turn, model = ask("What profession did Ann Lee and Cy Dunn share?", corpus=corpus)
    assert model.calls
    assert turn.final_answer != "English"


def test_a_spent_budget_ends_the_run_as_always():
    turn, _ = ask("Were Mars and Venus both popular?", delay=0.6, max_seconds=1)
    assert turn.message != ""


def test_beside_a_company_apple_is_the_company():
    turn, _ = ask("What do Apple and Sony have in common?")
    assert (turn.final_answer, {source.passage.title for source in turn.sources}) == ("company", {"Apple Inc.", "Sony"})


@pytest.mark.parametrize(
    ("abilities", "settings"), [(CAPABLE, {}), (SMALL, {"profile": "paper"})], ids=["capable model", "paper"]
)
def test_a_capable_model_and_the_paper_profile_plan_themselves(abilities, settings):
    assert ask("Are Mars and Venus both planets?", abilities=abilities, **settings)[1].calls
