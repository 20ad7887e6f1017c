"""Find the article that a name stands for, by its title or by a name that its first sentence gives."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from searchain.language.descriptions import LABEL, after_description, bare_title
from searchain.language.same_answer import canonical
from searchain.language.sentences import split
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Span

DEPTH = 10
"""How many passages are searched for an article with the name."""
_FIRST = 500  # how many characters of an article are searched for its other names
_VERB = re.compile(r" (?:is|was|are|were|refers to|comprises|consists of|means|describes) ")
_NAMING = re.compile(
    r"[,;:()\"“”]|\b(?:(?:also|better|best|more|often|sometimes|usually|"
    r"(?:common|former|mononymous|official|popular|simp)\w*) ){0,3}(?:(?:known|shortened|referred to|abbreviated) "
    r"(?:as|by|to)|called|nicknamed|abbreviated|spelled|or(?: \w+ly as)?|aka|born|née)\b"
    r"|\b(?:also|often|sometimes|usually|commonly|formerly|officially|simply)\b",
    re.IGNORECASE,
)
_LIVED = re.compile(r"\d{3}|\bborn\b")
"""Matches the years of life in a person's short description; descriptions of things hardly hold any."""


class Match(IntEnum):
    """How a name matches an article, the best last."""

    SURNAME = 1
    """The last word of a person's name."""
    ALIAS = 2
    """The plural of the title, a usual other name, or one that the first sentence gives."""
    BARE_TITLE = 3
    """The title without the words in brackets after it."""
    TITLE = 4


@dataclass(frozen=True, slots=True)
class Found:
    """The result of the search for the article that a name stands for."""

    name: str
    hits: tuple[Hit, ...]
    article: Hit | None = None
    match: Match | None = None
    namesakes: tuple[Hit, ...] = ()
    """Other articles that match as well."""


def find_article(name: str, retriever: Retriever, *, rather_person: bool = False) -> Found:
    """Search the article that ``name`` stands for; ``rather_person`` prefers articles about people.

    Raises ``RetrievalError``.
    """
    hits = tuple(retriever.search(name, DEPTH))
    matches = [(match, hit) for hit in hits if (match := matched(name, hit.passage)) is not None]
    if rather_person:
        matches = [pair for pair in matches if is_person(pair[1].passage)] or matches
    if not matches:
        return Found(name, hits)
    best = max(match for match, _ in matches)
    named = {hit.passage.title: hit for match, hit in reversed(matches) if match is best}
    first, *namesakes = reversed(named.values())
    if best is Match.SURNAME and namesakes:
        return Found(name, hits)
    return Found(name, hits, first, best, tuple(namesakes))


def matched(name: str, passage: Passage) -> Match | None:
    """Tell how ``name`` matches the article of ``passage``; ``None`` where it does not.

    >>> passage = Passage("a", "Augusta King", "Augusta King, also known as Ada Lovelace, was a mathematician.")
    >>> matched("ada lovelace", passage).name, matched("augusta king", passage).name, matched("ada", passage)
    ('ALIAS', 'TITLE', None)
    """
    wanted, title = _words(name), _words(passage.title)
    if not wanted:
        return None
    if title == wanted:
        return Match.TITLE
    bare = _words(bare_title(passage.title))
    if bare == wanted:
        return Match.BARE_TITLE
    is_title = canonical(bare) == canonical(wanted) or bare in _singulars(wanted)
    if is_title or wanted in map(_words, other_names(passage)):
        return Match.ALIAS
    is_surname = len(wanted) == 1 and len(name) >= 4 and len(bare) > 1 and bare[-1:] == wanted
    return Match.SURNAME if is_surname and is_person(passage) else None


def other_names(passage: Passage) -> list[str]:
    """Return the names of the subject in the first sentence: the parts before its verb.

    >>> other_names(Passage("k", "K2", "K2, also known as Mount Godwin-Austen, in Asia, is a mountain."))
    ['K2', 'Mount Godwin-Austen', 'in Asia']
    """
    lead = passage.text[after_description(passage.text) :][:_FIRST]
    verb = _VERB.search(lead)
    if verb is None:
        return []
    return [name for part in _NAMING.split(lead[: verb.start()]) if part and (name := part.strip(" ,'’\"“”"))]


def description(passage: Passage) -> str:
    """Return the short description of the article, ``""`` without one."""
    span = description_span(passage)
    return passage.text[span.start : span.end] if span else ""


def is_person(passage: Passage) -> bool:
    """Tell whether the short description holds a year, as those of people do."""
    return _LIVED.search(description(passage)) is not None


def description_span(passage: Passage) -> Span | None:
    """Return the span of the short description without its full stop; ``None`` without one."""
    lead = after_description(passage.text)
    said = passage.text[len(LABEL) : lead].strip().removesuffix(".")
    return Span(len(LABEL), len(LABEL) + len(said)) if lead else None


def sentences_of(passage: Passage) -> Sequence[Span]:
    """Return the sentences of the article, without its short description."""
    lead = after_description(passage.text)
    return [Span(start, end) for start, end in split(passage.text) if start >= lead]


def _words(name: str) -> tuple[str, ...]:
    words = tuple(re.findall(r"\w+", re.sub(r"['’.]", "", name.casefold())))
    return words[1:] if words[:1] in (("the",), ("a",), ("an",)) and len(words) > 1 else words


def _singulars(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    last = words[-1]
    endings = (("ies", "y"), ("es", ""), ("s", ""))
    return [(*words[:-1], last.removesuffix(end) + new) for end, new in endings if len(last) > 3 and last.endswith(end)]
