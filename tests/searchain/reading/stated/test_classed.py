"""What something is, decides whether it is one of a kind."""

import pytest

from searchain.reading.stated.class_questions import with_subject
from searchain.reading.stated.classed import cannot_confirm, classed
from searchain.types import Hit, Passage


def article(title: str, description: str, lead: str) -> Passage:
    return Passage(title, title, f"Short description: {description}.\n{lead}")


BAT = article("Bat", "Order of flying mammals", "Bats are winged mammals.")
KOALA = article("Koala", "Arboreal marsupial native to Australia", "The koala is an arboreal marsupial.")
GORILLA = article("Gorilla", "Genus of great primates", "Gorillas are herbivorous, great apes that live in Africa.")
PLUTO = article("Pluto", "Largest dwarf planet in the Solar System", "Pluto is a dwarf planet in the Kuiper belt.")
MOON = article("Moon", "Natural satellite orbiting Earth", "The Moon is the only natural satellite of Earth.")
PENGUIN = article("Penguin", "Family of aquatic flightless birds", "Penguins are sea birds.")
WRITER = article("Ada King", "English writer (1815–1852)", "Ada King was a writer.")
SINGER = article("Bob Ray", "American singer (born 1950)", "Bob Ray is a singer.")
KING = article("Philip V", "King of Spain (1700–1746)", "Philip V was a king.")
METAL = article("Mercury (element)", "Chemical element", "Mercury is a heavy metal.")
PLANET = article("Mercury (planet)", "First planet from the Sun", "Mercury is the first planet from the Sun.")


SYDNEY = article("Sydney", "Capital city of New South Wales, Australia", "Sydney is a city.")


def decided(question: str, *passages: Passage) -> bool | None:
    hits = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, start=1)]
    found = classed(question, hits)
    return None if found is None else found[2]


@pytest.mark.parametrize(
    ("question", "passage", "is_so"),
    [
        ("is a bat a mammal", BAT, True),
        ("Are bats birds?", BAT, False),
        ("are koalas mammals", KOALA, True),
        ("are koalas bears", KOALA, False),
        ("is a gorilla a monkey", GORILLA, False),
        ("are gorillas animals", GORILLA, True),
        ("is pluto a dwarf planet", PLUTO, True),
        ("is pluto a planet?", PLUTO, False),
        ("is the moon a planet", MOON, False),
        ("can penguins fly", PENGUIN, False),
        ("is ada king alive", WRITER, False),
        ("is ada king dead", WRITER, True),
        ("is bob ray still alive", SINGER, True),
        ("is sydney the capital of australia", SYDNEY, False),
        ("is sydney the capital of new south wales", SYDNEY, True),
    ],
)
def test_the_article_decides(question, passage, is_so):
    assert decided(question, passage) is is_so


@pytest.mark.parametrize(
    ("question", "passages"),
    [
        ("is a koala a small mammal", [KOALA]),
        ("is a bat a good pet", [BAT]),
        ("is philip v dead", [KING]),
        ("is mercury a planet", [METAL]),
        ("can bats fly", [BAT]),
        ("is a dog a mammal", [BAT]),
        ("what is a bat", [BAT]),
    ],
)
def test_what_it_does_not_decide_is_left_open(question, passages):
    assert decided(question, *passages) is None


def test_the_article_that_knows_decides_among_namesakes():
    assert decided("is mercury a planet", METAL, PLANET) is True
    assert decided("is mercury a metal", PLANET, METAL) is True


def test_the_article_of_that_title_comes_before_one_of_that_other_name():
    dolphin = article("Dolphin", "Marine mammals, closely related to whales", "Dolphins are aquatic mammals.")
    mahi = article("Mahi-mahi", "Species of fish", "The mahi-mahi, also known as dolphin, is a fish.")
    assert decided("is a dolphin a fish", mahi, dolphin) is False
    assert decided("is a dolphin a fish", mahi) is True


def test_a_plural_may_be_that_of_another_name():
    ostrich = article(
        "Common ostrich", "Species of flightless bird", "The common ostrich, or simply ostrich, is a bird."
    )
    assert decided("can ostriches fly", ostrich) is False
    assert decided("are ostriches birds", ostrich) is True


class Articles:
    def __init__(self, *passages: Passage):
        self.passages = passages

    def search(self, query, k):
        return [Hit(passage, 1.0, rank) for rank, passage in enumerate(self.passages, start=1)]


def test_the_article_about_the_thing_is_looked_up_where_no_hit_is_about_it():
    hits = [Hit(KOALA, 1.0, 1), Hit(PLUTO, 0.5, 2)]
    found = with_subject("are bats birds", hits, Articles(PENGUIN, BAT))
    assert [(hit.passage, hit.rank) for hit in found] == [(BAT, 1), (KOALA, 2)]
    assert with_subject("are koalas birds", hits, Articles(BAT)) == tuple(hits)
    assert with_subject("why are bats birds", hits, Articles(BAT)) == tuple(hits)


def test_what_the_article_says_is_quoted():
    hit, span, _ = classed("are bats birds", [Hit(BAT, 1.0, 1)])
    assert hit.passage.text[span.start : span.end] == "Order of flying mammals"


MONKEY = article("Monkey", "Animal of the primates, excluding apes", "Monkey is a common name of most simians.")
JAPAN = article(
    "Japan", "Country in East Asia", "Japan is an island country in East Asia. It consists of many islands."
)
ICELAND = article("Iceland", "Island country in Europe", "Iceland is an island country in the Atlantic Ocean.")
GENERAL = article("George West", "American general", "George West was a general and the first president, until 1797.")
TOMATO = article("Tomato", "Edible berry", "The tomato is a plant whose fruit is an edible berry. Its fruits are red.")
LINCOLN = article("Abe Lin", "President from 1861 to 1865", "Abe Lin was a president until his assassination in 1865.")
COMPOSER = article("Jo Bach", "Composer and pianist", "Jo Bach was a composer and pianist. Many composers knew him.")


def test_the_article_of_a_class_says_what_it_leaves_out():
    assert decided("are apes monkeys", MONKEY) is False
    assert decided("is an ape a monkey", MONKEY) is False
    assert decided("are baboons monkeys", MONKEY) is None


@pytest.mark.parametrize(
    ("question", "passage", "cannot"),
    [
        ("is japan an island", JAPAN, True),
        ("is japan a country", JAPAN, False),
        ("is iceland an island", ICELAND, False),
        ("is the tomato a fruit", TOMATO, False),
        ("was jo bach a composer", COMPOSER, False),
        ("was george west assassinated", GENERAL, True),
        ("was george west murdered in 1797", GENERAL, True),
        ("was abe lin assassinated", LINCOLN, False),
        ("was abe lin murdered", LINCOLN, False),
        ("was abe lin tall", LINCOLN, False),
        ("was abe lin a singer", LINCOLN, True),
        ("was abe lin a man", LINCOLN, False),
        ("is nevada a state", article("Nevada", "U.S. state", "Nevada is a landlocked state."), False),
        ("is scots a language", article("Scots", "Tongue", "Scots is a language spoken in Scotland."), False),
        ("was al a prime minister", article("Al", "Politician", "Al was Prime Minister of the Union."), False),
        ("was abe lin a president", LINCOLN, False),
        ("is iceland an ocean", ICELAND, True),  # it is named in "Atlantic Ocean" alone
        ("who was abe lin", LINCOLN, False),
    ],
)
def test_which_article_cannot_say_yes(question, passage, cannot):
    assert cannot_confirm(question, passage) is cannot


def test_who_was_of_a_class_may_be_a_former_member_of_it():
    player = article("Bo Ek", "Swiss tennis player", "Bo Ek is a former tennis player.")
    former = article("Bo Ek", "Former tennis player", "Bo Ek is a former tennis player.")
    assert decided("was Bo Ek a tennis player", player)
    assert decided("was Bo Ek a tennis player", former)
    assert decided("is Bo Ek a tennis player", former) is False


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("is the soviet union a country", None),
        ("was the soviet union a country", True),
        ("is a bat a mammal or bird", None),
        ("is a bat not a mammal", None),
        ("is ada king a writer", True),
    ],
)
def test_what_is_over_or_leaves_a_choice_is_not_decided(question, expected):
    union = article("Soviet Union", "Country in Eurasia", "The Soviet Union was a country.")
    assert decided(question, union, BAT, WRITER) is expected


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("was west a soldier", None),
        ("was west a general", True),
        ("was bach a musician", True),
        ("is the bach a musician", None),  # a surname has no article
        ("was bach an artist", True),
        ("was bach a writer", None),  # who is known by a surname may be another
    ],
)
def test_a_surname_stands_for_the_one_person_who_has_it(question, is_so):
    bach = article("Jo Bach", "Composer and pianist (1700–1750)", "Jo Bach was a composer and pianist.")
    west = article("George West", "American general (1800–1850)", "George West was a general.")
    assert decided(question, bach if "bach" in question else west) is is_so


@pytest.mark.parametrize(
    ("question", "is_so"),
    [
        ("is marble a metal", False),
        ("is marble a rock", True),
        ("is the baltic sea an ocean", False),
        ("is the baltic sea a lake", None),
    ],
)
def test_materials_and_waters_rule_each_other_out(question, is_so):
    marble = article("Marble", "Type of metamorphic rock", "Marble is a metamorphic rock of minerals.")
    baltic = article("Baltic Sea", "Sea in northern Europe", "The Baltic Sea is an arm of the Atlantic Ocean.")
    assert decided(question, baltic if "baltic" in question else marble) is is_so
