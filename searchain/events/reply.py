"""The events of the reply: its answer is chosen, it is written, and it may be reviewed."""

from dataclasses import dataclass
from typing import Literal

from searchain.types import JudgedAnswer, Sentence, Source


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that the reply may give."""

    origin: Literal["question", "chain"]
    """Whether it comes from looking up the question itself, or from the end of the chain."""
    node: str | None
    """The node that has the answer; ``None`` for a reading that was not chosen."""
    answer: str
    probability: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesWeighed:
    """The end of the chain and the direct reading were compared; the reply gives the one that is more likely right."""

    candidates: tuple[Candidate, ...]
    chosen: int
    """The index of the chosen one in ``candidates``."""
    type: Literal["candidates_weighed"] = "candidates_weighed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TracingStarted:
    """The reply is being written from the correct path. A second one discards the text so far (it was unusable)."""

    path: tuple[str, ...]
    """Node ids, from the root."""
    writer: Literal["model", "template"]
    type: Literal["tracing_started"] = "tracing_started"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyDelta:
    """The next piece of the reply. Its keys are already replaced by citation numbers, and no marker is cut in two."""

    text: str
    sources: tuple[Source, ...] = ()
    """The sources first cited in this text, so that each number is shown together with its source."""
    type: Literal["reply_delta"] = "reply_delta"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceBound:
    sentence: Sentence
    type: Literal["sentence_bound"] = "sentence_bound"
    version: Literal[1, 2, 3, 4] = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStarted:
    """The reply is complete, and a larger model begins to read its passages once more."""

    model: str
    """Its name, for people."""
    type: Literal["review_started"] = "review_started"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyReviewed:
    """The larger model's judgement of the reply; a corrected reply follows, or the end of the run."""

    outcome: Literal["confirmed", "corrected", "withdrawn"]
    """``withdrawn``: the text is kept but not supported."""
    model: str
    first: str
    """The short answer of the reply, ``""`` without one."""
    second: str
    """The larger model's own answer, ``""`` if it found none."""
    passages: tuple[str, ...]
    """Ids of the passages that it read."""
    probability: float | None
    """How likely the answer in force is right now, 0–1; ``None`` where that was never measured."""
    sentences: tuple[int, ...]
    """Indices of the sentences that get this probability."""
    seconds: float
    before: float | None = None
    """How likely the reply was right before it was read again; ``None`` also in events stored by older versions."""
    place: int | None = None
    """The index in ``passages`` of the one that holds ``second``; ``None`` if none holds it."""
    chosen: str = ""
    """The answer that replaces the reply's; ``""`` if that is kept."""
    answers: tuple[JudgedAnswer, ...] = ()
    """The answers that were weighed, that of the reply first; none in events stored by older versions."""
    carried: tuple[int, ...] = ()
    """Set only in older events: indices of the weak sentences that became completed."""
    type: Literal["reply_reviewed"] = "reply_reviewed"
    version: Literal[1] = 1


ReplyEvent = CandidatesWeighed | TracingStarted | ReplyDelta | SentenceBound | ReviewStarted | ReplyReviewed
