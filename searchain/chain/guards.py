"""Find steps that do not belong to the chain of a question, without a model.

A small model may swap the question's subject, or copy an example of its prompt. A step may contain only names from the
question, an earlier answer or an earlier passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from searchain.language import text
from searchain.types import Node

_ADJECTIVES = ("ish", "es", "ian", "ean", "an")
"""Endings of place adjectives. A stem with one need share only three letters with the place ("polish", "poland")."""


def objection(query: str, question: str, path: Sequence[Node]) -> str:
    """Return why ``query`` does not help to answer ``question``; ``""`` without an objection.

    ``path`` holds the steps before it.

    >>> objection("Who was Shakespeare's wife?", "Who was Mary Shelley's husband?", [])
    'names shakespear, which nobody named before'
    """
    known = {text.stem(word) for part in (question, *_found(path)) for word in text.tokens(part)}
    strangers = {text.stem(name) for name in text.names(query)} - known
    strangers = {name for name in strangers if not any(_is_form_of(name, other) for other in known)}
    return f"names {', '.join(sorted(strangers))}, which nobody named before" if strangers else ""


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
