"""IDs of a page's sentences, citations, cards and nodes, for links between them; unique over all turns."""

from datetime import datetime

from ulid import ULID

card = "ev-{}-{}".format
"""The card of a turn's source, by its number; citations link to it."""
node = "nd-{}-{}".format
"""A node of the turn's tree."""
sentence = "se-{}-{}".format
"""A sentence of the reply, counted from 0."""
citation = "ci-{}-{}".format
"""The citation at a position of the reply; it stays the same while the reply grows."""
also = "al-{}-{}".format
"""The list of the turn's uncited passages (0), or a passage in it (from 1)."""
question, asked, answered = "qu-{}".format, "vq-{}".format, "va-{}".format
"""The buttons of a question; a question that was asked more than once, and a reply to it."""
actions, block, tree = "ac-{}".format, "an-{}".format, "tr-{}".format
"""The buttons of a reply, the reply with all its parts, and its tree."""


def asked_at(turn: str) -> datetime | None:
    """Return when the turn was asked, which its id contains; ``None`` for another kind of id."""
    try:
        return ULID.from_str(turn).datetime
    except ValueError:
        return None
