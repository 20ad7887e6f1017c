"""Find ranks, directions and names that make a sentence speak of another thing than the question.

A Reader that is asked for the largest planet likes "Neptune is the fourth-largest planet". The words agree but for one,
and that one decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from searchain.language import text
from searchain.language.same_answer import is_about
from searchain.language.sentences import split
from searchain.types import Passage, Span

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
_RANKED_IN = re.compile(
    r"(?: [\w-]+){1,3}? (?:in|of|on) (?:the )?(?P<place>[^.,;:(]{2,60}?)"
    r"(?=[.,;:(]| (?:after|behind|by|and|with|from)\b|$)"
)
"""What stands behind a rank, with the place that it holds for."""
DIRECTIONS = (
    "north|south|east|west|northern|southern|eastern|western|northeastern|northwestern|southeastern|southwestern|"
    "central|new|upper|lower|inner|outer|equatorial"
)
"""Words with which the name of a part of a place begins."""
HEADS = 2
"""Words of meaning behind a rank among which the ranked thing is: "planet" in "largest planet of all"."""
_SAME = {"tallest": "highest", "biggest": "largest", "greatest": "largest"}
SEVERAL = 0
"""The rank of "one of the largest"."""
_ASKS_FIRST = re.compile(
    r"(?:what|which|who)(?:['’]?s| is| was) (?:the )?(?:[\w -]{2,30}['’]s )?(?P<rank>[a-z]+est)\b", re.IGNORECASE
)
_ASKS_WHO_FIRST = re.compile(
    r"who(?:['’]?s| is| was) (?:the )?(?:very )?(?:first|1st) (?:[\w-]+ ){0,3}?(?P<calling>[\w-]+)"
    r"(?= (?:of|in|on|at|to|who|that|from|ever|for)\b|\W*$)",
    re.IGNORECASE,
)
"""Who was the first of a calling, which is the word before "of" or "to": "first US president of …"."""
_CALLED_FIRST = re.compile(r"\b(?:first|1st|founding|inaugural)((?: [\w'’-]+){1,5})", re.IGNORECASE)
"""What a passage calls the first, in the five words behind that word."""
_PEOPLE = frozenset(map(text.stem, "person people man men woman women human being".split()))
"""Stems of words for somebody of any calling."""
_NARROWED = re.compile(
    r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) "
    r"((?!hundred|thousand|million|billion|and\b|or\b|to\b|percent)[\w-]+(?: [\w-]+)?)",
    re.IGNORECASE,
)
"""A figure and more in an answer: "four large Galilean"."""
_COUNTED = re.compile(
    r"\bhow many (?P<first>[\w'’-]+)(?:(?: [\w'’-]+){0,2} (?P<last>[\w'’-]+)"
    r"(?= (?:are|is|were|was|do|does|did|has|have|had|can|could|will)\b))?",
    re.IGNORECASE,
)
"""The first word that may name what is counted, and the last one before a verb: "how many dwarf planets are"."""
_BEHIND = 60
"""Characters behind a count in which the counted things are named."""
_MEASURED = re.compile(
    r"how (?:big|large|long|tall|high|deep|heavy|wide) (?:is|are|was|were) (?:the )?(?P<thing>[\w'’ .-]{2,60}?)\W*$",
    re.IGNORECASE,
)
_WITH_MORE = re.compile(r"[^,;:]{2,60}\band (?:the|its) (?:surrounding|neighbou?ring|adjacent)\b")
"""Begins a sentence about more than the thing: "Daegu and the surrounding province"."""
_NAME_BEFORE = re.compile(
    r"\b(?:after|behind|than|unlike|followed by|next to|besides?) (?:the )?"
    r"([A-Z][\w'’-]*+(?: (?:(?:of|the|de|la) )?[A-Z0-9][\w'’-]*+){0,4}),? (?:\(|at |\(at )"
    r"(?:about |around |approximately )?(?:\d[\d,.]* \w+ \()?$"
)
_BEFORE = 80
"""Characters before a figure in which the name of its thing may stand."""


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


def has_other_rank(question: str, sentence: str) -> bool:
    """Tell whether ``sentence`` gives the thing that ``question`` asks for another rank, and nowhere the same.

    >>> has_other_rank("what is the largest planet", "Neptune is the fourth-largest planet by diameter.")
    True
    >>> has_other_rank("what is the largest planet", "Jupiter is the largest planet, Saturn the second-largest planet.")
    False
    """
    asked = ranks(question)
    stated = ranks(sentence)
    for one in asked:
        same = [other for other in stated if one.is_of(other)]
        if same and all(other.number != one.number for other in same):
            return True
    return False


def is_ranked_lower(question: str, passage: Passage, answer: str) -> bool:
    """Tell whether the article of ``answer`` gives it another rank than ``question`` asks for, and nowhere the same.

    A rank in a place that the question does not name is another matter.

    >>> lead = "Ontario is a province of Canada. It is the second-largest province by area, after Quebec."
    >>> ontario = Passage("o", "Ontario", lead)
    >>> [is_ranked_lower(f"What is Canada's {rank} province?", ontario, "Ontario") for rank in ("largest", "oldest")]
    [True, False]
    """
    if not text.content_words(answer) or text.content_words(answer) != text.content_words(passage.title):
        return False
    lower = False
    for asked in ranks(question):
        for stated in filter(asked.is_of, ranks(passage.text)):
            if stated.number == asked.number:
                return False
            if stated.number == SEVERAL:
                continue
            place = _RANKED_IN.match(passage.text, stated.end)
            lower = lower or place is None or text.content_words(place["place"]) <= text.content_words(question)
    return lower


def states_no_rank(question: str, passage: Passage) -> bool:
    """Tell whether ``question`` asks which is the largest, the oldest and so on, and ``passage`` calls nothing that.

    The same holds for who was the first of a calling: what the passage calls the first has to be of that calling.

    >>> group = Passage("w", "World Bank Group", "The World Bank Group is a family of five organizations.")
    >>> [states_no_rank(f"what is the {rank} bank in the world", group) for rank in ("largest", "central")]
    [True, False]
    """
    words = f"{passage.title}. {passage.text}"
    if first := _ASKS_WHO_FIRST.match(question.strip()):
        calling = text.singular(text.stem(first["calling"].casefold()))
        alike = _PEOPLE if calling in _PEOPLE else {calling}
        said = (text.tokens(found[1]) for found in _CALLED_FIRST.finditer(words))
        return not any(text.singular(text.stem(word)) in alike for called in said for word in called)
    asked = _ASKS_FIRST.match(question.strip())
    if asked is None or not (wanted := ranks(asked["rank"])):
        return False
    return all(rank.superlative != wanted[0].superlative for rank in ranks(words))


def is_of_a_part(question: str, sentence: str) -> bool:
    """Tell whether ``sentence`` speaks of a part of the place in ``question`` only: Western Australia for Australia.

    >>> is_of_a_part("capital of australia", "Perth is the capital city of Western Australia.")
    True
    >>> is_of_a_part("capital of Western Australia", "Perth is the capital city of Western Australia.")
    False
    """
    for word in text.content_words(question):
        if len(word) < 4 or re.search(rf"\b(?:{DIRECTIONS}) {re.escape(word)}", question, re.IGNORECASE):
            continue
        named = re.findall(rf"\b(?:((?:[A-Z][\w-]*) )?)({re.escape(word)}\w*)", sentence, re.IGNORECASE)
        proper = [before.strip() for before, name in named if name[:1].isupper()]
        if proper and all(
            re.fullmatch(DIRECTIONS, before, re.IGNORECASE) and before[:1].isupper() for before in proper
        ):
            return True
    return False


def counts_some(question: str, passage: Passage, span: Span) -> bool:
    """Tell whether a count is one of some of the things only: of Galilean moons, where moons are asked for.

    >>> passage = Passage("j", "Jupiter", "Jupiter has four Galilean moons.")
    >>> counts_some("how many moons does jupiter have", passage, Span(12, 16))
    True
    >>> counts_some("how many galilean moons does jupiter have", passage, Span(12, 16))
    False
    >>> counts_some("how many outer moons are there", passage, Span(12, 16))
    True
    """
    asked = _COUNTED.search(question)
    if asked is None:
        return False
    known = {text.stem(word) for word in text.tokens(question)}
    behind = [text.stem(word) for word in text.tokens(_NOT_BEHIND.split(passage.text[span.end :][:_BEHIND])[0])[:3]]
    nouns = [text.stem(noun.casefold()) for noun in asked.groups() if noun]
    noun = next((noun for noun in nouns if noun in behind), None)
    if noun is None:
        return False
    narrowing = _NARROWED.fullmatch(passage.text[span.start : span.end])
    between = behind[: behind.index(noun)] + [
        text.stem(word) for word in text.tokens(narrowing[1] if narrowing else "")
    ]
    return any(word not in known for word in between)


def is_of_another(question: str, passage: Passage, span: Span) -> bool:
    """Tell whether the figure in ``span`` belongs to another thing than the one that is asked about.

    That is the thing that the sentence compares with, or the thing together with what surrounds it. Where a measure is
    asked for, it is also the thing of another article in a sentence that does not name the one asked about.

    >>> passage = Passage("k", "K2", "It is the second-highest mountain, after Mount Everest at 8,849 metres.")
    >>> [is_of_another(question, passage, Span(58, 70)) for question in ("how high is k2", "how high is everest")]
    [True, False]
    >>> is_of_another("how big is greece", Passage("a", "Athens", "It has an area of 39 km2."), Span(18, 20))
    True
    """
    limits = next(((start, end) for start, end in split(passage.text) if start <= span.start < end), None)
    sentence = passage.text[slice(*limits)] if limits else ""
    if _WITH_MORE.match(sentence):
        return True
    measured = _MEASURED.match(question.strip())
    is_elsewhere = measured is not None and not is_about(measured["thing"], passage)
    if measured and is_elsewhere and not text.content_words(measured["thing"]) <= text.content_words(sentence):
        return True
    digit = re.search(r"\d", passage.text[span.start : span.end])
    figure = span.start + (digit.start() if digit else 0)
    named = _NAME_BEFORE.search(passage.text[max(0, figure - _BEFORE) : figure])
    if named is None:
        return False
    words = text.content_words(named[1])
    return bool(words) and not words & text.content_words(f"{question} {passage.title}")
