"""Tell answers of another sort than the noun asked for: a continent for a country, a bridge for a city."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.answer_kinds import is_adjective
from searchain.language.asked_things import type_asked
from searchain.types import Passage, Span

_SHORT = 6
"""Words of a name at most."""
_WATERS = frozenset("ocean sea gulf bay strait lake river canal".split())
_HEIGHTS = frozenset("mountain mountains mount range volcano".split())
_SORTS = (
    _WATERS
    | _HEIGHTS
    | frozenset(
        "desert peninsula trench bridge tower palace museum university glacier base airport canyon valley dam".split()
    )
)
"""Nouns in names that say of which sort the thing is."""
_AGREEING = {
    "ocean": frozenset({"ocean"}),
    "sea": frozenset("sea gulf bay ocean strait lake".split()),
    "lake": frozenset("lake sea".split()),
    "river": frozenset("river canal".split()),
    "desert": frozenset(("desert", "valley")),
    "country": frozenset[str](),
    "continent": frozenset[str](),
    "planet": frozenset[str](),
    "city": frozenset("bay lake river mount valley canyon dam".split()),
    **dict.fromkeys(("mountain", "mountains", "peak", "volcano"), _HEIGHTS),
}
"""By the noun asked for, the sorts that its names may have: "Green Bay" is a city, the Caspian Sea a lake, Death
Valley a desert."""
_SAME = {"nation": "country", "state": "country", "republic": "country", "town": "city", "village": "city"}
_LAND = frozenset(("country", "city"))
_CONTINENT = re.compile(
    r"(?:the )?(?:(?:(?:central|west|east|north|south|latin|southeast|southwest|northeast|northwest)(?:ern)?"
    r"(?:[- ]|,? and )){0,3}"
    r"(?:europe|asia|oceania|antarctica|africa)"
    r"|(?:north|south|central|latin) america|middle east|scandinavia|the balkans|far east)",
    re.IGNORECASE,
)
_PEOPLE_OF = re.compile(r"(?:the )?(?:(?:North|South|East|West|Saudi|Costa|Sri|New) )?[A-Z]\w+")
_ORGANIZATION = re.compile(
    r"\b(?:organi[sz]ation|association|league|alliance|company|university|treaty|agreement)$", re.IGNORECASE
)
_TOWN = re.compile(
    r"(?![^,]*\b(?:County|Parish|Borough)\b)[A-Z][\w .'’-]+, (?!England|Wales|Scotland|Ireland)[A-Z][\w .]+"
)
_STREET = re.compile(
    r"\b(?:street|st|avenue|ave|road|lane|boulevard|square|way|drive|row|broadway|strand|whitehall|mall|rue|via|calle|"
    r"stra(?:ss|ß)e|allee|highway|circus|bowery)\b|stra(?:ss|ß)e\b",
    re.IGNORECASE,
)
_LIVING = frozenset(
    "bird animal mammal fish reptile insect flower vegetable fruit plant tree shrub herb spice creature".split()
)
_FAMILY = re.compile(r"[A-Z][a-z]+(?:aceae|idae|inae)")
_PEOPLE = frozenset(
    "monarch king queen emperor empress president ruler leader pope person man woman prince princess chancellor".split()
)
_OFFICE = re.compile(
    r"(?:the )?(?:(?:\d+(?:st|nd|rd|th)|first|last|current|former) )?(?:King|Queen|Emperor|Empress|President|"
    r"Prime Minister|Pope|Chancellor|Duke|Prince|Sultan|Tsar)(?: and \w+)? of (?:the )?"
    r"[A-Z][\w-]+(?: (?:and )?[A-Z][\w-]+){0,3}",
    re.IGNORECASE,
)
_TERRITORIES = frozenset("country nation state province continent county".split())
"""What may be asked for and no town is."""
_TOWN_BEFORE = re.compile(r"\b(?:city|town|capital|village|settlement) (?:is|was|being) $", re.IGNORECASE)
"""Words before an answer that call it a town."""
_TOWN_FIRST = re.compile(
    r"[^.;]{0,80}?\b(?:is|was) (?:(?!whose\b|its\b|with\b)[\w'’-]+ ){0,8}?(?:city|town|village)\b(?!-)", re.IGNORECASE
)
"""The beginning of an article about a town."""
_WORD_BEHIND = re.compile(r" ([a-z]+)\b")
_ASKS_LAND = re.compile(
    r"\b(?:which|what) (?:(?:other|two|three|four|present-day|island|[a-z]+(?:an|ern|ese|ish)) ){0,2}"
    r"(?:countr(?:y|ies)|nations?|cit(?:y|ies)|towns?)\b(?!['’])",
    re.IGNORECASE,
)
_COMMON_NOUN = re.compile(
    r"(?<![\w'’-])(?!(?:the|and|some|other|many|all|both|well|part|parts|only|former|then|modern|countr(?:y|ies)|"
    r"cit(?:y|ies)|towns?|states?|dynasty|republic|kingdom|empire|(?:north|south|east|west)(?:ern)?|united|central|von|del|"
    r"also|called|near|present|now|today)\b)[a-z]{3,}\b"
)
"""A word that names of countries and cities do not have."""


def is_of_another_sort(query: str, answer: str) -> bool:
    """Tell whether ``answer`` is a name of another sort than the noun that ``query`` asks for.

    >>> is_of_another_sort("The Crimea is part of which country?", "Europe")
    True
    >>> [is_of_another_sort("what is the deepest ocean", name) for name in ("Mariana Trench", "Pacific Ocean")]
    [True, False]
    >>> [is_of_another_sort("which countries founded it", name) for name in ("eve of a war", "the Dutch Republic")]
    [True, False]
    """
    words = type_asked(query).split()
    if not words:
        return False
    asked = _SAME.get(_singular(words[-1]), _singular(words[-1]))
    name = answer.strip(" .,")
    if asked in _LAND and _CONTINENT.fullmatch(name) and name.casefold() != "south africa":
        return True
    if _ASKS_LAND.search(query) and _COMMON_NOUN.search(name):
        return True
    if asked == "country" and _ORGANIZATION.search(name):
        return True
    if asked == "country" and _PEOPLE_OF.fullmatch(name):
        return is_adjective(name.split()[-1])
    if asked == "county" and _TOWN.fullmatch(name):
        return True
    if asked in _LIVING and not re.search(r"\b(?:kind|sort|type|family|group)s?\b", query, re.IGNORECASE):
        return _FAMILY.fullmatch(name) is not None
    if asked in _PEOPLE and re.search(r"\b(?:which|what)\b", query, re.IGNORECASE):
        return _OFFICE.fullmatch(name) is not None
    if asked == "street":
        return not _STREET.search(name)
    sorts = _sorts(name)
    return asked in _AGREEING and bool(sorts) and sorts.isdisjoint(_AGREEING[asked])


def is_called_another_sort(query: str, passage: Passage, span: Span) -> bool:
    """Tell whether a passage says that ``span`` is of another sort than ``query`` asks for.

    The word behind the span may say so, or "the city is" before it. Where the article is about the span, its first
    sentence may.

    >>> gulf = Passage("g", "Gulf of Aden", "It meets the Red Sea through the Bab-el-Mandeb strait.")
    >>> [is_called_another_sort(f"by which {sort} do they meet?", gulf, Span(33, 46)) for sort in ("gulf", "strait")]
    [True, False]
    """
    words = type_asked(query).split()
    if not words:
        return False
    asked = _singular(words[-1])
    if asked in _TERRITORIES and (_TOWN_BEFORE.search(passage.text[: span.start]) or _is_town(asked, passage, span)):
        return True
    behind = _WORD_BEHIND.match(passage.text, span.end)
    if behind is None:
        return False
    said = _singular(behind[1])
    alike = _HEIGHTS if asked in _HEIGHTS else _AGREEING.get(asked, {asked})
    return asked in _SORTS and said in _WATERS | _HEIGHTS and said not in alike


def _is_town(asked: str, passage: Passage, span: Span) -> bool:
    """Whether ``span`` names what the article is about, which begins by calling it a town and not what is asked for."""
    if passage.text[span.start : span.end].casefold() != passage.title.casefold():
        return False
    called = _TOWN_FIRST.match(passage.text.rpartition("\n")[2])
    said = {_SAME.get(word, word) for word in text.tokens(called[0])} if called else set()
    return called is not None and _SAME.get(asked, asked) not in said


def _singular(noun: str) -> str:
    if noun in _HEIGHTS:
        return noun
    return noun.removesuffix("ies") + "y" if noun.endswith("ies") else noun.removesuffix("s")


def _sorts(name: str) -> set[str]:
    """Return the nouns of sort that begin or end a short name: of "Gulf of Aden" and "Lake Van" the first word."""
    words = name.partition(",")[0].removeprefix("the ").split()  # "Creech Air Force Base, Nevada"
    if not 2 <= len(words) <= _SHORT or not words[-1][:1].isupper():
        return set()
    return {word for word in (words[0].casefold(), words[-1].casefold()) if word in _SORTS}
