"""Find what two articles both say of their subjects: a kind, a work, a nationality, a place or a year."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from searchain.language import text
from searchain.language.answer_kinds import is_adjective
from searchain.reading.articles import description_span, find_article, sentences_of
from searchain.reading.stated.described import described
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Reading, Span

_BE = re.compile(r"\b(?:is|are|was|were|refers to) (?:(?:one of|any of|both|also|now|still) )?(?:(?:an?|the|any) )?")
_ENDS = re.compile(
    r"[;:()–—]|\.(?:\s|$)|\b(?:that|which|who|whose|whom|where|when|with|by|from|in|on|at|for|to|of|starring|formed|"
    r"founded|based|located|situated|released|written|directed|published|native|named|famous|noted|active|born|than|"
    r"during|between|under|within|near|consisting|characteri[sz]ed|belonging|found|used|bordering|made)\b"
)
"""Where the words end that say what something is."""
_GROUP = re.compile(r"\b(genus|order|family|species|class|group|breed|clade) of (?:the )?", re.IGNORECASE)
_LIST = re.compile(r",? (?:and|or|&|as well as) (?:an? |the )?|, (?:an? |the )?|/")
_EMPTY = frozenset(
    map(
        text.stem,
        "one member name person people man woman type kind thing group former early late first second third fourth "
        "fifth sixth seventh eighth ninth last major large larger largest small main known well famous popular various "
        "several series set part form other use term word common unit new old best".split(),
    )
)
"""Words that say little of a thing: alone they are nothing that two things share."""
_OF_SORT = r"(?:(?:city|state|town|island|region|county|province|U\.S\. state) of )?"
_IN_PLACE = re.compile(
    rf"\b(?:[Ii]n|[Oo]f|[Oo]n|[Aa]t|[Nn]ear|[Ff]rom|and|by)(?: the)? {_OF_SORT}"
    r"(?P<name>[A-Z][\w'’.-]*(?: (?:of (?=[A-Z]))?[A-Z][\w'’-]*){0,4})|, (?P<more>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3})"
)
_PARTS_OF_UNION = frozenset({("england",), ("scotland",), ("wales",), ("northern", "ireland"), ("united", "kingdom")})
"""Countries of which one holds the others."""
PLACE_SORTS = {
    "country": "country|nation|republic|kingdom|federation",
    "continent": "continent",
    "city": "city|capital|town|metropolis",
    "state": "state",
}
_EVENTS = {
    "born": "born",
    "die": "died",
    "founded": "founded|formed|established|created|started|began",
    "released": "released|premiered|published|came out|aired",
    "built": "built|completed|constructed|opened",
    "end": "ended|dissolved|closed",
}
_SAME_EVENT = {
    "formed": "founded",
    "established": "founded",
    "created": "founded",
    "launched": "founded",
    "begin": "founded",
    "start": "founded",
    "published": "released",
    "premiere": "released",
    "completed": "built",
    "opened": "built",
    "open": "built",
}
_ASKS_YEAR = {"born": "When was {} born?", "die": "When did {} die?"}
_LIFE = re.compile(r"\((?P<life>[^()]{0,160}\d{3,4}[^()]{0,80})\)")
_LONGEST = 7
"""Words of a phrase that says what something is."""
_DEEPEST = 4
"""Sentences of an article in which a year is looked for."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What both articles say, and where each says it."""

    answer: str
    spans: tuple[Span, Span]
    probability: float | None = None
    """How likely each of the two is read rightly; ``None`` where that was never measured."""


def shared_kinds(passages: Sequence[Passage], said: str = "") -> Shared | None:
    """Return the words for its kind or work that both articles have; ``None`` where they have none.

    ``said`` are words that the question gives already: "writers" of "what kind of writers".

    >>> mars = Passage("m", "Mars", "Short description: Fourth planet from the Sun.\\nMars is a planet.")
    >>> venus = Passage("v", "Venus", "Venus is the second planet from the Sun.")
    >>> shared_kinds([mars, venus]).answer
    'planet'
    """
    known = text.content_words(said) | _EMPTY
    found: dict[str, tuple[Span, Span]] = {}
    for left, phrase in kinds_of(passages[0]):
        for right, other in kinds_of(passages[1]):
            run = _common(phrase, other)
            if run and not text.content_words(run) <= known:
                found.setdefault(run, (left, right))
    runs = [run for run in found if not any(run != other and text.contains(run, other) for other in found)]
    if not runs:
        return None
    answer = f"{', '.join(runs[:-1])} and {runs[-1]}" if len(runs) > 1 else runs[0]
    return Shared(answer, found[runs[0]])


def shared_nationality(hits: Sequence[Hit], names: Sequence[str]) -> Shared | None:
    """Return the people that both are of, by their short descriptions or first sentences."""
    known = [_fact(f"What nationality was {name}?", hit) for name, hit in zip(names, hits, strict=True)]
    if (shared := _agreeing(known)) is not None:
        return shared
    words = [dict(_peoples(hit.passage)) for hit in hits]
    common = [word for word in words[0] if word in words[1]]
    return Shared(common[0], (words[0][common[0]], words[1][common[0]])) if len(common) == 1 else None


def differ_in_nationality(passages: Sequence[Passage]) -> tuple[Span, Span] | None:
    """Return where the articles name one people each, if these are not the same; ``None`` where they may be."""
    words = [dict(_peoples(passage)) for passage in passages]
    british = {"British", "English", "Scottish", "Welsh", "Irish"}
    is_one = all(len(own) == 1 for own in words) and words[0].keys() != words[1].keys()
    if not is_one or (words[0].keys() <= british and words[1].keys() <= british):
        return None
    return next(iter(words[0].values())), next(iter(words[1].values()))


def shared_place(hits: Sequence[Hit], names: Sequence[str], sort: str, retriever: Retriever) -> Shared | None:
    """Return the country, continent, city or state in which both lie.

    Raises:
        RetrievalError.
    """
    asked = [f"In which {sort} is {name}?" for name in names]
    known = [_fact(query, hit) for query, hit in zip(asked, hits, strict=True)]
    if (shared := _agreeing(known)) is not None:
        return shared
    one, other = (_places(hit.passage) for hit in hits)
    for name, left in one.items():
        for another, right in other.items():
            common = _tail(name, another)
            if common and _is_sort(common, sort, retriever):
                return Shared(common, (left, right))
    return None


def differ_in_place(passages: Sequence[Passage], sort: str, retriever: Retriever) -> tuple[Span, Span] | None:
    """Return where the articles name two places of that sort that are not the same; ``None`` where they may lie in one.

    Raises:
        RetrievalError.
    """
    named = [
        {name: span for name, span in _places(passage).items() if _is_sort(name, sort, retriever)}
        for passage in passages
    ]
    words = [[text.tokens(name) for name in own] for own in named]
    if not all(words) or all(any(own in _PARTS_OF_UNION for own in names) for names in words):
        return None
    is_in_other = any(text.contains(name, passages[1].text) for name in named[0]) or any(
        text.contains(name, passages[0].text) for name in named[1]
    )
    return None if is_in_other else (next(iter(named[0].values())), next(iter(named[1].values())))


def shared_year(hits: Sequence[Hit], names: Sequence[str], event: str) -> Shared | None:
    """Return the year in which both were born, founded and so on; ``None`` where the articles do not agree on one."""
    if form := _ASKS_YEAR.get(event):
        known = [_fact(form.format(name), hit) for name, hit in zip(names, hits, strict=True)]
        if (shared := _agreeing(known)) is not None:
            return shared
    one, other = (_years(hit.passage, event) for hit in hits)
    common = [year for year in one if year in other]
    return Shared(str(common[0]), (one[common[0]], other[common[0]])) if len(common) == 1 else None


def differ_in_year(hits: Sequence[Hit], names: Sequence[str], event: str) -> tuple[Span | None, Span | None] | None:
    """Return where the articles name different years of the event, or one alone names one; ``None`` otherwise."""
    form = _ASKS_YEAR.get(event)
    facts = [_fact(form.format(name), hit) if form else None for name, hit in zip(names, hits, strict=True)]
    one, other = (_years(hit.passage, event) for hit in hits)
    if one.keys() & other.keys() or not (one or other or any(facts)):
        return None
    spans = [
        fact.span if fact else next(iter(years.values()), None) for fact, years in zip(facts, (one, other), strict=True)
    ]
    return spans[0], spans[1]


def says_kind(passage: Passage, said: str) -> Span | None:
    """Return the description or first sentence that says of the subject all that ``said`` names.

    >>> says_kind(Passage("h", "Heliotropium", "Heliotropium is a genus of flowering plants."), "flowering plants")
    Span(start=0, end=44)
    """
    wanted = {_sort_stem(word) for word in text.content_tokens(said)}
    for span, phrases in groupby(kinds_of(passage), key=lambda kind: kind[0]):
        words = {_sort_stem(word) for _, phrase in phrases for word in text.content_tokens(phrase)}
        if wanted and wanted <= words:
            return span
    return None


def _sort_stem(word: str) -> str:
    return text.stem("genus") if word == "genera" else text.singular(word)


def kinds_of(passage: Passage) -> Iterator[tuple[Span, str]]:
    """Yield the phrases that say what the subject is, each with the sentence that has it."""
    for span, said in _defining(passage):
        for part in _LIST.split(_ENDS.split(_GROUP.sub(r"\1, ", said), maxsplit=1)[0]):
            if 0 < len(part.split()) <= _LONGEST:
                yield span, part.strip()


def _defining(passage: Passage) -> Iterator[tuple[Span, str]]:
    """Yield the description, and of the first sentence what stands behind its verb."""
    described_at, first = description_span(passage), next(iter(sentences_of(passage)), None)
    if described_at is not None:
        yield described_at, passage.text[described_at.start : described_at.end]
    if first is not None and (verb := _BE.search(passage.text, first.start, first.end)):
        yield first, passage.text[verb.end() : first.end]


def _common(left: str, right: str) -> str:
    """Return the longest run of words of both phrases that ends where one of them ends, without names of peoples."""
    best: list[str] = []
    one, other = (re.findall(r"[\w'’-]+", phrase) for phrase in (left, right))
    stems = [[text.stem(word.casefold()) for word in words] for words in (one, other)]
    for i in range(len(one)):
        for j in range(len(other)):
            size = 0
            while i + size < len(one) and j + size < len(other) and stems[0][i + size] == stems[1][j + size]:
                size += 1
            if size > len(best) and (i + size == len(one) or j + size == len(other)):
                best = list(one[i : i + size])
    while best and (_is_people(best[0]) or text.stem(best[0].casefold()) in _EMPTY):
        best = best[1:]
    return " ".join(word.lower() if position == 0 else word for position, word in enumerate(best))


def _is_people(word: str) -> bool:
    return word[:1].isupper() and is_adjective(word)


def _peoples(passage: Passage) -> Iterator[tuple[str, Span]]:
    """Yield the peoples that the subject is said to be of: "Swiss-born German physicist" has none."""
    for span, said in _defining(passage):
        begin = _ENDS.split(said, maxsplit=1)[0]
        for word in re.findall(r"(?<![\w-])[A-Z][a-z]+(?![\w-])", begin):
            if is_adjective(word):
                yield word, span


def _places(passage: Passage) -> dict[str, Span]:
    """Return the names of places by which the article says where its subject lies."""
    found: dict[str, Span] = {}
    for span, said in _defining(passage):
        for match in _IN_PLACE.finditer(said):
            found.setdefault((match["name"] or match["more"]).removesuffix("'s").removesuffix("’s").rstrip("."), span)
    return found


def _tail(one: str, other: str) -> str:
    """Return the name with which both end: "Africa" for "East Africa" and "West Africa"."""
    words = one.split(), other.split()
    size = 0
    while size < min(map(len, words)) and words[0][-1 - size].casefold() == words[1][-1 - size].casefold():
        size += 1
    return " ".join(words[0][len(words[0]) - size :])


def _is_sort(name: str, sort: str, retriever: Retriever) -> bool:
    """Tell whether the article of that name says that it is of the sort, or the name does: "New York City"."""
    if text.tokens(name)[-1:] == (sort,):
        return True
    article = find_article(name, retriever).article
    if article is None:
        return False
    sorts = re.compile(rf"\b(?:{PLACE_SORTS[sort]})\b", re.IGNORECASE)
    return any(sorts.search(phrase) for _, phrase in kinds_of(article.passage))


def _years(passage: Passage, event: str) -> dict[int, Span]:
    """Return the years that stand in a sentence which names the event."""
    kind = _SAME_EVENT.get(event, event)
    verbs = re.compile(rf"\b(?:{_EVENTS.get(kind, re.escape(event))})\b", re.IGNORECASE)
    found: dict[int, Span] = {}
    for span in (*filter(None, [description_span(passage)]), *sentences_of(passage)[:_DEEPEST]):
        said = passage.text[span.start : span.end]
        if kind in ("born", "die") and (life := _LIFE.search(said)) and not found:
            dates = text.dates(life["life"])
            if len(dates) == 2 or (dates and kind == "born"):
                found[dates[0 if kind == "born" else -1][0]] = span
        elif verb := verbs.search(said):
            for year, _, _ in text.dates(said[verb.end() : verb.end() + 60])[:1]:
                found.setdefault(year, span)
    return found


def _fact(query: str, hit: Hit) -> Reading | None:
    """Return what the description of an article says to a question for a plain fact."""
    found = described(query, [hit], [Reading("", None, 0.0)])
    return found[1] if found else None


def _agreeing(known: Sequence[Reading | None]) -> Shared | None:
    """Return the fact that both descriptions give in the same words."""
    one, other = known
    if one is None or other is None or one.span is None or other.span is None:
        return None
    if text.tokens(one.answer) != text.tokens(other.answer):
        return None
    rated = (one.probability or 0.0) * (other.probability or 0.0)
    return Shared(one.answer, (one.span, other.span), rated)
