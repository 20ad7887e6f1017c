"""What a reply's sentences rest on: they never claim more than was checked."""

import re

import pytest

from searchain.reply.citations import BoundMark
from searchain.reply.sentence_support import bind_sentences, problem_of, restates, support_of
from searchain.settings import Settings
from searchain.types import Mark, Support, Verdict
from tests.support.stories import path_node

SETTINGS = Settings.of(theta=1.0)


def bound(reply, *nodes):
    """``reply`` with its marks in order, one for each of ``nodes``."""
    found = list(re.finditer(r"\[(\d+)\]", reply))
    return [BoundMark(Mark(int(m[1]), m.start(), m.end()), node) for m, node in zip(found, nodes, strict=True)]


@pytest.mark.parametrize(
    ("sentence", "nodes", "support"),
    [
        ("Nintendo is headquartered in Kyoto.", [path_node()], Support.VERIFIED),
        ("Nintendo is headquartered in Kyoto.", [path_node(Verdict.CORRECTED)], Support.CORRECTED),
        ("Nintendo is headquartered in Kyoto.", [path_node(Verdict.COMPLETED)], Support.COMPLETED),
        ("Nintendo is headquartered in Kyoto.", [path_node(Verdict.COMPLETED, confidence=1.0)], Support.WEAK),
        ("Nintendo is headquartered in Kyoto.", [path_node(Verdict.UNCONFIRMED)], Support.WEAK),
        (
            "Nintendo is headquartered in Kyoto.",
            [path_node(), path_node(Verdict.COMPLETED, id="n2")],
            Support.COMPLETED,
        ),
        ("Nintendo is headquartered in Kyoto.", [], Support.NONE),
        ("Nintendo is headquartered in Osaka.", [path_node()], Support.WEAK),
        ("Nintendo is not headquartered in Kyoto.", [path_node()], Support.WEAK),
        ("Kyoto hosts pirates, dragons, unicorns and wizards.", [path_node()], Support.WEAK),
        ("Kyoto.", [path_node()], Support.VERIFIED),
        ("Nintendo makes games.", [path_node()], Support.WEAK),
        ("It makes games.", [path_node()], Support.VERIFIED),
        ("No.", [path_node()], Support.WEAK),
        ("Yes.", [path_node(answer="yes")], Support.VERIFIED),
        ("No.", [path_node(answer="yes")], Support.WEAK),
    ],
)
def test_support(sentence, nodes, support):
    assert support_of(sentence, nodes, SETTINGS) is support


def test_marks_in_front_of_a_sentence_belong_to_the_one_before():
    reply = "It is Kyoto. [1] It makes games [1]."
    marks = [BoundMark(Mark(1, 13, 16), path_node()), BoundMark(Mark(1, 32, 35), path_node())]
    assert [(s.text, s.citations) for s in bind_sentences(reply, marks, SETTINGS)] == [
        ("It is Kyoto. [1]", (1,)),
        ("It makes games [1].", (1,)),
    ]


@pytest.mark.parametrize(
    ("reply", "carried", "state"),
    [
        ("Nintendo is headquartered in Kyoto [1].", True, Support.VERIFIED),
        ("Nintendo is headquartered in Kyoto [1].", False, Support.WEAK),
        ("It makes games [1].", False, Support.VERIFIED),  # a quotation needs no check
    ],
)
def test_the_support_check_lowers_what_is_no_quotation(reply, carried, state):
    asked = []

    def check(sentence, passages):
        asked.append((sentence, passages))
        return carried

    (sentence,) = bind_sentences(reply, bound(reply, path_node()), SETTINGS, is_carried=check)
    assert sentence.support is state
    assert len(asked) == ("It makes" not in reply)


def test_the_support_check_never_raises_a_state():
    weak = path_node(Verdict.UNCONFIRMED)
    reply = "Nintendo is headquartered in Kyoto [1]."
    (sentence,) = bind_sentences(reply, bound(reply, weak), SETTINGS, is_carried=lambda *_: True)
    assert sentence.support is Support.WEAK


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Nintendo is headquartered in Kyoto [1].", None),
        ("Nintendo sits in k417 [1].", "it writes a key as if it were a word"),
        ("Nintendo sits in K417 [1].", "it writes a key as if it were a word"),
        ("Nintendo is headquartered in Kyoto.", "it cites no step"),
        ("", "it is empty"),
    ],
)
def test_a_reply_that_cannot_stand(reply, problem):
    nodes = [path_node()] if "[1]" in reply else []
    assert problem_of(reply, bound(reply, *nodes), {"k417": path_node()}) == problem


def test_a_claim_is_not_told_as_a_fact():
    reply = "Nintendo makes games [1]. Nintendo sits in Osaka [2]."
    marks = bound(reply, path_node(), path_node())
    assert restates(reply, marks, "Nintendo sits in Osaka.") == "it tells the claim as a fact"
    assert restates(reply, marks, "Nintendo is headquartered in Kyoto.") is None
