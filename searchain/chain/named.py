"""Find the articles that a question names: one to define, or two to compare."""

from dataclasses import dataclass

from searchain.language.questions import (
    ComparisonAsked,
    DefinitionAsked,
    as_comparison,
    as_definition,
    as_name,
    asked_kind,
)
from searchain.reading.articles import Found, Match, find_article, is_person
from searchain.retrieval.base import Retriever
from searchain.types import TaskKind

_NAME = 4  # most words of a name without an article; a longer phrase is a topic, not a name


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

    ``usual`` is the kind to fall back to: if the words ask for neither a comparison nor a definition, or if no article
    has the name. ``chosen`` is the user's choice. Raises ``RetrievalError``.
    """
    if chosen is TaskKind.DEFINE:
        return chosen, _defined(as_definition(question), retriever)
    if chosen is TaskKind.COMPARE:
        compared = as_comparison(question)
        return (chosen, _compared(compared, retriever)) if compared else (chosen.base, None)
    return (chosen, None) if chosen is not None else _by_words(question, usual, retriever)


def _by_words(question: str, usual: TaskKind, retriever: Retriever) -> tuple[TaskKind, Named | None]:
    asked = asked_kind(question)
    if isinstance(asked, ComparisonAsked):
        beside = _compared(asked, retriever)
        return (TaskKind.COMPARE, beside) if any(one.article for one in beside.found) else (usual, None)
    if usual not in (TaskKind.MULTIHOP, TaskKind.LONGFORM) and not (asked and asked.is_open):
        return usual, None
    if (asked := asked or as_name(question)) and (named := _meant(asked, question, retriever)):
        return TaskKind.DEFINE, named
    return usual, None


def _meant(asked: DefinitionAsked, question: str, retriever: Retriever) -> Named | None:
    """Return the article to define, or its absence if an open question asks for the name, else ``None``.

    A name that no own document bears may still stand in one.
    """
    named = _defined(asked, retriever)
    article = named.found[0].article
    if article is None and any(hit.passage.place for hit in named.found[0].hits):
        return None
    if article is None:
        return named if asked.is_open and asked.thing != question and _is_name(asked.thing) else None
    return named if is_person(article.passage) or not asked.asks_who else None


def _defined(asked: DefinitionAsked, retriever: Retriever) -> Named:
    found = find_article(asked.thing, retriever, rather_person=asked.asks_who)
    if found.match is Match.SURNAME and not (asked.asks_who or asked.is_open):
        found = Found(found.name, found.hits)
    return Named(asked, (found,))


def _compared(asked: ComparisonAsked, retriever: Retriever) -> Named:
    """Return the first split of the words into two names that has the most articles (two, one or none)."""
    known: dict[str, Found] = {}
    for way in asked.ways:
        for name in way:
            known.setdefault(name, find_article(name, retriever))
    best = max(asked.ways, key=lambda way: sum(known[name].article is not None for name in way))
    return Named(asked, (known[best[0]], known[best[1]]))


def _is_name(thing: str) -> bool:
    """Return whether the thing asked about is written as a name."""
    words = thing.split()
    return len(words) <= _NAME and words[0][:1].isupper() and words[-1][:1].isupper()
