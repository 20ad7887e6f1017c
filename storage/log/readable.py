"""The form in which questions are stored, and which ones are refused."""

from searchain.errors import UsageError
from searchain.safe_text import is_plain
from searchain.secrecy import holds_secret

MAX_QUESTION = 4_000
"""The most characters of a question: with its history it must fit into the context of a small model."""


def readable(question: str) -> str:
    """Return the question in its stored form: trimmed, with line feeds as line ends.

    Raises:
        UsageError: it is empty, too long or not text, or contains a secret of this process.
    """
    question = question.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not question:
        raise UsageError("the question is empty; write one, such as: Who founded Nintendo?")
    if len(question) > MAX_QUESTION:
        raise UsageError(f"the question has {len(question):,} characters; ask it in {MAX_QUESTION:,} or fewer")
    if not is_plain(question):
        raise UsageError("the question contains control characters or broken text, like binary data; ask in plain text")
    if holds_secret(question):
        raise UsageError("the question holds the key of the language model; ask it without the key")
    return question
