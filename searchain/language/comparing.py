"""Compare two things by two values of one kind: dates, amounts with their units, counts, or words.

``decide`` takes the values from the answers of the steps; without two such values there is no decision.
``comparing.json`` beside this file lists all measures; a comparison by another measure is left to an ordinary look-up.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from searchain.language import text
from searchain.language.questions import as_question
from searchain.language.same_answer import agreement, is_about, label_of
from searchain.language.values import Kind, Value, order, value_of
from searchain.types import Node, Passage


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of both things: a question with a gap, and words that show that a step asks for it."""

    asks: str
    words: frozenset[str]
    kind: Kind
    dimensions: tuple[str, ...] = ()
    takes_last: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """Two things as the question writes them, and the measures that may compare them, the likeliest first."""

    things: tuple[str, str]
    measures: tuple[Measure, ...]
    wants_most: bool | None
    """``None`` if the question asks whether both values are the same."""
    is_yes_no: bool
    others: frozenset[str]
    """Stems of the question's other words. With any, something related is compared, such as a film's director."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The short answer, the steps it rests on, and the rule that gave it."""

    answer: str
    nodes: tuple[Node, ...]
    rule: str


_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EARLY, _LATE, _MORE, _LESS, _PEOPLE, _MADE, _NATION, _PLACED, _JOINS, _ARTICLES, _BEING = (
    _set(_TABLES[name]) for name in "early late more less people made nation placed joins articles being".split()
)
_AMOUNTS = tuple(
    (_set(most), _set(least), Measure(asks, _set(words), Kind.AMOUNT, tuple(dimensions.split())))
    for most, least, asks, words, dimensions in _TABLES["amounts"]
)
"""(words for the greater value, words for the smaller value, the measure that they compare)."""
_BORN, _DIED, _BEGAN, _ENDED, _OUT = (
    Measure(asks, _set(words) | (_MADE if name == "out" else _set("")), Kind.DATE, takes_last=name in ("died", "ended"))
    for name in ("born", "died", "began", "ended", "out")
    for asks, words in (_TABLES["dates"][name],)
)
_EVENTS: dict[str, tuple[Measure, ...]]
_EVENTS = {word: (measure,) for measure in (_BORN, _DIED, _ENDED) for word in measure.words}
_EVENTS |= {word: (_BEGAN, _OUT) for word in _BEGAN.words} | {"out": (_OUT,)}
_EVENTS |= {word: (replace(_OUT, asks=f"When was {{}} {word}?"),) for word in _MADE}
"""A word of the question → the measures that it may ask for."""
_RELATIONS = (_EARLY | _LATE | _MORE | _LESS).union(*(most | least for most, least, _ in _AMOUNTS))
_STOPS = _RELATIONS | _PEOPLE | _NATION | set(_EVENTS) | _set(_TABLES["stops"])
"""Words that end a name on either side."""
_FILLERS = _STOPS | _JOINS | _ARTICLES | _PLACED | _set(_TABLES["fillers"])
_MARKS = ' ,:;–—"“”'
_LEAD = re.compile(r"^[^A-Z,:]*[,:] (?=\S)")
"""Matches words for the kind of both things before their names: "villages, "."""


def compared(question: str) -> Compared | None:
    """Return the two things that ``question`` compares, with the measures; ``None`` for any other question.

    >>> compared("Which was released first, The Last Wave or First Blood?").things
    ('The Last Wave', 'First Blood')
    >>> compared("Which lies further north, Oslo or Riga?"), compared("Does Peru have more species than Chile?")
    (None, None)
    """
    asked = " ".join(question.split()).rstrip(" ?.!")
    parted = None if asked.casefold().startswith(("how ", "when ", "where ", "why ")) else _parted(asked)
    if parted is None or text.has_negation(parted[2]):
        return None
    things, words = parted[:2], text.tokens(parted[2])
    measures, wants_most = _relation(words)
    is_yes_no = text.is_yes_no_question_form(asked)
    if not measures or (wants_most is None and not is_yes_no) or not all(map(text.content_words, things)):
        return None
    return Compared(things, measures, wants_most, is_yes_no, _others(things, words))


def _others(things: Sequence[str], words: Sequence[str]) -> frozenset[str]:
    """Return the stems of the question's words that are not part of the names, the comparison or the things' kind."""
    begin = _end_of_kind(words)
    behind = list(zip(["", *words], words, strict=False))[begin:]
    said = [word for before, word in behind if before not in _RELATIONS]  # "the longer river"
    heads = [thing.removesuffix(_name(thing, keeps_kind=True)) for thing in things]
    others = (*said, *(text.tokens(head)[0] for head in heads if " of " in head))  # "director of film X"
    return frozenset(map(text.stem, {*others} - _FILLERS))


def _end_of_kind(words: Sequence[str]) -> int:
    """Return the index after the opening words for the kind of both things ("which tennis player"), else 0."""
    if tuple(words[:2]) == ("which", "of"):  # "which of these two films is older"
        return next((number for number, word in enumerate(words) if word in _BEING), 0)
    end = next((number for number, word in enumerate(words) if number and word in _FILLERS), 0)
    return end if words[0] in ("which", "what") and end <= 4 else 0


def _parted(asked: str) -> tuple[str, str, str] | None:
    """Return the two names and the question without them; ``None`` if the question does not name two things."""
    is_yes_no, is_same = text.is_yes_no_question_form(asked), " same " in asked
    verbal = (" than ", " before ", " after ", *([" as "] if is_same else [])) if is_yes_no else ()
    joint = next((one for one in (*verbal, " or ", " and ") if asked.count(one) == 1), None)
    if joint is None:
        return None
    left, right = asked.split(joint)
    first, one, said = _name_before(left)
    other, rest = _name_behind(right.removeprefix("that of "))
    if joint in verbal:
        return (one, other, f"{first} {said}{joint}") if said and not rest and not other[:1].isdigit() else None
    is_among = is_same or joint == " or " or first.casefold().endswith(("between", "among", "of"))
    return (one, other, f"{first} {said} {rest}") if is_among else None


def _name_before(left: str) -> tuple[str, str, str]:
    """Return the last name of ``left`` between the words before it and those after it."""
    words = left.split()
    end = len(words)
    while end > 1 and words[end - 1] in _FILLERS:
        end -= 1
    begin = max((number + 1 for number in range(end) if _is_stop(words, number)), default=0)
    while begin < end - 1 and (words[begin] if begin else words[0].casefold()) in _JOINS:
        begin += 1
    name = _LEAD.sub("", " ".join(words[begin:end]))
    return " ".join(words[:begin]), name.strip(_MARKS), " ".join(words[end:])


def _name_behind(right: str) -> tuple[str, str]:
    """Return the name with which ``right`` begins, and the words after it."""
    words = right.split()
    begin = end = next((number for number in range(1, len(words)) if _is_stop(words, number)), len(words))
    while end > 1 and words[end - 1] in _JOINS | _ARTICLES:
        end -= 1
    return " ".join(words[:end]).strip(_MARKS), " ".join(words[begin:])


def _is_stop(words: Sequence[str], number: int) -> bool:
    """Tell whether a word ends a name; one with a capital is part of it, unless it opens the question."""
    return (words[number] if number else words[0].casefold()).strip(_MARKS) in _STOPS


def _relation(words: Sequence[str]) -> tuple[tuple[Measure, ...], bool | None]:
    """Return the measures that the words ask for, and whether the greater value wins; no measure if unclear."""
    said = set(words)
    if "same" in said:
        return _sameness(words), None
    is_more = bool(said & _MORE or "populous" in said)
    if said & _PEOPLE and is_more != bool(said & _LESS):
        return (Measure("What is the population of {}?", _PEOPLE, Kind.COUNT),), is_more
    if said & (_EARLY | _LATE):
        is_late = bool(said & _LATE)
        return ((), None) if is_late and said & _EARLY else (_dated(words), is_late)
    ends = {measure: bool(said & most) for most, least, measure in _AMOUNTS if said & (most | least)}
    return (tuple(ends), ends.popitem()[1]) if len(set(ends.values())) == 1 else ((), None)


def _dated(words: Sequence[str]) -> tuple[Measure, ...]:
    word = "out" if "out" in words and "came" in words else next((one for one in words if one in _EVENTS), "")
    if word or not any(one.startswith(("old", "eld", "young", "new")) for one in words):
        return _EVENTS.get(word, ())
    return (_BORN,) if words[0] == "who" else (_BORN, *_EVENTS["founded"], *_EVENTS["built"])


def _sameness(words: Sequence[str]) -> tuple[Measure, ...]:
    what = next((word for word in words[words.index("same") :] if word in _PLACED | _NATION), "")
    if "born" in words:
        asks = "Where was {} born?" if what == "place" else f"In which {what} was {{}} born?"
        return (Measure(asks, _BORN.words, Kind.WORDS),) if what in _PLACED else ()
    both = [f"In which {what} is {{}}?"] * (what in _PLACED) + ["What is the nationality of {}?"] * (what in _NATION)
    return tuple(Measure(asks, _NATION if what in _NATION else frozenset({what}), Kind.WORDS) for asks in both)


def _name(thing: str, *, keeps_kind: bool = False) -> str:
    """Return a name without the small words in front of it, and without its kind: "the band Low (band)" is "Low"."""
    bare = re.sub(r"^(?:[a-z]+ )+(?=[^\Wa-z])", "", thing)
    return bare if keeps_kind else re.sub(r"(?<=.) \([^()]*\)$", "", bare)


def can_answer(question: str, answer: str) -> bool:
    """Tell whether ``answer`` is possible: to a comparison of two things it must be one of them."""
    asked, words = compared(question), text.content_words(answer)
    if asked is None or asked.is_yes_no or not words:
        return True
    things = map(text.content_words, asked.things)
    return any(2 * len(words & thing) > min(len(words), len(thing)) for thing in things)


def decide(question: str, path: Sequence[Node]) -> Decision | None:
    """Decide a question or a claim that compares two things by the values of both.

    ``None`` if a value is missing or of another kind. A claim is answered with SUPPORTS or REFUTES.

    >>> path = [Node("a", None, 1, "When was Puma founded?", answer="1948"),
    ...         Node("b", "a", 1, "When was Adidas founded?", answer="1949")]
    >>> decide("Which is older, Puma or Adidas?", path).answer, decide("Is Puma younger than Adidas?", path).answer
    ('Puma', 'no')
    """
    is_claim = text.is_statement(question)
    asked = compared((as_question(question) or "") if is_claim else question)
    if asked is None or (is_claim and not asked.is_yes_no):
        return None
    for measure in asked.measures:
        (one, steps), (other, others) = (_found(asked, number, measure, path) for number in (0, 1))
        if one is not None and other is not None:
            answer = _answer(asked, one, other)
            answer = {"yes": "SUPPORTS", "no": "REFUTES"}.get(answer or "") if is_claim else answer
            return Decision(answer, (*steps, *others), "compared") if answer else None
    return None


def left_to_ask(question: str, path: Sequence[Node]) -> tuple[str, ...]:
    """Return the queries that remain once the steps give the things really compared, such as two films' directors."""
    asked = compared(question)
    found = [_found(asked, number, asked.measures[0], path) for number in (0, 1)] if asked and asked.others else []
    if asked is None or not all(steps for _, steps in found):
        return ()
    return tuple(asked.measures[0].asks.format(steps[-1].answer) for value, steps in found if value is None)


def _answer(asked: Compared, one: Value, other: Value) -> str | None:
    if asked.wants_most is None:
        holds = {"agree": True, "disagree": False}.get(agreement(str(one), str(other), Passage("", "", ""))[0])
    else:
        holds = (found > 0) == asked.wants_most if (found := order(one, other)) is not None else None
    if asked.is_yes_no or holds is None:
        return None if holds is None else "yes" if holds else "no"
    return re.sub(r"^(?:the|an?) ", "", asked.things[0 if holds else 1])


def _found(asked: Compared, number: int, measure: Measure, path: Sequence[Node]) -> tuple[Value | None, list[Node]]:
    """Return the value of thing ``number``, or of its related thing (such as its director), and the steps for it."""
    name = _name(asked.things[number])
    own, other = text.content_words(name), text.content_words(_name(asked.things[1 - number]))
    named, steps, value = [own], list[Node](), None
    for node in path:
        words = text.content_words(node.query)
        is_of_other = other <= words and not other < own
        if not node.answer or is_of_other or not any(one and one <= words for one in named):
            continue
        is_direct = own <= words
        if (found := _value(asked, measure, node, name if is_direct else "")) is not None:
            value, steps = found, [*steps, node]
        elif is_direct and asked.others & words and label_of(node.answer) is None:
            named, steps = [*named, text.content_words(node.answer)], [*steps, node]
    return value, steps


def _value(asked: Compared, measure: Measure, node: Node, name: str) -> Value | None:
    """Return the value that a step gives for the thing ``name``, or (``""``) for its related thing."""
    if measure.words.isdisjoint(text.tokens(node.query)):
        return None
    if name and not asked.others <= text.content_words(node.query):
        return None
    is_elsewhere = bool(name) and node.passage is not None and not is_about(name, node.passage)
    if is_elsewhere and measure.kind in (Kind.AMOUNT, Kind.COUNT):
        return None
    return value_of(node.answer or "", measure.kind, measure.dimensions, takes_last=measure.takes_last)
