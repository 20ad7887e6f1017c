"""Decide a question about two named things by what the articles about both say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent
from searchain.language import text
from searchain.language.two_things import AskedOfTwo, Asks, asked_of_two, single
from searchain.reading.articles import description, sentences_of
from searchain.reading.pairs import Pair, find_pair
from searchain.reading.stated import shared
from searchain.reading.stated.class_questions import class_asked
from searchain.reading.stated.classed import classed
from searchain.reading.stated.classes import belongs
from searchain.reading.stated.lying import lying
from searchain.retrieval.base import Retriever
from searchain.settings import LIKELY
from searchain.types import Hit, Passage, Span, TaskKind
from searchain.verification.judge import STANCE

CLASS_PROBABILITY = 0.9
"""How likely the one of two things is right that alone is of the class asked for, by the definitions of both.

Of 60 pairs drawn by seed from the encyclopedia, the other thing was not of the class in 57.
"""
_IS_CLASS = re.compile(
    r"(?:which|who|what)(?: [\w-]+){0,2} (?:is|was|are|were) (?:also )?(?P<kind>(?:an?|the) [a-z][\w -]{1,60})",
    re.IGNORECASE,
)
_WANTS_NOUN = re.compile(r" of |^(?:profession|occupation|job|career|vocation|genre|media)")
"""A people never answers such a question: "kind of animal", "profession"."""
_PERSON = re.compile(r"\d{4}|\bborn\b")
_ANY = frozenset(map(text.stem, "following two these one person thing also".split()))
_TASKS = (None, TaskKind.MULTIHOP, TaskKind.YESNO)
"""What the user may have chosen."""
Spans = tuple[Span | None, Span | None]


@dataclass(frozen=True, slots=True)
class Decided:
    """The short answer, empty where the two differ in what they should share, and where each article says it."""

    pair: Pair
    answer: str
    spans: Spans
    probability: float | None = None
    """How likely the answer is right; ``None`` where that was never measured."""


def decided(run: RunContext, retriever: Retriever) -> Decided | None:
    """Return what two articles say to the question of ``run``; ``None`` for another question, or if they are silent.

    A short answer that was never measured does not replace a supported one that the question itself finds.

    Raises:
        RetrievalError, ReaderError, Cancelled.
    """
    is_open = run.help.compares and run.lookups is not None and run.settings.task in _TASKS
    asked = asked_of_two(run.question) if is_open else None
    pair = find_pair(asked.ways, retriever) if asked else None
    if asked is None or pair is None:
        return None
    try:
        found = _found(run, asked, pair, retriever)
        is_kept = asked.asks in (Asks.BOTH, Asks.SAME) or (found is not None and found.probability is not None)
        return None if not is_kept and _has_sure_answer(run) else found
    except BudgetSpent:
        return None  # the rounds say so


def _has_sure_answer(run: RunContext) -> bool:
    if run.direct is None or run.probability is None:
        return False
    reading = run.wait(run.direct).reading
    return reading is not None and (reading.probability or 0.0) >= run.probability.threshold


def _found(run: RunContext, asked: AskedOfTwo, pair: Pair, retriever: Retriever) -> Decided | None:
    match asked.asks:
        case Asks.SHARED:
            return _shared(asked, pair, retriever)
        case Asks.SAME:
            return _whether_same(asked, pair, retriever)
        case Asks.BOTH:
            return _whether_both(run, asked, pair)
    return _which_one(run, pair)


def _shared(asked: AskedOfTwo, pair: Pair, retriever: Retriever) -> Decided | None:
    names, what = (pair.way.one, pair.way.other), asked.what
    passages = [hit.passage for hit in pair.hits]
    differ: Spans | None = None
    if what == "year":
        found = shared.shared_year(pair.hits, names, asked.event)
        differ = None if found else shared.differ_in_year(pair.hits, names, asked.event)
    elif what in shared.PLACE_SORTS:
        found = shared.shared_place(pair.hits, names, what, retriever)
        differ = None if found else shared.differ_in_place(passages, what, retriever)
    elif what == "nationality":
        found = shared.shared_nationality(pair.hits, names)
    else:
        found = shared.shared_kinds(passages, what)
        if found is None and not _WANTS_NOUN.search(what) and (people := shared.shared_nationality(pair.hits, names)):
            found = replace(people, probability=None)  # read rightly, but perhaps not what is asked for
    if found is not None:
        return Decided(pair, found.answer, found.spans, found.probability if pair.is_sure else None)
    return Decided(pair, "", differ) if differ else None


def _whether_same(asked: AskedOfTwo, pair: Pair, retriever: Retriever) -> Decided | None:
    names = pair.way.one, pair.way.other
    passages = [hit.passage for hit in pair.hits]
    found = None
    if asked.what != "nationality":
        found = shared.shared_place(pair.hits, names, asked.what, retriever)
    if found is None and asked.what in ("nationality", "country"):
        found = shared.shared_nationality(pair.hits, names)
    if found is not None:
        return Decided(pair, "yes", found.spans)
    differ: Spans | None = None
    if asked.what != "nationality":
        differ = shared.differ_in_place(passages, asked.what, retriever)
    if differ is None and asked.what in ("nationality", "country"):
        differ = shared.differ_in_nationality(passages)
    return Decided(pair, "no", differ) if differ else None


def _whether_both(run: RunContext, asked: AskedOfTwo, pair: Pair) -> Decided | None:
    said = []
    for name, hit in zip((pair.way.one, pair.way.other), pair.hits, strict=True):
        query = single(asked, pair.way, name)
        said.append(_by_rule(query, pair.way.rest, hit) or _by_reading(run, query, hit))
    spans = tuple(one[0] if one else None for one in said)
    if any(one is not None and not one[1] for one in said):
        return Decided(pair, "no", (spans[0], spans[1]))
    return Decided(pair, "yes", (spans[0], spans[1])) if all(said) else None


def _by_rule(query: str, rest: str, hit: Hit) -> tuple[Span | None, bool] | None:
    """Tell whether the words of the article decide a yes/no question about its subject."""
    if (known := classed(query, [hit]) or lying(query, [hit])) is not None:
        return known[1], known[2]
    is_class = class_asked(query) is not None or re.match(r"(?:an?|(?:described as|known as) an?|\w+s|genera) ", rest)
    if not is_class:
        return None
    kind = re.sub(r"^(?:(?:described|known) as )?(?:an? )?", "", rest)
    if (span := shared.says_kind(hit.passage, kind)) is not None:
        return span, True
    words = [text.singular(word) for word in text.content_tokens(kind)]
    title = [text.singular(word) for word in text.content_tokens(hit.passage.title)]
    return (None, False) if len(words) == len(title) == 1 and belongs(title[0], words[0]) is False else None


def _by_reading(run: RunContext, query: str, hit: Hit) -> tuple[Span | None, bool] | None:
    """Tell what the look-up of the question about one thing decides, if it rests on the article about that thing."""
    assert run.lookups is not None
    evidence = run.wait(run.lookups.start(query))
    if evidence.confirms is not None:
        is_own = evidence.chosen is not None and evidence.chosen.passage == hit.passage
        span = evidence.reading.span if evidence.reading and is_own else None
        return (span, evidence.confirms) if is_own else None
    for other, opinion in zip(evidence.hits, evidence.opinions, strict=False):
        if other.passage == hit.passage and opinion.margin > STANCE:
            return _nearest(query, hit), True
    return None


def _which_one(run: RunContext, pair: Pair) -> Decided | None:
    return _by_class(pair) or _by_answer(run, pair) or _by_words(pair)


def _by_class(pair: Pair) -> Decided | None:
    """Return the one whose definition says that it is of the class asked for, where the other's article denies it."""
    asked = _IS_CLASS.fullmatch(pair.way.rest)
    if asked is None:
        return None
    kind, names = asked["kind"], (pair.way.one, pair.way.other)
    said = [_by_rule(f"is {name} {kind}", kind, hit) for name, hit in zip(names, pair.hits, strict=True)]
    for one, other in ((0, 1), (1, 0)):
        known, denied = said[one], said[other]
        passage = pair.hits[other].passage
        is_denied = not denied[1] if denied else not (kind.startswith("the ") or _names(passage, kind))
        if known is not None and known[1] and is_denied:
            spans = tuple(found[0] if found else None for found in said)
            probability = CLASS_PROBABILITY if pair.is_sure and denied is not None else None
            return Decided(pair, names[one], (spans[0], spans[1]), probability)
    return None


def _names(passage: Passage, kind: str) -> bool:
    """Tell whether the article has the last word of a class anywhere."""
    return not set(text.content_tokens(kind)[-1:]).isdisjoint(text.content_words(passage.text))


def _by_answer(run: RunContext, pair: Pair) -> Decided | None:
    """Return the one of the two that answers the question without them, more likely rightly than not."""
    assert run.lookups is not None
    rest = pair.way.rest
    if not re.match(r"(?:which|who|what)\b", rest, re.IGNORECASE):
        is_person = all(_PERSON.search(description(hit.passage)) for hit in pair.hits)
        rest = f"{'Who' if is_person else 'What'} is {rest}"
    evidence = run.wait(run.lookups.start(f"{rest}?"))
    reading = evidence.reading
    if reading is None or evidence.chosen is None or (reading.probability or 0.0) < LIKELY:
        return None
    names, answer = (pair.way.one, pair.way.other), text.content_words(reading.answer)
    is_said = [_is_one(answer, name, hit) for name, hit in zip(names, pair.hits, strict=True)]
    if is_said.count(True) != 1:
        return None
    return Decided(pair, names[is_said.index(True)], _nearest_of_both(pair))


def _is_one(answer: set[str], name: str, hit: Hit) -> bool:
    forms = (text.content_words(name), text.content_words(hit.passage.title))
    return any(form and (form <= answer or answer and answer <= form) for form in forms)


def _by_words(pair: Pair) -> Decided | None:
    """Return the one whose article holds more of the words asked for, and most of them."""
    names = pair.way.one, pair.way.other
    wanted = text.content_words(pair.way.rest) - _ANY
    counts = [_held(wanted, f"{hit.passage.title} {hit.passage.text}") for hit in pair.hits]
    one = counts.index(max(counts))
    if counts[0] == counts[1] or 2 * counts[one] <= len(wanted):
        return None
    return Decided(pair, names[one], _nearest_of_both(pair))


def _nearest_of_both(pair: Pair) -> Spans:
    """Return the sentence of each article that is nearest to what is asked."""
    one, other = pair.hits
    return _nearest(pair.way.rest, one), _nearest(pair.way.rest, other)


def _nearest(query: str, hit: Hit) -> Span | None:
    """Return the first sentence of the article that holds most words of ``query``."""
    passage = hit.passage
    wanted, body = text.content_words(query) - text.content_words(passage.title), passage.text
    spans = sentences_of(passage)
    return max(spans, key=lambda span: _held(wanted, body[span.start : span.end])) if spans else None


def _held(wanted: set[str], said: str) -> int:
    """Return how many of the words are held, in some form."""
    words = text.content_words(said)
    return sum(
        any(word == own or min(len(word), len(own)) >= 5 and word[:5] == own[:5] for own in words) for word in wanted
    )
