"""Answers of another sort than the noun that a question asks for."""

import pytest

from searchain.language.other_sorts import is_called_another_sort, is_of_another_sort
from searchain.types import Passage, Span


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("The Crimea forms part of which country?", "Europe", True),
        ("In which country does the Zambezi reach the sea?", "Mozambique", False),
        ("which country won the 1995 rugby world cup", "South Africa", False),
        ("which country won the 1995 rugby world cup", "southern Africa", True),
        ("Which continent is Egypt in?", "Africa", False),
        ("which countries founded nato", "North Atlantic Treaty Organization", True),
        ("which countries founded nato", "North Atlantic Treaty", True),
        ("which countries founded nato", "aftermath of World War II", True),
        ("which country invented paper", "Chinese eunuch court official of the Eastern Han dynasty", True),
        ("which european countries joined", "Britain and the Dutch Republic", False),
        ("what is the country known for", "its dominance in athletics", False),
        ("what countries does the danube flow through", "Central and Southeastern Europe", True),
        ("which country sent the first man to space", "Soviet Union", False),
        ("What Swedish city is connected to Copenhagen?", "Øresund Bridge", True),
        ("which city is on the great salt lake", "Salt Lake City", False),
        ("Which state has Providence as its capital?", "Rhode Island", False),
        ("In which country did he win a medal?", "Saudi Arabian", True),
        ("In which country did he win a medal?", "Saudi Arabia", False),
        ("What county is Ron from?", "Rochester Hills, Michigan", True),
        ("What county is Ron from?", "Oakland County, Michigan", False),
        ("What city is the wing stationed in", "Creech Air Force Base, Nevada", True),
        ("what is the deepest ocean", "Mariana Trench", True),
        ("what is the deepest ocean", "the Pacific Ocean", False),
        ("What is the largest lake in the world?", "Caspian Sea", False),
        ("which lake is the deepest", "Lake Baikal", False),
        ("Which New York street is the museum on?", "Midtown Manhattan, New York City", True),
        ("Which New York street is the museum on?", "53rd Street", False),
        ("What street is the theatre on", "Broadway", False),
        ("which lake was made by the hoover dam", "Black Canyon", True),
        ("which lake was made by the hoover dam", "Lake Mead", False),
        ("what is the hottest desert", "Death Valley", False),
        ("what is the longest river", "Amazon", False),
        ("what is the longest river", "Lake Victoria", True),
        ("Bellis perennis is the Latin name for which flower?", "Asteraceae", True),
        ("Bellis perennis belongs to which family?", "Asteraceae", False),
        ("What kind of animal is the gaur?", "Bovidae", False),
        ("Which English monarch was the son of Edward?", "King of England", True),
        ("Which English monarch was the son of Edward?", "Richard II of England", False),
        ("Who was Richard II?", "King of England", False),
        ("Where is the Crimea?", "Europe", False),
    ],
)
def test_a_name_of_another_sort_is_told_by_its_noun(query, answer, expected):
    assert is_of_another_sort(query, answer) is expected


@pytest.mark.parametrize(
    ("query", "sentence", "name", "expected"),
    [
        (
            "It is connected to the sea by which gulf?",
            "It flows through the Bab-el-Mandeb strait.",
            "Bab-el-Mandeb",
            True,
        ),
        ("By which strait is it connected?", "It flows through the Bab-el-Mandeb strait.", "Bab-el-Mandeb", False),
        ("What mountain range did he cross?", "He crossed the Tien Shan mountains.", "Tien Shan", False),
        ("Who crossed it?", "He crossed the Tien Shan mountains.", "Tien Shan", False),
        ("Which lake is it?", "It is the Caspian sea.", "Caspian", False),
        ("Which state has the most people?", "The most populous city is Philadelphia.", "Philadelphia", True),
        ("Which city has the most people?", "The most populous city is Philadelphia.", "Philadelphia", False),
        ("Which country is it in?", "Estonia is a country, and its largest city is Tallinn.", "Estonia", False),
        ("Which nation is it in?", "Kuwait is a country whose capital is Kuwait City.", "Kuwait", False),
        ("Which river did they farm along?", "They farmed the Nile valley.", "Nile", False),
        ("Cairo is the capital of which country?", "Cairo is the capital of Egypt.", "Egypt", False),
    ],
)
def test_the_word_behind_a_name_says_of_which_sort_it_is(query, sentence, name, expected):
    start = sentence.index(name)
    span = Span(start, start + len(name))
    assert is_called_another_sort(query, Passage("p", name, sentence), span) is expected
