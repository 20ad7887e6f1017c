"""Explanations out of the passages' sentences."""

from searchain.reply.explanation import explain
from searchain.types import Node, Passage, Verdict

SKY = Passage(
    "1",
    "Sky",
    "The sky is blue because air scatters blue light. Blue light is scattered by air, so the sky is blue. Notes.",
)
SUN = Passage(
    "2", "Sunset", "At sunset the light crosses more air and turns red. Paris is the capital of France today."
)


def words_in_common(one: str, other: str) -> float:
    a, b = ({word.strip(".,").casefold() for word in text.split()} for text in (one, other))
    return len(a & b) / len(a | b)


def node(id: str, passage: Passage | None) -> Node:
    return Node(id, None, 1, f"query of {id}", verdict=Verdict.COMPLETED, passage=passage)


def test_it_takes_what_is_near_the_question_and_says_nothing_twice():
    told = explain(
        "Why is the sky blue and red at sunset?", [node("a", SKY), node("b", SUN)], words_in_common, words=16
    )
    assert [one.answer for one in told] == [
        "The sky is blue because air scatters blue light.",
        "At sunset the light crosses more air and turns red.",
    ]
    assert all(one.passage.text[one.span.start : one.span.end] == one.answer for one in told)
    assert [one.id for one in told] == ["a", "b"]


def test_a_passage_counts_once_and_nothing_found_explains_nothing():
    told = explain("Why is the sky blue?", [node("a", SKY), node("b", SKY), node("c", None)], words_in_common)
    assert [one.id for one in told] == ["a", "a"]
    assert explain("Why?", [node("c", None)], words_in_common) == []


def test_it_takes_what_many_passages_say_and_no_question_table_or_half_sentence():
    texts = [
        "Rain does fall on Mondays. Why does the rain fall down? Heavy drops fall from clouds.",
        "Large heavy drops fall from clouds. why does rain fall so | rain | snow | hail |",
        "Big heavy drops fall from clouds. and why does rain fall",
    ]
    found = [node(str(n), Passage(str(n), "Rain", text)) for n, text in enumerate(texts)]
    told = explain("Why does rain fall?", found, words_in_common, words=5)
    assert [one.answer for one in told] == ["Heavy drops fall from clouds."]


def test_the_nearest_sentence_comes_first_and_it_never_follows_another_subject():
    blue = Passage(
        "3", "Blue", "It lies between violet and cyan on the spectrum. The sky is blue because air scatters blue light."
    )
    told = explain("Why is the sky blue because of air?", [node("a", SUN), node("b", blue)], words_in_common, words=60)
    assert told[0].answer == "The sky is blue because air scatters blue light."
    assert not any(one.answer.startswith("It lies") for one in told)
    moon = Passage("4", "Moon", "The moon circles the earth in a month. It is bright because the sun shines on it.")
    question = "Why is the moon bright, because it circles the earth"
    told = explain(question, [node("a", moon)], words_in_common, words=60)
    assert [one.answer for one in told] == [moon.text]


def test_what_is_far_from_the_question_is_left_out():
    far = Passage("5", "Paris", "Paris is the capital of France today. Air scatters blue light in the sky.")
    told = explain("Why is the sky blue, when air scatters light?", [node("a", SKY), node("b", far)], words_in_common)
    assert not any("Paris" in one.answer for one in told)
    assert len(told) == 3
