"""What two parallel steps decide."""

import pytest

from searchain.language.comparison import decide
from searchain.language.competing import alternatives, can_be_asked_for
from searchain.types import Node, Passage


def path(*steps: tuple[str, str]) -> list[Node]:
    return [Node(f"n{number}", None, 1, query, answer=answer) for number, (query, answer) in enumerate(steps)]


BORN = path(("When was Kimberly Po born?", "October 20, 1971"), ("When was Leoš Friedl born?", "1 January 1977"))
FOUNDED = path(("When was Puma founded?", "1948"), ("When was Adidas founded?", "1949"))
FILMS = path(
    ("Who directed the film Levy and Company?", "Stanner E.V. Taylor"),
    ("Who directed the film Tropic Holiday?", "Theodore Reed"),
    ("When did Stanner E.V. Taylor die?", "November 23, 1948"),
    ("When did Theodore Reed die?", "February 24, 1959"),
)
LAKES = path(("How many countries border Lake Victoria?", "three"), ("How many countries border Lake Malawi?", "3"))


@pytest.mark.parametrize(
    ("question", "steps", "answer"),
    [
        ("Which tennis player was born first, Kimberly Po or Leoš Friedl?", BORN, "Kimberly Po"),
        ("Who is younger, Kimberly Po or Leoš Friedl?", BORN, "Leoš Friedl"),
        ("Which company is older, Adidas or Puma?", FOUNDED, "Puma"),
        ("Was Adidas founded before Puma?", FOUNDED, "no"),
        ("Was Puma founded earlier than Adidas?", FOUNDED, "yes"),
        ("Was Puma founded before or after Adidas?", FOUNDED, None),
        ("In what year was the older of Puma and Adidas founded?", FOUNDED, "1948"),
        ("Which film has the director who died first, Levy and Company or Tropic Holiday?", FILMS, "Levy and Company"),
        ("Do Lake Victoria and Lake Malawi border the same number of countries?", LAKES, "yes"),
        (
            "Which city has more people, Lyon or Nice?",
            path(("How many people live in Lyon?", "522,000"), ("How many people live in Nice?", "1.3 million")),
            "Nice",
        ),
        (
            "Which city has fewer people, Lyon or Nice?",
            path(("How many people live in Lyon?", "522,000"), ("How many people live in Nice?", "1.3 million")),
            "Lyon",
        ),
        (
            "Are both Dictyosperma and Huernia described as a genus?",
            path(
                ("What is Dictyosperma described as?", "a monotypic genus"),
                ("What is Huernia described as?", "a genus of plants"),
            ),
            "yes",
        ),
        (
            "Are Deerhunter and Nine Lashes both Christian rock bands?",
            path(
                ("What kind of band is Deerhunter?", "indie rock band"),
                ("What kind of band is Nine Lashes?", "Christian rock band"),
            ),
            "no",
        ),
        (
            "Were Davy Crockett and Andreas Vazaios of the same nationality?",
            path(
                ("What was the nationality of Davy Crockett?", "American"),
                ("What is the nationality of Andreas Vazaios?", "Greek"),
            ),
            "no",
        ),
        (
            "Who lived longer, Owen Wister or Lucy Maud Montgomery?",
            path(
                ("When did Owen Wister live?", "1860 to 1938"), ("When did Lucy Maud Montgomery live?", "1874 to 1942")
            ),
            "Owen Wister",
        ),
        (
            "Which mosque is Baroque, the Bayezid II Mosque or the Nusretiye Mosque?",
            path(
                ("What is the style of the Bayezid II Mosque?", "Ottoman"),
                ("What is the style of the Nusretiye Mosque?", "Baroque"),
            ),
            "Nusretiye Mosque",
        ),
        (
            "What do Scott Weiland and Richard Hawley have in common?",
            path(("What was Scott Weiland?", "a singer"), ("What is Richard Hawley?", "an English singer")),
            "a singer",
        ),
        # "longer" of years, eras, units and negations are not understood
        ("Which company has existed longer, Puma or Adidas?", FOUNDED, None),
        (
            "Which is older, Troy or Mycenae?",
            path(("When did Troy fall?", "1180 BC"), ("When did Mycenae fall?", "1100 BC")),
            None,
        ),
        (
            "Which is taller, the Eiffel Tower or the Shard?",
            path(("How tall is the Eiffel Tower?", "330 m"), ("How tall is the Shard?", "1,016 feet")),
            "Eiffel Tower",
        ),
        (
            "Baffin Island or Jeju Island: which has the larger area?",
            path(
                ("How large is the area of Baffin Island?", "507,204.95 square kilometres"),
                ("How large is the area of Jeju Island?", "1,833.2 km2"),
            ),
            "Baffin Island",
        ),
        (
            "Which is larger, Monaco or Malta?",
            path(("How large is Monaco?", "2.02 km2"), ("How large is Malta?", "45 km long")),
            None,
        ),
        (
            "Is the Indus or the Yukon longer?",
            path(("How long is the Indus?", "3,180 km"), ("How long is the Yukon?", "3,190 kilometres")),
            "Yukon",
        ),
        ("Was Puma not founded before Adidas?", FOUNDED, None),
        ("How much older is Puma than Adidas?", FOUNDED, None),
        (
            "Which has more people, Lyon or Nice?",
            path(
                ("How many people live in Lyon?", "522,250 in 2020"),
                ("How many people live in Nice?", "348,085 in 2021"),
            ),
            "Lyon",
        ),
        (
            "Are New York and London in the same country?",
            path(
                ("In which country is New York?", "the United States"),
                ("In which country is London?", "the United Kingdom"),
            ),
            "no",
        ),
        (
            "Are Bob and Tom of different nationalities?",
            path(("What is the nationality of Bob?", "American"), ("What is the nationality of Tom?", "British")),
            None,
        ),
        # nothing decides: the same date, a number against words, no parallel steps, one step
        (
            "Which is older, Puma or Adidas?",
            path(("When was Puma founded?", "1948"), ("When was Adidas founded?", "1948")),
            None,
        ),
        (
            "Which is older, Puma or Adidas?",
            path(("When was Puma founded?", "1948"), ("When was Adidas founded?", "in Bavaria")),
            None,
        ),
        (
            "When was the director of Titanic born?",
            path(("Who directed Titanic?", "James Cameron"), ("When was James Cameron born?", "1954")),
            None,
        ),
        ("Which is older, Puma or Adidas?", FOUNDED[:1], None),
        # a claim that compares
        ("Puma is older than Adidas.", FOUNDED, "SUPPORTS"),
        ("Adidas is older than Puma.", FOUNDED, "REFUTES"),
        (
            "The Shard is shorter than Big Ben.",
            path(("How tall is the Shard?", "310 m"), ("How tall is Big Ben?", "96 m")),
            "REFUTES",
        ),
        ("Puma makes shoes.", FOUNDED, None),
        ("Puma was founded by Rudolf Dassler.", FOUNDED, None),
    ],
)
def test_parallel_steps_decide_what_they_can(question, steps, answer):
    decision = decide(question, steps)
    assert (decision and decision.answer) == answer


def test_a_decision_names_the_steps_it_rests_on():
    assert decide(
        "Which film has the director who died first, Levy and Company or Tropic Holiday?", FILMS
    ).nodes == tuple(FILMS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which is longer the nile or the amazon", ("nile", "amazon")),
        ("who was older, Mozart or Beethoven", ("Mozart", "Beethoven")),
        ("Is the Indus or the Yukon the longer river?", ("Indus", "Yukon")),
        ("Which was released first, The Greatest Game or Hot Lead?", ("Greatest Game", "Hot Lead")),
        ("Which University, University of New South Wales or Purbanchal University was established first?",
         ("University of New South Wales", "Purbanchal University")),
        ("Which is the only sign of the Zodiac that is an object, rather than a person or animal?", None),
        ("What is either a bay in the Indian ocean or a subspecies of tiger?", None),
        ("Who wrote Hamlet?", None),
    ],
)  # fmt: skip
def test_what_competes(question, expected):
    assert alternatives(question) == expected


def test_only_what_competes_can_answer():
    assert not can_be_asked_for("Which is higher, Mount Everest or K2?", "8,849 metres")
    assert can_be_asked_for("Which is higher, Mount Everest or K2?", "Everest")
    assert can_be_asked_for("How high is K2?", "8,611 metres")
    assert not can_be_asked_for("Is light a wave or a particle?", "yes")
    assert can_be_asked_for("Is there a lake or a river in it?", "yes")


def test_a_death_is_compared_with_a_death():
    born = Node("a", None, 1, "When was Beethoven born?", answer="1770")
    died = Node("b", "a", 1, "When did Beethoven die?", answer="1827")
    other = Node("c", "b", 1, "When did Mozart die?", answer="1791")
    assert decide("did beethoven die before mozart", [born, other]) is None
    assert decide("did beethoven die before mozart", [died, other]).answer == "no"


def test_a_length_comes_from_the_article_of_its_thing():
    fish = Passage("f", "Arapaima", "A fish of the Amazon, 3 m long.")
    river = Passage("m", "Mississippi River", "It flows for 2,340 mi.")
    steps = [
        Node("a", None, 1, "How long is the amazon?", answer="3 m", passage=fish),
        Node("b", "a", 1, "How long is the mississippi?", answer="2,340 mi", passage=river),
    ]
    assert decide("is the amazon longer than the mississippi", steps) is None


def test_lower_case_is_compared_and_answered_with_the_title():
    nile, amazon = Passage("n", "Nile", ""), Passage("a", "Amazon River", "")
    steps = [
        Node("a", None, 1, "How long is the nile?", answer="6,650 km", passage=nile),
        Node("b", "a", 1, "How long is the amazon?", answer="3,976 mi", passage=amazon),
    ]
    decided = decide("which is longer the nile or the amazon", steps)
    assert (decided.answer, decided.nodes) == ("Nile", tuple(steps))


def about(query: str, answer: str, title: str, text: str) -> Node:
    return Node(query, None, 1, query, answer=answer, passage=Passage(title, title, text))


MIMOSA = about("What is the shrub Mimosa?", "Fabaceae", "Mimosa", "Mimosa is a genus of herbs and shrubs.")
CRYPTOCORYNE = about("What is the shrub Cryptocoryne?", "Araceae", "Cryptocoryne", "It is a genus of water plants.")
GAGEA = about("What is Gagea?", "spring flowers", "Gagea", "Gagea is a genus of spring flowers.")
ALGREN = about("How long did Nelson Algren live?", "March 28, 1909 – May 9, 1981", "Nelson Algren", "He wrote.")
WEST = about(
    "How long did Nathanael West live?",
    "October 17, 1903",
    "Nathanael West",
    "Nathanael West (October 17, 1903 – December 22, 1940) was an author.",
)


@pytest.mark.parametrize(
    ("question", "steps", "answer"),
    [
        ("Which is a shrub, Mimosa or Cryptocoryne?", [MIMOSA, CRYPTOCORYNE], "Mimosa"),
        (
            "Are Mimosa and Gagea both a genus?",
            [about("What is Mimosa?", "herbs", "Mimosa", MIMOSA.passage.text), GAGEA],
            "yes",
        ),
        ("Which author lived longer, Nelson Algren or Nathanael West?", [ALGREN, WEST], "Nelson Algren"),
        (
            "Which has the larger population, Shanghai or Hanggin?",
            path(
                ("What is the population of Shanghai?", "24 million"),
                ("What is the population of Hanggin?", "1,767 km², 300,000"),
            ),
            "Shanghai",
        ),
        (
            "Ada and Eva were this kind of painter.",
            path(("What was Ada?", "cubist"), ("What was Eva?", "fauvist")),
            None,
        ),
    ],
)
def test_the_articles_of_the_things_decide_where_the_answers_do_not(question, steps, answer):
    decision = decide(question, steps)
    assert (decision and decision.answer) == answer


def test_the_strait_of_a_name_is_the_thing_asked_about():
    straits = [
        Node(
            f"n{number}",
            None,
            1,
            f"How long is the strait of {name}?",
            answer=length,
            passage=Passage(name, f"Strait of {name}", "A strait."),
        )
        for number, (name, length) in enumerate((("Malacca", "900 kilometres"), ("Magellan", "570 km")))
    ]
    assert decide("Which strait is longer, Malacca or Magellan?", straits).answer == "Malacca"
