"""Find the question that remains after a first step: its answer replaces the description that it resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.language import text

LONGEST = 500
"""Most characters of a question; nobody types a longer one to ask for one thing."""
MOST_WORDS = 6
"""Most words of an answer that can stand in a question; longer answers are clauses."""

_WORD = re.compile(r"\w[\w'’.&/-]*")
_ASKING = frozenset("what which who whose when where how name".split())
_JOINING = frozenset("of in on at by for to from with and or is was are were has had that who which whose whom".split())
"""Words that join a description to its noun, or one clause to another."""
_CLAUSE = re.compile(r"\W*(?:that|who|which|whose|where|when|and|of|by|the|an?)\b", re.IGNORECASE)
_BARE = re.compile(r"(?:who|what|which|name)(?:['’]?s| is| was| are| were)?", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|was|are|were|has|had|will|which|who)\b|\?$")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    is_shared: bool | None
    """Whether the step has the word too; ``None`` for words without content."""


def remaining_question(question: str, query: str, answer: str) -> str | None:
    """Return the question that remains after the step ``query``; ``None`` if nothing remains or it is unclear what.

    The step must ask about one description in the question, which begins with an article and has all words that step
    and question share. The answer replaces this description.

    >>> remaining_question("Who founded the band that released Messe?", "Which band released Messe?", "Ulver")
    'Who founded Ulver?'
    >>> remaining_question("When was the host of Arena born?", "Who is the host of Arena?", "Dennis Prager")
    'When was Dennis Prager born?'
    >>> remaining_question("What is the oldest city that never moved?", "What is the oldest city?", "Jericho") is None
    True
    """
    is_name = 0 < len(answer.split()) <= MOST_WORDS and not _VERB.search(answer)
    words = _words(question, query) if is_name and len(question) <= LONGEST else []
    found = _description(words)
    if found is None:
        return None
    first, last = found
    outside = [*words[:first], *words[last + 1 :]]
    if any(word.is_shared for word in outside) or all(word.is_shared is None for word in outside):
        return None
    head, tail = question[: words[first].start], question[words[last].end :].lstrip('"”’)]')
    asks = any(word.text.replace("’", "'").partition("'")[0] in _ASKING for word in outside)
    return None if _BARE.fullmatch(head.strip()) or not asks or _CLAUSE.match(tail) else f"{head}{answer}{tail}"


def _words(question: str, query: str) -> list[_Word]:
    step, words = text.content_words(query), []
    for match in _WORD.finditer(question):
        word = match[0].rstrip(".'’")
        content, small = text.content_words(word), word.lower()
        is_shared = None if not content or small in _ASKING | _JOINING else bool(content & step)
        words.append(_Word(small, match.start(), match.start() + len(word), is_shared))
    return words


def _description(words: Sequence[_Word]) -> tuple[int, int] | None:
    """Return the first and the last word of the longest description that the step asks about."""
    best: tuple[int, int, int] | None = None
    for first, article in enumerate(words):
        if article.text not in ("the", "a", "an"):
            continue
        count, last = 0, first
        for at in range(first + 1, len(words)):
            word = words[at]
            if word.is_shared is False or _asks(words, at):
                break
            if word.is_shared:
                count, last = count + 1, at
        if count > 1 and (best is None or count > best[0]):
            best = (count, first, last)
    return best[1:] if best else None


def _asks(words: Sequence[_Word], at: int) -> bool:
    """Return whether a word is used as a question word: "based in what city", but not "the band which"."""
    word, before = words[at].text, words[at - 1]
    is_joined = before.is_shared is None and before.text in _JOINING
    return word in ("what", "how", "when") or (word in _ASKING and is_joined)
