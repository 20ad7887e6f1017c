"""Answer "how many strings does a violin have" with the number that the thing's own article gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from searchain.language import text
from searchain.reading.articles import bare_title, description_span, find_article, matched, put_first, sentences_of
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Passage, Reading, Span

PROBABILITY = 0.95
"""How likely such an answer is right."""
_WHAT = r"how many (?P<what>[^,;?!]{2,40}?)"
_WHOLE = r"(?:an? |the |each )?(?P<whole>.{2,50}?)"
_ASKS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_WHAT} (?:are|is|were|was) (?:there )?(?:in|on|of|inside) {_WHOLE}",
        rf"{_WHAT} (?:do|does|did) {_WHOLE} (?:have|contain|consist of|include)",
        rf"{_WHAT} (?:make up|form) {_WHOLE}",
        rf"{_WHOLE} (?:is|are) (?:sub)?divided into how many (?P<what>[^,;?!]{{2,40}})",
        rf"{_WHAT}(?P<whole>) (?:are|were) there(?: in the world)?",
    )
)
_PEOPLE = frozenset(map(text.stem, "people person inhabitants residents times".split()))
"""What is not counted in a word: the population is a measure."""
_UNITS = "one two three four five six seven eight nine".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_WORDS = {word: number for number, word in enumerate([*_UNITS, *_TEENS], start=1)} | {
    word: 10 * number for number, word in enumerate(_TENS, start=2)
}
_SPELLED = rf"(?:(?:{'|'.join(_TENS)})[- ](?:{'|'.join(_UNITS)})|{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
_NUMBER = re.compile(
    rf"(?:\b(?:about|around|approximately|over|more than|nearly|almost|some) )?"
    rf"(?<![\w.,/–-])(?P<number>{_SPELLED}|\d{{1,3}}(?:,\d{{3}})+|\d+)(?= [A-Za-z])",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"(?:\b(?:other|another|first|last|next|top|remaining|additional|all|these|those|only|least|most|up to|further|new|"
    rf"whose|which|every|per|(?<!one )of the)|(?:\d|\b{_SPELLED})(?: or| to| and|,|–))(?: the)? $",
    re.IGNORECASE,
)
"""Before a number, these words say that it is one end of a range, or counts a part."""
_SOME = re.compile(
    r" (?:with|whose|where|having|larger|containing|over|above|below|under|to|in|named|called|from|since|between|"
    r"during|until)\b"
)
"""Behind the things, these words say that only some of them are counted."""
_DENIED = re.compile(r"\b(?:no|not|never|nor|without)\b[^.;]*$", re.IGNORECASE)
_BEFORE = 80
"""Characters before a number in which a word may deny it."""
_PLAYERS = [text.stem("players")]
"""Those of a game are counted by the team."""
_TEAM = re.compile(r" (?:team|side)$")
_OF = r" (?:of|in|on) (?:the |an? )?(?:[a-z]+ of )?"
_OF_NAME = re.compile(r" of (?:the )?(?:[a-z]+ of )?(?P<name>[A-Z]\w+(?: [A-Z]\w+)?)")
_OPENING = r"(?:[A-Z][\w-]*(?: [\w-]+){0,9}, )"
"""What may stand before the subject: "Located in the Pacific, it consists of …"."""
_SAME = (
    r"it\b|they\b|its\b|the (?:country|city|state|islands?|organi[sz]ation|union|league|archipelago|nation|republic|"
    r"federation|kingdom|territory|table|instrument)\b"
)
"""How the subject of the article is named again."""
_COMPRISING = re.compile(r"(?:Comprising|Consisting of) ")
_LINK = re.compile(
    r"(?:^its|\bits \w+ \w+ and|\b(?:consists? of|consisting (?:traditionally )?of|compris(?:es?|ing)|composed of|"
    r"made up of|(?:sub)?divided into|organi[sz]ed in(?:to)?|union of|alliance between|federation of|spanning|equal to|"
    r"has|have|teams of)) (?:a total of )?$",
    re.IGNORECASE,
)
"""What stands directly before the number of a thing's own parts."""
_TEAMS = re.compile(r"\bteams of $")
_OTHERS = re.compile(
    r"\b(?:can|may|could|also|other|further|another|former|formerly|once|until|unlike|which|whose|who|than|including|each|"
    r"borders?|bordered|shared)\b"
)
"""Words before the number that may give it to something else."""
_ENDS = r"(?=[.,;:)]|$| (?:and|or)\b)"
_ALL_OF_THEM = re.compile(r"\b(?:the|there are(?: just)?) $", re.IGNORECASE)
"""Before the number of all of them: "two cities in Scotland" may be two of many."""
_OF_ALL = re.compile(r"\b(?:world|Earth)['’]s $")
_PARTS = frozenset(map(text.stem, "electrons protons neutrons points goals medals".split()))
"""Things that are counted in many ways."""


def counted(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the article that counts the things that ``query`` asks for, read as their number; ``None`` without one.

    It is the article of the whole, which gives one number of them alone; or any that says "the N things of the whole".
    Where no whole is named, it has their number in its title ("Five Pillars of Islam") or says "the world's N things".

    >>> violin = Passage("v", "Violin", "The violin is an instrument. Most violins have four strings.")
    >>> counted("how many strings does a violin have?", [Hit(violin, 1.0, 1)], [Reading("", None, 0.5)])[1].answer
    'four'
    """
    asked = _asked(query)
    if asked is None:
        return None
    for find in (_in_own, _in_other):
        for hit, reading in zip(hits, readings, strict=True):
            span = find(*asked, hit.passage)
            if span is not None:
                answer = hit.passage.text[span.start : span.end]
                return hit, Reading(answer, span, reading.confidence, probability=PROBABILITY)
    return None


def with_counted(query: str, hits: Sequence[Hit], retriever: Retriever) -> tuple[Hit, ...]:
    """Return the hits, the article of the whole whose parts are to be counted first where none of them is about it.

    It takes the place of the last hit.

    Raises:
        RetrievalError.
    """
    asked = _asked(query)
    if asked is None:
        return tuple(hits)
    what, whole = asked
    if any(_is_meant(whole or what, hit.passage) for hit in hits):
        return tuple(hits)
    found = find_article(whole or what, retriever)
    return tuple(hits) if found.article is None else put_first(found.article, hits)


def _asked(query: str) -> tuple[str, str] | None:
    """Return the things that are to be counted, and the whole; ``""`` where no whole is named."""
    bare = query.strip().rstrip("?!. ")
    found = next(filter(None, (form.fullmatch(bare) for form in _ASKS)), None)
    if found is None or not text.content_words(found["what"]).isdisjoint(_PEOPLE | _PARTS):
        return None
    is_all = found["whole"].casefold() in ("world", "total") or bare.casefold().endswith(" on earth")
    whole = "" if is_all else _TEAM.sub("", found["whole"])
    return found["what"], whole


def _is_meant(name: str, passage: Passage) -> bool:
    return matched(name, passage) is not None


def _in_own(what: str, whole: str, passage: Passage) -> Span | None:
    """Return the one number of the things in the article of the whole; ``None`` where it gives several."""
    named = [count.number for count in _counts(what, passage.title)]
    if named and not whole:  # "Five Pillars of Islam"
        return next((count.span for count in _counts(what, passage.text) if count.number == named[0]), None)
    if not whole or not _is_meant(whole, passage):
        return None
    found = [
        replace(count, number=None) if _is_of_fewer(whole, passage.text[count.end :]) else count
        for count in _counts(what, passage.text)
    ]
    if len({count.number for count in found}) != 1 or not found[0].number:
        return None
    return next((count.span for count in found if _is_own(passage, count.span)), None)


def _is_own(passage: Passage, count: Span) -> bool:
    """Tell whether the sentence says that its subject, which the article is about, has or consists of so many."""
    described = description_span(passage)
    if described is not None and count.start < described.end:
        return True
    sentence = next((span for span in sentences_of(passage) if span.start <= count.start < span.end), None)
    if sentence is None:
        return False
    before = passage.text[sentence.start : count.start]
    name = re.escape(bare_title(passage.title).removeprefix("The "))
    begins = re.compile(rf"(?:{_OPENING})?(?:(?:the|an?|most|all|each) )?(?:{name}(?:s|es)?\b|{_SAME})", re.IGNORECASE)
    opens = sentence == sentences_of(passage)[0] or begins.match(before) or _COMPRISING.match(before)
    if not opens or not _LINK.search(before):
        return False
    return _TEAMS.search(before) is not None or not _OTHERS.search(before)


def _is_of_fewer(whole: str, behind: str) -> bool:
    """Tell whether only some things are counted, or those of something else: "24 books of the Hebrew Bible"."""
    found = _OF_NAME.match(behind)
    is_of_another = found is not None and text.content_words(found["name"]).isdisjoint(text.content_words(whole))
    return is_of_another or _SOME.match(behind) is not None


def _in_other(what: str, whole: str, passage: Passage) -> Span | None:
    """Return the number in "N things of the whole"; without a whole in "the world's N things"."""
    for count in _counts(what, passage.text):
        before, behind = passage.text[: count.span.start], passage.text[count.end :]
        if whole:
            of_it = re.match(_OF + re.escape(whole) + _ENDS, behind, re.IGNORECASE)
            is_so = of_it is not None and _ALL_OF_THEM.search(before)
        else:
            is_so = _OF_ALL.search(before)
        if is_so and count.number:
            return count.span
    return None


@dataclass(frozen=True, slots=True)
class _Count:
    """A number directly before the counted things."""

    span: Span
    number: int | None
    """``None`` where it is one end of a range, or counts a part."""
    end: int
    """Where the counted things end."""


def _counts(what: str, words: str) -> Iterator[_Count]:
    stems = [text.stem(word) for word in text.tokens(what)]
    things = re.compile(rf" (?:[\w'’]+[ -]){{{len(stems) - 1}}}[\w'’]+(?![-\w'’])")
    for match in _NUMBER.finditer(words):
        number, behind = _value(match["number"]), things.match(words, match.end())
        before = words[max(0, match.start() - _BEFORE) : match.start()]
        is_it = behind is not None and [text.stem(word) for word in text.tokens(behind[0])] == stems
        if behind and (behind[0].endswith(("'s", "’s")) or behind[0][-1:].casefold() != what[-1:].casefold()):
            continue  # "1865 children's novel", "1875 opera"
        is_counted = stems != _PLAYERS or _TEAMS.search(before) is not None
        if behind and is_it and number > 1 and is_counted:
            is_one = not _OF_OTHERS.search(before) and not _DENIED.search(before)
            yield _Count(Span(*match.span()), number if is_one else None, behind.end())


def _value(number: str) -> int:
    if number[0].isdigit():
        return int(number.replace(",", ""))
    return sum(_WORDS[word] for word in re.split("[- ]", number.casefold()))
