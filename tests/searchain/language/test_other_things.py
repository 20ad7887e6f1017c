"""Answers to another question about a thing, or about another thing."""

from dataclasses import replace

import pytest

from searchain.language.other_things import (
    is_echo,
    is_label_number,
    is_maker_unasked,
    is_of_joined_word,
    is_other_kin,
    is_other_side,
    is_place_of_deed,
    is_unnamed,
)
from searchain.types import Passage, Place, Span


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("who is the stranger in the stranger", True),
        ("who wrote the stranger", False),
        ("who is the author of the stranger", False),
        ("which philosopher is behind the stranger", False),
    ],
)
def test_the_maker_answers_only_who_made_it(query, expected):
    novel = Passage("s", "The Stranger", "Short description: 1942 French novella by Albert Camus.\nIt is a novella.")
    at = novel.text.index("Albert Camus")
    assert is_maker_unasked(query, novel, Span(at, at + 12)) is expected


def test_a_writer_is_nobody_in_a_story():
    text = "Short description: American writer (1819–1891).\nHerman Melville was a novelist."
    person, span = Passage("h", "Herman Melville", text), Span(text.index("Herman"), text.index(" was"))
    assert is_maker_unasked("Who was the narrator in Moby Dick?", person, span)
    assert not is_maker_unasked("Who wrote Moby Dick?", person, span)


def test_what_lies_by_the_sea_is_made_by_nobody():
    sea = Passage("c", "Caribbean", "Short description: Region surrounded by the Caribbean Sea.\nIt is a region.")
    at = sea.text.index("Caribbean Sea")
    assert not is_maker_unasked("in which sea are the cayman islands", sea, Span(at, at + 13))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("In which city is the National Railway Museum?", True),
        ("In which city is the National Gallery?", False),
        ("in which city is the national railway museum", False),  # which words are a name is not known
        ("When did the National Gallery and the Tate open?", False),
        ("Who founded N’Gallery?", True),
        ("what does a museum do", True),
        ("what does the national gallery do", False),
        ("Which painting of the Railway Museum is the oldest?", False),  # no plain fact
    ],
)
def test_a_plain_fact_needs_a_passage_that_names_the_thing(query, expected):
    gallery = Passage("g", "National Gallery", "The National Gallery is an art museum in London.")
    assert is_unnamed(query, gallery) is expected


def test_a_piece_of_a_document_may_name_its_subject_elsewhere():
    piece = Passage("d", "report.pdf", "It was founded in 1999.", place=Place("d1", "ab" * 32, 0, 1))
    assert not is_unnamed("When was Acme founded?", piece)
    assert is_unnamed("When was Acme founded?", replace(piece, place=None))


@pytest.mark.parametrize(
    ("query", "place", "expected"),
    [
        ("What country lies to north of Chad?", "Sudan", True),
        ("What country lies to the north of Chad?", "Libya", False),
        ("which country is to the east of chad", "Libya", True),
        ("which country borders chad", "Sudan", False),
    ],
)
def test_what_lies_on_another_side(query, place, expected):
    lead = "Chad is bordered by Libya to the north, Sudan to the east, and others."
    at = lead.index(place)
    assert is_other_side(query, Passage("c", "Chad", lead), Span(at, at + len(place))) is expected


@pytest.mark.parametrize(
    ("query", "number", "expected"),
    [
        ("How many noble gases are there?", "18", True),
        ("How many noble gases are there?", "seven", False),
        ("what group are the noble gases in", "18", False),
    ],
)
def test_a_number_that_names_counts_nothing(query, number, expected):
    lead = "The seven noble gases are the members of group 18."
    at = lead.index(number)
    assert is_label_number(query, Passage("n", "Noble gas", lead), Span(at, at + len(number))) is expected


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("The 22nd awards took place in what Nevada county?", "Nevada", True),
        ("what ocean is around hawaii?", "Ocean", True),
        ("what ocean is around hawaii?", "Pacific Ocean", False),
        ("Is Reno in Nevada or Utah?", "Nevada", False),
        ("Which is larger, Nevada or Utah?", "Nevada", False),
        ("what are the lines parallel to the equator called", "parallels", False),
        ("Among Nevada and Utah which is larger?", "Nevada", False),
        ("what is the capital city of mexico", "Mexico City", False),
        ("what is the largest city in guatemala", "Guatemala City", False),
        ("what is the largest city in guatemala", "largest city", True),
    ],
)
def test_an_answer_that_only_repeats_the_question(query, answer, expected):
    assert is_echo(query, answer) is expected


@pytest.mark.parametrize(
    ("query", "lead", "answer", "expected"),
    [
        ("who was the mother of alexander", "He succeeded his father Philip II.", "Philip II", True),
        ("who was alexander's father", "He succeeded his father Philip II.", "Philip II", False),
        ("who was his mother", "He was born to Jack Bouvier and his wife, Janet Lee.", "Janet Lee", False),
        ("who was her brother", "She ruled with her younger sister Arsinoe.", "Arsinoe", True),
        ("who was alexander", "He succeeded his father Philip II.", "Philip II", False),
        ("Who was the queen that succeeded her brother Edward?", "He was succeeded by his sister Mary.", "Mary", False),
        ("who was the king who beheaded his wife", "She angered her husband, King Henry VIII.", "Henry VIII", False),
    ],
)
def test_a_father_is_no_mother(query, lead, answer, expected):
    at = lead.index(answer)
    assert is_other_kin(query, Passage("p", "Somebody", lead), Span(at, at + len(answer))) is expected


@pytest.mark.parametrize(
    ("query", "lead", "number", "expected"),
    [
        ("how many hearts does an octopus have", "It is an eight-limbed mollusc.", "eight", True),
        ("how many limbs does an octopus have", "It is an eight-limbed mollusc.", "eight", False),
        ("how many floors has it", "It is a 102-story skyscraper.", "102", False),
        ("how many people were in it", "It was a two-man project.", "two", False),
        ("how many people does it hold", "It is a 50,000-seat stadium.", "50,000", False),
    ],
)
def test_a_number_of_other_parts_counts_nothing(query, lead, number, expected):
    at = lead.index(number)
    assert is_of_joined_word(query, Passage("p", "Something", lead), Span(at, at + len(number))) is expected


@pytest.mark.parametrize(
    ("query", "text", "answer", "expected"),
    [
        ("who built the alhambra", "The Alhambra is a palace in Granada, Spain.", "Granada, Spain", True),
        ("who built the alhambra", "The Alhambra was built by the Nasrids.", "the Nasrids", False),
        ("who won the punic wars", "They were fought between Rome and Carthage.", "Rome and Carthage", True),
        ("who fought the punic wars", "They were fought between Rome and Carthage.", "Rome and Carthage", False),
    ],
)
def test_where_a_thing_stands_built_nothing(query, text, answer, expected):
    at = text.index(answer)
    assert is_place_of_deed(query, Passage("x", "X", text), Span(at, at + len(answer))) is expected
