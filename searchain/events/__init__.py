"""The events of a run as values, and the fold from events to the state of a turn.

The event log is the truth: the page, the store, exports and tests all read the same events, and ``fold`` is the only
place that turns them into a turn's state. ``to_payload`` and ``from_payload`` give them their stored form. Every event
carries ``version``, the version of its payload: 2 where it came to hold a probability, or the system; 3 where a run's
usage came to hold words; 3 of a sentence and 4 of a run's end where they came to say separately whether the source says
it and whether it is the answer, and the answers that do not agree; 4 of a sentence of a checked text, whose state may
be ``contradicted`` or ``absent``. Older payloads are read as they are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, assert_never

from searchain.events.chain import (
    BranchOpened,
    ChainDelta,
    ChainEvent,
    FeedbackSent,
    NodeJudged,
    NodeParsed,
    NodeRead,
    RoundStarted,
    SamplesWeighed,
    Searched,
    ThoughtDelta,
)
from searchain.events.chain import Sample as Sample
from searchain.events.reply import (
    Candidate,
    CandidatesWeighed,
    ReplyDelta,
    ReplyEvent,
    ReplyReviewed,
    ReviewStarted,
    SentenceBound,
    TracingStarted,
)
from searchain.events.run import ModelFault, QuestionRewritten, RunEvent, RunFinished, RunStarted, TaskChosen, Waiting
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
    Support,
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
    as_of: str | None = None
    final_answer: str = ""
    invented_markers: int = 0
    usage: Usage = Usage()
    message: str = ""
    changed: tuple[ChangedCitation, ...] = ()
    """The citations that were overtaken since; ``storage.log`` adds them, since no event tells of them."""

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


Event = RunEvent | ChainEvent | ReplyEvent
_BEFORE_ANY = Turn()


def fold(events: Iterable[Event], turn: Turn = _BEFORE_ANY) -> Turn:
    """Return the turn after ``events``, starting from ``turn``."""
    for event in events:
        if isinstance(event, RunEvent):
            turn = _after_run_event(turn, event)
        elif isinstance(event, ChainEvent):
            turn = _after_chain_event(turn, event)
        else:
            turn = _after_reply_event(turn, event)
    return turn


def _after_run_event(turn: Turn, event: RunEvent) -> Turn:
    match event:
        case RunStarted():
            asked = {"standalone_question": event.question, "system": _system(event), "waiting": None}
            return replace(turn, **_shared(event) | asked)
        case Waiting():
            return replace(turn, waiting=event.ahead)
        case TaskChosen():
            return replace(turn, task=event.task)
        case QuestionRewritten():
            return replace(turn, standalone_question=event.standalone)
        case ModelFault():
            return replace(turn, faults=(*turn.faults, event))
        case RunFinished():
            return replace(turn, **_shared(event), waiting=None)
        case _:
            assert_never(event)


def _after_chain_event(turn: Turn, event: ChainEvent) -> Turn:
    match event:
        case RoundStarted():
            return replace(_rested(turn), round=event.round, chains=(*turn.chains, ""))
        case ChainDelta():
            return replace(turn, chains=(*turn.chains[:-1], turn.chains[-1] + event.text))
        case ThoughtDelta():
            return replace(turn, thoughts=turn.thoughts + event.text)
        case NodeParsed():
            return _parsed(turn, event)
        case Searched():
            return replace(turn, hits={**turn.hits, event.node: event.hits})
        case NodeRead():
            return _read(turn, event)
        case NodeJudged():
            return _judged(turn, event)
        case FeedbackSent():
            return replace(turn, feedback=(*turn.feedback, event))
        case BranchOpened():
            return replace(turn, nodes=(*turn.nodes, replace(_new_node(event), mends=event.mends)))
        case SamplesWeighed():
            return replace(turn, weighed=(*turn.weighed, event))
        case _:
            assert_never(event)


def _after_reply_event(turn: Turn, event: ReplyEvent) -> Turn:
    match event:
        case CandidatesWeighed():
            chosen = event.candidates[event.chosen]
            others = (one for number, one in enumerate(event.candidates) if number != event.chosen)
            return replace(turn, candidates=(chosen, *others))
        case TracingStarted():
            nodes = tuple(replace(node, on_path=node.id in event.path) for node in turn.nodes)
            return replace(_rested(turn), nodes=nodes, writer=event.writer, answer="", sentences=(), sources=())
        case ReplyDelta():
            return replace(turn, answer=turn.answer + event.text, sources=(*turn.sources, *event.sources))
        case SentenceBound():
            return replace(turn, sentences=(*turn.sentences, event.sentence))
        case ReviewStarted():
            return replace(turn, checked_by=event.model)
        case ReplyReviewed():
            return _reviewed(turn, event)
        case _:
            assert_never(event)


def _shared(event: RunStarted | RunFinished) -> dict[str, Any]:
    """Return the fields of an event that a turn has under the same names."""
    names = Turn.__dataclass_fields__.keys() & event.__dataclass_fields__.keys()
    return {name: getattr(event, name) for name in names}


def _system(event: RunStarted) -> str:
    """Return the name of the method; events of version 1 give it only by their profile."""
    if event.version == 1:
        return {"default": "searchain", "paper": "searchain-paper"}.get(event.profile, event.model)
    return event.system


def _rested(turn: Turn) -> Turn:
    """Return the turn with an empty line after its thoughts, so that the next one begins a paragraph."""
    thoughts = turn.thoughts.rstrip()
    return replace(turn, thoughts=f"{thoughts}\n\n" if thoughts else "")


def _parsed(turn: Turn, event: NodeParsed) -> Turn:
    if any(node.id == event.node for node in turn.nodes):
        return _with_node(turn, turn.node(event.node), query=event.query, model_answer=event.answer)
    return replace(turn, nodes=(*turn.nodes, replace(_new_node(event), model_answer=event.answer)))


def _new_node(event: NodeParsed | BranchOpened) -> Node:
    return Node(id=event.node, parent=event.parent, round=event.round, query=event.query, answer=event.answer)


def _read(turn: Turn, event: NodeRead) -> Turn:
    node = turn.node(event.node)
    known = [hit.passage for hit in turn.hits.get(event.node, ())] + ([node.passage] if node.passage else [])
    passage, reading = next(one for one in known if one.id == event.passage), event.reading
    read = {"span": reading.span, "reader_answer": reading.answer, "confidence": reading.confidence}
    return _with_node(turn, node, passage=passage, rank=event.rank, **read)


def _judged(turn: Turn, event: NodeJudged) -> Turn:
    node = turn.node(event.node)
    if event.same_as is not None:
        node = node.with_evidence_of(turn.node(event.same_as))
    return _with_node(
        turn, node, verdict=event.verdict, rule=event.rule, answer=event.after, probability=event.probability
    )


def _reviewed(turn: Turn, event: ReplyReviewed) -> Turn:
    sentences = tuple(
        replace(
            one,
            probability=event.probability if place in event.sentences else one.probability,
            support=Support.COMPLETED if place in event.carried else one.support,  # of older versions alone
        )
        for place, one in enumerate(turn.sentences)
    )
    return replace(turn, review=event, sentences=sentences)


def _with_node(turn: Turn, node: Node, **changes: Any) -> Turn:
    node = replace(node, **changes)
    return replace(turn, nodes=tuple(node if other.id == node.id else other for other in turn.nodes))


@cache
def _adapter() -> Any:
    from pydantic import Field, TypeAdapter  # here, because it takes 0.1 s that `--help` need not pay

    return TypeAdapter(Annotated[Event, Field(discriminator="type")])


_LATER: tuple[tuple[type[Any], int, str, tuple[str, ...]], ...] = (
    (RunStarted, 2, "", ("system", "beside")),
    (SentenceBound, 3, "sentence", ("uncarried",)),
    (RunFinished, 3, "usage", ("prompt_words", "completion_words")),
    (RunFinished, 4, "", ("conflict",)),
    (RunFinished, 5, "", ("asks",)),
    (RunFinished, 6, "", ("as_of",)),
)
"""Fields that came later: the event, the first version with them, the part of the payload, and their names."""
_SINCE_VERSION_2 = ("outcome", "probability", "threshold", "likelihood", "lead")
"""Fields that payloads of version 1 do not have."""


def to_payload(event: Event) -> dict[str, Any]:
    """Return the event as JSON-ready values, ``type`` and ``version`` included.

    An event of an older version gets exactly the payload that the program wrote at that time.
    """
    payload = _adapter().dump_python(event, mode="json")
    for kind, version, part, names in _LATER:
        if isinstance(event, kind) and event.version < version:
            for name in names:
                del (payload[part] if part else payload)[name]
    if isinstance(event, NodeRead | NodeJudged | ReplyDelta | SentenceBound | RunFinished) and event.version == 1:
        parts = (payload.get("reading", {}), payload.get("sentence", {}), *payload.get("sources", ()))
        for values in (payload, *parts):
            for name in _SINCE_VERSION_2:
                values.pop(name, None)
    payload.get("reading", {}).pop("others", None)  # they were weighed, and belong to no node
    for name in ("collections", "files", "unread", "generations", "replaces", "is_loading"):
        if not payload.get(name, True):
            del payload[name]
    for holder in (*payload.get("hits", ()), *payload.get("sources", ())):
        if holder["passage"]["place"] is None:  # as it was written before passages had places
            del holder["passage"]["place"]
    return payload


def from_payload(payload: dict[str, Any]) -> Event:
    """Return the event that ``to_payload`` wrote.

    Raises ``pydantic.ValidationError`` for an unknown type or version, or a payload of another form.
    """
    return _adapter().validate_python(payload)
