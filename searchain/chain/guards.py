"""Tell which steps do not belong to the chain of a question.

A small model swaps the question's subject for another, drops it, or copies an example of its prompt. Code sees that
without a model: a step may name only what the question, an earlier step's answer or the passage of one names, and the
first step must take up what the question names.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from searchain.language import text
from searchain.types import Node

_FORMS = frozenset("city country state year film book river mountain person company world".split())
"""Words that a step may write with a capital although they name nothing."""


def objection(query: str, question: str, path: Sequence[Node], examples: Collection[str] = ()) -> str:
    """Return why ``query`` is no step towards the answer of ``question``, ``""`` where nothing speaks against it.

    ``path`` are the steps before it, ``examples`` the queries of the prompt's examples.

    >>> objection("What is the capital of which country?", "What is the capital of Australia?", [])
    'it does not ask about what the question names'
    >>> objection("Who was Shakespeare's wife?", "Who was Mary Shelley's husband?", [])
    'it names shakespear, which nobody named before'
    """
    if any(text.tokens(query) == text.tokens(example) for example in examples):
        return "it repeats an example of the prompt"
    asked = text.content_words(question)
    known = asked.union(*(text.content_words(part) for part in _found(path)))
    strangers = {text.stem(name) for name in text.names(query)} - known - _FORMS
    strangers = {name for name in strangers if not any(_is_form_of(name, other) for other in known)}
    if strangers:
        return f"it names {', '.join(sorted(strangers))}, which nobody named before"
    named = {text.stem(name) for name in text.names(question)} or asked
    if not path and named and not named & text.content_words(query):
        return "it does not ask about what the question names"
    return ""


def missing(question: str, path: Sequence[Node]) -> set[str]:
    """Return the names and numbers of ``question``, by their stems, that no step and no answer takes up."""
    taken = text.content_words(" ".join(f"{node.query} {node.answer or ''}" for node in path))
    named = {text.stem(name) for name in text.names(question)}
    return {name for name in named - taken if not any(_is_form_of(name, other) for other in taken)}


def _found(path: Sequence[Node]) -> list[str]:
    """All that the steps so far brought up."""
    return [
        f"{node.answer or ''} {f'{node.passage.title} {node.passage.text}' if node.passage else ''}" for node in path
    ]


def _is_form_of(one: str, other: str) -> bool:
    """Whether two stems are forms of one word ("france", "french"; "poland", "polish"): they begin alike."""
    shared = min(len(one), len(other), 4)
    return shared >= 3 and one[:shared] == other[:shared]
