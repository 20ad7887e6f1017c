"""All rules together."""

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
