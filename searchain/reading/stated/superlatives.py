"""Understand "what is the largest planet", and find the sentences that give the subject of an article such a rank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from searchain.language import text
from searchain.language.aliases import canonical
from searchain.language.descriptions import after_description
from searchain.language.qualifiers import ranks
from searchain.language.sentences import split
from searchain.reading.articles import bare_title
from searchain.types import Passage, Span

_ASKS = re.compile(r"(?:(?:what|which|who)\b|(?:the )?(?:[a-z0-9]+[ -])?[a-z]+est\b|(?:the )?most\b)", re.IGNORECASE)
_ASKS_OTHER = re.compile(
    r"\b(?:how|when|where|why|whose|year|century|date|many|much|(?:is|was|are|were) in)\b", re.IGNORECASE
)
_EVERYWHERE = frozenset(
    map(
        text.stem,
        "world earth globe universe known living current currently today all ever time entire whole species night "
        "chemical".split(),
    )
)
"""Stems that do not limit what a rank is of."""
_HEAVENLY, _AT_HOME = (frozenset(map(text.stem, words.split())) for words in ("planet moon asteroid", "solar system"))
"""The planets that are meant where a question does not say of what system."""
_SIZE = frozenset(map(text.stem, "far land surface total area size territory".split()))
"""Stems of what something is the largest by where the question names nothing."""
_PEOPLE = {text.stem("population")}
_HAS_MOST = re.compile(
    r"\b(?:has|have|with) the (?:largest|biggest|greatest|highest|most) (?:populations?|people|inhabitants)\b",
    re.IGNORECASE,
)
_US = re.compile(r"\bu\.s\.(?:a\.)?|\busa?\b", re.IGNORECASE)
_SORT_BEFORE = re.compile(r"^(?:Lake|Mount|River) ")
"""What a title may have before the name: "Titicaca is the largest lake"."""
_LEADS_TO = re.compile(
    r"(?:^|\b(?:is|was|are|were|has been|as|and|also|being|both|far|considered|remains)\b,? |; )"
    r"(?:the |[A-Z][\w.-]{0,40}(?: [A-Z][\w.-]{0,40})?['’]s? |the world's )?$"
)
"""What stands before a rank that the subject of the sentence has."""
_FIGURE_FIRST = r"(?:At|With|Covering|Spanning|Measuring|Having|Standing|Rising)\b[^;]{1,100}?, "
"""What may stand before the subject: "At 7,088 km long, it is the longest river"."""
_MAKES_IT = re.compile(r", making it (?:the )?$")
_OTHERS = re.compile(r"\b(?:its|their|whose|his|her|which|where|whom)\b")
"""Words that give the rank to a thing of the subject's."""
_COPULA = re.compile(r"\b(?:is|was|are|were|has been|remains|being)\b")
_LOOSE = re.compile(r"(?:also|far|considered|as|both)\b")
_CAPITAL = re.compile(r"\b[A-Z]\w")
_DENIES = re.compile(r"\b(?:not|no longer|never|mistakenly|wrongly|once|formerly|claim\w*|fictional)\b", re.IGNORECASE)
_OF_ITS_TIME = re.compile(
    r"[^.;]{0,60}?\b(?:(?:of|in) (?:its|his|her|their) (?:time|day|era|age)|at the time|when it)\b"
)
_IS_ANOTHER = re.compile(r"[^,;.]{0,40}?\b(?:is|was|are) (?:the )?[A-Z]")
_BUT = re.compile(r"[^.;]{0,80}?\b(?:after|behind|except|other than|until) (?:the )?(?:[A-Z]|\d{4})")
"""Behind a rank without a number, these words say that something else is before it, or was later."""
_WAS = re.compile(r"\b(?:was|were)\b|\bbeen\b(?! (?:the )?$)")
"""Before a rank: it may be over."""
_IS = re.compile(r"\b(?:is|are)\b|['’]s\b", re.IGNORECASE)
_IN_ALL = re.compile(r"\b(?:world|earth|globe|known|universe|all|living|sky)\b", re.IGNORECASE)
_SOMEWHERE = re.compile(r"\b(?:in|of|on|within) (?:the )?(?:[A-Z]|country|state|nation|province|region|city|area)")
"""Behind a rank that says nothing of where: a place that may limit it."""
_OF_A_PLACE = re.compile(r"\b(?:country|city|state|nation|region|province|island)['’]s\b")
_LIMITED = re.compile(
    r"\b(?:in|of|on|at|from|within)\b(?! (?:the )?(?:whole |entire )?(?:world|earth|globe|universe|sky|night|all)\b)"
)
_TOWNS = frozenset(map(text.stem, "city town".split()))
_OWNER = re.compile(r"(?<![\w.-])(\w[\w.-]{0,40})['’]s? $")
_MEASURE = r"(?!(?:of|in|on|among|and|the|by|with|after|its)\b)\w+"
_BY = re.compile(
    rf"[^,;:.()]{{0,60}}?(?P<by> (?:both )?by (?:both )?(?P<measure>{_MEASURE}(?: {_MEASURE}| and {_MEASURE})?))"
)
_AMONG = re.compile(r"\b(?:of|in|on|among)\b")
_NARROWER = re.compile(r"\b(?:that|which|who|to|entirely|wholly)\b")
_ENDS = re.compile(
    r"[,;:.()–—]|\b(?:and|with|but|by|at|after|behind|as|while|where|followed|having|since|is|was)\b"
    r"|\blocated\b(?! (?:entirely|wholly|completely|fully)\b)"
)


@dataclass(frozen=True, slots=True)
class RankAsked:
    """The rank that a question asks for."""

    number: int
    superlative: str
    wanted: frozenset[str]
    """Stems of all other words that carry meaning."""
    thing: frozenset[str]
    """The stem of the ranked thing."""
    is_now: bool = False
    """Whether it is asked what is, and not what was."""
    is_everywhere: bool = False
    """Whether no place limits it."""


def rank_asked(query: str) -> RankAsked | None:
    """Return the rank that ``query`` asks for; ``None`` where it asks for none, for several, or for something else.

    >>> rank_asked("which country has the largest population?").superlative, rank_asked("how high is the highest hill")
    ('most populous', None)
    """
    query = _HAS_MOST.sub("is the most populous", query.strip())
    if not _ASKS.match(query) or _ASKS_OTHER.search(query):
        return None
    found = [rank for rank in ranks(query) if rank.superlative]
    if len(found) != 1 or not found[0].number:
        return None
    rank = found[0]
    superlative, measures, behind = _measured(rank.superlative, query[rank.end :])
    things = _words(query[: rank.start]), _stems(behind)
    wanted = things[0].union(things[1], measures) - _EVERYWHERE
    return RankAsked(
        rank.number,
        superlative,
        frozenset(wanted),
        frozenset(things[1][:1]) - _EVERYWHERE,
        _IS.search(query) is not None,
        not _LIMITED.search(behind) and not wanted <= _HEAVENLY,
    )


@dataclass(frozen=True, slots=True)
class Statement:
    """A rank that an article gives its subject."""

    sentence: Span
    end: int
    """Where the rank ends in the text of the article."""


def statements(asked: RankAsked, passage: Passage, number: int) -> Iterator[Statement]:
    """Yield where the article says that its subject is the ``number``-th of what is asked for.

    What it is first among must be all that the question names, and nothing narrower: the largest dwarf planet is not
    the answer to "the largest planet".
    """
    wanted, thing = asked.wanted, asked.thing
    everywhere = _EVERYWHERE | _AT_HOME if thing <= _HEAVENLY else _EVERYWHERE
    body, lead = passage.text, after_description(passage.text)
    title = _words(passage.title)
    described = _words(body[:lead]) | title
    for start, end in split(body):
        sentence = body[start:end]
        for rank in ranks(sentence):
            before, behind = sentence[: rank.start], sentence[rank.end :]
            superlative, measures, behind = _measured(rank.superlative, behind)
            if (rank.number, superlative) != (number, asked.superlative):
                continue
            is_of_kind = bool(thing and _MAKES_IT.search(before)) and thing <= described
            if start >= lead and not is_of_kind and not is_of_subject(passage.title, before):
                continue
            owner = _OWNER.search(before)
            if _is_denied(before, behind, rank.number) or (asked.is_now and _WAS.search(before)):
                continue
            if owner and not _words(owner[1]) <= wanted | _EVERYWHERE | title:
                continue
            if measures and (measures.isdisjoint(wanted | _SIZE) or thing <= _TOWNS and not measures <= wanted):
                continue
            is_limited = _SOMEWHERE.search(sentence, rank.end) or _OF_A_PLACE.search(before)
            if asked.is_everywhere and is_limited and not _IN_ALL.search(sentence):
                continue
            head, known = _words(_AMONG.split(behind)[0]), described | _words(before)
            for limits in map(_words, _limits(behind)):
                is_all = wanted <= limits | known and (not head or thing <= head | limits)
                if limits - everywhere <= wanted and is_all:
                    yield Statement(Span(start, end), start + rank.end)


def _measured(superlative: str, behind: str) -> tuple[str, set[str], str]:
    """Return the rank's superlative, the stems of what it is measured by, and what is behind it without that.

    The largest by population is the most populous.
    """
    by = _BY.match(behind)
    if by is None:
        return superlative, set(), behind
    measures, behind = _words(by["measure"]), behind[: by.start("by")] + behind[by.end("by") :]
    if superlative == "largest" and measures == _PEOPLE:
        return "most populous", set(), behind
    return superlative, measures, behind


def _words(words: str) -> set[str]:
    """Return the stems of the words that carry meaning, with a country for its people."""
    return set(_stems(words))


def _stems(words: str) -> list[str]:
    named = _US.sub("United States", words)
    return [stem for word in text.tokens(named) for stem in text.content_tokens(canonical((word,)))]


def is_of_subject(title: str, before: str) -> bool:
    """Tell whether the words before a rank begin with the title and give the rank to nothing else."""
    bare = bare_title(title)
    name = _SORT_BEFORE.sub("", bare)
    sort = f"(?:{bare.removesuffix(name)})?" if name != bare else ""
    subject = rf"(?:(?:The )?{sort}{re.escape(name)}\b(?!['’]s )|It (?:is|was|has)\b)"
    is_subject = re.match(rf"(?:{_FIGURE_FIRST})?{subject}", before, re.IGNORECASE)
    leads = _LEADS_TO.search(before)
    if not is_subject or leads is None or _OTHERS.search(before):
        return False
    verb = max((found.end() for found in _COPULA.finditer(before)), default=None)
    if _LOOSE.match(leads[0]):  # "Foo flows past Bar, considered the longest river"
        return verb is not None and not _CAPITAL.search(before, verb, leads.start())
    return True


def _is_denied(before: str, behind: str, number: int) -> bool:
    """Tell whether the rank is denied, doubted, over, or that of what is named behind it."""
    if _DENIES.search(before) or _OF_ITS_TIME.match(behind) or _IS_ANOTHER.match(behind):
        return True
    return number == 1 and _BUT.match(behind) is not None


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
    elif not _words(first):  # "the largest and most populous island of Denmark"
        yield _without_rank(rest[0])
    else:
        among = _AMONG.search(rest[0])
        yield first + (rest[0][among.start() :] if among else "")


def _without_rank(words: str) -> str:
    return next((words[: rank.start] + words[rank.end :] for rank in ranks(words)), words)
