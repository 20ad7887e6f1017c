"""What a step says of the thing that it asks about: its answer, and how the thing's own article begins."""

from __future__ import annotations

from searchain.language import text
from searchain.language.sentences import split
from searchain.types import Node, Passage

SENTENCES = 3
"""Of an article, its short description among them."""


def said_of(name: str, node: Node) -> set[str]:
    """Return the content words of the node's answer, and of its passage's beginning where that is about ``name``."""
    words = text.content_words(node.answer or "")
    if node.passage is not None and is_about(name, node.passage):
        words |= text.content_words(beginning(node.passage))
    return words


def is_about(name: str, passage: Passage) -> bool:
    """Whether the passage's title is ``name``, or one holds all words of the other.

    >>> is_about("Max Bemis", Passage("1", "Max Bemis (musician)", "")), is_about("Ada", Passage("2", "Babbage", ""))
    (True, False)
    """
    own, title = text.content_words(name), text.content_words(passage.title)
    return bool(own and title) and (own <= title or title <= own)


def beginning(passage: Passage) -> str:
    """Return the first sentences of the passage."""
    ends = split(passage.text)
    return passage.text[: ends[min(SENTENCES, len(ends)) - 1][1]] if ends else ""
