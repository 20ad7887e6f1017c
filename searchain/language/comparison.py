"""What two steps decide together: which of two things is first, larger, the same … from their dates, numbers or words.

A small model that is given "1948" and "1949" does not know which is older; the program does. ``decide`` works on steps
asked in parallel ("When was Puma founded?", "When was Adidas founded?"), says which steps it used, and is silent where
the answers do not decide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from searchain.language import text
from searchain.language.ages import BORN, DIED, age, who_died
from searchain.language.before_after import order_in_time
from searchain.language.competing import (
    COMPARING,
    HIGH_DATE,
    HIGH_NUMBER,
    IN_TIME,
    LOW_DATE,
    LOW_NUMBER,
    alternatives,
    beside_than,
)
from searchain.language.places_in_order import order_of_places
from searchain.language.quantities import Quantity, quantities, without_quantities
from searchain.language.said_of import beginning, is_about, said_of
from searchain.language.same_answer import agreement
from searchain.types import Node, Passage

_FILLER = frozenset(
    "both same also too either described considered known located situated based used kind type sort work works one "
    "two share shared have common and or person people thing".split()
)
_SPAN = frozenset("lived live age period".split())
_VALUE = re.compile(r"(?:when|(?:in )?what year|what (?:is|was) the (?:birthday|date|year))\b", re.IGNORECASE)
_ANYWHERE = Passage("", "", "")


@dataclass(frozen=True, slots=True)
class Decision:
    """The short answer, the steps it rests on, and the rule that gave it."""

    answer: str
    nodes: tuple[Node, ...]
    rule: str


def decide(question: str, path: Sequence[Node]) -> Decision | None:
    """What the last two parallel steps of ``path`` say to a question, or a claim, that compares; ``None`` when they do
    not decide. A claim is answered with SUPPORTS or REFUTES.

    >>> path = [Node("a", None, 1, "When was Puma founded?", answer="1948"),
    ...         Node("b", "a", 1, "When was Adidas founded?", answer="1949")]
    >>> decide("Which is older, Puma or Adidas?", path).answer, decide("Is Puma younger than Adidas?", path).answer
    ('Puma', 'no')
    """
    if (ordered := order_in_time(question, path)) is not None and _is_of_event(question, ordered.nodes):
        yes, no = ("SUPPORTS", "REFUTES") if text.is_statement(question) else ("yes", "no")
        return Decision(yes if ordered.holds else no, ordered.nodes, "compared")
    if (who := who_died(question)) is not None:
        return _age_at_death(who, path)
    if text.is_statement(question):
        asked = as_question(question)
        found = decide(asked, path) if asked else None
        return found and replace(found, answer="SUPPORTS" if found.answer == "yes" else "REFUTES")
    if (placed := order_of_places(question, path)) is not None:
        return Decision(*placed, "compared")
    pair = _parallel(path)
    if pair is None or not question.strip():
        return None
    (one, first), (other, second) = pair
    words = set(text.tokens(question))
    asks_yes_no = text.is_yes_no_question_form(question)
    is_joint = words & {"same", "both", "share"} or (
        not words & COMPARING and re.search(rf"{re.escape(first)}.* and .*{re.escape(second)}", question, re.IGNORECASE)
    )
    if asks_yes_no and is_joint:
        is_measured = text.numbers(question) and words & {"before", "after", "than", "over", "least"}
        is_turned = words & {"different", "differ", "unlike"} or text.has_negation(question)
        return None if is_measured or is_turned else _alike(question, one, other, (first, second), words)
    if _is_measured_elsewhere((first, one), (second, other), words) or not _is_of_event(question, (one, other)):
        return None
    order = _order(_compared(first, one, words), _compared(second, other, words), words)
    if order is None and not asks_yes_no:
        return _fitting(question, (one, other), (first, second))
    if order is None:
        return None
    things = _things(first, second, path, question)
    if things is None or text.has_negation(question) or question.strip().casefold().startswith("how "):
        return None
    if _VALUE.match(question.strip()):
        return Decision((one if order < 0 else other).answer or "", (one, other), "compared")
    used = tuple(node for node in (_answered(first, path), _answered(second, path), one, other) if node is not None)
    if asks_yes_no:  # the thing named first is the one asked about
        subject_wins = (order < 0) == (_place(things[0], question) <= _place(things[1], question))
        return Decision("yes" if subject_wins else "no", used, "compared")
    return Decision(things[0] if order < 0 else things[1], used, "compared")


def _is_of_event(question: str, nodes: Sequence[Node]) -> bool:
    """Tell whether the steps ask about what "did X die before Y" asks about: a death is not compared with a birth."""
    asked = IN_TIME.match(question.strip())
    if asked is None or asked["event"].casefold() in ("happen", "occur", "start"):
        return True
    return all(f" {asked['event'].casefold()}" in node.query.casefold() for node in nodes)


def _is_measured_elsewhere(one: tuple[str, Node], other: tuple[str, Node], words: set[str]) -> bool:
    """Tell whether an article about something else gave one of two quantities: the 3 m of a fish in the Amazon."""
    answers = [node.answer or "" for _, node in (one, other)]
    is_measured = all(quantities(answer) or (text.numbers(answer) and not text.dates(answer)) for answer in answers)
    if not words & (HIGH_NUMBER | LOW_NUMBER) or not is_measured:
        return False
    return any(node.passage is not None and not _is_of_itself(name, node, node.passage) for name, node in (one, other))


def _is_of_itself(name: str, node: Node, passage: Passage) -> bool:
    """Tell whether an article is about the thing, and not about something of it: "History of India".

    What the step itself names is meant: "the strait of Malacca".
    """
    head, of, _ = passage.title.partition(" of ")
    return is_about(name, passage) and (not of or bool(text.content_words(head) & text.content_words(node.query)))


def _age_at_death(who: str, path: Sequence[Node]) -> Decision | None:
    dated = {tuple(text.tokens(node.query)): node for node in path if node.answer and text.dates(node.answer)}
    born, died = (dated.get(tuple(text.tokens(query))) for query in (BORN.format(who), DIED.format(who)))
    years = age(born.answer or "", died.answer or "") if born and died else None
    return Decision(years, (born, died), "age") if years and born and died else None


_NAMED = re.compile(
    r"The (?P<thing>(?:capital|largest|highest|longest|smallest|author|president|currency|founder|inventor|director|"
    r"composer|painter|king|queen|discoverer)[^,]{0,40}? (?:of|in) [^,]{2,40}?) "
    r"(?P<be>is|was) (?P<value>[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,3})"
)


def as_question(claim: str) -> str | None:
    """Return what a claim says as a question; ``None`` for a claim of another form.

    >>> as_question("Bats are birds."), as_question("Bats can fly.")
    ('Are Bats birds?', None)
    >>> as_question("The capital of Australia is Sydney.")
    'Is Sydney the capital of Australia?'
    """
    if named := _NAMED.fullmatch(claim.strip().rstrip(".")):
        return f"{named['be'].capitalize()} {named['value']} the {named['thing']}?"
    found = re.fullmatch(r"(.+?) (is|was|are|were) (.+)", claim.strip().rstrip("."))
    if re.search(r"\bthis (?:kind|type|sort) of\b", claim):
        return None  # a question in the form of a statement
    return f"{found[2].capitalize()} {found[1]} {found[3]}?" if found else None


def _parallel(path: Sequence[Node]) -> tuple[tuple[Node, str], tuple[Node, str]] | None:
    """The last two answered steps whose queries differ in one place only, each with what stands there."""
    answered = [node for node in path if node.answer]
    for k in range(len(answered) - 1, 0, -1):
        for j in range(k - 1, -1, -1):
            found = _difference(answered[j].query, answered[k].query)
            if found:
                return (answered[j], found[0]), (answered[k], found[1])
    return None


def _difference(one: str, other: str) -> tuple[str, str] | None:
    a, b = (re.sub(r"\b(?:was|were|are)\b", "is", query.rstrip("? ")).split() for query in (one, other))
    start = 0
    while start < min(len(a), len(b)) and a[start].casefold() == b[start].casefold():
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end].casefold() == b[-1 - end].casefold():
        end += 1
    # a name may begin or end as the other does ("Lake Victoria", "Lake Malawi"): the capitals around belong to it
    while start and a[start - 1][:1].isupper() and start - 1 > 0:
        start -= 1
    while end and a[len(a) - end][:1].isupper():
        end -= 1
    left, right = " ".join(a[start : len(a) - end]), " ".join(b[start : len(b) - end])
    is_parallel = start >= 1 and left and right and start + end >= max(len(a), len(b)) // 3
    return (_bare(left), _bare(right)) if is_parallel else None


def _bare(name: str) -> str:
    return re.sub(r"(?:'s|’s)$", "", name.strip(' ,"“”?')).strip(' ,"“”?')


def _things(first: str, second: str, path: Sequence[Node], question: str) -> tuple[str, str] | None:
    """What the two names stand for in the question: themselves, or the things whose steps they answered (the films of
    two directors)."""
    asked = _asked(first, question), _asked(second, question)
    if None in asked and (named := _named(first, second, path, question)):
        return named
    if None in asked:
        nodes = [_answered(name, path) for name in (first, second)]
        found = _difference(nodes[0].query, nodes[1].query) if nodes[0] and nodes[1] else None
        asked = (_asked(found[0], question), _asked(found[1], question)) if found else (None, None)
    if None in asked or str(asked[0]).casefold() == str(asked[1]).casefold():
        return None
    return str(asked[0]), str(asked[1])


def _named(first: str, second: str, path: Sequence[Node], question: str) -> tuple[str, str] | None:
    """The alternatives of the question that the two names are, in lower case too; written as the passages' titles."""
    offered = alternatives(question) or beside_than(question)
    if offered is None:
        return None
    words = [text.content_words(one) for one in offered]
    found = [[place for place, one in enumerate(words) if one & text.content_words(name)] for name in (first, second)]
    if sorted(found) != [[0], [1]]:
        return None
    titles = {tuple(text.tokens(node.passage.title)): node.passage.title for node in path if node.passage}
    written = [titles.get(text.tokens(one), one) for one in offered]
    return written[found[0][0]], written[found[1][0]]


def _asked(name: str, question: str) -> str | None:
    """The longest part of ``name`` that stands in the question and holds a capital or a digit."""
    words = name.split()
    parts = [" ".join(words[i:j]) for i in range(len(words)) for j in range(len(words), i, -1)]
    found = [_bare(part) for part in parts if _place(_bare(part), question) >= 0 and re.search(r"[A-Z0-9]", part)]
    best = max(found, key=len, default="")
    return best if len(best) * 3 >= len(name) else None


def _answered(name: str, path: Sequence[Node]) -> Node | None:
    """The step that ``name`` answers."""
    return next((node for node in path if node.answer and text.contains(node.answer, name)), None)


def _place(name: str, question: str) -> int:
    return question.casefold().find(name.casefold()) if name else -1


def _compared(name: str, node: Node, words: set[str]) -> str:
    """What of a step is compared: its answer. Of a lifetime with one date alone, how the thing's article begins."""
    answer = node.answer or ""
    if words & _SPAN and len(text.dates(answer)) == 1 and node.passage and is_about(name, node.passage):
        lifetime = re.search(r"\(([^()]*)\)", beginning(node.passage))
        return lifetime[1] if lifetime and len(text.dates(lifetime[1])) == 2 else answer
    return answer


def _order(one: str, other: str, words: set[str]) -> int | None:
    """-1 when ``one`` is what the question's comparative looks for, 1 when ``other`` is; ``None`` when neither."""
    if {"before", "after"} <= words or words & {"back", "existed"} or _UNSURE.search(f"{one} {other}"):
        return None
    measured = quantities(one), quantities(other)
    if any(measured) and words & (HIGH_NUMBER | LOW_NUMBER) and not words & _SPAN:
        found = _order_of_quantities(*measured, words)
        if found is not None or all(measured):
            return found
    dates = text.dates(one), text.dates(other)
    if words & _SPAN:
        spans = [found[-1][0] - found[0][0] for found in dates if len(found) > 1]
        if len(spans) < 2 or spans[0] == spans[1] or not words & {"longer", "greater", "longest"}:
            return None
        return -1 if spans[0] > spans[1] else 1
    if all(dates) and words & (LOW_DATE | HIGH_DATE):
        a, b = dates[0][0], dates[1][0]
        if a[0] == b[0] and (None in (a[1], b[1]) or a[1:] == b[1:] or (a[1] == b[1] and None in (a[2], b[2]))):
            return None
        is_first = [part or 0 for part in a] < [part or 0 for part in b]
        wants_first = bool(words & LOW_DATE) and not words & HIGH_DATE - {"after"}
        return -1 if is_first == wants_first else 1
    counts = [without_quantities(answer) for answer in (one, other)]
    numbers = [[number for number in text.numbers(answer) if not _is_year(number, answer)] for answer in counts]
    if all(numbers) and words & (HIGH_NUMBER | LOW_NUMBER) and numbers[0][0] != numbers[1][0]:
        wants_high = not words & LOW_NUMBER
        return -1 if (numbers[0][0] > numbers[1][0]) == wants_high else 1
    return None


def _order_of_quantities(one: Sequence[Quantity], other: Sequence[Quantity], words: set[str]) -> int | None:
    """As ``_order``, by the first quantities of one dimension."""
    pairs = ((a.value, b.value) for a in one for b in other if a.dimension == b.dimension)
    a, b = next(pairs, (0.0, 0.0))
    if math.isclose(a, b, rel_tol=1e-3):
        return None
    return -1 if (a > b) != bool(words & LOW_NUMBER) else 1


def _fitting(question: str, nodes: tuple[Node, Node], names: tuple[str, str]) -> Decision | None:
    """Of alternatives the one whose answer alone says what the question asks for; of two things that are asked
    together, what both answers say."""
    answers = nodes[0].answer or "", nodes[1].answer or ""
    held = [text.content_words(answer) for answer in answers]
    if re.search(r"\bor\b", question):
        asked = text.content_words(question) - set().union(*map(text.content_words, names))
        asked_things = _things(*names, nodes, question)
        if asked_things is None:
            return None
        fits = [any(_is_like(word, own) for own in words for word in asked) for words in held]
        if sum(fits) == 1:
            return Decision(asked_things[fits.index(True)], nodes, "fits")
        counts = [_held(asked, said_of(name, node)) for name, node in zip(names, nodes, strict=True)]
        return Decision(asked_things[counts.index(max(counts))], nodes, "fits") if counts[0] != counts[1] else None
    if re.search(r"\b(?:both|common|share)\b", question, re.IGNORECASE) and held[0] & held[1]:
        return Decision(min(answers, key=len), nodes, "shared")
    return None


def _is_year(number: float, answer: str) -> bool:
    """Whether a number beside others is a year ("522,250 in 2021")."""
    is_plain = number == int(number) and re.search(rf"\b{int(number)}\b", answer) is not None
    return 1500 <= number <= 2100 and is_plain and len(text.numbers(answer)) > 1


_UNSURE = re.compile(r"\b(?:BC|BCE|AD|CE|century|centuries|millennium)\b")


def _alike(question: str, one: Node, other: Node, names: tuple[str, str], words: set[str]) -> Decision | None:
    answers = one.answer or "", other.answer or ""
    said = text.content_words(one.query) & text.content_words(other.query)  # what both were asked says nothing
    left, right = (text.content_words(answer) - said for answer in answers)
    do_agree = agreement(*answers, _ANYWHERE)[0] == "agree" or bool(left) and left == right
    if words & {"same", "share"}:
        is_part = bool(left) and bool(right) and (left <= right or right <= left)
        return Decision("yes" if do_agree or is_part else "no", (one, other), "same")
    wanted = text.content_words(question) - {text.stem(word) for word in _FILLER}
    for name in names:
        wanted -= text.content_words(name)
    if words & {"both"} and wanted:
        begin = [said_of(name, node) for name, node in zip(names, (one, other), strict=True)]
        if all(_held(wanted, one) == len(wanted) for one in begin):
            return Decision("yes", (one, other), "both")
    asked = wanted - said
    have = [bool(asked) and all(any(_is_like(word, own) for own in held) for word in asked) for held in (left, right)]
    return Decision("yes" if all(have) or (do_agree and not any(have)) else "no", (one, other), "both")


def _held(asked: set[str], words: set[str]) -> int:
    """How many of the words that are asked for are held, in some form."""
    return sum(any(_is_like(word, own) for own in words) for word in asked)


def _is_like(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= 5 and one[:5] == other[:5])
