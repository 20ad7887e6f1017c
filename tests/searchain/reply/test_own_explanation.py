"""Explanations out of the sentences of own documents."""

from searchain.reply.explanation import LONGEST, WORDS
from searchain.reply.own_explanation import explain_by_documents as explain
from searchain.types import Node, Passage, Span, Verdict
from tests.searchain.reply.test_explanation import SKY, SUN, words_in_common


def node(id: str, passage: Passage | None, read: str = "", f: float = 2.0) -> Node:
    start = passage.text.find(read) if passage and read else -1
    span = Span(start, start + len(read)) if start >= 0 else None
    return Node(
        id,
        None,
        1,
        f"query of {id}",
        verdict=Verdict.COMPLETED,
        passage=passage,
        span=span,
        confidence=f if passage else None,
    )


def test_it_takes_what_is_near_the_question_and_says_nothing_twice():
    nodes = [node("a", SKY, "scatters blue light"), node("b", SUN, "crosses more air")]
    told = explain("Why is the sky blue and red at sunset?", nodes, words_in_common)
    assert [one.answer for one in told] == [
        "The sky is blue because air scatters blue light.",
        "At sunset the light crosses more air and turns red.",
    ]
    assert all(one.passage.text[one.span.start : one.span.end] == one.answer for one in told)
    assert [one.id for one in told] == ["a", "b"]


def test_what_the_reader_read_explains_and_another_document_does_not():
    lease = Passage("1", "lease", "The rent is due on Monday. A late payment of the rent costs 25 euros.")
    rules = Passage("2", "rules", "Late work loses ten percent of its marks. Paper is kept in the cellar.")
    nodes = [node("a", lease, "costs 25 euros"), node("b", rules, "loses ten percent", f=-4.0)]
    told = explain("What happens with a late payment of the rent?", nodes, words_in_common)
    assert [one.answer for one in told] == ["A late payment of the rent costs 25 euros."]
    assert explain("How do I repair the printer?", [node("b", rules, f=-6.0)], words_in_common) == []


def test_a_passage_counts_once_and_nothing_found_explains_nothing():
    told = explain(
        "Why is the sky blue?", [node("a", SKY), node("b", SKY), node("c", None)], words_in_common, least=0.0
    )
    assert {one.id for one in told} == {"a"}
    assert explain("Why?", [node("c", None)], words_in_common) == []


def test_it_takes_no_question_table_or_half_sentence():
    texts = [
        "Rain does fall on Mondays. Why does the rain fall down? Heavy drops fall from clouds.",
        "why does rain fall so | rain | snow | hail |",
        "and why does rain fall",
    ]
    found = [node(str(n), Passage(str(n), "Rain", text)) for n, text in enumerate(texts)]
    told = explain("Why does rain fall?", found, words_in_common, least=0.0)
    assert {one.answer for one in told} <= {"Rain does fall on Mondays.", "Heavy drops fall from clouds."}


def test_a_sentence_never_follows_another_subject():
    blue = Passage(
        "3", "Blue", "It lies between violet and cyan on the spectrum. The sky is blue because air scatters blue light."
    )
    nodes = [node("a", SUN), node("b", blue, "air scatters")]
    told = explain("Why is the sky blue because of air?", nodes, words_in_common, least=0.0)
    assert told[0].answer == "The sky is blue because air scatters blue light."
    assert not any(one.answer.startswith("It lies") for one in told)
    moon = Passage("4", "Moon", "The moon circles the earth in a month. It is bright because the sun shines on it.")
    told = explain("Why is the moon bright?", [node("a", moon, "the sun shines on it")], words_in_common)
    assert moon.text in [one.answer for one in told]


def test_the_first_sentence_is_the_likeliest_and_the_length_is_bounded():
    text = " ".join(f"The sky is blue on day {n} because air scatters it well {n}." for n in range(40))
    told = explain("Why is the sky blue?", [node("a", Passage("1", "Sky", text), "day 7 because")], words_in_common)
    assert told[0].answer.startswith("The sky is blue on day 7 ")
    assert sum(len(one.answer.split()) for one in told) <= WORDS + LONGEST
