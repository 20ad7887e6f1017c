"""Decide which of two things is larger, longer or more populous by the place that each has in an order.

Articles often name a place and no figure: "the second-largest country by total area". Two places in one order decide,
and so does the first place of all, beside anything of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from searchain.language import text
from searchain.language.competing import LOW_NUMBER, alternatives, beside_than
from searchain.language.descriptions import after_description, labelled
from searchain.language.qualifiers import Rank, ranks
from searchain.language.said_of import is_about
from searchain.types import Node, Passage

ASKS_PLACE = "How does {} rank by {}?"
ASKS_KIND = "What is {}?"
SUPERLATIVES = {
    "size": ("largest",),
    "population": ("most populous", "largest"),
    "height": ("highest",),
    "length": ("longest",),
    "depth": ("deepest",),
    "weight": ("heaviest", "most massive"),
    "heat": ("hottest", "warmest"),
}
"""A measure → the superlatives that rank by it."""
_BY = {
    "size": frozenset(map(text.stem, "area total land surface size volume".split())),
    "population": frozenset({text.stem("population")}),
}
_NAMED_BY = re.compile(r"\bby (?:both )?((?:\w+ ){0,3}\w+)")
_MEASURED = re.compile(r"^ (?:(?P<population>population)|(?:total |land |surface )?area)\b")
"""Names what is ordered by, not what is: "fourth-largest land area"."""
_ASKED_PLACE = re.compile(r"how does (?P<thing>.+) rank by (?P<measure>\w+)\W*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_EVERYWHERE = frozenset("world earth globe overall all existing living the".split())
_NUMBERS = frozenset("two three four five six seven eight nine ten eleven twelve".split())
_AREA_OF_KIND = re.compile(r"\b(?:in|of|on|from|between|off|at)\b|[,;(]")
_FILLERS = frozenset(map(text.stem, "division known main major existing".split()))
_UNNAMED = re.compile(
    r"\b(?:in|of|within|on|to|for|among) (?:the|its|their|this|that) "
    r"(?!world\b|globe\b|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b)[a-z]"
)
"""A region or a group that only the text around names: "in the country"."""
_WORLD = re.compile(r"\b(?:world|[Ee]arth|globe|globally)\b")
_WORLDWIDE = ("country", "continent", "ocean")
"""Kinds of things of which an order without a region is that of the world."""
_LIKE = 5
"""Letters that two forms of a word share: "ocean" and "oceanic"."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A place in an order, and what is ordered: things of some kind, in some region."""

    number: int
    kinds: frozenset[str]
    regions: frozenset[str]
    """Empty for the whole world."""


def is_by(measure: str, rank: Rank, behind: str) -> bool:
    """Tell whether a rank orders by ``measure``; ``behind`` is what follows it.

    >>> said = ("largest country", "largest by population", "largest land area", "largest population")
    >>> [is_by("size", ranks(one)[0], one[7:]) for one in said]
    [True, False, True, False]
    """
    if rank.number < 1 or rank.superlative not in SUPERLATIVES[measure]:
        return False
    if measured := _MEASURED.match(behind):
        return measure == ("population" if measured["population"] else "size")
    named = _NAMED_BY.search(behind)
    if named is None:
        return not (measure == "population" and rank.superlative == "largest")
    words = text.content_words(named[1])
    return words <= _BY.get(measure, frozenset({text.stem(measure)}))


def standing(answer: str, passage: Passage) -> Standing | None:
    """Read the place in an order that ``answer`` gives the subject of ``passage``; ``None`` where there is none.

    There is none either where the region is not named, or things of another kind are ordered.

    >>> atlantic = Passage("a", "Atlantic Ocean", "The Atlantic Ocean is the second largest ocean.")
    >>> standing("second largest of the world's five oceans", atlantic)
    Standing(number=2, kinds=frozenset({'ocean'}), regions=frozenset())
    >>> standing("largest city in the country", Passage("c", "City", "")) is None
    True
    """
    rank = next((rank for rank in ranks(answer) if rank.number), None)
    if rank is None or _UNNAMED.search(answer):
        return None
    behind = re.sub(r"^(?: and (?:most )?\w+)(?= of\b)", "", answer[rank.end :])
    behind = _MEASURED.sub("", behind)
    words = _WORD.findall(f"{answer[: rank.start]} {_NAMED_BY.sub(' ', behind)}")
    words = [word for raw in words if (word := re.sub(r"['’]s?$", "", raw)).casefold() not in _EVERYWHERE | _NUMBERS]
    regions = text.content_words(" ".join(word for word in words if word[0].isupper()))
    kinds = text.content_words(" ".join(word for word in words if word[0].islower())) - _FILLERS
    own = _kind(passage) | text.content_words(passage.title)
    if kinds and not any(_is_among(word, own) for word in kinds):
        return None
    is_of_all = _WORLD.search(answer) or any(_is_among(word, kinds or own) for word in _WORLDWIDE)
    return Standing(rank.number, frozenset(kinds), frozenset(regions)) if regions or is_of_all else None


def order_of_places(question: str, path: Sequence[Node]) -> tuple[str, tuple[Node, Node]] | None:
    """Return which of two things that ``question`` compares comes first, with the steps that say so.

    ``None`` where they do not. A yes/no question is answered with yes or no.

    >>> country = Passage("", "", "Short description: Country in the north.\\nX.")
    >>> ask, answers = "How does {} rank by size?", {"russia": "largest country", "canada": "second-largest country"}
    >>> path = [Node(one, None, 1, ask.format(one), answer=answers[one], passage=country) for one in answers]
    >>> order_of_places("is canada bigger than russia", path)[0], order_of_places("russia or canada", path)
    ('no', None)
    >>> order_of_places("which is smaller, russia or canada", path)[0]
    'canada'
    """
    things = beside_than(question) or alternatives(question)
    if things is None or text.has_negation(question):
        return None
    nodes = [next((node for node in reversed(path) if _asks_of(thing, node)), None) for thing in things]
    one, other = nodes
    if one is None or other is None or not any(_ASKED_PLACE.match(node.query) for node in (one, other)):
        return None
    is_first = _is_above(one, other)
    if is_first is None:
        return None
    is_first = is_first is not bool(set(text.tokens(question)) & LOW_NUMBER)
    if text.is_yes_no_question_form(question):
        return "yes" if is_first else "no", (one, other)
    return _written(things[0], one) if is_first else _written(things[1], other), (one, other)


def _asks_of(thing: str, node: Node) -> bool:
    """Tell whether a step asks for the place of ``thing``, or for its kind."""
    asked = _ASKED_PLACE.match(node.query)
    name = asked["thing"] if asked else node.query.rstrip("?").removeprefix("What is ")
    return bool(node.answer) and text.tokens(name) == text.tokens(thing)


def _is_above(one: Node, other: Node) -> bool | None:
    """Tell whether the place of one is above that of the other; ``None`` where their orders are not the same."""
    a, b = map(_standing_in, (one, other))
    if a and b and a.number != b.number and a.regions == b.regions and _are_alike(a, b, one, other):
        return a.number < b.number
    if a and _is_first_of_all(a, other, b) and not (b and _is_first_of_all(b, one, a)):
        return True
    if b and _is_first_of_all(b, one, a) and not (a and _is_first_of_all(a, other, b)):
        return False
    return None


def _standing_in(node: Node) -> Standing | None:
    is_asked = _ASKED_PLACE.match(node.query) is not None
    return standing(node.answer or "", node.passage) if is_asked and node.passage is not None else None


def _are_alike(a: Standing, b: Standing, one: Node, other: Node) -> bool:
    """Tell whether things of one kind are ordered, by the words of both places or by both articles."""
    if a.kinds and b.kinds:
        return all(_is_among(word, b.kinds) for word in a.kinds) and all(_is_among(word, a.kinds) for word in b.kinds)
    return bool(one.passage and other.passage and _kind(one.passage) & _kind(other.passage))


def _is_among(word: str, words: Collection[str]) -> bool:
    return any(word[:_LIKE] == other[:_LIKE] for other in words)


def _is_first_of_all(first: Standing, node: Node, own: Standing | None) -> bool:
    """Tell whether nothing of its kind is above ``first``, and the thing of ``node`` is of that kind."""
    if first.number != 1 or first.regions or not first.kinds or node.passage is None:
        return False
    return first.kinds <= _kind(node.passage) | (own.kinds if own else frozenset())


def _kind(passage: Passage) -> set[str]:
    """Return the words with which a description begins: of "Country in South America" the first."""
    said = passage.text[labelled(passage.text) : after_description(passage.text)]
    return text.content_words(_AREA_OF_KIND.split(said)[0])


def _written(thing: str, node: Node) -> str:
    """Return the thing as its article writes it, where that is the same name."""
    title = node.passage.title if node.passage and is_about(thing, node.passage) else thing
    return title if text.tokens(title) == text.tokens(thing) else re.sub(r"^(?:the|an?) ", "", thing)
