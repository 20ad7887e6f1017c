"""A sentence beside its passage: what both have is marked."""

from searchain.language.text import content_words
from ui.show.side_by_side import _pieces


def test_numbers_are_marked_whole():
    said = "a combined area of 632,702 km2, with 69.1 million"
    assert [word for word, is_marked in _pieces(said, content_words("632702 and 69.1")) if is_marked] == [
        "632,702",
        "69.1",
    ]


def test_words_that_decide_nothing_are_not_marked():
    said = "Nintendo's office, which is also between Osaka and others, such as more than one, is in Kyoto's centre."
    found = "Others say that Nintendo's office is also in Kyoto between hills, such as one; more than s."
    assert [word for word, is_marked in _pieces(said, content_words(found)) if is_marked] == [
        "Nintendo",
        "office",
        "one",
        "Kyoto",
    ]
