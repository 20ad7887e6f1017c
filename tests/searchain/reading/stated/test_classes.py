"""Classes that exclude one another, and classes within others."""

import pytest

from searchain.language import text
from searchain.reading.stated.classes import belongs


@pytest.mark.parametrize(
    ("known", "asked", "does"),
    [
        ("marsupial", "mammals", True),
        ("marsupial", "bear", False),
        ("shark", "fish", True),
        ("apes", "monkeys", False),
        ("mushroom", "plant", False),
        ("toad", "frog", True),
        ("moon", "planet", False),
        ("mammal", "bear", None),  # it may be one
        ("shrub", "tree", None),  # it may be both
        ("writer", "poet", None),
    ],
)
def test_what_belongs_to_a_class(known, asked, does):
    assert belongs(text.stem(known), text.stem(asked)) is does


@pytest.mark.parametrize(
    ("known", "asked", "expected"), [("canine", "dog", None), ("wolf", "canine", True), ("cat", "dog", False)]
)
def test_a_wolf_is_a_canine_and_no_class_says_that_it_is_a_dog(known, asked, expected):
    assert belongs(text.stem(known), text.stem(asked)) is expected
