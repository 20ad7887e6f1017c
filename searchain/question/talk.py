"""Recognise small talk, which needs no search, and choose the reply to it.

The head decides by the meaning of the whole text. ``talk.json`` holds a dozen exact texts and all replies.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from searchain.language.languages import foreign_language, reply_in
from searchain.question.document_head import About, DocumentQuestion
from searchain.question.head import DOCUMENTS, Head

_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
REPLIES: dict[str, str] = _TABLES["replies"]
"""Kind of talk → reply."""
EXACT: dict[str, str] = _TABLES["exact"]
"""The commonest texts → their kind, known without the head."""
AFTER = ", where something was said"
"""The ending of a kind's name that marks its other reply, for use within a conversation."""
PROGRAM, LANGUAGE = "program", "language"
POLITE = ("greeting", "thanks", "farewell")
"""The kinds of talk where own documents are searched: they may hold what looks like any other kind."""
NEVER_FOLLOW_UPS = (*POLITE, LANGUAGE, "gibberish", "complaint")
"""The kinds of talk that cannot be follow-ups to an answer."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The kind of a text that needs no search, and the reply to it."""

    kind: str
    """The kind, such as "greeting", or "program:share" for a question about a part of this program."""
    reply: str

    @property
    def is_surely_talk(self) -> bool:
        """Whether the text cannot be a follow-up to an answer: by its kind, or as it asks about this program."""
        return self.is_about_program or self.kind in NEVER_FOLLOW_UPS

    @property
    def is_about_program(self) -> bool:
        """Whether the text asks how to use this program."""
        return self.kind.startswith(PROGRAM)


def plain(text: str) -> str:
    """Return the text in lower case, with single spaces, without punctuation around it."""
    return " ".join(text.casefold().replace("’", "'").split()).strip(" ?!.,;:")


def talk_of(
    text: str, head: Head | None = None, *, has_history: bool = False, has_documents: bool = False
) -> Talk | DocumentQuestion | None:
    """Recognise a text that needs no search; return ``None`` for a question to the library.

    Args:
        head: classifies the text; without it only ``EXACT``, other languages and mere punctuation are recognised.
        has_documents: own documents are searched; a question about them as wholes is a ``DocumentQuestion``.

    >>> talk_of("Thanks!").kind, talk_of("???").kind, talk_of("Who wrote Hamlet?")
    ('thanks', 'gibberish', None)

    Raises:
        SetupError: the embedding model is missing or damaged.
    """
    if (language := foreign_language(text)) is not None:
        return Talk(LANGUAGE, reply_in(language))
    kind = EXACT.get(plain(text)) or (None if any(map(str.isalnum, text)) else "gibberish")
    if kind is None and head is not None:
        if has_documents and (about := head.about_documents(text)) is not None:
            return about
        kind = head.kind_of_talk(text, POLITE if has_documents else ())
    if kind is None:
        return None
    name, _, part = kind.partition(":")
    if name == DOCUMENTS:
        return DocumentQuestion(About(part)) if has_documents else Talk(name, REPLIES[name])
    return Talk(kind, REPLIES.get(kind + AFTER, REPLIES[kind]) if has_history else REPLIES[kind])
