"""Find the articles that a question names: one to define, or two to compare."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from searchain.language.kinds import (
    ComparisonAsked,
    DefinitionAsked,
    as_comparison,
    as_definition,
    as_name,
    asked_kind,
    asks_list,
)
from searchain.reading.articles import Found, Match, find_article, is_nobody, is_proper, of_a_kind
from searchain.retrieval.base import Retriever
from searchain.types import TaskKind

_ANY = re.compile(r"what(?:['’]?s| is| are) an? ", re.IGNORECASE)
"""Begins a question about one of many, which no thing with a proper name is."""
_NAME = 4
"""Most words of a name without an article; a longer phrase is a topic, not a name."""


@dataclass(frozen=True, slots=True)
class Named:
    """The articles that a question names, and what it asks about them."""

    asked: DefinitionAsked | ComparisonAsked
    found: tuple[Found, ...]
    """One article to define, or two to compare. Without the user's choice of kind, at least one of the two exists."""


def kind_of(
    question: str, chosen: TaskKind | None, usual: TaskKind, retriever: Retriever
) -> tuple[TaskKind, Named | None]:
    """Return the kind of ``question``, and the articles that it names if they are to be defined or compared.

    ``usual`` is the kind to fall back to: if the words do not ask for a list, a comparison or a definition, or if no
    article has the name. ``chosen`` is the user's choice.

    Raises:
        RetrievalError.
    """
    if chosen is TaskKind.DEFINE:
        return chosen, _defined(as_definition(question), retriever)
    if chosen is TaskKind.COMPARE:
        compared = as_comparison(question)
        return (chosen, _compared(compared, retriever)) if compared else (chosen.base, None)
    if chosen is not None:
        return chosen, None
    asked = asked_kind(question)
    is_plain = usual in (TaskKind.MULTIHOP, TaskKind.LONGFORM)
    if isinstance(asked, DefinitionAsked) and (is_plain or asked.is_open):
        named = _defined(asked, retriever)
        article = named.found[0].article
        is_common = asked.is_word or (_ANY.match(question.strip()) is not None and asked.thing[:1].islower())
        if is_common and article is not None and is_proper(asked.thing, article.passage):
            return usual, None  # "what is a turkey" does not ask about the country
        if asked.asks_who and article is not None and is_nobody(article.passage):
            return usual, None  # "who was hamlet" does not ask about the play
        if asked.is_word and article is None:
            return usual, None
        if article or (asked.is_open and _is_name(asked.thing)):
            return TaskKind.DEFINE, named
    if isinstance(asked, ComparisonAsked) and (is_plain or asked.is_clear):
        named = _compared(asked, retriever)
        count = sum(one.article is not None for one in named.found)
        if count == 2 or (count == 1 and asked.is_clear):
            return TaskKind.COMPARE, named
    if asked is None and usual is TaskKind.MULTIHOP and (name := as_name(question)):
        named = _defined(name, retriever)
        if named.found[0].article:
            return TaskKind.DEFINE, named
    is_list = usual is TaskKind.MULTIHOP and asks_list(question)
    if is_list and find_article(question, retriever).article is None:  # "wars of the roses" is a name
        return TaskKind.LIST, None
    return usual, None


def _defined(asked: DefinitionAsked, retriever: Retriever) -> Named:
    person: Literal["no", "rather", "only"] = "no"
    if asked.asks_who:
        person = "only" if asked.is_person else "rather"
    found = find_article(asked.thing, retriever, person=person)
    if found.match is Match.SURNAME and not (asked.asks_who or asked.is_open):
        found = Found(found.name, found.hits)
    return Named(asked, (found,))


def _compared(asked: ComparisonAsked, retriever: Retriever) -> Named:
    """Return the first split of the words that gives two articles, else one with one article, else ``None``."""
    known: dict[str, Found] = {}
    for way in asked.ways:
        for name in way:
            known.setdefault(name, find_article(name, retriever))
    best = max(asked.ways, key=lambda way: sum(known[name].article is not None for name in way))
    one, other = (known[name] for name in best)
    one = of_a_kind(one, other)
    return Named(asked, (one, of_a_kind(other, one)))


def _is_name(thing: str) -> bool:
    """Return whether the thing asked about is written as a name."""
    words = thing.split()
    return len(words) <= _NAME and words[0][:1].isupper() and words[-1][:1].isupper()
