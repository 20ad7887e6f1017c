"""Take "Is X a Y?" apart, and find the articles that may decide it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.reading.articles import Match, find_article, is_proper, matched, put_first
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage

_ASKS = re.compile(
    r"(?:is|are|was|were) (?:(?:the|an?) )?(?P<thing>[^,;]{2,60}?) "
    r"(?:an? )(?:(?:type|kind|sort) of )?(?P<kind>[a-z][a-z -]{1,40})"
    r"|are (?P<things>[^,;]{2,60}?) (?P<kinds>[a-z]{2,30}s|fish|fungi|bacteria)",
    re.IGNORECASE,
)
_ANY = re.compile(r"(?:is|was) an? ", re.IGNORECASE)
"""Begins a question about one of many, which no thing with a proper name is: "is a turkey a bird"."""
_IS_SO = re.compile(r"(?:is|was|were) (?:the )?(?P<thing>(?!there\b|it\b)[^,;]{2,40}?) [a-z]+", re.IGNORECASE)
_OR = re.compile(r"\bor\b|\bnot\b", re.IGNORECASE)
"""Leaves a choice, or denies: no question for one class."""


def class_asked(query: str) -> tuple[str, str] | None:
    """Return the thing and the class of "Is X a Y?"; ``None`` for a question of another form.

    >>> class_asked("are dolphins fish?"), class_asked("Is a koala a kind of bear"), class_asked("is it raining")
    (('dolphins', 'fish'), ('koala', 'bear'), None)
    """
    found = None if _OR.search(query) else _ASKS.fullmatch(query.strip().rstrip(" ?!."))
    return (found["thing"] or found["things"], found["kind"] or found["kinds"]) if found else None


def thing_asked(query: str) -> str | None:
    """Return X of "Is X a Y?" and "Was X French?"; ``None`` for a question of another form."""
    if asked := class_asked(query):
        return asked[0]
    found = _IS_SO.fullmatch(query.strip().rstrip(" ?!."))
    return found["thing"] if found else None


def is_namesake(query: str, passage: Passage) -> bool:
    """Tell whether ``query`` asks about one of many, and the article is about a thing with that proper name.

    >>> land = Passage("t", "Turkey", "Turkey is a country, and Ankara is the capital of Turkey.")
    >>> is_namesake("is a turkey a bird", land), is_namesake("is turkey a country", land)
    (True, False)
    """
    thing = thing_asked(query) if _ANY.match(query.strip()) else None
    return thing is not None and bool(matched(bare(thing), passage)) and is_proper(bare(thing), passage)


def speaks_of(query: str, passage: Passage) -> bool:
    """Tell whether an article may decide "Is X a Y?" or "Was X French?": that of X, or that of Y if it names X.

    For other questions every article may.

    >>> gas = Passage("g", "Gas", "Gas is a state of matter. Pure gases are atoms of a noble gas, or oxygen.")
    >>> speaks_of("is oxygen a noble gas", gas), speaks_of("is oxygen a gas", gas)
    (False, True)
    """
    thing, asked = thing_asked(query), class_asked(query)
    if thing is None or matched(bare(thing), passage):
        return not is_namesake(query, passage)
    kind = asked[1] if asked else ""
    is_class = (matched(bare(kind), passage) or 0) >= Match.PLURAL
    return is_class and text.content_words(thing) <= text.content_words(passage.text)


def with_subject(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, the article about X first where "Is X a Y?" or "Was X French?" is asked and none is about X.

    It takes the place of the last hit.

    Raises:
        RetrievalError.
    """
    thing = thing_asked(query)
    if thing is None or any(matched(bare(thing), hit.passage) for hit in hits):
        return tuple(hits)
    found = find_article(thing, retriever)
    if found.article is None or is_namesake(query, found.article.passage):
        return tuple(hits)
    return put_first(found.article, hits)


def bare(thing: str) -> str:
    """Return a thing without its article: "moon" for "the moon"."""
    return re.sub(r"^(?:the|an?) ", "", thing, flags=re.IGNORECASE)
