"""The ids by which a page's sentences, citations, cards and nodes point to each other; unique over turns."""

from __future__ import annotations

from searchain.safe_text import escape


def card(turn: str, number: int) -> str:
    """The card of source ``number``, which citations link to."""
    return f"ev-{escape(turn)}-{number}"


def node(turn: str, node: str) -> str:
    """A node of the turn's tree."""
    return f"nd-{escape(turn)}-{escape(node)}"


def sentence(turn: str, position: int) -> str:
    """A sentence of the reply, counted from 0."""
    return f"se-{escape(turn)}-{position}"


def citation(turn: str, start: int) -> str:
    """The citation that begins at ``start`` in the reply: it keeps its id while the reply grows."""
    return f"ci-{escape(turn)}-{start}"


def also(turn: str, number: int = 0) -> str:
    """The list of what else the turn found; with a ``number`` from 1, a passage in it."""
    return f"al-{escape(turn)}-{number}"


def question(turn: str) -> str:
    """The buttons of a question."""
    return f"qu-{escape(turn)}"


def actions(turn: str) -> str:
    """The buttons of a reply."""
    return f"ac-{escape(turn)}"


def tree(turn: str) -> str:
    """The tree of a turn."""
    return f"tr-{escape(turn)}"
