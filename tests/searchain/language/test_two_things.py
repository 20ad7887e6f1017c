"""Questions about two named things: which words ask what, and where the names end."""

import pytest

from searchain.language.two_things import Asks, asked_of_two, single


def read(question):
    asked = asked_of_two(question)
    return asked and (asked.asks, asked.ways[0].one, asked.ways[0].other, asked.what)


@pytest.mark.parametrize(
    ("question", "one", "other", "what"),
    [
        ("What do Mars and Venus have in common?", "Mars", "Venus", ""),
        ("what do the nile and the amazon have in common", "nile", "amazon", ""),
        (
            "What profession did Claude Monet and Vincent van Gogh share?",
            "Claude Monet",
            "Vincent van Gogh",
            "profession",
        ),
        ("What type of media does Bitter Jester and Sicko have in common?", "Bitter Jester", "Sicko", "type of media"),
        ("What kind of animal are both the frog and the toad?", "frog", "toad", "kind of animal"),
        ("Ada Lovelace and Alan Turing were both directors of what?", "Ada Lovelace", "Alan Turing", "directors"),
        ("Hamlet and Macbeth are both what?", "Hamlet", "Macbeth", ""),
        ("Leo Tolstoy and Anton Chekhov were both what kind of writers?", "Leo Tolstoy", "Anton Chekhov", "writers"),
        ("which country are both Munich and Berlin in", "Munich", "Berlin", "country"),
        ("On what continent are Kenya and Nigeria both located?", "Kenya", "Nigeria", "continent"),
    ],
)
def test_what_both_share_is_asked(question, one, other, what):
    assert read(question) == (Asks.SHARED, one, other, what)


def test_the_year_of_an_event_is_asked():
    asked = asked_of_two("IN what year were both Franz Ferdinand and Sunrise Avenue formed?")
    assert (asked.asks, asked.what, asked.event) == (Asks.SHARED, "year", "formed")
    assert asked_of_two("In what year did both Shakespeare and Cervantes die?").event == "die"


@pytest.mark.parametrize(
    ("question", "of_one"),
    [
        ("Were Mozart and Beethoven both composers?", "was Mozart a composer"),
        ("are wolves and lions both carnivores", "is wolves a carnivore"),
        ("Are both Ballota and Myosotis flowering plants?", "is Ballota a flowering plant"),
        ("Are both bands, Queen and ABBA, from Sweden?", "is Queen from Sweden"),
        ("are both bats and birds mammals?", "is bats a mammal"),
        ("Are both Kenya and Peru in Africa?", "is Kenya in Africa"),
        ("Have tennis players Ann Li and Mate Pavić both won a title?", "has Ann Li won a title"),
        ("Did Marie Curie and Albert Einstein both win the Nobel Prize?", "did Marie Curie win the Nobel Prize"),
        ("Are Cryptanthus and Gagea, both a genus?", "is Cryptanthus a genus"),
        ("are whales and sharks both fish", "is whales a fish"),
    ],
)
def test_what_both_may_be_is_asked_about_one(question, of_one):
    asked = asked_of_two(question)
    way = next(way for way in asked.ways if len(way.other.split()) < 3)
    assert asked.asks is Asks.BOTH
    assert single(asked, asked.ways[-1] if "Peru" in question else way, way.one) == of_one


def test_the_same_place_is_asked():
    assert read("are paris and lyon in the same country") == (Asks.SAME, "paris", "lyon", "country")
    assert read("Is the Louvre located in the same city as Big Ben?") == (Asks.SAME, "Louvre", "Big Ben", "city")
    assert read("Are Ann Li and Bo Ek of the same nationality?") == (Asks.SAME, "Ann Li", "Bo Ek", "nationality")


def test_one_of_two_is_asked():
    assert read("Which is a river, the Danube or the Alps?") == (Asks.ONE, "Danube", "Alps", "")
    assert read("Which company made the Walkman, Sony or Sega?") == (Asks.ONE, "Sony", "Sega", "")
    assert read("Is Mozart or Beethoven the composer of Fidelio?") == (Asks.ONE, "Mozart", "Beethoven", "")
    ways = asked_of_two("Which city is under Jining, Kaiyuan, Liaoning or Yanzhou District?").ways
    assert [way.one for way in ways] == ["Kaiyuan, Liaoning", "Liaoning"]


def test_a_name_in_capitals_may_end_before_other_capitals():
    ways = asked_of_two("Were both Ann Li and Bo Ek ESA astronauts?").ways
    assert [(way.other, way.rest) for way in ways][-2:] == [("Bo Ek", "ESA astronauts"), ("Bo", "Ek ESA astronauts")]


def test_a_name_may_hold_and():
    ways = asked_of_two("What do Pride and Prejudice and Emma have in common?").ways
    assert ("Pride and Prejudice", "Emma") in [(way.one, way.other) for way in ways]


@pytest.mark.parametrize(
    "question",
    [
        "Which is bigger, Mars or Venus?",
        "Who wrote Pride and Prejudice?",
        "Who wrote Hamlet, Macbeth and King Lear?",
        "what is the capital of bosnia and herzegovina",
        "Are Mars and Venus not both planets?",
        "Were both Mozart and Haydn born before 1800?",
        "is light a wave or a particle",
        "Who was Darwin, a biologist or a chemist?",
        "What instrument do Ann Li and Bo Ek both play?",
        "Are Ann Li and Bo Ek in the same family?",
        "What is love?",
        "What cells do plants and animals both have?",
        "What goals do science and government share?",
        "Are the directors of both films Emma and Troy from the same country?",
        "Do both films Emma and Troy have directors that share the same nationality?",
        "Were both Ann Li and Bo Ek, born in the same year?",
    ],
)
def test_other_questions_are_left_alone(question):
    assert asked_of_two(question) is None
