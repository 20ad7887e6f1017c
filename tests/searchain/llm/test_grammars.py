"""Grammars are fitted to what was asked. Whether replies keep to them is shown with the real server in test_embedded."""

import pytest

from searchain.llm.base import Form
from searchain.llm.grammars import chain_grammar, final_grammar, grammar
from searchain.types import Message


@pytest.mark.parametrize(
    ("form", "asked", "expected"),
    [
        (Form.CHAIN, "[Question]: Where is Kyoto?", chain_grammar()),
        (Form.CHAIN, "Earlier: [Query 3]: Who?\n[Question]: Where?", chain_grammar()),
        (Form.CHAIN, "Go on with:\n[Query 3]: Where is “Kyoto”?\n", chain_grammar(3, "Where is “Kyoto”?")),
        (Form.FINAL, "Kyoto (key k417)\nHonshu (key k90), k417, keys, k2x", final_grammar(["k417", "k90"])),
        (Form.FINAL, "no steps", final_grammar([])),
        (Form.CHOICE, "Choices:\n1. Who?\n2. Where?\nThe best choice is", 'root ::= "1" | "2"'),
        (Form.CHOICE, "nothing to choose from", 'root ::= "1"'),
        (Form.ANSWER, "Which number has key k417?", final_grammar([])),
    ],
)
def test_the_last_message_decides(form: Form, asked: str, expected: str) -> None:
    assert grammar(form, [Message("user", "[Query 5]: What? (key k333)"), Message("user", asked)]) == expected


def test_a_chain_continues_with_the_given_step_for_up_to_six() -> None:
    rules = dict(rule.split(" ::= ") for rule in chain_grammar(3, 'Who said "\\n"?').splitlines())
    assert (rules["root"], rules["s3"]) == ("s3", r'"[Query 3]: Who said \"\\n\"?\n" a3 ("\n" s4)?')
    assert (rules["s4"], rules["s8"]) == (r'"[Query 4]: " query a4 ("\n" s5)?', '"[Query 8]: " query a8')
    assert "s9" not in rules
