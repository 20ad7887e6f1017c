"""IDs of a page's sentences, citations, cards and nodes, for links between them; unique over all turns."""

from datetime import datetime

from ulid import ULID


def asked_at(turn: str) -> datetime | None:
    """Return when the turn was asked, which its id contains; ``None`` for another kind of id."""
    try:
        return ULID.from_str(turn).datetime
    except ValueError:
        return None


def card(turn: str, number: int) -> str:
    """Return the id of the card of source ``number``, which citations link to."""
    return f"ev-{turn}-{number}"


def node(turn: str, node: str) -> str:
    """Return the id of a node of the turn's tree."""
    return f"nd-{turn}-{node}"


def sentence(turn: str, position: int) -> str:
    """Return the id of a sentence of the reply, counted from 0."""
    return f"se-{turn}-{position}"


def citation(turn: str, start: int) -> str:
    """Return the id of the citation at ``start`` in the reply; it stays the same while the reply grows."""
    return f"ci-{turn}-{start}"


def also(turn: str, number: int = 0) -> str:
    """Return the ID of the list of the turn's uncited passages, or, with ``number`` from 1, of a passage in it."""
    return f"al-{turn}-{number}"


def question(turn: str) -> str:
    """Return the id of the buttons of a question."""
    return f"qu-{turn}"


def asked(turn: str) -> str:
    """Return the id of a question that was asked more than once."""
    return f"vq-{turn}"


def answered(turn: str) -> str:
    """Return the id of a reply to a question that was asked more than once."""
    return f"va-{turn}"


def actions(turn: str) -> str:
    """Return the id of the buttons of a reply."""
    return f"ac-{turn}"


def block(turn: str) -> str:
    """Return the id of a turn's reply with all its parts."""
    return f"an-{turn}"


def tree(turn: str) -> str:
    """Return the id of the tree of a turn."""
    return f"tr-{turn}"
