"""The values of the method: passages, readings, steps, nodes, sources, sentences.

These are pure values. Identity that only a database needs (owners, row ids, times) lives in ``storage``.
All text offsets are half-open and count Unicode code points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from searchain.types.kinds import ENDED as ENDED
from searchain.types.kinds import SETTLED as SETTLED
from searchain.types.kinds import STRICTER as STRICTER
from searchain.types.kinds import Abilities as Abilities
from searchain.types.kinds import Outcome, Support, Verdict
from searchain.types.kinds import Status as Status
from searchain.types.kinds import TaskKind as TaskKind

JOINT = "+"
"""The separator of the names of indexes that are searched together."""
WEB = "searxng="
"""The prefix of a SearXNG server's URL, which together name the web as the searched index."""
Search = Literal["fused", "meaning", "words"]
"""How passages are found: by the meaning of their tokens, by their words, or by both."""
HEADING_STEP = " › "
"""The separator of an own document's title and the headings above a passage."""
_OWN = re.compile(r"c-[0-9a-hjkmnp-tv-z]{26}")  # and a ULID


def is_own(index: str) -> bool:
    """Tell whether ``index`` names a collection of own documents; that index exists only if it has documents."""
    return _OWN.fullmatch(index) is not None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage stands in an own document: ``text`` of that version, ``[start:end]``."""

    document: str
    """The document's ULID."""
    version: str
    """SHA-256 of the document's bytes, 64 hexadecimal digits."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the corpus. ``text`` never contains the title."""

    id: str
    title: str
    text: str
    url: str | None = None
    place: Place | None = None
    """The place in an own document whose text is ``text``; ``None`` for other passages."""

    @property
    def heading(self) -> str:
        """The title of its document or article, without the headings above the passage."""
        return self.title.partition(HEADING_STEP)[0]


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved passage; hits come ranked, best first, with ``rank`` from 1."""

    passage: Passage
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Span:
    """``passage.text[start:end]``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The Reader's result for one passage."""

    answer: str
    """The extracted text, ``""`` if the Reader found no answer."""
    span: Span | None
    """Where it stands in the passage; ``None`` exactly when ``answer`` is empty."""
    confidence: float
    """f of the paper: the relevance logit, "can this passage answer the query"."""
    likelihood: float | None = None
    """The log-probability of the span among all spans of its passage, 0 at most."""
    lead: float | None = None
    """By how many logits the span exceeds the best span that shares no word with it; may be negative."""
    probability: float | None = None
    """How likely ``answer`` answers the query, 0–1; ``None`` where that was never measured."""
    others: tuple[Reading, ...] = ()
    """Readings of other places in the same passage, the likeliest span first; they have no others themselves."""

    @property
    def order(self) -> tuple[float, float]:
        """How likely it is right, and how relevant its passage, by which readings are sorted."""
        return self.probability or 0.0, self.confidence

    @property
    def options(self) -> tuple[Reading, ...]:
        """This reading and the others, each by itself; empty where the Reader found no answer."""
        return (replace(self, others=()), *self.others) if self.answer else ()


@dataclass(frozen=True, slots=True)
class Opinion:
    """How likely one passage supports a statement, refutes it or leaves it open: probabilities with the sum 1."""

    supports: float
    refutes: float
    unknown: float

    @property
    def margin(self) -> float:
        """How far the passage decides: positive for the statement, negative against it, −1 to 1."""
        return self.supports - self.refutes


@dataclass(frozen=True, slots=True)
class Evidence:
    """The result of retrieval and reading for one query.

    ``chosen`` and ``reading`` are ``None`` when nothing was found.
    """

    hits: tuple[Hit, ...]
    chosen: Hit | None
    reading: Reading | None
    readings: tuple[Reading, ...] = ()
    """One per hit."""
    opinions: tuple[Opinion, ...] = ()
    """One per hit where the query wants a label, else empty."""
    retrieval_seconds: float = 0.0
    reader_seconds: float = 0.0


Feedback = Literal["verification", "completion", "passage"]
"""The kind of feedback to the model after a judgement: a correction, an answer, or the passage alone."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the rule that fired, the answer in force, and the feedback that the model needs, if any."""

    verdict: Verdict
    rule: str
    answer: str | None
    feedback: Feedback | None = None
    quote: Span | None = None
    """The span that decided, if it is not the reading's: the window for a long answer, or the model's answer in the
    passage."""
    probability: float | None = None
    """How likely ``answer`` is right, 0–1; ``None`` where that was never measured."""


@dataclass(frozen=True, slots=True)
class Step:
    """One node as the model wrote it: a query with its answer, or without one."""

    query: str
    answer: str | None
    """``None`` means ``[Unsolved Query]``."""

    @property
    def is_solved(self) -> bool:
        return self.answer is not None


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the Tree-of-Reasoning with everything known about it."""

    id: str
    parent: str | None
    round: int
    query: str
    model_answer: str | None = None
    reader_answer: str | None = None
    answer: str | None = None
    """The answer in force: what the path and the reply use."""
    verdict: Verdict | None = None
    """``None`` while (or when) the node was not processed."""
    rule: str | None = None
    """Which rule of verification fired."""
    confidence: float | None = None
    probability: float | None = None
    """How likely ``answer`` is right, 0–1; ``None`` where that was never measured."""
    passage: Passage | None = None
    rank: int | None = None
    """The passage's rank in its search, from 1."""
    span: Span | None = None
    mends: str | None = None
    """The node that this one replaces."""
    on_path: bool = False

    def with_evidence_of(self, other: Node) -> Node:
        """Return this node with the passage and the reading of ``other``."""
        names = ("passage", "rank", "span", "reader_answer", "confidence", "probability")
        return replace(self, **{name: getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered citation target: a passage, the span that decided, and the node that found it."""

    number: int
    passage: Passage
    span: Span | None
    confidence: float
    query: str
    verdict: Verdict
    node: str
    probability: float | None = None
    """How likely the node's answer is right, 0–1; ``None`` where that was never measured."""

    @property
    def parts(self) -> tuple[str, str, str]:
        """The passage's text before, in and after the span; without a span all of it stands before."""
        text, span = self.passage.text, self.span
        return (text[: span.start], text[span.start : span.end], text[span.end :]) if span else (text, "", "")

    @property
    def quote(self) -> str:
        """The words of the span, ``""`` without one."""
        return self.parts[1]


@dataclass(frozen=True, slots=True)
class ChangedCitation:
    """A citation whose document was replaced since, and says otherwise, or was removed."""

    number: int
    is_removed: bool
    document: str
    """The document's name; ``""`` for those who may not search its collection."""
    now: str | None
    """The sentence that stands instead, ``""`` if there is none; ``None`` for those who may not search the collection,
    and after a redaction."""


@dataclass(frozen=True, slots=True)
class RivalAnswer:
    """One of the answers that sources give to the same question, where they do not agree."""

    answer: str
    sources: tuple[int, ...]
    """The numbers of the sources that give it."""
    date: str | None = None
    """The date of its document: ``2024``, ``2024-05`` or ``2024-05-19``; ``None`` if it bears none."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One ``[n]`` in the reply; offsets into the reply."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One reply sentence with its marks; ``reply[start:end] == text``, marks included."""

    text: str
    start: int
    end: int
    marks: tuple[Mark, ...]
    support: Support
    probability: float | None = None
    """How likely the least likely step that it cites is right, 0–1; ``None`` where one was never measured."""
    uncarried: tuple[Span, ...] = ()
    """The words that its sources do not say, as places in the reply."""

    @property
    def citations(self) -> tuple[int, ...]:
        """The numbers cited, each once, in order of appearance."""
        return tuple(dict.fromkeys(mark.number for mark in self.marks))

    @property
    def said(self) -> str:
        """The text without its marks, and without the space before each."""
        kept, at = "", 0
        for mark in self.marks:
            kept += self.text[at : mark.start - self.start].removesuffix(" ")
            at = mark.end - self.start
        return kept + self.text[at:]


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """A short answer that a second reader judged."""

    answer: str
    before: float | None
    """How likely it was right before, 0–1; ``None`` where that was never measured."""
    says_yes: float
    """The second reader's probability that it is right, 0–1; 0.5 where it was not asked."""
    is_first: bool = False
    """Whether it is the answer of the reply."""
    agrees: bool = False
    """Whether it agrees with the second reader's own answer."""
    is_guess: bool = False
    """Set only in older events: the second reader found no answer and gave this one as a guess."""
    place: int | None = None
    """The index of the passage that holds it; ``None`` if none does."""
    is_bounded: bool = False
    """Set only in older events: a rule limited its probability."""
    is_refused: bool = False
    """Set only in older events: a rule found that its passage means something else."""
    probability: float | None = None
    """How likely it is right now, 0–1; ``None`` where that was never measured."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The costs of one or more model calls."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    llm_seconds: float = 0.0
    """Time in which a generation was running."""
    retrieval_seconds: float = 0.0
    reader_seconds: float = 0.0
    seconds: float = 0.0
    """Wall time of the whole run."""
    prompt_words: int = 0
    """The number of words in the prompts of all calls (table 5 of the paper)."""
    completion_words: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message as the model sees it."""

    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """One earlier question of the conversation with its reply, for follow-ups."""

    question: str
    answer: str
    final_answer: str = ""
    outcome: Outcome | None = None
    """``None`` if it is not known, because the reply was not rated or comes from a client."""
