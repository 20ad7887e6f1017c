"""From the path to sentences that never claim more than was checked."""

import re
from dataclasses import replace

import pytest

from searchain.citations import BoundMark
from searchain.settings import Settings
from searchain.tracing import (
    FinalReader,
    bind_sentences,
    final_answer_of,
    problem_of,
    quote_of,
    restates,
    status_of,
    support_of,
    template_reply,
)
from searchain.types import Mark, Node, Passage, Span, Status, Support, TaskKind, Verdict

SETTINGS = Settings.of(theta=1.0)
TEXT = "Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto. It makes games."
PASSAGE = Passage("p", "Nintendo", TEXT)


def node(verdict=Verdict.AGREED, answer="Kyoto", confidence=5.0, id="n1", passage=PASSAGE, **more):
    at = TEXT.index("Kyoto")
    return Node(id=id, parent=None, round=1, query="In which city is Nintendo?", answer=answer, verdict=verdict, confidence=confidence,
                passage=passage, span=Span(at, at + 5), **more)


@pytest.mark.parametrize(("sentence", "nodes", "support"), [
    ("Nintendo is headquartered in Kyoto.", [node()], Support.VERIFIED),
    ("Nintendo is headquartered in Kyoto.", [node(Verdict.CORRECTED)], Support.CORRECTED),
    ("Nintendo is headquartered in Kyoto.", [node(Verdict.COMPLETED)], Support.COMPLETED),
    ("Nintendo is headquartered in Kyoto.", [node(Verdict.COMPLETED, confidence=1.0)], Support.WEAK),
    ("Nintendo is headquartered in Kyoto.", [node(Verdict.UNCONFIRMED)], Support.WEAK),
    ("Nintendo is headquartered in Kyoto.", [node(), node(Verdict.COMPLETED, id="n2")], Support.COMPLETED),
    ("Nintendo is headquartered in Kyoto.", [], Support.NONE),
    ("Nintendo is headquartered in Osaka.", [node()], Support.WEAK),
    ("Nintendo is not headquartered in Kyoto.", [node()], Support.WEAK),
    ("Kyoto hosts pirates, dragons, unicorns and wizards.", [node()], Support.WEAK),
    ("Kyoto.", [node()], Support.VERIFIED),
    ("Nintendo makes games.", [node()], Support.WEAK),
    ("It makes games.", [node()], Support.VERIFIED),
    ("No.", [node()], Support.WEAK),
    ("Yes.", [node(answer="yes")], Support.VERIFIED),
    ("No.", [node(answer="yes")], Support.WEAK),
])
def test_support(sentence, nodes, support):
    assert support_of(sentence, nodes, SETTINGS) is support


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize(("reply", "answer", "content"), [
    ("[Answer]: Honshu\n[Final Content]: It is so [k1].", "Honshu", "It is so [k1]."),
    ("[Answer]: Honshu [Final Content]: It is so.", "Honshu", "It is so."),
    ("[Answer]: Honshu\nIt is so.", "Honshu", "It is so."),
    ("**[Answer]:** Honshu\n**[Final Content]:** It is so.", "Honshu", "It is so."),
    ("[Final Content]: It is so.", "", "It is so."),
    ("[Final Content]：It is so.", "", "It is so."),
    ("Final Answer: Honshu\nIt is so.", "Honshu", "It is so."),
    ("[Answer] Honshu\n[Final Content] It is so.", "Honshu", "It is so."),
    ("Sure! Here you go:\n\n[Answer]: Honshu\n[Final Content]: It is so.", "Honshu", "It is so."),
    ("It is so. " * 40, "", "It is so. " * 40),
    ("It is so.", "", "It is so."),
    ("Answering is hard.", "", "Answering is hard."),
    ("[Answer]: Honshu", "Honshu", ""),
    ("", "", ""),
])
def test_answer_and_content_are_told_apart_as_they_stream(reply, answer, content, size):
    reader = FinalReader()
    read = "".join(reader.feed(reply[i:i + size]) for i in range(0, len(reply), size)) + reader.finish()
    assert (reader.answer, read) == (answer, content)


def test_marks_in_front_of_a_sentence_belong_to_the_one_before():
    reply = "It is Kyoto. [1] It makes games [1]."
    marks = [BoundMark(Mark(1, 13, 16), node()), BoundMark(Mark(1, 32, 35), node())]
    assert [(s.text, s.citations) for s in bind_sentences(reply, marks, SETTINGS)] == [
        ("It is Kyoto. [1]", (1,)), ("It makes games [1].", (1,))]


def test_the_template_quotes_the_sentences_that_decided():
    reply = template_reply([node()], {"k1": node()}, TaskKind.MULTIHOP, "Kyoto")
    assert reply == "Kyoto [k1]. Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto [k1]."


def test_every_sentence_of_a_quote_is_cited():
    long = node(answer=TEXT, passage=PASSAGE)
    long = replace(long, span=Span(0, len(TEXT)))
    reply = template_reply([long], {"k1": long}, TaskKind.LONGFORM, TEXT)
    assert reply == "Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto [k1]. It makes games [k1]."


def test_a_label_cites_what_is_settled_and_nothing_else():
    nodes = [node(), node(Verdict.UNCONFIRMED, id="n2", answer="no"), node(id="n3")]
    keys = {"k1": nodes[0], "k2": nodes[1], "k3": nodes[2]}
    assert template_reply(nodes, keys, TaskKind.YESNO, "no").startswith("No [k3]. ")
    assert template_reply(nodes[1:2], {"k2": nodes[1]}, TaskKind.YESNO, "no").startswith("No. No passage confirms")


def test_a_quoted_bracket_never_looks_like_a_citation():
    passage = Passage("p", "X", "Nintendo Co., Ltd. is a Japanese [3] company headquartered in Kyoto.")
    at = passage.text.index("Kyoto")
    quoted = quote_of(Node("n1", None, 1, "?", verdict=Verdict.AGREED, passage=passage, span=Span(at, at + 5)))
    assert "[3]" not in quoted and "(3)" in quoted


def test_a_long_sentence_is_cut_around_the_span():
    body = "word " * 300 + "Kyoto " + "more " * 300
    at = body.index("Kyoto")
    quoted = quote_of(Node("n1", None, 1, "?", verdict=Verdict.AGREED, passage=Passage("p", "X", body), span=Span(at, at + 5)))
    assert "Kyoto" in quoted and quoted.startswith("… ") and quoted.endswith(" …") and len(quoted) < 450


@pytest.mark.parametrize(("written", "task", "expected"), [
    ("", "multihop", "Kyoto"), ("Kyoto", "multihop", "Kyoto"), ("Kyoto [k123].", "multihop", "Kyoto"),
    ("Atlantis", "multihop", "Kyoto"), ("Nintendo", "multihop", "Nintendo"),
    ("Yes, it is.", "yesno", "yes"), ("SUPPORTS", "factcheck", "SUPPORTS"), ("false", "factcheck", "REFUTES"), ("", "yesno", ""),
    ("no", "factcheck", "REFUTES"), ("The claim is refuted.", "factcheck", "REFUTES"), ("The claim is not refuted.", "factcheck", ""), ("Kyoto has many temples.", "longform", "Kyoto has many temples"),
])
def test_the_final_answer_rests_on_the_path(written, task, expected):
    assert final_answer_of([node()], TaskKind(task), written) == expected


def test_status_names_the_open_step():
    assert status_of([node()], "Kyoto") == (Status.ANSWERED, "")
    status, message = status_of([node(Verdict.UNCONFIRMED)], "Kyoto")
    assert status is Status.PARTIAL and "In which city is Nintendo?" in message and "Nintendo" in message
    assert status_of([node(Verdict.UNCONFIRMED, answer=None)], "")[0] is Status.NOT_FOUND
    assert status_of([], "")[0] is Status.NOT_FOUND


def bound(reply, *nodes):
    """``reply`` with its marks in order, one for each of ``nodes``."""
    found = list(re.finditer(r"\[(\d+)\]", reply))
    return [BoundMark(Mark(int(m[1]), m.start(), m.end()), node) for m, node in zip(found, nodes, strict=True)]


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

    (sentence,) = bind_sentences(reply, bound(reply, node()), SETTINGS, is_carried=check)
    assert sentence.support is state
    assert len(asked) == ("It makes" not in reply)


def test_the_support_check_never_raises_a_state():
    weak = node(Verdict.UNCONFIRMED)
    reply = "Nintendo is headquartered in Kyoto [1]."
    (sentence,) = bind_sentences(reply, bound(reply, weak), SETTINGS, is_carried=lambda *_: True)
    assert sentence.support is Support.WEAK


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Nintendo is headquartered in Kyoto [1].", None),
        ("Nintendo sits in k417 [1].", "it writes a key as if it were a word"),
        ("Nintendo is headquartered in Kyoto.", "it cites no step"),
        ("", "it is empty"),
    ],
)
def test_a_reply_that_cannot_stand(reply, problem):
    nodes = [node()] if "[1]" in reply else []
    assert problem_of(reply, bound(reply, *nodes), {"k417": node()}) == problem


def test_a_claim_is_not_told_as_a_fact():
    reply = "Nintendo makes games [1]. Nintendo sits in Osaka [2]."
    marks = bound(reply, node(), node())
    assert restates(reply, marks, "Nintendo sits in Osaka.") == "it tells the claim as a fact"
    assert restates(reply, marks, "Nintendo is headquartered in Kyoto.") is None
