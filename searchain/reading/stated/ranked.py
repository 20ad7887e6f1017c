"""Answer "what is the largest planet" with the title of the article that says this of its subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from searchain.language import text
from searchain.language.descriptions import after_description
from searchain.language.qualifiers import Rank, ranks
from searchain.language.sentences import split
from searchain.reading.articles import subject
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right: 29 of 30 were, to 180 questions that were written for the figure."""
_ASKS = re.compile(r"(?:(?:what|which|who)\b|(?:the )?(?:[a-z0-9]+[ -])?[a-z]+est\b|(?:the )?most\b)", re.IGNORECASE)
_ASKS_OTHER = re.compile(
    r"\b(?:how|when|where|why|whose|year|century|date|many|much|(?:is|was|are|were) in)\b", re.IGNORECASE
)
_EVERYWHERE = frozenset(
    map(text.stem, "world earth globe known living current currently today all ever time entire whole".split())
)
"""Stems that do not limit what a rank is of."""
_HEAVENLY, _AT_HOME = (frozenset(map(text.stem, words.split())) for words in ("planet moon asteroid", "solar system"))
"""The planets that are meant where a question does not say of what system."""
_SIZE = frozenset(map(text.stem, "both far land surface total area size".split()))
"""Stems of what something is the largest by where the question names nothing."""
_IN_BRACKETS = re.compile(r" \([^()]*\)$")
_LEADS_TO = re.compile(
    r"(?:^|\b(?:is|was|are|were|as|and|also|being|both|far|considered|remains)\b,? |; )"
    r"(?:the |[A-Z][\w.-]{0,40}(?: [A-Z][\w.-]{0,40})?['’]s? |the world's )?$"
)
"""What stands before a rank that the subject of the sentence has."""
_IS_IT = re.compile(
    r"(?:At|With|Covering|Spanning|Measuring|Having|Standing|Rising)\b[^;]{1,100}?, it (?:is|was) (?:also )?(?:the )?$"
)
"""What stands before a rank in a sentence that begins with a figure: "At 7,088 km long, it is the longest river"."""
_MAKES_IT = re.compile(r", making it (?:the )?$")
_OTHERS = re.compile(r"\b(?:its|their|whose|his|her)\b")
"""Words that give the rank to a thing of the subject's."""
_OWNER = re.compile(r"(?<![\w.-])(\w[\w.-]{0,40})['’]s? $")
_BY = re.compile(r"[^,;:.()]{0,60}?\bby ((?:both )?\w+(?: (?:and )?\w+)?)")
_AMONG = re.compile(r"\b(?:of|in|on|among)\b")
_NARROWER = re.compile(r"\b(?:that|which|who|to)\b")
_ENDS = re.compile(r"[,;:.()–—]|\b(?:and|with|but|by|at|after|as|while|where|followed|located|having|is|was)\b")


def ranked(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the first hit whose article says that its subject is what ``query`` asks for, read as that subject.

    ``None`` without one, or where ``query`` does not ask for the first or next of an order.

    >>> lead = "Jupiter is the fifth planet from the Sun, and the largest in the Solar System."
    >>> hits = [Hit(Passage("j", "Jupiter", lead), 1.0, 1)]
    >>> ranked("biggest planet in the solar system", hits, [Reading("Sun", None, 0.5)])[1].answer
    'Jupiter'
    """
    for hit, reading in zip(hits, readings, strict=True):
        name = subject(hit.passage)
        if name is not None and stated_rank(query, hit.passage) is not None:
            answer = hit.passage.text[name.start : name.end]
            return hit, Reading(answer, name, reading.confidence, probability=PROBABILITY)
    return None


def stated_rank(query: str, passage: Passage) -> Span | None:
    """Return the sentence that gives the subject of the article the rank ``query`` asks for; ``None`` without one.

    What it is first among must be all that the query names, and nothing narrower: the largest dwarf planet is not the
    answer to "the largest planet".
    """
    asked = _asked(query)
    if asked is None:
        return None
    body, lead = passage.text, after_description(passage.text)
    title = text.content_words(passage.title)
    wanted = text.content_words(f"{query[: asked.start]} {query[asked.end :]}") - _EVERYWHERE
    thing = set(text.content_tokens(query[asked.end :])[:1]) - _EVERYWHERE
    described = text.content_words(body[:lead]) | title
    for start, end in split(body):
        sentence = body[start:end]
        for rank in ranks(sentence):
            before, behind = sentence[: rank.start], sentence[rank.end :]
            if (rank.number, rank.superlative) != (asked.number, asked.superlative):
                continue
            is_of_kind = bool(thing and _MAKES_IT.search(before)) and thing <= described
            if start >= lead and not is_of_kind and not is_of_subject(passage.title, before):
                continue
            owner, by = _OWNER.search(before), _BY.match(behind)
            if owner and not text.content_words(owner[1]) <= wanted | _EVERYWHERE | title:
                continue
            if by and not text.content_words(by[1]) <= wanted | _SIZE:
                continue
            head, known = text.content_words(_AMONG.split(behind)[0]), described | text.content_words(before)
            for limits in map(text.content_words, _limits(behind)):
                is_all = wanted <= limits | known and (not head or thing <= head | limits)
                everywhere = _EVERYWHERE | _AT_HOME if thing <= _HEAVENLY else _EVERYWHERE
                if limits - everywhere <= wanted | title and is_all:
                    return Span(start, end)
    return None


def _asked(query: str) -> Rank | None:
    if not _ASKS.match(query.strip()) or _ASKS_OTHER.search(query):
        return None
    found = [rank for rank in ranks(query) if rank.superlative]
    return found[0] if len(found) == 1 and found[0].number else None


def is_of_subject(title: str, before: str) -> bool:
    """Tell whether the words before a rank begin with the title and give the rank to nothing else."""
    bare = re.escape(_IN_BRACKETS.sub("", title))
    if _IS_IT.fullmatch(before):
        return True
    is_subject = re.match(rf"(?:The )?{bare}\b|It (?:is|was|has)\b", before, re.IGNORECASE)
    return bool(is_subject and _LEADS_TO.search(before) and not _OTHERS.search(before))


def _limits(behind: str) -> Iterator[str]:
    """Yield what the words behind a rank say it is among: of "of Russia and Europe" each of the two."""
    first, *rest = _ENDS.split(behind, maxsplit=2)
    end = _ENDS.search(behind)
    among = _AMONG.search(first)
    if _NARROWER.search(first):
        return
    if end is None or end[0] != "and" or not rest:
        yield first
    elif among:
        yield first
        yield first[: among.start()] + rest[0]
    else:  # "the largest and most populous island of Denmark"
        among = _AMONG.search(rest[0])
        yield first + (rest[0][among.start() :] if among else "")
