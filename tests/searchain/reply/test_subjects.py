"""A pronoun is quoted with the sentence before it, or with the name."""

import pytest

from searchain.reply.subjects import in_turn, said
from searchain.types import Passage, Span

WU = Passage(
    "w",
    "Chien-Shiung Wu",
    "Short description: Physicist.\nWu is often compared to Marie Curie. Her nicknames include the First Lady. She "
    "taught. She won the prize in 1978. In 1990 she had an asteroid.",
)


def at(passage, words):
    start = passage.text.index(words)
    return Span(start, passage.text.index(".", start) + 1)


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("Wu is", "Wu is often compared to Marie Curie."),
        ("Her nick", "Wu is often compared to Marie Curie. Her nicknames include the First Lady."),
        ("She taught", "She (Chien-Shiung Wu) taught."),
        ("She won", "She (Chien-Shiung Wu) won the prize in 1978."),
        ("In 1990", "In 1990 she (Chien-Shiung Wu) had an asteroid."),
    ],
)
def test_a_pronoun_comes_with_its_subject(words, quoted):
    found = said(WU, at(WU, words))
    assert found.names_subject
    assert found.text == quoted


def test_in_a_column_only_the_first_sentence_needs_a_subject():
    first, second = at(WU, "Wu is"), at(WU, "Her nick")
    texts = [one.text for one in in_turn(WU, [first, second])]
    assert texts == ["Wu is often compared to Marie Curie.", "Her nicknames include the First Lady."]


def test_the_number_of_an_item_of_a_list_is_not_quoted():
    minutes = Passage("m", "Minutes", "Fees.\n5. The fee is 85 euros.\n6. It is due in May.")
    spans = [Span(6, 29), Span(30, 50)]
    assert [one.text for one in in_turn(minutes, spans)] == ["The fee is 85 euros.", "It is due in May."]
    assert said(minutes, spans[0]).span == Span(9, 29)
    for words in ("12. May 2023 is the deadline.", "3. place went to Anna."):
        assert said(Passage("d", "Day", words), Span(0, len(words))).text == words
