"""Find what a question names and a passage does not: a year, the question's subject, or all of its names."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.fact_questions import Fact, asked_fact
from searchain.types import Passage

_YEAR = re.compile(
    r"\b(?:in|since|during) (?:(?:early|mid|late|[A-Z][a-z]+) )?(?P<year>1[0-9]{3}|20[0-9]{2})\b"
    r"(?! (?:met|feet|foot|people|km|kilo|mile|dollar|euro))"
)
"""A year in which the question says that something happened."""
_BRACKETS = re.compile(r"\([^()]*\)")
"""They hold the years of a life more often than that of what is asked."""
_SUBJECT = re.compile(r"[\"“‘']?(?P<name>[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,3}) (?:is|was|are|were) (?!there\b)")
"""A name with which the question begins, and the verb behind it."""
_ASKING = frozenset(
    "what which who whom whose when where why how in on of at from by to for name this it there".split()
)
"""First words of a question that no subject has as its name."""
_LONG_NAME = re.compile(r"\b(?!(?:The|An) )[A-Z][\w'’-]+(?: (?:of (?:the )?)?[A-Z][\w'’-]+)+")
"""A name of two words or more."""
_NAME = re.compile(r"\b[A-Z][\w'’-]{2,}")
_PLACES = re.compile(r"\b(?:United States(?: of America)?|United Kingdom|Great Britain|Soviet Union|European Union)\b")
"""Names that an article also writes in letters, or as an adjective."""
_MADE_FILM = re.compile(
    r"who (?:wrote|writes|made|created|produced|composed|directed)\b.*\b(?:films?|movies?)\b", re.IGNORECASE
)
_FILM = re.compile(r"\b(?:film|movie|cinema|screen)", re.IGNORECASE)
_BUILDING = re.compile(
    r"\b(?:buil[dt]|construct|erect|commission|found|establish|design|order|creat|architect)", re.IGNORECASE
)
_MOST_CAPITALS = 0.6
"""The greatest share of capitalized words with which capitals still mark names."""


def leaves_open(query: str, passage: Passage) -> bool:
    """Tell whether ``passage`` lacks a year that ``query`` names, the subject that it begins with, or all of its names.

    The same holds for a film that is asked about.

    All names count only where one of them has two words or more. A piece of an own document may name them on another
    page. A name in capitals may be an abbreviation.

    >>> apollo = Passage("a", "Apollo program", "The Apollo program was conceived in 1960.")
    >>> [leaves_open(f"Which project of NASA began in {year}?", apollo) for year in (1959, 1960)]
    [True, False]
    >>> king = Passage("l", "Leonidas I", "Leonidas I was king of Sparta.")
    >>> [leaves_open(f"{name} was king of which state?", king) for name in ("Odysseus", "Leonidas")]
    [True, False]
    >>> [leaves_open(f"Which office did {name} hold?", king) for name in ("Walker Smith", "King Leonidas")]
    [True, False]
    >>> novel = Passage("n", "Dune", "Dune is a novel by Frank Herbert.")
    >>> [leaves_open(f"who wrote the Dune {what}", novel) for what in ("films", "novels")]
    [True, False]
    """
    if passage.place is not None:
        return False
    if _has_no_name(query.strip(), passage):
        return True
    words = f"{passage.title} {passage.text}"
    if _MADE_FILM.match(query) and not _FILM.search(words):
        return True
    years = [found["year"] for found in _YEAR.finditer(_BRACKETS.sub(" ", query))]
    if years and not any(year in words for year in years):
        return True
    subject = _SUBJECT.match(query.strip())
    if subject is None or subject["name"].split()[0].casefold() in _ASKING or subject["name"].isupper():
        return False
    names = {text.stem(word) for word in text.content_words(subject["name"])}
    return bool(names) and not text.are_like(names, {text.stem(word) for word in text.tokens(words)})


def names_no_builder(query: str, sentence: str) -> bool:
    """Tell whether ``query`` asks who built something, and ``sentence`` speaks of no building.

    >>> tomb, work = "It served as the tomb of Khufu.", "Construction began under Vespasian."
    >>> [names_no_builder("who built the pyramids", sentence) for sentence in (tomb, work)]
    [True, False]
    """
    asked = asked_fact(query)
    is_building = asked is not None and asked.fact is Fact.MAKER and asked.what == "build"
    return is_building and _BUILDING.search(sentence) is None


def is_no_capital_of(query: str, passage: Passage, answer: str) -> bool:
    """Tell whether ``query`` asks of what a city is the capital, and ``passage`` does not call it that of ``answer``.

    >>> lead = "Bavaria is a state of Germany. Its capital is Munich."
    >>> bavaria, query = Passage("b", "Bavaria", lead), "munich is the capital of which country"
    >>> [is_no_capital_of(query, bavaria, answer) for answer in ("Germany", "Bavaria")]
    [True, False]
    """
    asked = asked_fact(query)
    if asked is None or asked.fact is not Fact.CAPITAL_OF:
        return False
    said, place, city = passage.text.casefold(), answer.casefold().removeprefix("the "), asked.thing.casefold()
    if re.search(rf"\bcapital\b[^.;]{{0,60}}? (?:of|for) (?:[\w ]{{0,30}} of )?(?:the )?{re.escape(place)}\b", said):
        return False
    name = re.escape(city)
    is_named = re.search(rf"\bcapital\b[^.;]*\b{name}\b|\b{name}\b[^.;]*\bcapital\b", said) is not None
    return not (is_named and place in passage.title.casefold())


def _has_no_name(query: str, passage: Passage) -> bool:
    """Whether the query has a name of two words, and the passage no word of any of its names."""
    words = text.tokens(query)
    capitals = sum(word[0].isupper() for word in query.split())
    if not words or capitals > _MOST_CAPITALS * len(words):
        return False
    begins_with_name = bool(text.content_words(words[0]))
    asked = _PLACES.sub(" ", query if begins_with_name else query[:1].lower() + query[1:])
    names = [*_LONG_NAME.findall(asked), *_NAME.findall(asked)]
    known = {text.stem(word) for word in text.tokens(f"{passage.title} {passage.text}")}
    wanted = {text.stem(word) for word in text.content_words(" ".join(names))}
    return _LONG_NAME.search(asked) is not None and bool(wanted) and not text.are_like(wanted, known)
