"""Put the answer of a first step into its question, so that the rest can be asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.language import text

LONGEST = 500
"""Characters of a question; nobody types a longer one to ask for one thing."""
MOST_WORDS = 6
"""Words of an answer that can stand in a question; longer ones are clauses."""

_WORD = re.compile(r"\w[\w'’.&/-]*")
_ARTICLES = ("the", "a", "an")
_ASKING = frozenset(("what", "which", "who", "whose", "when", "where", "how", "name"))
_JOINING = frozenset("of in on at by for to from with and or is was are were has had that who which whose whom".split())
"""Words that join a description to its noun, or one clause to another."""
_CLAUSE = re.compile(r"\W*(?:that|who|which|whose|where|when|and|of|by|the|an?)\b", re.IGNORECASE)
_BARE = re.compile(r"(?:who|what|which|name)(?:['’]?s| is| was| are| were)?", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|was|are|were|has|had|will|which|who)\b")


_WHO_DID = re.compile(r"who (?P<verb>[a-z]+)\b", re.IGNORECASE)
_DOERS = {
    "wrote": "author writer novelist playwright poet",
    "composed": "composer musician",
    "directed": "director filmmaker",
    "painted": "painter artist",
    "founded": "founder",
    "invented": "inventor",
    "discovered": "discoverer",
    "created": "creator author",
    "designed": "designer architect",
    "built": "builder",
    "sang": "singer",
    "led": "leader",
    "won": "winner",
    "hosts": "host",
    "owns": "owner",
}
"""What a step says that somebody did → words for somebody who did it."""
_SOMEBODY = re.compile(r"\b(?:the|an?) (?P<noun>[a-z]+)(?= (?:who|that)\b)", re.IGNORECASE)
"""Whom a step asks for with "who"."""


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    is_shared: bool | None
    """Whether the step has the word too; ``None`` for words without content."""


def remaining_question(question: str, query: str, answer: str) -> str | None:
    """Return what is left to ask after the step ``query`` was answered; ``None`` if nothing is, or it is not clear.

    The step must ask about one description in the question, which begins with an article and has all words that step
    and question share. Its place is taken by the answer.

    >>> remaining_question("Who founded the band that released Messe?", "Which band released Messe?", "Ulver")
    'Who founded Ulver?'
    >>> remaining_question("When was the host of Arena born?", "Who is the host of Arena?", "Dennis Prager")
    'When was Dennis Prager born?'
    >>> remaining_question("What is the oldest city that never moved?", "What is the oldest city?", "Jericho") is None
    True
    """
    if not answer or len(answer.split()) > MOST_WORDS or _VERB.search(answer) or answer.endswith("?"):
        return None
    if len(question) > LONGEST:
        return None
    words = _words(question, query)
    found = _description(words)
    if found is None:
        return None
    first, last = found
    inside, outside = words[first : last + 1], [*words[:first], *words[last + 1 :]]
    if any(word.is_shared for word in outside) or all(word.is_shared is None for word in outside):
        return None
    head, tail = question[: inside[0].start], question[inside[-1].end :].lstrip('"”’)]')
    is_bare = _BARE.fullmatch(head.strip()) is not None
    asks = any(re.split("['’]", word.text.lower())[0] in _ASKING for word in outside)
    return None if is_bare or not asks or _CLAUSE.match(tail) else f"{head}{answer}{tail}"


def _words(question: str, query: str) -> list[_Word]:
    step = text.content_words(query) | _doers(query)
    asks_who = query.strip().casefold().startswith("who ")
    somebody = {found.start("noun") for found in _SOMEBODY.finditer(question)} if asks_who else set()
    words = []
    for match in _WORD.finditer(question):
        word = match[0].rstrip(".'’")
        content = text.content_words(word)
        is_function = not content or word.lower() in _ASKING | _JOINING or match.start() in somebody
        words.append(
            _Word(word, match.start(), match.start() + len(word), None if is_function else bool(content & step))
        )
    return words


def _doers(query: str) -> set[str]:
    """Return the stems of the words for who did what the step asks about: the composer for "Who composed Carmen?"."""
    asked = _WHO_DID.match(query.strip())
    return {text.stem(word) for word in _DOERS.get(asked["verb"].casefold(), "").split()} if asked else set()


def _description(words: Sequence[_Word]) -> tuple[int, int] | None:
    """Return the first and the last word of the longest description that the step asks about."""
    best: tuple[int, int, int] | None = None
    for first, article in enumerate(words):
        if article.text.lower() not in _ARTICLES:
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
    """Return whether a word asks: "based in what city", but not "the band which"."""
    word, before = words[at].text.lower(), words[at - 1]
    if word in ("what", "how", "when"):
        return True
    return word in _ASKING and before.is_shared is None and before.text.lower() in _JOINING
