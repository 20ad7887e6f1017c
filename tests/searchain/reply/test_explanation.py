"""Explanations out of the sentences of articles, and of own documents."""

import pytest

from searchain.reply.explanation import LONGEST, WORDS, explain
from searchain.reply.own_explanation import READ_ALONE, explain_by_documents
from searchain.types import Node, Passage, Reading, Span, Verdict

SKY = Passage(
    "1",
    "Sky",
    "The sky is blue because air scatters blue light. Blue light is scattered by air, so the sky is blue. Notes.",
)
SUN = Passage("2", "Sunset", "At sunset the light crosses more air and turns red. Paris is the capital of France.")
BLUE = Passage("3", "Blue", "It lies between violet and cyan. The sky is blue because air scatters blue light.")
MOON = Passage("4", "Moon", "The moon circles the earth in a month. It is bright because the sun shines on it.")


def words_in_common(one: str, other: str) -> float:
    a, b = ({word.strip(".,").casefold() for word in text.split()} for text in (one, other))
    return len(a & b) / len(a | b)


def node(id: str, passage: Passage | None, read: str = "", f: float = 2.0) -> Node:
    start = passage.text.find(read) if passage and read else -1
    span = Span(start, start + len(read)) if start >= 0 else None
    read = {"passage": passage, "span": span, "confidence": f if passage else None}
    return Node(id, None, 1, f"query of {id}", verdict=Verdict.COMPLETED, **read)


@pytest.mark.parametrize(("choose", "options"), [(explain, {"words": 16}), (explain_by_documents, {})])
def test_it_takes_what_is_near_the_question_and_says_nothing_twice(choose, options):
    nodes = [node("a", SKY, "scatters blue light"), node("b", SUN, "crosses more air")]
    told = choose("Why is the sky blue and red at sunset?", nodes, words_in_common, **options)
    assert [one.answer for one in told] == [
        "The sky is blue because air scatters blue light.",
        "At sunset the light crosses more air and turns red.",
    ]
    assert all(one.passage.text[one.span.start : one.span.end] == one.answer for one in told)
    assert [one.id for one in told] == ["a", "b"]


@pytest.mark.parametrize(("choose", "options"), [(explain, {}), (explain_by_documents, {"least": 0.0})])
def test_a_passage_counts_once_and_nothing_found_explains_nothing(choose, options):
    nodes = [node("a", SKY), node("b", SKY), node("c", None)]
    assert {one.id for one in choose("Why is the sky blue?", nodes, words_in_common, **options)} == {"a"}
    assert choose("Why?", [node("c", None)], words_in_common) == []


@pytest.mark.parametrize(("choose", "options"), [(explain, {}), (explain_by_documents, {"least": 0.0})])
def test_the_number_of_a_heading_does_not_make_it_a_sentence(choose, options):
    policy = Passage("p", "Policy", "2. What is not covered\nShowers and underfloor heating are not covered here.")
    told = choose("What is not covered?", [node("a", policy, "Showers")], words_in_common, **options)
    assert [one.answer for one in told] == ["Showers and underfloor heating are not covered here."]


@pytest.mark.parametrize(("choose", "options"), [(explain, {"words": 60}), (explain_by_documents, {"least": 0.0})])
def test_the_nearest_sentence_comes_first_and_it_never_follows_another_subject(choose, options):
    nodes = [node("a", SUN), node("b", BLUE, "air scatters")]
    told = choose("Why is the sky blue because of air?", nodes, words_in_common, **options)
    assert told[0].answer == "The sky is blue because air scatters blue light."
    assert not any(one.answer.startswith("It lies") for one in told)
    question = "Why is the moon bright, because it circles the earth"
    told = choose(question, [node("a", MOON, "the sun shines on it")], words_in_common, **options)
    assert MOON.text in [one.answer for one in told]


@pytest.mark.parametrize(
    ("choose", "options", "few"), [(explain, {"words": 5}, True), (explain_by_documents, {"least": 0.0}, False)]
)
def test_it_takes_what_many_passages_say_and_no_question_table_or_half_sentence(choose, options, few):
    texts = [
        "Rain does fall on Mondays. Why does the rain fall down? Heavy drops fall from clouds.",
        "Large heavy drops fall from clouds. why does rain fall so | rain | snow | hail |",
        "Big heavy drops fall from clouds. and why does rain fall",
    ]
    found = [node(str(n), Passage(str(n), "Rain", text)) for n, text in enumerate(texts)]
    told = {one.answer for one in choose("Why does rain fall?", found, words_in_common, **options)}
    heavy = {f"{size} drops fall from clouds." for size in ("Heavy", "Large heavy", "Big heavy")}
    assert told
    assert told <= ({"Heavy drops fall from clouds."} if few else {"Rain does fall on Mondays.", *heavy})


def test_what_is_far_from_the_question_is_left_out():
    far = Passage("5", "Paris", "Paris is the capital of France today. Air scatters blue light in the sky.")
    told = explain("Why is the sky blue, when air scatters light?", [node("a", SKY), node("b", far)], words_in_common)
    assert not any("Paris" in one.answer for one in told)
    assert len(told) == 3


def test_what_the_reader_read_explains_and_another_document_does_not():
    lease = Passage("1", "lease", "The rent is due on Monday. A late payment of the rent costs 25 euros.")
    rules = Passage("2", "rules", "Late work loses ten percent of its marks. Paper is kept in the cellar.")
    nodes = [node("a", lease, "costs 25 euros"), node("b", rules, "loses ten percent", f=-4.0)]
    told = explain_by_documents("What happens with a late payment of the rent?", nodes, words_in_common)
    assert [one.answer for one in told] == ["A late payment of the rent costs 25 euros."]
    assert explain_by_documents("How do I repair the printer?", [node("b", rules, f=-6.0)], words_in_common) == []


def test_the_first_sentence_is_the_likeliest_and_the_length_is_bounded():
    text = " ".join(f"The sky is blue on day {n} because air scatters it well {n}." for n in range(40))
    told = explain_by_documents("Why is the sky blue?", [node("a", Passage("1", "", text), "day 7")], words_in_common)
    assert told[0].answer.startswith("The sky is blue on day 7 ")
    assert sum(len(one.answer.split()) for one in told) <= WORDS + LONGEST


def test_what_the_large_reader_finds_relevant_comes_first_and_only_the_nearest_sentences_are_read():
    text = " ".join(f"The sky is blue on day {n} because air scatters it well {n}." for n in range(40))
    asked = []

    def read(question, passages):
        asked.extend(passages)
        return [Reading("", None, 9.0 if "on day 7 " in one.text else -9.0) for one in passages]

    told = explain_by_documents(
        "Why is the sky blue on day 7?", [node("a", Passage("1", "Sky", text))], words_in_common, read
    )
    assert told[0].answer.startswith("The sky is blue on day 7 ")
    assert len(told) == 1
    assert len(asked) == READ_ALONE


def test_the_steps_of_own_documents_stand_in_their_order_with_the_step_between():
    steps = "Chop the onion for the soup. Heat the oil. Add the lentils to the soup. Cats sleep all day. Dogs bark all night. Birds sing at dawn."
    soup, other = Passage("1", "Soup", steps), Passage("2", "Salad", "Add the lentils to the salad as well.")
    nodes = [node("a", other), node("b", soup)]
    told = explain_by_documents("Chop the onion and add the lentils for the soup", nodes, words_in_common, least=0.0)
    assert [one.answer for one in told][:3] == [
        "Chop the onion for the soup.",
        "Heat the oil.",
        "Add the lentils to the soup.",
    ]
    assert "Dogs bark all night." not in [one.answer for one in told]
