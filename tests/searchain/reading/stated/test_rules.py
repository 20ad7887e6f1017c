"""All rules together."""

import pytest

from searchain.reading.stated.rules import stated
from searchain.types import Hit, Passage, Reading

VOLGA = Passage("v", "Volga", "The Volga is a river in Russia. It is the longest river in Europe.")


def test_the_name_of_a_thing_is_asked_for_like_the_thing():
    hits, nothing = [Hit(VOLGA, 1.0, 1)], [Reading("", None, 0.5)]
    queries = (
        "what is the longest river in europe",
        "what is the name of the longest river in europe",
        "What's the name of the longest river in europe?",
    )
    answers = [stated(query, hits, nothing)[1].answer for query in queries]
    assert len(set(answers)) == 1
    assert "Volga" in answers[0]
    assert stated("what is the name of a book about the longest river in europe", hits, nothing) is None


@pytest.mark.parametrize(
    ("query", "title", "text", "answer"),
    [
        ("population of japan in 1945", "Japan", "Japan has a population of 123 million as of 2026.", None),
        ("population of japan in 2026", "Japan", "Japan has a population of 123 million as of 2026.", "123 million"),
        ("when was the film dracula released", "Dracula", "Short description: 1897 novel by Bram Stoker.\nDracula is a novel.", None),
        ("when was dracula published", "Dracula", "Short description: 1897 novel by Bram Stoker.\nDracula is a novel.", "1897"),
        ("when was the movie jaws released", "Jaws", "Short description: 1975 film by Steven Spielberg.\nJaws is a film.", "1975"),
        ("of which country is barcelona the capital", "Barcelona", "Short description: Capital of Catalonia.\nBarcelona is a city.", None),
        ("what is a turkey", "Turkey", "Short description: Country in Europe.\nTurkey is a country. Ankara is the capital of Turkey.", None),
        ("who was hamlet", "Hamlet", "Short description: Tragedy by William Shakespeare.\nHamlet is a tragedy.", None),
        ("what is hamlet", "Hamlet", "Short description: Tragedy by William Shakespeare.\nHamlet is a tragedy.", "Tragedy by William Shakespeare"),
        ("what kind of animal is a cricket", "Cricket", "Short description: Team sport.\nCricket is a sport.", None),
        ("what is the capital of java", "Java", "Java is an island. Indonesia's capital city, Jakarta, is on its coast.", None),
        ("what language is mostly spoken in peru", "Peru", "Peru is a country. Spanish is the official language while Quechua is the most spoken.", None),
        ("how big is nice", "Nice", "Nice is a city. The Nice agglomeration extends, with people over an area of 744 km2.", None),
        ("how many players are in a soccer game", "Soccer", "Soccer is a sport between two teams of 11 players.", None),
        ("who founded acme", "Acme", "Acme is a band formed by Syd Barrett, Nick Mason (drums), and Roger Waters.", None),
    ],
)  # fmt: skip
def test_what_is_asked_of_another_year_work_or_thing_is_left_to_the_reader(query, title, text, answer):
    found = stated(query, [Hit(Passage(title, title, text), 1.0, 1)], [Reading("", None, 0.5)])
    assert (found and found[1].answer) == answer
