"""Questions for a definition or a comparison find their articles, by the title or by a usual other form of it."""

import pytest

from searchain.reading.articles import Match, find_article, kind_of, matched
from searchain.types import Passage, TaskKind
from tests.support.fakes import WordRetriever


def article(title, description, lead="It is."):
    return Passage(title, title, f"Short description: {description}.\n{lead}")


CAT = article("Cat", "Small domesticated carnivorous mammal", "The cat is a small mammal. Most cats purr.")
DOG = article("Dog", "Domesticated canid", "The dog is an animal. Some dogs bark.")
METAL = article("Mercury (element)", "Chemical element", "Mercury is a chemical element.")
PLANET = article("Mercury (planet)", "First planet from the Sun", "Mercury is the first planet from the Sun.")
UNIT = article("Newton (unit)", "Unit of force", "The newton is the unit of force.")
NEWTON = article("Isaac Newton", "English polymath (1642–1726)", "Sir Isaac Newton was an English polymath.")
HAMLET = article("Hamlet", "Tragedy by William Shakespeare", "Hamlet is a tragedy.")
RAY = article("Bob Ray", "Head of state of Peru", "Bob Ray is a politician.")
WAR = article("World War II", "1939–1945 global conflict", "World War II was a war.")
SHELF = WordRetriever((CAT, DOG, METAL, PLANET, UNIT, NEWTON, HAMLET, RAY, WAR))


@pytest.mark.parametrize(
    ("name", "passage", "match"),
    [
        ("isaac newton", NEWTON, Match.TITLE),
        ("the Cat", CAT, Match.TITLE),
        ("cats", CAT, Match.ALIAS),
        ("mercury", METAL, Match.ALIAS),
        ("Second World War", WAR, Match.ALIAS),
        ("newton", NEWTON, Match.SURNAME),
        ("newton", UNIT, Match.ALIAS),
        ("ray", RAY, None),
        ("Isaac", NEWTON, None),
        ("", CAT, None),
    ],
)
def test_how_names_match(name, passage, match):
    assert matched(name, passage) is match


@pytest.mark.parametrize(
    ("question", "kind", "titles"),
    [
        ("what is hamlet", TaskKind.DEFINE, ["Hamlet"]),
        ("What's a cat?", TaskKind.DEFINE, ["Cat"]),
        ("define cats", TaskKind.DEFINE, ["Cat"]),
        ("Isaac Newton", TaskKind.DEFINE, ["Isaac Newton"]),
        ("who was newton", TaskKind.DEFINE, ["Isaac Newton"]),
        ("tell me about newton", TaskKind.DEFINE, ["Newton (unit)"]),
        ("who was hamlet", TaskKind.MULTIHOP, None),
        ("who is bob ray", TaskKind.MULTIHOP, None),  # no year tells that it is a person
        ("what is the name of the cat", TaskKind.MULTIHOP, None),
        ("tell me about him", TaskKind.MULTIHOP, None),
        ("compare cats and dogs", TaskKind.COMPARE, ["Cat", "Dog"]),
        ("What is the difference between the cat and the dog?", TaskKind.COMPARE, ["Cat", "Dog"]),
        ("Cat vs dog", TaskKind.COMPARE, ["Cat", "Dog"]),
        ("compare cats and zebras", TaskKind.MULTIHOP, None),
        ("which is older, the cat or the dog?", TaskKind.MULTIHOP, None),
        ("", TaskKind.MULTIHOP, None),
    ],
)
def test_what_is_asked_about_which_articles(question, kind, titles):
    found, named = kind_of(question, None, TaskKind.MULTIHOP, SHELF)
    assert found is kind
    assert (named and [one.article.passage.title for one in named.found]) == titles


@pytest.mark.parametrize(
    ("chosen", "question", "kind"),
    [
        (TaskKind.DEFINE, "the dog please", TaskKind.LONGFORM),
        (TaskKind.DEFINE, "a dog", TaskKind.DEFINE),
        (TaskKind.COMPARE, "what is a dog", TaskKind.LONGFORM),
        (TaskKind.YESNO, "what is a dog", TaskKind.YESNO),
        (TaskKind.LIST, "what is a dog", TaskKind.LIST),
    ],
)
def test_the_users_choice_goes_before_the_wording(chosen, question, kind):
    assert kind_of(question, chosen, chosen, SHELF)[0] is kind


def test_of_two_articles_of_one_name_the_other_is_told_too():
    found = find_article("mercury", SHELF)
    assert {found.article.passage, *(hit.passage for hit in found.namesakes)} == {METAL, PLANET}
