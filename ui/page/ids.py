"""The ids by which a page's sentences, citations, cards and nodes point to each other; unique over turns."""

from __future__ import annotations


def card(turn: str, number: int) -> str:
    """The card of source ``number``, which citations link to."""
    return f"ev-{turn}-{number}"


def node(turn: str, node: str) -> str:
    """A node of the turn's tree."""
    return f"nd-{turn}-{node}"


def sentence(turn: str, position: int) -> str:
    """A sentence of the reply, counted from 0."""
    return f"se-{turn}-{position}"


def citation(turn: str, start: int) -> str:
    """The citation that begins at ``start`` in the reply: it keeps its id while the reply grows."""
    return f"ci-{turn}-{start}"


def also(turn: str, number: int = 0) -> str:
    """The list of what else the turn found; with a ``number`` from 1, a passage in it."""
    return f"al-{turn}-{number}"


def question(turn: str) -> str:
    """The buttons of a question."""
    return f"qu-{turn}"


def asked(turn: str) -> str:
    """A question, where it was asked more than once."""
    return f"vq-{turn}"


def answered(turn: str) -> str:
    """The reply to such a question."""
    return f"va-{turn}"


def actions(turn: str) -> str:
    """The buttons of a reply."""
    return f"ac-{turn}"


def block(turn: str) -> str:
    """A turn's reply with all that belongs to it."""
    return f"an-{turn}"


def tree(turn: str) -> str:
    """The tree of a turn."""
    return f"tr-{turn}"
