"""Find steps that do not belong to the chain of a question, without a model.

A small model may swap the question's subject, drop it, or copy an example of its prompt. Three rules find such steps. A
step may contain only names from the question, an earlier answer or an earlier passage. It must not leave its subject
open (“the capital of which country?”). The first step must share a word with the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from searchain.language import text
from searchain.types import Node

_ANY_OF_A_KIND = re.compile(
    r"^(?:what|who|when|where|how)\b.* (?:of|in|from|by|for) (?:which|what) \w+\W*$", re.IGNORECASE
)
"""Matches a query such as "What is the capital of which country?", in which the model lost a name."""
_ADJECTIVES = ("ish", "es", "ian", "ean", "an")
"""Endings of place adjectives. A stem with one need share only three letters with the place ("polish", "poland")."""


def is_echo(query: str, question: str, path: Sequence[Node], examples: Collection[str]) -> bool:
    """Return whether ``query`` repeats one of the prompt's ``examples`` and shares no word with the chain.

    >>> is_echo("Who painted Guernica?", "Who wrote Don Quixote?", [], ["Who painted Guernica?"])
    True
    """
    if not any(text.tokens(query) == text.tokens(example) for example in examples):
        return False
    known = text.content_words(" ".join([question, *(node.answer or "" for node in path)]))
    return not text.content_words(query) & known


def objection(query: str, question: str, path: Sequence[Node]) -> str:
    """Return why ``query`` does not help to answer ``question``; ``""`` if no rule objects.

    ``path`` holds the steps before it.

    >>> objection("Who wrote it?", "What is the capital of Australia?", [])
    'takes up no word of the question'
    >>> objection("Who was Shakespeare's wife?", "Who was Mary Shelley's husband?", [])
    'names shakespear, which nobody named before'
    """
    asked = text.content_words(question)
    known = {text.stem(word) for part in (question, *_found(path)) for word in text.tokens(part)}
    strangers = {text.stem(name) for name in text.names(query)} - known
    strangers = {name for name in strangers if not any(_is_form_of(name, other) for other in known)}
    if strangers:
        return f"names {', '.join(sorted(strangers))}, which nobody named before"
    if _ANY_OF_A_KIND.search(query) and not _ANY_OF_A_KIND.search(question):
        return "asks of any one of a kind"
    if not path and asked and not asked & text.content_words(query):
        return "takes up no word of the question"
    return ""


def adds_nothing(query: str, question: str, path: Sequence[Node]) -> bool:
    """Return whether a step shares no word with the part of the question that earlier steps left open.

    >>> path = [Node("n1", None, 1, "Which country gave the Statue of Liberty to the US?", answer="France")]
    >>> question = "which country gave statue of liberty to usa"
    >>> adds_nothing("Which country gave the Statue of Liberty to France?", question, path)
    True
    """
    taken = text.content_words(" ".join(node.query for node in path))
    return bool(path) and not (text.content_words(question) & text.content_words(query)) - taken


def _found(path: Sequence[Node]) -> list[str]:
    """Return the answer and the passage of each step, as text."""
    return [
        f"{node.answer or ''} {f'{node.passage.title} {node.passage.text}' if node.passage else ''}" for node in path
    ]


def _is_form_of(one: str, other: str) -> bool:
    """Return whether two stems begin alike and so count as forms of one word ("poland", "polish")."""
    shared = min(len(one), len(other), 3 if one.endswith(_ADJECTIVES) else 4)
    return shared >= 3 and one[:shared] == other[:shared]
