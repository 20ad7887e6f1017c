"""Replies without a model."""

from dataclasses import replace

from searchain.reply.template import quote_of, template_reply
from searchain.types import Node, Passage, Span, TaskKind, Verdict
from tests.support.stories import PATH_PASSAGE, PATH_TEXT, path_node


def test_a_sentence_that_is_the_answer_is_not_quoted_again():
    node = path_node(answer="Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto")
    assert template_reply([node], {"k1": node}, TaskKind.MULTIHOP, node.answer) == f"{node.answer} [k1]."
    later = path_node(id="n2", answer="Kyoto")
    reply = template_reply([node, later], {"k1": node, "k2": later}, TaskKind.MULTIHOP, node.answer)
    assert f"{node.answer} [k1]." in reply


def test_every_sentence_of_a_quote_is_cited():
    long = path_node(answer=PATH_TEXT, passage=PATH_PASSAGE)
    long = replace(long, span=Span(0, len(PATH_TEXT)))
    reply = template_reply([long], {"k1": long}, TaskKind.LONGFORM, PATH_TEXT)
    assert reply == "Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto [k1]. It makes games [k1]."


def test_a_label_cites_what_is_settled_and_nothing_else():
    nodes = [path_node(), path_node(Verdict.UNCONFIRMED, id="n2", answer="no"), path_node(id="n3")]
    keys = {"k1": nodes[0], "k2": nodes[1], "k3": nodes[2]}
    assert template_reply(nodes, keys, TaskKind.YESNO, "no").startswith("No [k3]. ")
    assert template_reply(nodes[1:2], {"k2": nodes[1]}, TaskKind.YESNO, "no").startswith("No. No passage confirms")


SWITCH = Passage("switch", "Nintendo Switch", "The Switch is a console by Nintendo.")


def test_the_answer_of_the_last_step_cites_the_steps_that_led_to_it():
    first = Node("n1", None, 1, "Who makes the Switch?", answer="Nintendo", verdict=Verdict.AGREED, passage=SWITCH)
    lost = replace(first, id="n2", query="Who made the Wii?", answer="Sega")
    last = path_node(id="n3")
    keys = {"k1": first, "k2": lost, "k3": last}
    assert template_reply([first, lost, last], keys, TaskKind.MULTIHOP, "Kyoto").startswith("Kyoto [k3][k1]. ")
    open_step = replace(first, verdict=Verdict.UNCONFIRMED)
    assert template_reply([open_step, last], keys, TaskKind.MULTIHOP, "Kyoto").startswith("Kyoto [k3]. ")
    same = replace(first, passage=last.passage)
    assert template_reply([same, last], {**keys, "k1": same}, TaskKind.MULTIHOP, "Kyoto").startswith("Kyoto [k3]. ")


def test_a_quote_has_a_title_for_its_label_and_no_bracket_that_looks_like_a_citation():
    passage = Passage("p", "X", "Nintendo Co., Ltd. is a Japanese [3] company headquartered in Kyoto.")
    at = passage.text.index("Kyoto")
    quoted = quote_of(Node("n1", None, 1, "?", verdict=Verdict.AGREED, passage=passage, span=Span(at, at + 5)))
    assert "[3]" not in quoted
    assert "(3)" in quoted
    text = "Short description: German-born physicist (1879–1955).\nAlbert Einstein was a physicist."
    at = text.index("1879")
    passage = Passage("e", "Albert Einstein", text)
    found = Node("n1", None, 1, "?", verdict=Verdict.AGREED, passage=passage, span=Span(at, at + 4))
    assert quote_of(found) == "Albert Einstein: German-born physicist (1879–1955). Albert Einstein was a physicist."


def test_a_long_sentence_is_cut_around_the_span():
    body = "word " * 300 + "Kyoto " + "more " * 300
    at = body.index("Kyoto")
    passage = Passage("p", "X", body)
    quoted = quote_of(Node("n1", None, 1, "?", verdict=Verdict.AGREED, passage=passage, span=Span(at, at + 5)))
    assert "Kyoto" in quoted
    assert quoted.startswith("… ")
    assert quoted.endswith(" …")
    assert len(quoted) < 450
