"""What is said to an assistant without being a question to a library, and what is answered to it.

The head decides by the meaning of the whole utterance. A dozen utterances and the replies stand in ``talk.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from searchain.language.languages import foreign_language, reply_in
from searchain.question.documents import About, DocumentQuestion, document_question
from searchain.question.head import Head

_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
REPLIES: dict[str, str] = _TABLES["replies"]
"""Kind of talk → reply."""
EXACT: dict[str, str] = _TABLES["exact"]
"""What is said most often → its kind, known without the head."""
AFTER = ", where something was said"
"""Ends the name of a kind whose reply is another in a conversation."""
PROGRAM, DOCUMENTS, LANGUAGE = "program", "documents", "language"


@dataclass(frozen=True, slots=True)
class Talk:
    """The kind of an utterance that is not a question to a library, and what is answered to it."""

    kind: str
    """Such as "greeting", or "program:share" for a question about a part of this program."""
    reply: str

    @property
    def is_about_program(self) -> bool:
        """Whether it asks how this program is used."""
        return self.kind.startswith(PROGRAM)


def plain(text: str) -> str:
    """Return what was said in lower case, with single spaces, without signs around it."""
    return " ".join(text.casefold().replace("’", "'").split()).strip(" ?!.,;:")


def talk_of(
    text: str, head: Head | None = None, *, has_history: bool = False, has_documents: bool = False
) -> Talk | DocumentQuestion | None:
    """Say what an utterance is when it is not a question to a library; ``None`` for a question.

    Args:
        head: reads what was said; without it only ``EXACT``, other languages and mere signs are known.
        has_documents: own documents are searched; a question about all of them is a ``DocumentQuestion``.

    >>> talk_of("Thanks!").kind, talk_of("???").kind, talk_of("Who wrote Hamlet?")
    ('thanks', 'gibberish', None)

    Raises:
        SetupError: the embedding model is missing or damaged.
    """
    if (language := foreign_language(text)) is not None:
        return Talk(LANGUAGE, reply_in(language))
    kind = EXACT.get(plain(text)) or (None if any(map(str.isalnum, text)) else "gibberish")
    if kind is None and head is not None:
        asked = head.of(text)
        kind = asked.kind if head.is_talk(asked) else None
    if kind is None:
        return None
    name, _, part = kind.partition(":")
    if name == DOCUMENTS:
        found = document_question(text, About(part))
        return found if has_documents or found is None else Talk(name, REPLIES[name])
    return Talk(kind, REPLIES.get(kind + AFTER, REPLIES[kind]) if has_history else REPLIES[kind])
