"""Find ranks, directions and names that make a sentence speak of another thing than the question.

A Reader that is asked for the largest planet likes "Neptune is the fourth-largest planet". The words agree but for one,
and that one decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from searchain.language import text

_ORDINALS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
}
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th))"
_NO_SUPERLATIVE = (
    "arrest|best|behest|breast|chest|conquest|contest|crest|digest|earnest|east|everest|feast|forest|guest|harvest|"
    "honest|interest|invest|latest|least|lest|manifest|midwest|modest|most|nest|northeast|northwest|pest|priest|"
    "protest|quest|request|rest|southeast|southwest|test|tempest|vest|west|zest|budapest|bucharest|brest"
)
_SUPERLATIVE = rf"(?:(?!(?:{_NO_SUPERLATIVE})\b)[a-z]{{2,}}est|most[ -][a-z]+|least[ -][a-z]+)"
_RANK = re.compile(
    rf"\b(?P<several>(?:one|two|three|some|among)(?: of)? the )?"
    rf"(?:(?P<ordinal>{_ORDINAL})(?:[ -](?P<ranked>{_SUPERLATIVE}))?|(?P<superlative>{_SUPERLATIVE}))\b",
    re.IGNORECASE,
)
_AND_RANK = re.compile(rf"^(?:,? (?:and|or)) (?:the )?{_ORDINAL}\b", re.IGNORECASE)
"""A second rank of the same thing: "22nd and 24th president"."""
_NOT_BEHIND = re.compile(r"[^ \w'’-]")
HEADS = 2
"""Words of meaning behind a rank among which the ranked thing is: "planet" in "largest planet of all"."""
_SAME = {"tallest": "highest", "biggest": "largest", "greatest": "largest"}
SEVERAL = 0
"""The rank of "one of the largest"."""
_BEHIND = 60
"""Characters behind a count in which the counted things are named."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A place in an order."""

    number: int
    """1 for the largest or the first, 2 for the second; ``SEVERAL`` for one of several."""
    superlative: str
    """``""`` for a bare ordinal."""
    heads: frozenset[str]
    """Stems of the words behind it."""
    start: int
    """Where it begins in its text, in characters."""
    end: int
    """Where it ends."""

    def is_of(self, other: Rank) -> bool:
        """Tell whether both rank things of one name in one order."""
        return self.superlative == other.superlative and bool(self.heads & other.heads)


def ranks(words: str) -> list[Rank]:
    """Return the ranks in a text, in its order.

    >>> [(rank.number, rank.superlative) for rank in ranks("the second-largest planet and one of the longest rivers")]
    [(2, 'largest'), (0, 'longest')]
    """
    return [
        Rank(
            SEVERAL if match["several"] else _number(match["ordinal"]),
            _order((match["ranked"] or match["superlative"] or "").casefold()),
            frozenset(map(text.singular, _behind(_AND_RANK.sub("", words[match.end() :])[:_BEHIND]))),
            match.start(),
            match.end(),
        )
        for match in _RANK.finditer(words)
    ]


def _behind(words: str) -> list[str]:
    return text.content_tokens(_NOT_BEHIND.split(words, maxsplit=1)[0])[:HEADS]


def _order(superlative: str) -> str:
    return _SAME.get(superlative, superlative.replace("-", " "))


def _number(ordinal: str | None) -> int:
    if ordinal is None:
        return 1
    return _ORDINALS.get(ordinal.casefold()) or int(re.sub(r"\D", "", ordinal))
