"""What a reply's sentences rest on: they never claim more than was checked."""

import re

import pytest

from searchain.cancel import CancelToken
from searchain.language.comparing import Decision
from searchain.reply.citations import BoundMark
from searchain.reply.sentence_support import Carrying, bind_sentences, carried_by, problem_of, restates
from searchain.reply.support_check import Finding
from searchain.types import Mark, Span, Support, Verdict
from tests.support.stories import path_node

BY_WORDS = Carrying("", None, CancelToken())


def bound(reply, *nodes):
    """``reply`` with its marks in order, one for each of ``nodes``."""
    found = list(re.finditer(r"\[(\d+)\]", reply))
    return [BoundMark(Mark(int(m[1]), m.start(), m.end()), node) for m, node in zip(found, nodes, strict=True)]


@pytest.mark.parametrize(
    ("sentence", "nodes", "support"),
    [
        ("Nintendo is headquartered in Kyoto.", [path_node()], Support.SUPPORTED),
        ("Nintendo is headquartered in Kyoto.", [path_node(Verdict.UNCONFIRMED)], Support.SUPPORTED),
        ("Nintendo is headquartered in Kyoto.", [], Support.OWN),
        ("Nintendo is headquartered in Osaka.", [path_node()], Support.SUPPORTED),  # by words alone
        ("Nintendo is not headquartered in Kyoto.", [path_node()], Support.UNSUPPORTED),
        ("Nintendo has had 7 presidents in Kyoto.", [path_node()], Support.UNSUPPORTED),
        ("Nintendo is a company with 7 offices headquartered in Kyoto.", [path_node()], Support.PARTLY),
        ("Kyoto.", [path_node()], Support.QUOTED),
        ("Nintendo: It makes games.", [path_node()], Support.QUOTED),
        ("No passage answers this; the nearest is “Nintendo”.", [path_node()], Support.OWN),
        ("Yes.", [path_node(answer="yes")], Support.SUPPORTED),
        ("Yes.", [path_node(Verdict.UNCONFIRMED, answer="yes")], Support.PARTLY),
        ("No.", [path_node(answer="yes")], Support.UNSUPPORTED),
    ],
)
def test_support(sentence, nodes, support):
    assert carried_by(sentence, nodes, BY_WORDS).state is support


def test_marks_in_front_of_a_sentence_belong_to_the_one_before():
    reply = "It is Kyoto. [1] It makes games [1]."
    marks = [BoundMark(Mark(1, 13, 16), path_node()), BoundMark(Mark(1, 32, 35), path_node())]
    found = [(s.text, s.citations) for s in bind_sentences(reply, marks, BY_WORDS)]
    assert found == [("It is Kyoto. [1]", (1,)), ("It makes games [1].", (1,))]


class Check:
    """A support check that finds what it is told, and counts how often it is asked."""

    def __init__(self, label, *uncarried):
        self.finding, self.asked = Finding(label, 0.5, uncarried), 0

    def judge(self, sentence, passages):
        self.asked += 1
        return self.finding


@pytest.mark.parametrize(
    ("reply", "check", "state", "uncarried"),
    [
        ("Nintendo is based in Kyoto [1].", Check("supported"), Support.SUPPORTED, []),
        ("Nintendo is based in Kyoto [1].", Check("partial", Span(12, 17)), Support.PARTLY, ["based"]),
        ("Nintendo is based in Kyoto [1].", Check("not_supported", Span(12, 17)), Support.UNSUPPORTED, []),
        ("Nintendo is based in Kyoto [1].", Check("contradicted"), Support.UNSUPPORTED, []),
        ("Of old [1] it is in Kyoto.", Check("partial", Span(3, 6), Span(17, 22)), Support.PARTLY, ["old", "Kyoto"]),
    ],
)
def test_the_support_check_decides_for_what_is_not_quoted(reply, check, state, uncarried):
    (sentence,) = bind_sentences(reply, bound(reply, path_node()), Carrying("", check, CancelToken()))
    assert sentence.support is state
    assert [reply[span.start : span.end] for span in sentence.uncarried] == uncarried
    assert check.asked == 1


def test_what_follows_from_the_steps_need_not_stand_in_a_passage():
    first, second = path_node(), path_node(Verdict.COMPLETED, id="n2")
    reply = "Older [1][2]."
    decision = Decision("Older", (first, second), "date")
    (sentence,) = bind_sentences(reply, bound(reply, first, second), BY_WORDS, decision)
    assert sentence.support is Support.SUPPORTED
    open_step = path_node(Verdict.UNCONFIRMED, id="n2")
    (sentence,) = bind_sentences(reply, bound(reply, first, open_step), BY_WORDS, decision)
    assert sentence.support is Support.UNSUPPORTED


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
