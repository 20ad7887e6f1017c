"""Keys become numbers that the program gives; everything else in brackets is prose, or is dropped and counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchain.reply.citations import Binder, key_of, keys_of
from searchain.reply.second_reader import place_of
from searchain.types import Node, Passage, Span, Verdict
from tests.support.json_lines import kept

KYOTO = Passage("p1", "Kyoto", "Kyoto is a city on Honshu.")
A = Node("n1", None, 1, "Where?", verdict=Verdict.AGREED, passage=KYOTO, span=Span(0, 5), confidence=2.0)
B = Node("n2", "n1", 1, "Which island?", verdict=Verdict.COMPLETED, passage=KYOTO, span=Span(19, 25), confidence=3.0)
SAME_SPAN = Node("n3", "n2", 1, "And where?", verdict=Verdict.AGREED, passage=KYOTO, span=Span(0, 5), confidence=2.0)
KEYS = {"k111": A, "k222": B, "k333": SAME_SPAN}

REPLIES = kept("cited-replies.json")
"""What a model writes, what is shown of it, and how many marks it invents."""


def bind(pieces):
    binder = Binder(KEYS)
    shown = [binder.feed(piece) for piece in pieces] + [binder.finish()]
    assert "".join(piece.text for piece in shown) == binder.text
    assert tuple(source for piece in shown for source in piece.sources) == binder.sources
    return binder, shown


@pytest.mark.parametrize(("reply", "expected", "invented"), REPLIES.values(), ids=REPLIES)
def test_keys_are_bound_at_once_and_token_by_token(reply, expected, invented):
    binder, _ = bind([reply])
    assert (binder.text, binder.invented) == (expected, invented)
    assert [source.number for source in binder.sources] == list(range(1, len(binder.sources) + 1))
    assert bind(list(reply))[0].text == expected


PIECES = "[k111]|[|]|[k2|22]|`|```|$$| |a|.|(k111)|[1, 2]|\n|\\(|\\)".split("|")


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.data())
def test_no_cut_of_the_stream_changes_the_reply(parts, data):
    reply, pieces = "".join(parts), []
    rest = reply
    while rest:
        cut = data.draw(st.integers(1, len(rest)))
        pieces.append(rest[:cut])
        rest = rest[cut:]
    assert bind(pieces)[0].text == bind([reply])[0].text


def test_marks_point_at_their_numbers_and_nodes():
    binder, _ = bind(["A [k22", "2] and B [k111]."])
    assert [(binder.text[b.mark.start : b.mark.end], b.node.id) for b in binder.marks] == [("[1]", "n2"), ("[2]", "n1")]


def test_half_a_marker_is_never_shown():
    binder, text = Binder(KEYS), ""
    for character in "Kyoto [k111] lies on Honshu [k222].":
        text += binder.feed(character).text
        assert "[k" not in text
        assert not text.endswith("[")


def test_only_nodes_with_a_passage_and_a_verdict_get_keys_and_clashing_ones_are_told_apart():
    bare = Node("n4", None, 1, "Who?")
    assert list(keys_of([A, bare]).values()) == [A]
    assert len(keys_of([A, A])) == 2
    assert key_of(A) in keys_of([A, A])


RAYS = Passage("r", "Spectrum", "It has radio waves, microwaves, visible light, and gamma rays. Ants are insects.")
CANAL = Passage("c", "Erie Canal", "It runs from Hudson River to Lake Erie. Its towns are Rome, Utica and Lockport.")


@pytest.mark.parametrize(
    ("answer", "place", "words"),
    [
        ("Lake Erie", 1, "Lake Erie"),
        ("insect", 0, "insects"),
        ("radio waves, visible light, gamma rays", 0, "radio waves, microwaves, visible light, and gamma rays"),
        ("Erie Canal: Rome, Utica", 1, "Rome, Utica"),
        ("Hudson River, Lake Erie", 1, "Hudson River to Lake Erie"),
    ],
)
def test_the_words_of_a_passage_are_found(answer, place, words):
    number, span = place_of(answer, [RAYS, CANAL])
    assert (number, [RAYS, CANAL][number].text[span.start : span.end]) == (place, words)


@pytest.mark.parametrize(
    "answer",
    ["", "…", "X-rays", "Rome, Albany", "Lockport, Rome", "gamma rays, insects", "Utica: radio waves, Rome", "an"],
)
def test_what_a_passage_does_not_say_has_no_place(answer):
    assert place_of(answer, [RAYS, CANAL]) == (None, None)
