"""The state of one turn, and the values computed from it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from searchain.events.chain import FeedbackSent, SamplesWeighed
from searchain.events.reply import Candidate, ReplyReviewed
from searchain.events.run import ModelFault
from searchain.types import (
    ChangedCitation,
    Hit,
    Mark,
    Node,
    Outcome,
    RivalAnswer,
    Sentence,
    Source,
    Status,
    TaskKind,
    Usage,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of one turn after the events so far; ``RunStarted`` and ``RunFinished`` explain what it has of them."""

    question: str = ""
    standalone_question: str = ""
    model: str = ""
    index: str = ""
    """The index that is searched; several are joined by ``+``."""
    collections: tuple[str, ...] = ()
    files: int = 0
    unread: int = 0
    profile: str = ""
    system: str = ""
    beside: str | None = None
    replaces: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    waiting: int | None = None
    """How many runs begin before this one; ``None`` when it has begun."""
    task: TaskKind | None = None
    round: int = 0
    chains: tuple[str, ...] = ()
    """The model's text, one entry per round."""
    thoughts: str = ""
    """What the model thought, with an empty line between one generation and the next."""
    nodes: tuple[Node, ...] = ()
    """In order of creation."""
    hits: dict[str, tuple[Hit, ...]] = field(default_factory=dict)
    """Node id → what its search found."""
    feedback: tuple[FeedbackSent, ...] = ()
    faults: tuple[ModelFault, ...] = ()
    writer: str | None = None
    """``None`` until the reply is being written."""
    answer: str = ""
    """The reply so far, with [n] marks."""
    sentences: tuple[Sentence, ...] = ()
    sources: tuple[Source, ...] = ()
    checked_by: str | None = None
    """The larger model that reads, or has read, the passages once more; ``None`` where none does."""
    review: ReplyReviewed | None = None
    """The result of the second reading; ``None`` until it ends, and if it never ended."""
    status: Status | None = None
    """``None`` while the run goes on."""
    outcome: Outcome | None = None
    probability: float | None = None
    threshold: float | None = None
    candidates: tuple[Candidate, ...] = ()
    """The answers that were weighed, the chosen one first."""
    weighed: tuple[SamplesWeighed, ...] = ()
    """The sampled texts, in the order in which they were weighed."""
    conflict: tuple[RivalAnswer, ...] = ()
    asks: str | None = None
    final_answer: str = ""
    invented_markers: int = 0
    usage: Usage = Usage()
    message: str = ""
    changed: tuple[ChangedCitation, ...] = ()
    """The citations that were overtaken since; ``storage.log.changed`` adds them, since no event tells of them."""

    def node(self, id: str) -> Node:
        """Return the node with this id; ``KeyError`` when there is none."""
        for node in self.nodes:
            if node.id == id:
                return node
        raise KeyError(id)

    def source(self, number: int) -> Source | None:
        """Return the source with this number; ``None`` when there is none."""
        return next((source for source in self.sources if source.number == number), None)

    @property
    def is_being_checked(self) -> bool:
        """Whether the reply is complete, and may still change."""
        return self.status is None and self.checked_by is not None and self.review is None

    def citations(self) -> Iterator[tuple[Mark, Source]]:
        """Yield every mark with its source, in order; a mark without a source is left out."""
        sources = {source.number: source for source in self.sources}
        for sentence in self.sentences:
            yield from ((mark, sources[mark.number]) for mark in sentence.marks if mark.number in sources)

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[str | tuple[Mark, Source]]:
        """Yield ``answer[start:end]`` cut at its citations: a text, then in turn a citation and a text."""
        end = len(self.answer) if end is None else end
        for mark, source in self.citations():
            if start <= mark.start and mark.end <= end:
                yield self.answer[start : mark.start]
                yield mark, source
                start = mark.end
        yield self.answer[start:end]
