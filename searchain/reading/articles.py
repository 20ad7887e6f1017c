"""Find the articles that a question asks to define or to compare, by their titles.

The wording only shows that a thing may be named; the title of an article shows that there is one. A question that
compares values ("which is higher, X or Y") asks for neither.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from searchain.language import text
from searchain.language.descriptions import LABEL, after_description, bare_title
from searchain.language.same_answer import canonical
from searchain.language.sentences import split
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Span, TaskKind

DEPTH = 10
"""How many passages are searched for an article with the name."""
MOST_NAMED = 4
"""Most words of a question that may be only a name."""
FEW, MORE = 2, 5
"""How many sentences of an article a definition and a summary quote."""
_DEFINED = re.compile(
    r"(?:(?P<wh>who|what)(?:['’]?s| is| was| are| were)|tell me (?:something |more )?about"
    r"|what (?:do|can) you (?:know|tell me) about|describe|define|(?P<more>summari[sz]e)) (?P<thing>.{1,120})",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?P<lead>(?:compare|(?:what (?:is|are) )?(?:the )?(?:main )?(?:differences?|similarit(?:y|ies)) between) )?"
    r"(?P<one>.{1,100}?)(?P<joint> (?(lead)(?:and|with|to|vs\.?|versus)|(?:vs\.?|versus)) )(?P<other>.{1,100})",
    re.IGNORECASE,
)
_LIVED = re.compile(r"\d{3}|\bborn\b")
"""Matches the years of life in a person's short description; descriptions of things hardly hold any."""


class Match(IntEnum):
    """How a name matches an article, the best last."""

    SURNAME = 1
    """The last word of a person's name."""
    ALIAS = 2
    """The title without the words in brackets after it, its plural, or another usual name for it."""
    TITLE = 3


@dataclass(frozen=True, slots=True)
class Found:
    """The article that a name stands for."""

    name: str
    hits: tuple[Hit, ...]
    article: Hit
    match: Match
    namesakes: tuple[Hit, ...] = ()
    """Other articles that match as well."""


@dataclass(frozen=True, slots=True)
class Named:
    """The articles that a question names, one to define or two to compare, and how many sentences it asks for."""

    found: tuple[Found, ...]
    sentences: int = FEW


def kind_of(
    question: str, chosen: TaskKind | None, usual: TaskKind, retriever: Retriever
) -> tuple[TaskKind, Named | None]:
    """Return the kind of ``question``, and the articles that it names if they are to be defined or compared.

    ``usual`` is the kind where it names none; ``chosen`` is the user's choice.

    Raises:
        RetrievalError.
    """
    asked = " ".join(question.split()).strip(" ?!.,;:")
    if chosen in (None, TaskKind.COMPARE) and (both := _COMPARED.fullmatch(asked)):
        one, other = (find_article(both[name], retriever) for name in ("one", "other"))
        if one and other:
            return TaskKind.COMPARE, Named((one, other))
    if chosen in (None, TaskKind.DEFINE) and (named := _defined(asked, usual, retriever, is_chosen=bool(chosen))):
        return TaskKind.DEFINE, named
    return (TaskKind.LIST if chosen is TaskKind.LIST else (chosen or usual).base), None


def _defined(asked: str, usual: TaskKind, retriever: Retriever, *, is_chosen: bool) -> Named | None:
    """Return the article that is to be defined; a few words that ask for nothing may name it, too."""
    defined, words = _DEFINED.fullmatch(asked), text.tokens(asked)
    is_name = usual is TaskKind.MULTIHOP and len(words) <= MOST_NAMED and words[:1] not in _ASKING
    if not (defined or is_chosen or is_name):
        return None
    asks_who = bool(defined and (defined["wh"] or "").casefold() == "who")
    may_be_surname = asks_who or bool(defined and not defined["wh"])
    found = find_article(
        defined["thing"] if defined else asked, retriever, is_person=asks_who, may_be_surname=may_be_surname
    )
    return Named((found,), MORE if defined and defined["more"] else FEW) if found else None


_ASKING = {(word,) for word in text.QUESTION_WORDS}


def find_article(
    name: str, retriever: Retriever, *, is_person: bool = False, may_be_surname: bool = False
) -> Found | None:
    """Search the article that ``name`` stands for; ``is_person`` takes only articles about people.

    Raises:
        RetrievalError.
    """
    if not text.content_words(name):
        return None
    hits = tuple(retriever.search(name, DEPTH))
    matches = [(match, hit) for hit in hits if (match := matched(name, hit.passage)) is not None]
    matches = [one for one in matches if not is_person or _is_person(one[1].passage)]
    best = max((match for match, _ in matches), default=Match.SURNAME)
    named = list({hit.passage.title: hit for match, hit in reversed(matches) if match is best}.values())[::-1]
    if not named or (best is Match.SURNAME and (len(named) > 1 or not may_be_surname)):
        return None
    return Found(name, hits, named[0], best, tuple(named[1:]))


def matched(name: str, passage: Passage) -> Match | None:
    """Tell how ``name`` matches the article of ``passage``; ``None`` where it does not.

    >>> matched("dark holes", Passage("a", "Dark hole (novel)", "")).name, matched("ada", Passage("b", "Ada King", ""))
    ('ALIAS', None)
    """
    wanted, bare = text.tokens(name), text.tokens(bare_title(passage.title))
    if text.tokens(passage.title) == wanted:
        return Match.TITLE
    if canonical(bare) == canonical(wanted) or " ".join(wanted).removesuffix("s") == " ".join(bare).removesuffix("s"):
        return Match.ALIAS
    is_surname = len(wanted) == 1 and len(name) >= 4 and len(bare) > 1 and bare[-1:] == wanted
    return Match.SURNAME if is_surname and _is_person(passage) else None


def description(passage: Passage) -> str:
    """Return the short description of the article, ``""`` without one."""
    span = description_span(passage)
    return passage.text[span.start : span.end] if span else ""


def _is_person(passage: Passage) -> bool:
    """Tell whether the short description holds a year, as those of people do."""
    return _LIVED.search(description(passage)) is not None


def description_span(passage: Passage) -> Span | None:
    """Return the span of the short description without its full stop; ``None`` without one."""
    lead = after_description(passage.text)
    return (
        Span(len(LABEL), len(LABEL) + len(passage.text[len(LABEL) : lead].strip().removesuffix("."))) if lead else None
    )


def sentences_of(passage: Passage) -> Sequence[Span]:
    """Return the sentences of the article, without its short description."""
    lead = after_description(passage.text)
    return [Span(start, end) for start, end in split(passage.text) if start >= lead]
