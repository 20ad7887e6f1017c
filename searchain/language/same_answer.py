"""Compare short answers by names, numbers, dates and aliases, not by substrings; and recognise yes/no labels.

``aliases.json`` beside this file holds the names of the same things: countries and their people, world wars, titles
before a name, British spellings.
"""

import json
import re
from collections.abc import Sequence
from itertools import dropwhile
from pathlib import Path
from typing import Literal

from searchain.language import text
from searchain.language.values import same_quantity
from searchain.types import Passage, Span

_TABLES = json.loads(Path(__file__).with_name("aliases.json").read_text(encoding="utf-8"))
_NAMES = {name: names.split("|")[0] for names in _TABLES["same"] for name in names.split("|")}
_PEOPLES = {people: country for country, _, people in (pair.rpartition(" ") for pair in _TABLES["peoples"])}
_NAMES |= _PEOPLES
_TITLES = frozenset(_TABLES["titles"].split())
_AMERICAN: dict[str, str] = _TABLES["american"]
_ENDINGS = (
    (re.compile(r"\b(col|harb|flav|hon|lab|neighb|arm|hum|rum|vap|behavi|fav|sav|od|parl|vig|tum)our"), r"\1or"),
    (re.compile(r"(met|cent|theat|lit|fib|calib|spect|sab)re(?=s?\b)"), r"\1er"),
    (re.compile(r"([a-z]{4})is(e|ed|es|ing|ation|ations)\b"), r"\1iz\2"),
    (re.compile(r"\b(h|p|c|arch|encyclop|pal|an)ae"), r"\1e"),
)
"""Patterns of British spellings in tokens → the American spelling."""
SHORT_NAMES = tuple((re.compile(rf"\b{short}\b", re.IGNORECASE), title) for title, short in _TABLES["short"].items())
"""(pattern of a short form that people type, title of the article)."""


def canonical(words: tuple[str, ...]) -> str:
    """Return the canonical name: the same for all known names of one thing.

    >>> canonical(("mount", "everest")), canonical(("second", "world", "war")), canonical(("polish",))
    ('everest', 'world war ii', 'poland')
    >>> canonical(("sulphuric", "acid")), canonical(("theatre", "of", "colour"))
    ('sulfuric acid', 'theater of color')
    """
    name = " ".join(tuple(dropwhile(_TITLES.__contains__, words)) or words)
    for british, american in _AMERICAN.items():
        name = name.replace(british, american)
    for ending, american in _ENDINGS:
        name = ending.sub(american, name)
    return _NAMES.get(name, name)


def is_of_people(answer: str) -> bool:
    """Tell whether an answer begins with the word for a people and names no place.

    >>> is_of_people("English naturalist"), is_of_people("French Riviera"), is_of_people("Pisa")
    (True, False, False)
    """
    first, *rest = answer.split() or [""]
    return first.casefold() in _PEOPLES and not any(word[0].isupper() for word in rest)


Agreement = Literal["agree", "disagree", "unclear"]
_Date = tuple[int, int | None, int | None]


def agreement(answer: str, reading: str, passage: Passage) -> tuple[Agreement, str]:
    """Tell whether two short answers mean the same, and by which rule.

    >>> agreement("Toronto", "Toronto, Ontario, Canada", Passage("1", "CN Tower", ""))
    ('agree', 'contained')
    >>> agreement("University of Oxford", "University of Cambridge", Passage("1", "X", ""))
    ('disagree', 'different')
    """
    if not text.tokens(answer) or not text.tokens(reading):
        return _UNCLEAR
    if found := _by_words(answer, reading, passage):
        return found
    found = next(filter(None, (rule(answer, reading) for rule in (_by_dates, _by_numbers, _by_parts))), None)
    return found or ("disagree", "different")


_UNCLEAR: tuple[Agreement, str] = "unclear", "not-comparable"
_Found = tuple[Agreement, str] | None
_MINUS, _ROMAN = re.compile(r"(?<![\w.])[-−–](?=\d)"), re.compile(r"(?<=[A-Za-z] )[IVX]{1,5}\b")


def _by_words(answer: str, reading: str, passage: Passage) -> _Found:
    a, r = text.tokens(answer), text.tokens(reading)
    if len(_MINUS.findall(answer)) != len(_MINUS.findall(reading)):
        return "disagree", "number"
    if a == r:
        return "agree", "exact"
    if canonical(a) == canonical(r):
        return "agree", "alias"
    if text.has_negation(answer) != text.has_negation(reading):
        return "disagree", "negation"
    if (one := _ROMAN.findall(answer)) and (other := _ROMAN.findall(reading)) and one != other:
        return "disagree", "different"
    return ("agree", "alias") if _is_alias(answer, reading, passage) else None


def _by_dates(answer: str, reading: str) -> _Found:
    one, other = text.dates(answer), text.dates(reading)
    if not one or not other or not _is_one_thing(answer, reading):
        return None
    same = len(one) == len(other) and all(map(_same_date, one, other))
    return ("agree" if same or _ends(one, other) else "disagree", "date")


def _by_numbers(answer: str, reading: str) -> _Found:
    if (is_equal := same_quantity(answer, reading)) is not None:
        return ("agree" if is_equal else "disagree", "number")
    one, other = text.numbers(answer), text.numbers(reading)
    if not one or not other:
        return None
    if one != other:
        return "disagree", "number"
    return ("agree", "number") if _is_one_thing(answer, reading) else ("disagree", "different")


def _by_parts(answer: str, reading: str) -> _Found:
    if _holds(answer, reading) or _holds(reading, answer):
        return "agree", "contained"
    mine, theirs = text.content_words(answer), text.content_words(reading)
    if text.token_f1(answer, reading) >= 0.6 and (mine <= theirs or theirs <= mine):
        if mine == theirs:
            return "agree", "token-f1"
        if _OTHER.isdisjoint(set(text.tokens(answer)) ^ set(text.tokens(reading))):
            return _UNCLEAR  # "John Adams" beside "John Quincy Adams": perhaps another person
    is_foreign = [all(letter > "\u024f" for letter in one if letter.isalpha()) for one in (answer, reading)]
    if bool(text.numbers(answer)) != bool(text.numbers(reading)) or is_foreign[0] != is_foreign[1]:
        return _UNCLEAR  # a number against words, or two scripts: the Reader answered another question
    return None


def is_about(name: str, passage: Passage) -> bool:
    """Tell whether the passage's title is ``name``, or one of them contains all words of the other.

    >>> is_about("Max Bemis", Passage("1", "Max Bemis (musician)", "")), is_about("Ada", Passage("2", "Babbage", ""))
    (True, False)
    """
    own, title = text.content_words(name), text.content_words(passage.title)
    return bool(own and title) and (own <= title or title <= own)


_LONGER = 3
"""How many words longer than an answer its other names may be, such as "the United States of America"."""


def standing(answer: str, body: str) -> Span | None:
    """Return the first span of ``answer``, or else of another name for it, as whole words in ``body``.

    >>> standing("Shah Jahan", "the fifth Mughal emperor, Shah Jahan"), standing("York", "Yorkshire")
    (Span(start=26, end=36), None)
    """
    wanted = text.tokens(answer)
    found = [(match.start(), match.end(), text.tokens(match[0])) for match in _WORD.finditer(body)]
    words = [word for word in found if word[2]]
    windows = [
        (Span(words[first][0], words[last][1]), sum((word[2] for word in words[first : last + 1]), ()))
        for first in range(len(words) if wanted else 0)
        for last in range(first, min(first + len(wanted) + _LONGER, len(words)))
    ]
    exact = next((span for span, said in windows if said == wanted), None)
    return exact or next((span for span, said in windows if canonical(said) == canonical(wanted)), None)


_WORD = re.compile(r"[^\W_]+(?:['’.,][^\W_]+)*")


# "York" is no part of "New York", and the son of a man is not the man: such a word in the surplus makes another thing.
_OTHER, _PLACING = text.WORDS["of another thing"], text.WORDS["placing"]


def _holds(outer: str, inner: str) -> bool:
    """Tell whether ``inner`` opens or closes ``outer``, or follows only words of place ("in Kyoto, Japan"), and the
    remaining words do not make it another thing."""
    long, short = text.tokens(outer), text.tokens(inner)
    if not short or len(short) >= len(long) or (short == ("us",) and "Us" not in inner and "us" in outer.split()):
        return False  # the pronoun "us" is no country
    for i in range(len(long) - len(short) + 1):
        if long[i : i + len(short)] == short:
            before, after = long[:i], long[i + len(short) :]
            if not _OTHER.isdisjoint(before + after):
                return False
            is_edge = not after or all(word in _PLACING for word in before)
            # "the island of Honshu" is Honshu, "the mayor of Kyoto" is not Kyoto
            return is_edge and not (before[-1:] == ("of",) and not set(before[-2:]) <= _PLACING)
    return False


def _is_one_thing(answer: str, reading: str) -> bool:
    """Tell whether the words besides numbers, scales and months can name the same thing."""
    one, other = (
        {word for word in text.content_words(each) if not text.numbers(word) and word not in _MEASURES}
        for each in (answer, reading)
    )
    return one <= other or other <= one


_MEASURES = frozenset(map(text.stem, text.WORDS["scales and months"]))
_ALSO = (
    r"\s*,?\s*(?:\(\s*|(?:also|commonly|often|better|formerly|originally)?\s*(?:known|called|named|abbreviated|styled)"
    r"\s+(?:as\s+)?|(?:or|born)\s+)(?:the\s+)?[\"“]?"
)


def _is_alias(answer: str, reading: str, passage: Passage) -> bool:
    """Tell whether one is the other's initials, or the passage joins them as names ("X, also known as Y", "X (Y)").

    >>> element = Passage("1", "Tungsten", "Tungsten, also called wolfram, has the atomic number 74 (W).")
    >>> _is_alias("wolfram", "Tungsten", element), _is_alias("W", "74", element)
    (True, False)
    >>> _is_alias("Jumbo Jet", "Boeing 747", Passage("2", "Boeing 747", "The Boeing 747 (Jumbo Jet) is large."))
    True
    """
    body = passage.text.lower()
    is_number = any(one.isdecimal() for one in (answer, reading))  # "number 74 (W)"
    are_there = not is_number and answer.lower() in body and reading.lower() in body
    for short, long in ((answer, reading), (reading, answer)):
        letters = re.sub(r"[.\s]", "", short)
        initials = "".join(word[0] for word in re.findall(r"\b[A-Z]\w*", long))
        if 2 <= len(letters) <= 6 and letters.isupper() and letters == initials:
            return True
        joint = rf"{re.escape(long)}{_ALSO}{re.escape(short)}\b"
        if are_there and re.search(joint, passage.text, re.IGNORECASE):
            return True
    return False


def _same_date(one: _Date, other: _Date) -> bool:
    """Tell whether all parts (year, month, day) that both dates give are equal."""
    return all(a == b for a, b in zip(one, other, strict=True) if a is not None and b is not None)


def _ends(one: Sequence[_Date], other: Sequence[_Date]) -> bool:
    """Tell whether one is a date and the other a period that begins or ends with it: "1889" and "1887 to 1889"."""
    short, long = sorted((one, other), key=len)
    return (len(short), len(long)) == (1, 2) and any(_same_date(short[0], date) for date in long)


_LIKE_LABELS = {"true": "yes", "false": "no", "supported": "supports", "refuted": "refutes"}
_LABELS = {label: label for label in _LIKE_LABELS.values()} | _LIKE_LABELS


def label_of(answer: str) -> str | None:
    """Return ``yes``, ``no``, ``supports`` or ``refutes`` if the answer is this label, alone or before punctuation.
    A title that begins with the word ("No Country for Old Men") is not a label."""
    match = re.match(r"\W*(\w+)\s*(?:$|[.,;:!–—])", answer)
    return _LABELS.get(match[1].casefold()) if match else None


def label_in(reply: str) -> str | None:
    """Return the only label in a sentence ("The claim is refuted."); ``None`` without a label, with several ones, or if
    it is negated."""
    if label := label_of(reply):
        return label
    found = {_LABELS[word] for word in text.tokens(reply) if word in _LABELS}
    is_negated = not (text.NEGATIONS - {"no"}).isdisjoint(text.tokens(reply)) or "n't" in reply
    return found.pop() if len(found) == 1 and not is_negated else None
