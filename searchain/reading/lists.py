"""Take an enumeration whole: where a question asks for several things, the answer is not one of them.

The Reader points at one item, or at some. ``whole`` widens its span over the items beside it, as far as they have the
same form: names beside a name, plain words beside plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from searchain.language import text
from searchain.language.asked_things import asks_several, type_asked
from searchain.language.sentences import split
from searchain.types import Hit, Passage, Reading, Span

_DIRECTION = r"(?: (?:to|in|on) the (?:far )?(?:north|south|east|west)\w*(?:[- ]?(?:north|south|east|west)\w*)*)?"
_NAME = (
    r"(?:(?:the|part of) ){0,3}[A-Z][\w'’.-]*(?: (?:(?:of|the|and the|de|du|von) ){0,3}[A-Z][\w'’.-]*){0,4}"
    rf"{_DIRECTION}"
)
_LITTLE = (
    r"(?!(?:around|between|through|during|into|"
    r"of|is|are|was|were|has|have|which|who|that|with|it|its|by|from|for|to|in|on|as|and|or)\b)"
)
_WORDS = rf"{_LITTLE}[a-z][\w'’-]*(?: {_LITTLE}[a-z][\w'’-]*){{0,2}}"
_JOINT = r"(?: and, in some cases, |[,;] and |[,;] or |[,;] (?!and |or )| and | or )"
_NUMBERS = {word: at for at, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_NUMBERS |= {str(number): number for number in range(2, 11)}
_ORDERS = frozenset(
    map(
        text.stem,
        "name list enumerate give tell all every two three four five six seven eight nine ten other order".split(),
    )
)
_ORDERED = re.compile(
    r"(?:please |can you |could you )*(?:(?:(?:name|list|enumerate|give me|tell me)(?: me)?|(?:the )?(?:names|list) of)"
    r"(?: (?:an?|all|of|the|some|every|list|names|\w+ of the)){0,4} |(?:(?:the|all) )*(?!what\b|which\b|who\b))"
    r"(?P<things>(?:[\w'’-]+ ){0,4}?"
    r"(?!types|kinds|sorts|names|examples)[\w'’-]{2,}s)(?= (?:of|in|on|that|which|who)\b|\W*$)",
    re.IGNORECASE,
)
"""“List the Beatles members”, “planets of the solar system”: what is asked for has no question word before it."""
_VERB_ASKED = re.compile(
    r"(?:what|which) (?!are\b|were\b)(?:[\w'’-]+ ){1,4}?(?!(?:are|were|is|was|have|has|had|do|does|did)\b)\w+",
    re.IGNORECASE,
)
"""“Which countries border …”: the sentence that answers has the verb, and need not say that they are countries."""
ENUMERATION = "enumeration"
"""The rule of a step that an enumeration in a passage answers."""
LONGEST = 300
"""Characters of a whole enumeration."""


def whole(question: str, passage: Passage, reading: Reading) -> Reading:
    """Return the reading widened to its whole enumeration, where ``question`` asks for several things.

    >>> passage = Passage("", "Switzerland", "It borders Italy to the south, France to the west and Austria.")
    >>> whole("what countries border switzerland", passage, Reading("France", Span(31, 37), 1.0)).answer
    'Italy to the south, France to the west and Austria'
    """
    if reading.span is None or not asks_several(question):
        return reading
    span = widened(passage.text, reading.span)
    return replace(reading, answer=passage.text[span.start : span.end], span=span)


def widened(body: str, span: Span) -> Span:
    """Return ``span`` with the items of its enumeration on both sides."""
    item = _NAME if body[span.start].isupper() or body[span.start : span.start + 5] == "the " else _WORDS
    start, end = span.start, span.end
    if tail := re.match(_DIRECTION, body[end:]):
        end += tail.end()
    while match := re.match(rf"{_JOINT}(?:{item})(?=[,;.:)]| and | or |$)", body[end:]):
        end += match.end()
    before = re.compile(rf"(?:(?<=[\s(])|^)(?:{item}){_JOINT}$")
    while item_before := _last(before, body[max(0, start - 120) : start]):
        start -= len(item_before)
    if end - start > LONGEST:
        return span
    return Span(start, start + len(body[start:end].rstrip(" .")))


LEAST = 0.8
"""The share of the question's words, without what is asked for, that an enumeration's sentence and title must hold."""


def enumerated(question: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the enumeration that a question for several things asks for, with its passage; ``None`` without one.

    It stands in a sentence that, with the title, holds the question's words. Of several, one that the Reader points
    into goes before others.
    """
    kind = text.content_words(" ".join(_things_asked(question).split()[-1:]))
    wanted = {word for word in text.content_words(question) - kind if word not in _ORDERS and not word.isdigit()}
    number = _number_in(question)
    has_verb = _VERB_ASKED.match(question) is not None
    found: list[tuple[float, Hit, Reading]] = []
    for hit, reading in zip(hits, readings, strict=True):
        body, title = hit.passage.text, text.content_words(hit.passage.title)
        is_title = bool(title) and title in (wanted | (title & kind), kind)  # "list the great lakes": "Great Lakes"
        is_narrower = bool(title & kind and title - kind - wanted)  # giant planets, where planets are asked for
        for span, around in _in_sentences(body, kind):
            said = text.content_words(around)
            items = body[span.start : span.end]
            if wanted & text.content_words(items) or (items[0].islower() and kind & text.content_words(items)):
                continue  # what is asked about is none of the items, and "inert gas" is none of the gases
            if wanted <= title and not _is_introduced(kind, body, span):
                continue  # nothing but the title says what the items are
            share = len(wanted & (said | title)) / len(wanted) if wanted else float(is_title)
            is_read = reading.span is not None and reading.span.start < span.end and span.start < reading.span.end
            is_named = is_read or bool(kind & said) or is_title
            if share < LEAST or not (is_named or (has_verb and wanted & said - title)):
                continue
            if len(re.split(_JOINT, items)) < max(number, 2 if is_named else 3):
                continue
            worth = (
                share + 0.5 * is_read + 0.3 * bool(kind & said) + 0.2 * (reading.probability or 0.0) + 0.6 * is_title
            )
            worth += 0.4 * _is_led_by(kind, body, span) - 0.6 * is_narrower
            probability = reading.probability if is_read else None
            found.append((worth, hit, replace(reading, answer=items, span=span, probability=probability)))
    if not found:
        return None
    _, hit, reading = max(found, key=lambda one: one[0])
    return hit, reading


def things_listed(question: str) -> str:
    """Return the words for the things whose list is asked for, in the plural; ``""`` where none are.

    >>> things_listed("name all noble gases in air"), things_listed("which countries border Peru")
    ('noble gases', 'countries')
    """
    return _things_asked(question) if asks_several(question) or _ORDERED.match(question) else ""


def has_too_few(question: str, answer: str) -> bool:
    """Tell whether an answer holds fewer things than a question asks for by their number, or one where it orders some.

    >>> has_too_few("what are the four gospels", "Matthew and Mark"), has_too_few("name the oceans", "A sea")
    (True, True)
    >>> has_too_few("what are the languages of peru", "Spanish")
    False
    """
    if not things_listed(question) or not _ASKS.match(question):
        return False
    is_order = re.match(r"(?:please )?(?:name|list|enumerate)\b", question, re.IGNORECASE) is not None
    return len(re.split(_JOINT, answer)) < max(_number_in(question), 2 if is_order else 1)


_ASKS = re.compile(r"(?:please )?(?:name|list|enumerate|give|tell|what|which|who)\b", re.IGNORECASE)
"""“The four seasons” alone may be a name."""


def _things_asked(question: str) -> str:
    ordered = _ORDERED.match(question)
    return ordered["things"] if ordered else type_asked(question)


def _number_in(question: str) -> int:
    return max((_NUMBERS.get(word, 0) for word in text.tokens(question)), default=0)


def _is_led_by(kind: set[str], body: str, span: Span) -> bool:
    """Tell whether the words right before an enumeration name or count its items.

    Such words are "the planets" before "Mercury", and "these seven are" before "Asia".
    """
    before = re.split(r"[.,;]", body[max(0, span.start - _LEADING) : span.start])[-1]
    counts = {_NUMBERS[word] for word in text.tokens(before) if word in _NUMBERS}
    last = next((word for word in reversed(text.tokens(before)) if word not in _BEING), "")
    return len(re.split(_JOINT, body[span.start : span.end])) in counts or text.stem(last) in kind


def _is_introduced(kind: set[str], body: str, span: Span) -> bool:
    """Tell whether words before an enumeration say that items follow, or name or count them."""
    sentence = next((start for start, end in split(body) if start <= span.start < end), 0)
    before = body[sentence : span.start]
    counts = {_NUMBERS[word] for word in text.tokens(before) if word in _NUMBERS}
    is_counted = len(re.split(_JOINT, body[span.start : span.end])) in counts
    return is_counted or _is_led_by(kind, body, span) or _INTRODUCES.search(before) is not None


_INTRODUCES = re.compile(
    r"(?:[:—]|\b(?:compris\w+|includ\w+|consist\w* of|namely|(?:bordered|surrounded|formed) by|members?|are|were))"
    r"(?: (?:the|of))*\s*$",
    re.IGNORECASE,
)
_BEING = frozenset("is are was were being include includes including comprise comprises namely the these".split())
"""Words between what is listed and its first item."""
_LEADING = 40
"""Characters before an enumeration in which its kind is said."""


def _in_sentences(body: str, kind: set[str]) -> Iterator[tuple[Span, str]]:
    """Yield each enumeration, with what its sentence says besides."""
    for start, end in split(body):
        for span in _joined(enumerations(body, start, end), body, kind):
            yield span, f"{body[start : span.start]} {body[span.end : end]}"


def _joined(spans: Sequence[Span], body: str, kind: set[str]) -> list[Span]:
    """Join enumerations of one kind: "the planets Mercury and Venus, and the outer planets Saturn and Uranus"."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda one: one.start):
        between = _AND_THE.fullmatch(body, found[-1].end, span.start) if found else None
        if between and text.content_tokens(between[0])[-1:] and text.content_tokens(between[0])[-1] in kind:
            found[-1] = Span(found[-1].start, span.end)
        else:
            found.append(span)
    return found


_AND_THE = re.compile(r",? and (?:the )?(?:[a-z]+ ){1,3}")


def enumerations(body: str, start: int, end: int) -> list[Span]:
    """Return where the whole enumerations of a sentence stand: three items at least, or two names.

    The sentence is ``body[start:end]``.

    >>> sentence = "It borders Italy to the south, France to the west and Austria, and is hilly."
    >>> [sentence[span.start : span.end] for span in enumerations(sentence, 0, len(sentence))]
    ['Italy to the south, France to the west and Austria']
    """
    found: list[Span] = []
    for pattern, least in _WHOLE:
        for match in pattern.finditer(body, start, end):
            if not _LAST_JOINT.search(match[0]) or len(re.split(_JOINT, match[0])) < least:
                continue
            if match.end() - match.start() <= LONGEST and not any(
                match.start() < other.end and other.start < match.end() for other in found
            ):
                found.append(Span(match.start(), match.start() + len(match[0].rstrip(" ."))))
    return found


def _list_of(item: str) -> re.Pattern[str]:
    item = rf"{item}(?: \([^()]{{1,16}}\))?"  # "neon (Ne)"
    return re.compile(rf"(?<![\w-])(?:{item})(?:{_JOINT}(?:{item})){{1,20}}(?=[,;.:)—–]| |$)")


_WHOLE = (_list_of(_NAME), 2), (_list_of(_WORDS), 3)
"""What an enumeration is made of, and the least number of its items."""
_LAST_JOINT = re.compile(r"\b(?:and|or),? ")


def _last(pattern: re.Pattern[str], body: str) -> str:
    """The longest end of ``body`` that matches."""
    starts = [match.start() + 1 for match in re.finditer(r"[\s(]", body)]
    for start in [0, *starts]:
        if (match := pattern.match(body, start)) and match.end() == len(body):
            return match[0]
    return ""


def short(question: str, answer: str) -> str:
    """Return a whole enumeration without directions, any other answer as it is.

    >>> short("what countries border switzerland", "Italy to the south, France to the west and Austria")
    'Italy, France and Austria'
    """
    return re.sub(_DIRECTION.removesuffix("?"), "", answer) if asks_several(question) else answer
