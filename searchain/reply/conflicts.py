"""Find where sources answer the same question with values that do not agree, and write the reply that names each.

Readings that differ make each other unlikely, so each value is rated as if its rival had not been found. Whether two
passages speak of the same thing, and so contradict each other, is decided by a small regression.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from pathlib import Path

from searchain.chain.context import RunContext
from searchain.chain.tree import settle, settle_new
from searchain.events import Event, RoundStarted
from searchain.files.weights import read_weights
from searchain.language import text
from searchain.language.same_answer import agreement
from searchain.language.same_query import Similarity
from searchain.reply.citations import keys_of
from searchain.reply.dating import date_of
from searchain.reply.notes import DOCUMENTS_AGREE, ONE_DOCUMENT, SEVERAL_MEANT
from searchain.reply.outcome import KnownReply
from searchain.reply.template import asking, differing, naming
from searchain.reply.writer import Replier
from searchain.types import Evidence, Hit, Judgement, Node, Reading, RivalAnswer, Step, TaskKind, Verdict
from searchain.verification.features import sentence_of
from searchain.verification.probability import Logistic, logit

WEIGHTS = Path(__file__).parent.parent / "weights" / "conflict" / "conflict.json"
FEATURES = ("least", "relevant", "apart", "sentences", "masked", "titles", "texts", "lacking", "named")
"""The features of a contradiction: the log-odds of the less likely value; the lower f of both passages, and by how much
the other is higher; the cosines of both sentences, of both without their answers, of both titles and of both texts; and
how many words of the question only one of the passages has, and how many of these its title or first line has."""
RULE = "differs"
"""The rule of a step whose sources differ; there is one such step for each value."""
NAMED = "named"
"""The rule of a step that the document answers which the question names."""
OPEN = "open"
"""The rule of a step for one meaning of a question that leaves open what is meant."""
AGREED = "agreed"
"""The rule of a step that answers whether documents agree; there is one such step for each document."""
LEAST_SIMILAR, LEAST_RELEVANT, MOST_PAIRS = 0.3, 0.0, 3
"""The least cosine of two sentences, each with its title, and the least f of their passages, for which two values are
compared further; and the most pairs that are."""
LEAST_ALONE, LEAST_SAID = 0.5, -1.0
"""The least probability and f of a document's value, read alone, where it is asked whether documents agree. Over 13
questions to ten files the values meant had at least 0.69, and those of other passages at most 0.40."""
LEAST_EACH = 0.7
"""The least probability of each of two values, read without the other, at which a question fits both."""
ARTICLES = 0.9
"""The least probability of a contradiction with an article, which is about a thing of its own. At 0.5 three conflicts
were claimed over 288 everyday questions (development part), all of them false."""


@dataclass(frozen=True, slots=True)
class Value:
    """An answer that a passage gives."""

    hit: Hit
    reading: Reading

    @property
    def head(self) -> str:
        """The title of the passage and its first line."""
        first, _, _ = self.hit.passage.text.partition("\n")
        return f"{self.hit.passage.title} {first}".replace("_", " ")

    @property
    def sentence(self) -> str:
        """The sentence that gives the answer, behind the title of its passage."""
        return f"{self.hit.passage.title}: {sentence_of(self.hit.passage, self.reading)}"

    @property
    def masked(self) -> str:
        """The sentence without the answer."""
        return sentence_of(self.hit.passage, self.reading).replace(self.reading.answer, "…")

    @property
    def date(self) -> str | None:
        """The date of the own document, as in ``RivalAnswer``."""
        return date_of(self.hit.passage)

    def node(self, step: Node) -> Node:
        """Return ``step`` as it is with this answer and its passage."""
        reading = self.reading
        return replace(
            step,
            passage=self.hit.passage,
            rank=self.hit.rank,
            span=reading.span,
            reader_answer=reading.answer,
            answer=reading.answer,
            confidence=reading.confidence,
            probability=reading.probability,
            verdict=Verdict.COMPLETED,
            rule=RULE,
        )

    def may_differ_from(self, other: Value) -> bool:
        """Tell whether ``other`` is of another document, and the two answers are not the same in other words."""
        if not self.reading.answer or not other.reading.answer or _document(self.hit) == _document(other.hit):
            return False
        found, rule = agreement(self.reading.answer, other.reading.answer, self.hit.passage)
        return found != "agree" or rule == "contained"

    def differs_from(self, other: Value) -> bool:
        """Tell whether ``other`` is of another document, and the two answers do not agree."""
        found, _ = agreement(self.reading.answer, other.reading.answer, self.hit.passage)
        return self.may_differ_from(other) and found == "disagree"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two values that differ."""

    one: Value
    other: Value
    may_be_named: bool
    """Whether a title in the query decides: each value of own documents is likely without the other, or two articles
    contradict each other, of which each is about a thing of its own."""
    is_contradiction: bool
    fits_both: bool
    """Whether the question fits both passages: each has the same words of it."""

    def named_in(self, query: str) -> Value | None:
        """Return the value whose document, and not that of the other, is named by its whole title in ``query``."""
        titles = [value.hit.passage.heading.replace("_", " ") for value in (self.one, self.other)]
        is_named = [text.contains(title, query) for title in titles]
        if not self.may_be_named or is_named[0] == is_named[1]:
            return None
        return self.one if is_named[0] else self.other


def _document(hit: Hit) -> str:
    return hit.passage.place.document if hit.passage.place else hit.passage.title


def conflict(run: RunContext, query: str) -> list[Value]:
    """Return the values with which the passages found for ``query`` contradict each other; empty if they do not.

    The newest comes first if every one has a date, else the likeliest. Raises ``RetrievalError``, ``ReaderError``,
    ``Cancelled`` or ``BudgetSpent``.
    """
    pairs = _pairs(run, query)
    return in_order(_different(pair for pair in pairs if pair.is_contradiction))


def differs(run: RunContext, query: str) -> bool:
    """Tell whether passages found for ``query`` contradict each other or answer it for different things.

    Raises as ``conflict``.
    """
    return any(pair.is_contradiction or pair.fits_both for pair in _pairs(run, query))


def _pairs(run: RunContext, query: str) -> list[Pair]:
    """Return the pairs of passages found for ``query`` whose values differ."""
    is_of_labels = run.wants_label(Step(query, None)) or run.task is TaskKind.LONGFORM
    if run.lookups is None or run.probability is None or run.similarity is None or is_of_labels:
        return []
    if run.settings.follows_paper:
        return []
    evidence = run.wait(run.lookups.start(query))
    return list(judged(query, evidence, run.lookups.read, run.similarity))


def in_order(values: Sequence[Value]) -> list[Value]:
    """Return the newest value first if every one has a date, else the likeliest."""
    if all(value.date for value in values):
        return sorted(values, key=lambda value: value.date or "", reverse=True)
    return _by_likelihood(values)


def _by_likelihood(values: Iterable[Value]) -> list[Value]:
    return sorted(values, key=lambda value: -(value.reading.probability or 0.0))


Read = Callable[[str, Sequence[Hit]], Sequence[Reading]]
"""(query, hits) → for each hit the likeliest reading of its passage, with its probability among these hits."""


def judged(query: str, evidence: Evidence, read: Read, similarity: Similarity) -> Iterator[Pair]:
    """Yield the pairs of values that differ, with whether they contradict each other or the question fits both."""
    for one, other in compared(query, evidence, read, similarity):
        is_own = all(value.hit.passage.place for value in (one, other))
        values = features(query, one, other, similarity)
        is_contradiction = fitted().says(values, least=0.0 if is_own else ARTICLES)
        least = min(value.reading.probability or 0.0 for value in (one, other))
        are_likely = is_own and least >= LEAST_EACH
        fits_both = are_likely and not is_contradiction and not values[FEATURES.index("lacking")]
        yield Pair(one, other, are_likely or (is_contradiction and not is_own), is_contradiction, fits_both)


def _different(pairs: Iterable[Pair]) -> list[Value]:
    """Return the values of ``pairs`` that differ from one another, the likeliest first."""
    values: list[Value] = []
    for pair in pairs:
        values += [value for value in (pair.one, pair.other) if all(value.differs_from(known) for known in values)]
    return _by_likelihood(values)


def compared(query: str, evidence: Evidence, read: Read, similarity: Similarity) -> Iterator[tuple[Value, Value]]:
    """Yield pairs of values that may contradict each other, each value read as if its rivals had not been found.

    Beside its rival a passage may be read as what both have in common ("firm" beside "the firm Adler"), so answers of
    which one is a part of the other are compared too.
    """
    found = [Value(*pair) for pair in zip(evidence.hits, evidence.readings, strict=True)]
    relevant = [value for value in found if value.reading.confidence >= LEAST_RELEVANT]
    pairs = [pair for pair in combinations(relevant, 2) if pair[0].may_differ_from(pair[1])]
    rated = ((similarity(one.sentence, other.sentence), one, other) for one, other in pairs)
    nearest = sorted(rated, key=lambda pair: -pair[0])
    near = [(one, other) for cosine, one, other in nearest[:MOST_PAIRS] if cosine >= LEAST_SIMILAR]
    for pair in near:
        one, other = (
            _alone(query, value, [each for each in found if not _is_rival(value, each, near)], read) for value in pair
        )
        if one.differs_from(other):
            yield one, other


def _is_rival(value: Value, other: Value, pairs: Sequence[tuple[Value, Value]]) -> bool:
    return (value, other) in pairs or (other, value) in pairs


def _alone(query: str, value: Value, found: Sequence[Value], read: Read) -> Value:
    """Return ``value`` with the reading of its passage among ``found``, where it has no rival."""
    return replace(value, reading=read(query, [one.hit for one in found])[found.index(value)])


def features(query: str, one: Value, other: Value, similarity: Similarity) -> list[float]:
    """Return the features of a contradiction of two values, in the order of ``FEATURES``."""
    pair, asked = (one, other), text.content_words(query)
    relevant = sorted(value.reading.confidence for value in pair)
    mine, theirs = (asked & text.content_words(f"{value.head} {value.hit.passage.text}") for value in pair)
    return [
        min(logit(value.reading.probability or 0.0) for value in pair),
        relevant[0],
        relevant[1] - relevant[0],
        similarity(one.sentence, other.sentence),
        similarity(*(value.masked for value in pair)),
        similarity(one.hit.passage.title, other.hit.passage.title),
        similarity(one.hit.passage.text, other.hit.passage.text),
        len(mine ^ theirs),
        len((mine & text.content_words(one.head)) - theirs) + len((theirs & text.content_words(other.head)) - mine),
    ]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The fitted model of whether two values contradict each other."""

    model: Logistic
    threshold: float
    """The least probability at which they are said to."""

    def says(self, values: Sequence[float], *, least: float = 0.0) -> bool:
        return self.model.probability(values) >= max(self.threshold, least)


@cache
def fitted() -> Contradiction:
    """Return the fitted model. Raises ``SetupError`` if the file is missing or damaged."""
    return read_weights(
        WEIGHTS, lambda stored: Contradiction(Logistic.from_json(stored, FEATURES), float(stored["threshold"]))
    )


def told_conflict(run: RunContext, replier: Replier, query: str) -> Generator[Event, None, bool]:
    """Reply with the values that passages for ``query`` give, where they contradict each other or fit it alike.

    Return whether there are any. Each value becomes a step of the tree, so that all are shown. Raises
    ``RetrievalError``, ``ReaderError``, ``Cancelled`` or ``BudgetSpent``.
    """
    pairs = _pairs(run, query)
    named = next((value for pair in pairs if (value := pair.named_in(query))), None)
    values = [named] if named else in_order(_different(pair for pair in pairs if pair.is_contradiction))
    if named:
        yield from _settled(run, query, values, NAMED)
        yield from replier.reply(by_model=False)
    elif values:
        yield from _differing_reply(run, replier, query, values)
    elif values := _different(pair for pair in pairs if pair.fits_both):
        keys = yield from _settled(run, query, values, OPEN)
        asks = asking(keys)
        known = KnownReply(f"{asks} {naming(SEVERAL_MEANT, keys)}", keys, "", "it is open what is meant", asks=asks)
        yield from replier.reply(by_model=False, known=known)
    return bool(values)


def told_agreement(run: RunContext, replier: Replier) -> Generator[Event, None, bool]:
    """Reply whether documents answer the question of the run alike; return whether any of them answers it.

    Raises ``RetrievalError``, ``ReaderError``, ``Cancelled`` or ``BudgetSpent``.
    """
    values = _of_documents(run)
    different: list[Value] = []
    for value in values:
        if all(value.differs_from(known) for known in different):
            different.append(value)
    if len(different) > 1:
        yield from _differing_reply(run, replier, run.question, in_order(different))
    elif values:
        keys = yield from _settled(run, run.question, values, AGREED)
        opening = DOCUMENTS_AGREE if len(values) > 1 else ONE_DOCUMENT
        final, doubt = values[0].reading.answer, "only the passages found were compared"
        yield from replier.reply(by_model=False, known=KnownReply(naming(opening, keys), keys, final, doubt))
    return bool(values)


def _of_documents(run: RunContext) -> list[Value]:
    """Return the value that each document found gives to the question of the run, the likeliest first."""
    if run.lookups is None or run.probability is None:
        return []
    hits = run.wait(run.lookups.start(run.question)).hits
    alone = [Value(hit, run.lookups.read(run.question, [hit])[0]) for hit in hits]
    given = [
        value
        for value in alone
        if (value.reading.probability or 0.0) >= LEAST_ALONE and value.reading.confidence >= LEAST_SAID
    ]
    best: dict[str, Value] = {}
    for value in _by_likelihood(given):
        best.setdefault(_document(value.hit), value)
    return list(best.values())


def _differing_reply(run: RunContext, replier: Replier, query: str, values: Sequence[Value]) -> Iterator[Event]:
    keys = yield from _settled(run, query, values, RULE)
    known = KnownReply(differing(keys), keys, joined(values), "the sources differ", conflict=rivals(values))
    yield from replier.reply(by_model=False, known=known)


def _settled(
    run: RunContext, query: str, values: Sequence[Value], rule: str
) -> Generator[Event, None, dict[str, Node]]:
    """Add a step for each of ``values`` to the tree; return these steps with their keys."""
    assert run.lookups is not None
    evidence, path = run.wait(run.lookups.start(query)), run.tree.path()
    round = path[-1].round if path else 1
    if not path:
        yield RoundStarted(round=round)
    for number, value in enumerate(values):
        given = replace(evidence, chosen=value.hit, reading=value.reading)
        judgement = Judgement(Verdict.COMPLETED, rule, value.reading.answer, probability=value.reading.probability)
        if number == 0 and path:
            yield from settle(run.tree, path[-1], given, judgement)
        else:
            yield from settle_new(run.tree, query, round, given, judgement)
    return keys_of(run.tree.path()[-len(values) :])


def joined(values: Iterable[Value]) -> str:
    """Return the short answer that names every value."""
    return "; ".join(value.reading.answer.rstrip(".") for value in values)


def rivals(values: Sequence[Value]) -> tuple[RivalAnswer, ...]:
    """Return the values as the end of a run names them, where each is cited in turn."""
    return tuple(RivalAnswer(value.reading.answer, (number,), value.date) for number, value in enumerate(values, 1))
