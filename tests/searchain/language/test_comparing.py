"""Quantities with their units; what two values decide, and what is refused."""

import pytest

from searchain.language.comparing import can_answer, compared, decide, left_to_ask
from searchain.language.values import quantities
from searchain.types import Node, Passage


def path(*steps: tuple[str, str]) -> list[Node]:
    return [Node(f"n{number}", None, 1, query, answer=answer) for number, (query, answer) in enumerate(steps)]


def both(form: str, **answers: str) -> list[Node]:
    """Two steps that ask the same of two things."""
    return path(*((form.format(name.replace("_", " ")), answer) for name, answer in answers.items()))


FOUNDED = both("When was {} founded?", Puma="1948", Adidas="1949")
DIED = both("When did {} die?", Mozart="5 December 1791", Haydn="31 May 1809")
RIVERS = both("How long is {}?", Nile="6,650 km", Danube="1,770 mi")
TOWNS = both("What is the population of {}?", Lyon="522,250 in 2021", Nice="1.3 million")
DIRECTORS = path(
    ("Who is the director of The Last Wave?", "Peter Weir"),
    ("Who is the director of First Blood?", "Ted Kotcheff"),
    ("When was Peter Weir born?", "21 August 1944"),
    ("When was Ted Kotcheff born?", "1931"),
)
NATIONS = both("What is the nationality of {}?", Ann_Lee="American", Bo_Berg="Swedish")


@pytest.mark.parametrize(("question", "steps", "answer"), [
    # dates: the least and the most
    ("Which company is older, Adidas or Puma?", FOUNDED, "Puma"),
    ("which was founded first puma or adidas", FOUNDED, "puma"),
    # yes and no
    ("Was Adidas founded before Puma?", FOUNDED, "no"), ("Did Mozart die after Haydn?", DIED, "no"),
    ("Does Lyon have more people than Nice?", TOWNS, "no"),
    # claims
    ("Adidas is older than Puma.", FOUNDED, "REFUTES"), ("Puma makes shoes.", FOUNDED, None),
    # amounts in several units, and counts
    ("which river is shorter the nile or the danube", RIVERS, "danube"),
    ("Which is more populous, Lyon or Nice?", TOWNS, "Nice"),
    ("Which is taller, the Eiffel Tower or the Shard?",
        both("How tall is {}?", Eiffel_Tower="330 m", Shard="1,016 feet"), "Eiffel Tower"),
    # a year beside a full date
    ("Who was born first, Ann Lee or Bo Berg?", both("When was {} born?", Ann_Lee="1902", Bo_Berg="2 May 1902"),
        None),
    # a comparing word inside a title
    ("Which came out first, The Last Emperor or First Blood?",
        both("When was {} released?", The_Last_Emperor="1987", First_Blood="October 22, 1982"), "First Blood"),
    # things that the steps reach by another one
    ("Which film has the director who was born first, The Last Wave or First Blood?", DIRECTORS, "First Blood"),
    ("Which film is older, The Last Wave or First Blood?", DIRECTORS, None),
    # the same
    ("Do Ann Lee and Bo Berg have the same nationality?", NATIONS, "no"),
    ("Are both villages, Kusejabad and Shaneh Tarash, located in the same country?",
        both("In which country is {} located?", Kusejabad="Iran", Shaneh_Tarash="Iran"), "yes"),
    # a value of another kind, of another event, in another unit, or none
    ("Which is older, Puma or Adidas?", both("When was {} founded?", Puma="1948", Adidas="Kyoto"), None),
    ("Which is older, Troy or Mycenae?", both("When was {} founded?", Troy="1180 BC", Mycenae="1100 BC"), None),
    ("Did Mozart die before Haydn?", path(("When was Mozart born?", "1756"), ("When did Haydn die?", "1809")),
        None),
    ("Which is larger, Monaco or Malta?", both("What is the area of {}?", Monaco="2.02 km2", Malta="45 km"), None),
    # what is not compared
    ("Which lies further north, Lyon or Nice?", TOWNS, None),
    ("Does Norway have a longer coastline than Chile?", both("How long is {}?", Norway="1 km", Chile="2 km"), None),
    ("Was Puma not founded before Adidas?", FOUNDED, None), ("Was Puma founded before 1950?", FOUNDED, None),
    ("Who founded Puma or Adidas?", FOUNDED, None),
])  # fmt: skip
def test_two_values_decide_or_nothing_does(question, steps, answer):
    decision = decide(question, steps)
    assert (decision and decision.answer) == answer


def test_a_decision_names_the_steps_that_lead_to_both_values():
    question = "Which film has the director who was born first, The Last Wave or First Blood?"
    assert {node.id for node in decide(question, DIRECTORS).nodes} == {"n0", "n1", "n2", "n3"}
    assert decide("Which is older, Puma or Adidas?", FOUNDED).nodes == tuple(FOUNDED)


def test_an_amount_comes_from_the_article_of_its_thing():
    fish = Passage("f", "Arapaima", "A fish of the Amazon, 3 m long.")
    steps = [
        Node("a", None, 1, "How long is the amazon?", answer="3 m", passage=fish),
        Node("b", "a", 1, "How long is the mississippi?", answer="2,340 mi"),
    ]
    assert decide("is the amazon longer than the mississippi", steps) is None


@pytest.mark.parametrize(("question", "things", "asks"), [
    ("does canada have more people than australia", ("canada", "australia"), "What is the population of {}?"),
    ("which is the bigger ocean, the pacific or the atlantic", ("the pacific", "the atlantic"),
     "What is the area of {}?"),
    ("which came first, the french revolution or world war i", ("the french revolution", "world war i"),
     "When did {} begin?"),
    ("Did the FIFA World Cup or the Formula One World Championship start earlier?",
     ("the FIFA World Cup", "the Formula One World Championship"), "When did {} begin?"),
    ("Which film has the director born first, The Sign Of Death or Believe Me, Xantippe?",
     ("The Sign Of Death", "Believe Me, Xantippe"), "When was {} born?"),
])  # fmt: skip
def test_what_is_asked_of_both_things(question, things, asks):
    found = compared(question)
    assert (found.things, found.measures[0].asks) == (things, asks)


def test_only_one_of_the_two_things_can_answer_a_comparison():
    assert not can_answer("Which is higher, Mount Everest or K2?", "8,849 metres")
    assert can_answer("Which is higher, Mount Everest or K2?", "Everest")
    assert can_answer("How high is K2?", "8,611 metres")
    assert can_answer("Is Mount Everest higher than K2?", "yes")


def test_what_is_left_to_ask_of_the_directors_of_two_films():
    question = "Which film has the director who was born first, The Last Wave or First Blood?"
    born = "When was Peter Weir born?", "When was Ted Kotcheff born?"
    assert left_to_ask(question, DIRECTORS[:2]) == born
    assert left_to_ask(question, DIRECTORS[:3]) == born[1:]
    assert left_to_ask(question, DIRECTORS[:1]) == left_to_ask(question, DIRECTORS) == ()
    assert left_to_ask("Which is older, Puma or Adidas?", FOUNDED[:1]) == ()


@pytest.mark.parametrize(("text", "value", "dimension"), [
    ("98-kilometer-long", 98_000, "length"), ("8,848.86 m (29,031 ft)", 8_848.86, "length"),
    ("1.5 million square kilometres", 1.5e12, "area"), ("2.5 cubic miles", 2.5 * 1609.344**3, "volume"),
    ("120 km/h", 120_000 / 3600, "speed"), ("−10 °C or 14 degrees Fahrenheit", 263.15, "temperature"),
    ("16 years", 16 * 31_556_952, "time"), ("1990", None, None), ("522,250 in 2021", None, None),
    ("12 apostles", None, None), ("the 5th of May", None, None), ("v1.5 m", None, None), ("", None, None),
])  # fmt: skip
def test_the_first_quantity_in_base_units(text, value, dimension):
    found = [(one.value, one.dimension) for one in quantities(text)[:1]]
    assert found == ([] if value is None else [(pytest.approx(value), dimension)])
