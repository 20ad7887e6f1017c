"""Find the articles of the two things that a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from searchain.language import text
from searchain.language.two_things import Way
from searchain.reading.articles import Found, Match, find_article
from searchain.reading.stated.shared import kinds_of
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things as the question names them, with an article of each."""

    way: Way
    found: tuple[Found, Found]

    @property
    def hits(self) -> tuple[Hit, Hit]:
        """The two articles."""
        one, other = (found.article for found in self.found)
        assert one is not None
        assert other is not None
        return one, other

    @property
    def is_sure(self) -> bool:
        """Whether neither name may stand for another article."""
        return all(not found.namesakes and (found.match or 0) >= Match.ALIAS for found in self.found)


def find_pair(ways: Sequence[Way], retriever: Retriever) -> Pair | None:
    """Return the first way to part a question for which there are two articles; ``None`` without one.

    Raises:
        RetrievalError.
    """
    known: dict[str, Found] = {}
    for way in ways:
        for name in (way.one, way.other):
            if name not in known:
                known[name] = _article(name, retriever)
        one, other = known[way.one], known[way.other]
        one = _beside(one, other)
        other = _beside(other, one)
        if one.article and other.article and one.article.passage.title != other.article.passage.title:
            return Pair(way, (one, other))
    return None


def _article(name: str, retriever: Retriever) -> Found:
    """Search the article of a name; of "birds", of which none is found, that of "bird"."""
    found = find_article(name, retriever)
    is_plural = found.article is None and name.islower() and name.endswith("s")
    return find_article(name[:-1], retriever) if is_plural else found


def _beside(found: Found, other: Found) -> Found:
    """Choose the article of the kind of ``other``: beside Microsoft, the fruit that is called Apple gives way."""
    if found.article is None or other.article is None:
        return found
    kind, name = _kind_words(other.article.passage), text.tokens(found.name)
    same = [hit for hit in found.hits if name in (text.tokens(hit.passage.title)[:-1], _bare_title(hit.passage))]
    candidates = [found.article, *found.namesakes, *same]
    alike = [len(kind & _kind_words(hit.passage)) for hit in candidates]
    best = candidates[alike.index(max(alike))]  # the first of equals
    if best is found.article or found.match is Match.TITLE and alike[0]:
        return found
    return replace(found, article=best, match=Match.ALIAS)


def _bare_title(passage: Passage) -> tuple[str, ...]:
    return text.tokens(re.sub(r" \([^()]*\)$", "", passage.title))


def _kind_words(passage: Passage) -> set[str]:
    """Return the words by which the article says what its subject is."""
    return text.content_words(" ".join(phrase for _, phrase in kinds_of(passage)))
