"""Constrained decoding: for each form a GBNF grammar, which llama.cpp takes, or a JSON schema, which servers share.

Grammars are fitted to what was asked. Lengths are bounded everywhere, so that a small model cannot run on.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from searchain.llm.base import Form
from searchain.types import Message

STEPS = 6
"""The most steps that one reply may have."""

_STEM = re.compile(r"\[Query (\d+)\]: ?(.*)")
_CHOICE = re.compile(r"^(\d+)\. ", re.MULTILINE)
_KEY = re.compile(r"\bk\d{2,5}\b")


def grammar(form: Form, messages: Sequence[Message]) -> str:
    """The grammar for a reply of this form to ``messages``; ``""`` for a form without one.

    A chain begins with the step at which the last message ends, else with step 1; one that is begun goes on with that
    step's answer, or after it. Final content may use the keys of the last message and no others.
    """
    asked = messages[-1].content if messages else ""
    match form:
        case Form.CHAIN if messages and messages[-1].role == "assistant":
            return _rest_of_chain(asked)
        case Form.CHAIN:
            stem = _STEM.search(asked.rstrip().rpartition("\n")[2])
            return chain_grammar(int(stem[1]), stem[2].strip()) if stem else chain_grammar()
        case Form.FINAL:
            return final_grammar(dict.fromkeys(_KEY.findall(asked)))
        case Form.ANSWER:
            return final_grammar([])
        case Form.READING:
            return r'root ::= "not found" | [^\n\[\] ] [^\n\[\]]{0,120}'
        case Form.ACTION:
            return r'root ::= ("Search" | "Lookup" | "Finish") "[" [^\n\[\]]{1,150} "]"'
        case Form.CHOICE:
            numbers = _CHOICE.findall(asked) or ["1"]
            return "root ::= " + " | ".join(_literal(number) for number in numbers)
        case Form.STANDALONE | Form.QUESTION:
            return 'root ::= [^\\n? ] [^\\n?]{1,300} "?"'
        case Form.INFORMED | Form.SEARCHING:
            return ""


def _rest_of_chain(begun: str) -> str:
    """The grammar for what follows a chain that is begun."""
    numbers = _STEM.findall(begun)
    number = int(numbers[-1][0]) if numbers else 1
    return chain_grammar(number, begun="query" if begun.endswith("\n") else "step")


def chain_grammar(first: int = 1, query: str = "", *, begun: Literal["", "query", "step"] = "") -> str:
    """One to six steps, numbered from ``first``, whose query is ``query`` where one is given.

    ``begun`` is what of the first step is written already: its query, or all of it.
    """
    last = first + STEPS - 1
    rules = [
        r'open ::= "[Unsolved Query]"',
        r'query ::= [^\n\[\]? ] [^\n\[\]?]{0,150} "?\n"',
        r"answer ::= [^\n\[\] ] [^\n\[\]]{0,200}",
    ]
    for number in range(first, last + 1):
        rules.append(f'a{number} ::= "[Answer {number}]: " answer | open')
        asks = _literal(f"[Query {number}]: {query}\n") if query and number == first else f'"[Query {number}]: " query'
        rest = rf' ("\n" s{number + 1})?' if number < last else ""
        rules.append(f"s{number} ::= {asks} a{number}{rest}")
    after = rf'("\n" s{first + 1})?'
    root = {"": f"s{first}", "query": f"a{first} {after}", "step": after}[begun]
    return "\n".join([f"root ::= {root}", *rules])


def final_grammar(keys: Iterable[str]) -> str:
    """The short answer, then up to two sentences a key; each is followed by one or two of the keys.

    The keys stand after the full stop: a small model ends its sentence first, and hardly ever stops for a bracket.

    Without keys: one to three sentences.
    """
    keys = list(keys)
    marks = ' " " key (" " key)?' if keys else ""
    rules = [
        r'root ::= "[Answer]: " [^\n\[\]( ] [^\n\[\](]{0,80} "\n[Final Content]: " sentence '
        rf'(" " sentence){{0,{2 * len(keys) - 1 if keys else 2}}}',
        rf"sentence ::= [^\n\[\] .!?(] text{{10,200}}[.!?]{marks}",
        # no sentence within a sentence, though "1.5" and "J. S. Bach" may stand, and no "(key k417)" from the steps
        r'text ::= [^\n\[\](.!?] | "(" [^kK\n\[\]] | [0-9] "." [0-9] | [A-Z] "." | title "."',
        'title ::= "St" | "Dr" | "Mr" | "Mrs" | "Jr" | "Sr" | "No" | "Mt" | "vs" | "Inc" | "Co" | "Ltd"',
    ]
    if keys:
        rules.append("key ::= " + " | ".join(_literal(f"[{key}]") for key in keys))
    return "\n".join(rules)


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}


def _object(**properties: Any) -> dict[str, Any]:
    """Return the strict schema of an object: all properties must be there, and no other."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _list(of: Any) -> dict[str, Any]:
    return {"type": "array", "items": of}


INFORMED = _object(
    steps=_list(_object(query=_TEXT, answer=_TEXT_OR_NULL, keys=_list(_TEXT))),
    answer=_TEXT_OR_NULL,
    sentences=_list(_object(text=_TEXT, keys=_list(_TEXT))),
    reply=_TEXT_OR_NULL,
)
"""Steps, each with its keys, then the short answer and the sentences of the reply; or ``reply`` to a greeting."""
FORMATS = {Form.INFORMED: {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": INFORMED}}}
"""The ``response_format`` of a request for a form."""
_WHAT_IT_DOES = "Look up one sub-question that the passages leave open. You are shown what was found."
_SEARCH = {"name": "search", "description": _WHAT_IT_DOES, "parameters": _object(query=_TEXT)}
TOOLS = {Form.SEARCHING: [{"type": "function", "function": _SEARCH}]}
"""The ``tools`` of a request for a form."""
