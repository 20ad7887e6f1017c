"""Tell which steps do not belong to the chain of a question.

A small model swaps the question's subject for another, drops it, or copies an example of its prompt. Code sees that
without a model: a step may name only what the question, an earlier step's answer or the passage of one names, and the
first step must take up a word of the question.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from searchain.language import text
from searchain.types import Node

_ADJECTIVES = ("ish", "es", "ian", "ean", "an")
"""Endings of adjectives of places, as far as a stem keeps them: more of "polish" than "pol" is not in "poland"."""


def is_echo(query: str, question: str, path: Sequence[Node], examples: Collection[str]) -> bool:
    """Tell whether ``query`` repeats one of the prompt's ``examples`` and takes up nothing of this chain.

    >>> is_echo("Who painted Guernica?", "Who wrote Don Quixote?", [], ["Who painted Guernica?"])
    True
    """
    if not any(text.tokens(query) == text.tokens(example) for example in examples):
        return False
    known = text.content_words(" ".join([question, *(node.answer or "" for node in path)]))
    return not text.content_words(query) & known


def objection(query: str, question: str, path: Sequence[Node]) -> str:
    """Return why ``query`` is no step towards the answer of ``question``, ``""`` where nothing speaks against it.

    ``path`` are the steps before it.

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
    if not path and asked and not asked & text.content_words(query):
        return "takes up no word of the question"
    return ""


def adds_nothing(query: str, question: str, path: Sequence[Node]) -> bool:
    """Tell whether a step takes up no word of the question that the steps before it have left open.

    >>> path = [Node("n1", None, 1, "Which country gave the Statue of Liberty to the US?", answer="France")]
    >>> question = "which country gave statue of liberty to usa"
    >>> adds_nothing("Which country gave the Statue of Liberty to France?", question, path)
    True
    """
    taken = text.content_words(" ".join(node.query for node in path))
    return bool(path) and not (text.content_words(question) & text.content_words(query)) - taken


def _found(path: Sequence[Node]) -> list[str]:
    """All that the steps so far brought up."""
    return [
        f"{node.answer or ''} {f'{node.passage.title} {node.passage.text}' if node.passage else ''}" for node in path
    ]


def _is_form_of(one: str, other: str) -> bool:
    """Whether two stems are forms of one word ("poland", "polish"): they begin alike."""
    shared = min(len(one), len(other), 3 if one.endswith(_ADJECTIVES) else 4)
    return shared >= 3 and one[:shared] == other[:shared]
