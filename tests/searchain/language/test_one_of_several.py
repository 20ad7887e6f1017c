"""Answers that are a part of what is asked for."""

import pytest

from searchain.language.one_of_several import has_more_behind, is_half, is_one_of_makers
from searchain.types import Passage, Span


@pytest.mark.parametrize(
    ("query", "answer", "expected"),
    [
        ("when did world war i start and end", "1918", True),
        ("when did world war i start and end", "1914 to 1918", False),
        ("when was ada born and where did she die", "1815", True),
        ("when was ada born and where did she die", "London in 1815", False),
        ("when was ada born", "1815", False),
        ("when and where was ada born", "1815", True),
        ("when and why did the war start", "1914", True),
        ("what countries does the amazon flow through", "Brazil", True),
        ("what countries does the amazon flow through", "Peru and Brazil", False),
        ("Which two authors were responsible for the manifesto?", "Friedrich Engels", True),
        ("Which two authors were responsible for the manifesto?", "Marx and Engels", False),
        ("what two states is st louis in", "the Dakotas", False),
        ("two countries connected by the channel tunnel under the sea", "France", True),
        ("what two-letter word means yes", "ja", False),
        ("which sign starts and ends with the same letter", "Aries", False),
    ],
)
def test_half_an_answer(query, answer, expected):
    assert is_half(query, answer) is expected


@pytest.mark.parametrize(
    ("query", "text", "maker", "expected"),
    [
        ("who created batman", "Batman was created by writer Bill Finger and artist Bob Kane.", "Bill Finger", True),
        ("who created batman", "Batman was created by writer Bill Finger and artist Bob Kane.", "Bob Kane", True),
        ("who founded batman inc", "It was founded by Ann Lee, along with her friends.", "Ann Lee", True),
        ("who founded batman inc", "It was founded by Ann Lee in 1975.", "Ann Lee", False),
        ("who founded apple", "Ann Lee is the co-founder of the company Apple.", "Ann Lee", True),
        ("who founded apple", "It was announced by then-Apple CEO and co-founder Ann Lee.", "Ann Lee", True),
        ("who discovered tin", "Hahn and Ann Lee discovered tin.", "Ann Lee", True),
        ("who founded pear", "Ann Lee is the co-founder of Apple. She founded Pear.", "Ann Lee", False),
        (
            "who founded apple",
            "Apple was founded by Ann Lee, Bob Ray, and Cy Day.",
            "Ann Lee, Bob Ray, and Cy Day",
            False,
        ),
        ("who directed apple", "Apple is a film co-written and directed by Ann Lee.", "Ann Lee", False),
        ("who wrote batman", "Batman is a film co-written and directed by Ann Lee.", "Ann Lee", True),
        ("when was apple founded", "Ann Lee is the co-founder of Apple.", "Ann Lee", False),
    ],
)
def test_one_of_several_makers_is_half_an_answer(query, text, maker, expected):
    at = text.index(maker)
    assert is_one_of_makers(query, Passage("x", "Batman", text), Span(at, at + len(maker))) is expected


def test_a_founder_with_another_name_is_one_of_several():
    text = "Short description: Swiss humanitarian (1828–1910).\nHenry Dunant, also known as Henri, co-founded the Red Cross."
    person, span = Passage("h", "Henry Dunant", text), Span(text.index("Henry"), text.index(", co-founded"))
    assert is_one_of_makers("who founded the red cross", person, span)
    assert not is_one_of_makers("who founded the cross party", person, span)


def test_a_name_behind_another_is_one_of_several():
    text = "Short description: Physicist (1878–1968).\nHahn and Lise Meitner discovered isotopes."
    person, span = Passage("l", "Lise Meitner", text), Span(text.index("Lise"), text.index(" discovered"))
    assert is_one_of_makers("who discovered nuclear fission", person, span)


@pytest.mark.parametrize(
    ("query", "text", "answer", "expected"),
    [
        ("what is steel made of", "Steel is an alloy of iron and carbon.", "iron", True),
        ("what is steel made of", "Steel is an alloy of iron and carbon.", "iron and carbon", False),
        ("what is steel made of", "It is made from iron ore and/or scrap.", "iron ore", True),
        ("what is bronze made of", "It consists primarily of copper, with some tin.", "copper", True),
        ("what is steel", "Steel is an alloy of iron and carbon.", "iron", False),
        ("what is water made of", "Water consists of hydrogen.", "hydrogen", False),
        ("who played in casablanca", "The film stars Ann Lee, Bob Ray, and Cy Day.", "Ann Lee", True),
        ("who starred in vertigo", "The film stars Ann Lee as a detective, Bob Ray as Cy.", "Ann Lee", True),
        (
            "who played in casablanca",
            "The film stars Ann Lee, Bob Ray, and Cy Day.",
            "Ann Lee, Bob Ray, and Cy Day",
            False,
        ),
        ("who played rick in casablanca", "The film stars Ann Lee, Bob Ray, and Cy Day.", "Ann Lee", False),
    ],
)
def test_more_may_stand_behind_an_answer(query, text, answer, expected):
    at = text.index(answer)
    assert has_more_behind(query, Passage("x", "X", text), Span(at, at + len(answer))) is expected
