"""Compare two things by two values of one kind: dates, amounts with their units, counts, or words.

``compared`` reads which two things a question names and by what it compares them. ``decide`` takes one value of each
from the steps and computes the answer. Without two such values there is no decision. A comparison by anything that is
not in the tables below is left to an ordinary look-up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from searchain.language import text
from searchain.language.questions import as_question
from searchain.language.same_answer import is_about, label_of
from searchain.language.values import Kind, Value, are_same, order, value_of
from searchain.types import Node


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that can be asked of both: the question with a gap, and the words by which a step asks it too."""

    asks: str
    words: frozenset[str]
    kind: Kind
    dimensions: tuple[str, ...] = ()
    takes_last: bool = False


@dataclass(frozen=True, slots=True)
class Compared:
    """Two things as the question writes them, and what of them is compared; of several measures the likeliest first."""

    things: tuple[str, str]
    measures: tuple[Measure, ...]
    wants_most: bool | None
    """``None``: whether both are the same."""
    is_yes_no: bool
    others: frozenset[str]
    """What the question says besides, so that it is not the two things themselves that are compared."""

    @property
    def is_dated(self) -> bool:
        """Whether dates are compared."""
        return any(measure.kind is Kind.DATE for measure in self.measures)


@dataclass(frozen=True, slots=True)
class Decision:
    """The short answer, the steps it rests on, and the rule that gave it."""

    answer: str
    nodes: tuple[Node, ...]
    rule: str


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_EARLY = _set("first earlier earliest older oldest elder eldest before sooner")
_LATE = _set("later latest last younger youngest newer newest after recently recent")
_AGED = _set("older oldest elder eldest younger youngest newer newest")
_MORE = _set("more most larger largest bigger biggest greater greatest higher highest populous")
_LESS = _set("less least fewer fewest smaller smallest lower lowest")
_PEOPLE = _set("population people inhabitants residents populous")
_AMOUNTS = (
    ("taller tallest", "shorter shortest", "How tall is {}?", "tall high height", "length"),
    ("higher highest", "lower lowest", "How high is {}?", "high tall height elevation", "length"),
    ("longer longest", "shorter shortest", "How long is {}?", "long length", "length time"),
    ("deeper deepest", "shallower shallowest", "How deep is {}?", "deep depth", "length"),
    ("heavier heaviest", "lighter lightest", "How heavy is {}?", "heavy weigh weight mass", "mass"),
    ("larger largest bigger biggest greater", "smaller smallest", "What is the area of {}?", "area large big size",
     "area volume"),
    ("hotter hottest warmer warmest", "colder coldest cooler coolest", "What is the temperature of {}?",
     "temperature hot cold warm", "temperature"),
    ("faster fastest", "slower slowest", "How fast is {}?", "fast speed", "speed"),
)  # fmt: skip
"""Comparatives of the greater end and of the smaller, the question, words of a step, and dimensions."""
_MADE = _set(
    "founded established formed created built constructed completed opened released published launched premiered "
    "written introduced invented started incorporated"
)
_OUT = Measure("When was {} released?", _MADE | _set("come came out release premiere"), Kind.DATE)
_BORN = Measure("When was {} born?", _set("born birth birthday birthdate"), Kind.DATE)
_DIED = Measure("When did {} die?", _set("die died dead death"), Kind.DATE, takes_last=True)
_BEGAN = Measure("When did {} begin?", _set("begin began start started happen occur come came"), Kind.DATE)
_ENDED = Measure("When did {} end?", _set("end ended"), Kind.DATE, takes_last=True)
_PEOPLE_OF = Measure("What is the population of {}?", _PEOPLE, Kind.COUNT)
_EVENTS = (
    (_set("born birth"), (_BORN,)),
    (_set("die died dies"), (_DIED,)),
    (_set("out"), (_OUT,)),
    (_set("begin began start happen happened occur occurred come came"), (_BEGAN, _OUT)),
    (_set("end ended"), (_ENDED,)),
)
_NATION = _set("nationality citizenship country nation origin")
_PLACED = _set("country nation city town state continent place county province")
_RELATIONS = (_EARLY | _LATE | _MORE | _LESS).union(*(_set(f"{most} {least}") for most, least, *_ in _AMOUNTS))
_JOINS = _set("the a an of in on from by to at")
_STOPS = _RELATIONS | _MADE | _PEOPLE | _set(
    "is are was were do does did has have had which who what whose whom that one between out among two following both "
    "same share born birth die died dies begin began start happen happened occur occurred come came end ended located "
    "situated other than much far live lives nationality country area size length height depth weight temperature"
)  # fmt: skip
"""Words that end a name: it stands between them."""
_FILLERS = _STOPS | _JOINS | _PLACED | _NATION | _set("as total surface land")
_MARKS = ' ,:;–—"“”'
_AMONG = re.compile(r"\b(?:between|among|of)\s*$", re.IGNORECASE)
_LEAD = re.compile(r"^[^A-Z,:]*[,:] (?=\S)")
"""Names the kind of both things: "villages, "."""
MOST_KINDS = 4
"""Most words of "which tennis player"."""


def compared(question: str) -> Compared | None:
    """Return the two things that ``question`` compares, and by what; ``None`` for any other question.

    >>> compared("Which was released first, The Last Wave or First Blood?").things
    ('The Last Wave', 'First Blood')
    >>> compared("Which lies further north, Oslo or Riga?"), compared("Does Peru have more species than Chile?")
    (None, None)
    """
    asked = " ".join(question.split()).rstrip(" ?.!")
    words = text.tokens(asked)
    parted = None if words[:1] in (("how",), ("when",), ("where",), ("why",)) else _parted(asked)
    if parted is None or text.has_negation(question):
        return None
    things, rest = parted[:2], text.tokens(parted[2])
    measures, wants_most = _relation(rest)
    is_yes_no = text.is_yes_no_question_form(asked)
    if not measures or (wants_most is None and not is_yes_no) or not all(map(text.content_words, things)):
        return None
    kinds = next((number for number, word in enumerate(rest) if number and word in _FILLERS), 0)
    is_named = rest[0] in ("which", "what") and kinds <= MOST_KINDS
    heads = [thing.removesuffix(_bare(thing)) for thing in things]
    others = {word for word in rest[kinds if is_named else 0 :] if word not in _FILLERS}
    others.update(text.tokens(head)[0] for head in heads if " of " in head)
    return Compared(things, measures, wants_most, is_yes_no, frozenset(map(text.stem, others)))


def _parted(asked: str) -> tuple[str, str, str] | None:
    """Return the two names, and what is left of the question; ``None`` if it does not name two."""
    is_yes_no, is_same = text.is_yes_no_question_form(asked), " same " in asked
    verbal = (" than ", " before ", " after ", *((" as ",) if is_same else ())) if is_yes_no else ()
    joint = next((one for one in (*verbal, " or ", " and ") if asked.count(one) == 1), None)
    if joint is None:
        return None
    left, right = asked.split(joint)
    first, one, said = _name_before(left)
    other, rest = _name_behind(right.removeprefix("that of "))
    if joint == " and " and not is_same and not _AMONG.search(first):
        return None
    if joint in verbal and (other[:1].isdigit() or not said or rest):
        return None
    return one, other, f"{first} {said} {joint if joint in verbal else ''} {rest}"


def _name_before(left: str) -> tuple[str, str, str]:
    """Return what stands before the last name of ``left``, the name, and what stands behind it."""
    words = left.split()
    end = len(words)
    while end > 1 and words[end - 1] in _FILLERS:
        end -= 1
    begin = max((number + 1 for number, word in enumerate(words[:end]) if _is_stop(word, number)), default=0)
    while begin < end - 1 and words[begin].casefold() in _JOINS - {"the", "a", "an"}:
        begin += 1
    name = " ".join(words[begin:end])
    lead = _LEAD.match(name)
    name = name[lead.end() :] if lead else name
    return " ".join(words[:begin]), name.strip(_MARKS), " ".join(words[end:])


def _name_behind(right: str) -> tuple[str, str]:
    """Return the name with which ``right`` begins, and what stands behind it."""
    words = right.split()
    end = next((number for number, word in enumerate(words) if number and _is_stop(word, number)), len(words))
    rest = " ".join(words[end:])
    while end > 1 and words[end - 1] in _JOINS:
        end -= 1
    return " ".join(words[:end]).strip(_MARKS), rest


def _is_stop(word: str, number: int) -> bool:
    return (word if number else word.casefold()).strip(_MARKS) in _STOPS


def _relation(words: Sequence[str]) -> tuple[tuple[Measure, ...], bool | None]:
    """Return the measures that the question without its names asks for, and which end wins; none if it is unclear."""
    said = set(words)
    if "same" in said:
        return _sameness(words), None
    if said & _PEOPLE and bool(said & _MORE) != bool(said & _LESS):
        return (_PEOPLE_OF,), bool(said & _MORE)
    if bool(said & _EARLY) != bool(said & _LATE):
        return _dated(words), bool(said & _LATE)
    ends = [(Measure(asks, _set(by), Kind.AMOUNT, tuple(of.split())), bool(said & _set(most)))
            for most, least, asks, by, of in _AMOUNTS if said & _set(f"{most} {least}")]  # fmt: skip
    if len({end for _, end in ends}) != 1 or said & (_EARLY | _LATE):
        return (), None
    return tuple(measure for measure, _ in ends), ends[0][1]


def _dated(words: Sequence[str]) -> tuple[Measure, ...]:
    for word in words:
        for known, measures in _EVENTS:
            if word in known and not (word in ("came", "come") and "out" in words):
                return measures
        if word in _MADE:
            return (replace(_OUT, asks=f"When was {{}} {word}?"),)
    if _AGED.isdisjoint(words):
        return ()
    built = (replace(_OUT, asks="When was {} founded?"), replace(_OUT, asks="When was {} built?"))
    return (_BORN,) if "who" in words[:1] else (_BORN, *built)


def _sameness(words: Sequence[str]) -> tuple[Measure, ...]:
    """Return what is asked of both things, given the words around "same …"."""
    what = words[words.index("same") + 1] if words[-1] != "same" else ""
    if "born" in words and what in _PLACED:
        asks = "Where was {} born?" if what == "place" else f"In which {what} was {{}} born?"
        return (Measure(asks, frozenset({"born", "birth", "birthplace"}), Kind.WORDS),)
    nation = Measure("What is the nationality of {}?", _NATION, Kind.WORDS)
    if what == "nationality":
        return (nation,)
    if what == "place" or what not in _PLACED:
        return ()
    located = Measure(f"In which {what} is {{}}?", _NATION if what in _NATION else frozenset({what}), Kind.WORDS)
    return (located, nation) if what in _NATION else (located,)


def _bare(thing: str) -> str:
    """Return a name without small words in front of it: "the band Low" is "Low"."""
    return re.sub(r"^(?:[a-z]+ )+(?=[^\Wa-z])", "", thing)


def can_answer(question: str, answer: str) -> bool:
    """Tell whether an answer can be meant: to a comparison, it is one of the two things.

    >>> can_answer("Which is higher, Mount Everest or K2?", "8,849 metres"), can_answer("How high is K2?", "8,611 m")
    (False, True)
    """
    asked = compared(question)
    words = text.content_words(answer)
    if asked is None or asked.is_yes_no or not words:
        return True
    things = [text.content_words(thing) for thing in asked.things]
    return any(2 * len(words & thing) > min(len(words), len(thing)) for thing in things)


def decide(question: str, path: Sequence[Node]) -> Decision | None:
    """Return what the values of two things say to a question, or to a claim, that compares them.

    ``None`` if a value is missing or of another kind. A claim is answered with SUPPORTS or REFUTES.

    >>> path = [Node("a", None, 1, "When was Puma founded?", answer="1948"),
    ...         Node("b", "a", 1, "When was Adidas founded?", answer="1949")]
    >>> decide("Which is older, Puma or Adidas?", path).answer, decide("Is Puma younger than Adidas?", path).answer
    ('Puma', 'no')
    """
    if text.is_statement(question):
        claimed = as_question(question)
        found = decide(claimed, path) if claimed else None
        known = {"yes": "SUPPORTS", "no": "REFUTES"}
        return replace(found, answer=known[found.answer]) if found and found.answer in known else None
    asked = compared(question)
    if asked is None:
        return None
    for measure in asked.measures:
        one, other = (_valued(asked, place, measure, path) for place in (0, 1))
        if one is not None and other is not None:
            answer = _answer(asked, one[0], other[0])
            return Decision(answer, (*one[1], *other[1]), "compared") if answer else None
    return None


def _answer(asked: Compared, one: Value, other: Value) -> str | None:
    if asked.wants_most is None:
        alike = are_same(str(one), str(other))
        return None if alike is None else "yes" if alike else "no"
    found = order(one, other)
    if found is None:
        return None
    is_first = (found > 0) == asked.wants_most
    if asked.is_yes_no:
        return "yes" if is_first else "no"
    thing = asked.things[0 if is_first else 1]
    return re.sub(r"^(?:the|an?) ", "", thing)


def _valued(asked: Compared, place: int, measure: Measure, path: Sequence[Node]) -> tuple[Value, list[Node]] | None:
    """Return the value of one of the two things, and the steps that lead to it.

    If the question compares the directors of two films, a step on the way must say who that is.
    """
    own, other = (text.content_words(_name(asked.things[number])) for number in (place, 1 - place))
    marks, steps = [own], list[Node]()
    for node in path:
        words = text.content_words(node.query)
        if not node.answer or not any(mark <= words for mark in marks) or (other <= words and not other < own):
            continue
        steps.append(node)
        is_named = node.answer[:1].isupper() and not text.dates(node.answer) and label_of(node.answer) is None
        if is_named and asked.others & words:
            marks.append(text.content_words(node.answer))
    for node in reversed(steps):
        words = text.content_words(node.query)
        said = set[str]().union(*(text.content_words(step.query) for step in steps))
        is_of_itself = own <= words and asked.others <= words
        is_on_the_way = not own <= words and bool(asked.others & said)
        if not (is_of_itself or is_on_the_way) or measure.words.isdisjoint(text.tokens(node.query)):
            continue
        is_measured = measure.kind in (Kind.AMOUNT, Kind.COUNT) and is_of_itself and node.passage is not None
        if is_measured and node.passage and not is_about(_name(asked.things[place]), node.passage):
            continue
        value = value_of(node.answer or "", measure.kind, measure.dimensions, takes_last=measure.takes_last)
        if value is not None:
            return value, [step for step in steps if step is node or (is_on_the_way and step is not node)]
    return None


def _name(thing: str) -> str:
    """Return a name without what tells it from its namesakes: "Low (band)" is "Low"."""
    return re.sub(r" \([^()]*\)$", "", _bare(thing)) or thing
