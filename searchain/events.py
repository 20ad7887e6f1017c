"""What happens in a run, as values; and the fold from events to the state of a turn.

The event log is the truth: the page, the store, exports and tests all read the same events, and ``fold`` is the only
place that turns them into a turn's state. Every event carries ``version``, the version of its payload: 2 where it came
to hold a probability, or the system, and 3 where a run's
usage came to hold words. Older payloads are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Literal, assert_never

from searchain.types import (
    STRICTER,
    Hit,
    JudgedAnswer,
    Mark,
    Node,
    Outcome,
    Reading,
    Sentence,
    Source,
    Status,
    Support,
    TaskKind,
    Usage,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A question was accepted."""

    question: str
    model: str
    index: str
    profile: str
    settings: dict[str, Any]
    """The run's ``Settings`` as plain values."""
    system: str = "searchain"
    """The method, as ``--system`` names it."""
    beside: str | None = None
    """The turn that this one is compared with: the same question, asked of another method."""
    replaces: str | None = None
    """The turn whose place this one takes: its question asked again, as it was or in other words."""
    collections: tuple[str, ...] = ()
    """The names of the collections of own documents that are searched."""
    generations: dict[str, int] = field(default_factory=dict)
    """Index → which generation of it is searched, for indexes that change."""
    type: Literal["run_started"] = "run_started"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The run waits for its turn; those before it are fewer than they were (at most one a second)."""

    ahead: int
    """How many runs begin before this one."""
    type: Literal["waiting"] = "waiting"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskChosen:
    task: TaskKind
    by: Literal["user", "rule"]
    type: Literal["task_chosen"] = "task_chosen"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRewritten:
    """The question is looked up in other words: made standalone, without its greeting, or spelt as the passages are."""

    standalone: str
    by: Literal["model", "rule", "spelling"]
    type: Literal["question_rewritten"] = "question_rewritten"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted:
    round: int
    """From 1."""
    type: Literal["round_started"] = "round_started"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainDelta:
    """The model wrote more of its chain (joined to at most ten a second)."""

    round: int
    text: str
    type: Literal["chain_delta"] = "chain_delta"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtDelta:
    """The model thought more before it wrote (joined to at most ten a second): shown folded, never read as a step."""

    text: str
    type: Literal["thought_delta"] = "thought_delta"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeParsed:
    """A node of the chain is complete; it is new, or it is the announced root of a branch."""

    node: str
    parent: str | None
    round: int
    query: str
    answer: str | None
    """What the model answered; ``None`` is ``[Unsolved Query]``."""
    type: Literal["node_parsed"] = "node_parsed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    node: str
    query: str
    hits: tuple[Hit, ...]
    """With the whole passages: the evidence is frozen with the run."""
    seconds: float
    type: Literal["searched"] = "searched"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRead:
    """The Reader chose a passage among the hits and read it."""

    node: str
    passage: str
    """Id of the chosen passage, one of the hits of this node's search."""
    rank: int
    reading: Reading
    seconds: float
    type: Literal["node_read"] = "node_read"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeJudged:
    node: str
    verdict: Verdict
    rule: str
    before: str | None
    """The model's answer."""
    after: str | None
    """The answer in force from now on."""
    same_as: str | None = None
    """The earlier node whose evidence and verdict were inherited (a duplicate, or the node that this one replaces)."""
    probability: float | None = None
    """How likely the answer in force is right, 0–1; ``None`` where that was never measured."""
    type: Literal["node_judged"] = "node_judged"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackSent:
    node: str | None
    """The node to correct; ``None`` when the form of the reply is what was wrong (repair)."""
    kind: Literal["verification", "completion", "passage", "repair"]
    """``passage``: completion below the floor, a passage without an answer."""
    text: str
    type: Literal["feedback_sent"] = "feedback_sent"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchOpened:
    """A new branch starts at the parent of the node that it replaces; its first node has the reading as answer."""

    node: str
    mends: str
    parent: str | None
    round: int
    query: str
    answer: str | None
    type: Literal["branch_opened"] = "branch_opened"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer that the reply may give."""

    origin: Literal["question", "chain"]
    """Whether it was read in what the question itself found, or is the end of the chain."""
    node: str | None
    """The node that has the answer; ``None`` for a reading that was not chosen."""
    answer: str
    probability: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesWeighed:
    """The end of the chain and the direct reading were compared; the reply gives the one that is more likely right."""

    candidates: tuple[Candidate, ...]
    chosen: int
    """Its place in ``candidates``, from 0."""
    type: Literal["candidates_weighed"] = "candidates_weighed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """One of several texts that the model wrote to the same prompt."""

    text: str
    answer: str
    """What counts as its vote: the short answer in it, the thought, the number of a choice; ``""`` for none."""
    votes: int
    """How many of the texts give the same answer, or how many votes it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplesWeighed:
    """Several texts were drawn, and the one with most votes goes on; ``SearChain`` itself draws none."""

    round: int
    kind: Literal["answers", "recitations", "thoughts", "queries"]
    samples: tuple[Sample, ...]
    chosen: int | None
    """Its place in ``samples``, from 0; ``None`` where all go on, or none."""
    type: Literal["samples_weighed"] = "samples_weighed"
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
    """More of the reply, its markers already bound to numbers: never half a marker."""

    text: str
    sources: tuple[Source, ...] = ()
    """The sources first cited in this text, so that a number is never shown before what it points to."""
    type: Literal["reply_delta"] = "reply_delta"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceBound:
    sentence: Sentence
    type: Literal["sentence_bound"] = "sentence_bound"
    version: Literal[1, 2] = 2


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
    """``withdrawn``: the text stays, and is not supported."""
    model: str
    first: str
    """The short answer of the reply, ``""`` where it found none."""
    second: str
    """What the larger model itself read, ``""`` where it found nothing."""
    passages: tuple[str, ...]
    """Ids of the passages that it read."""
    probability: float | None
    """How likely the answer in force is right now, 0–1; ``None`` where that was never measured."""
    sentences: tuple[int, ...]
    """Places of the sentences that are as likely right as that from now on, from 0."""
    seconds: float
    before: float | None = None
    """How likely the reply was right before it was read again; ``None`` also in events stored by older versions."""
    place: int | None = None
    """Which of ``passages`` holds ``second``, from 0; ``None`` where none does."""
    chosen: str = ""
    """The answer that takes the place of the reply's; ``""`` where that stays."""
    answers: tuple[JudgedAnswer, ...] = ()
    """The answers that were weighed, that of the reply first; none in events stored by older versions."""
    carried: tuple[int, ...] = ()
    """Places, from 0, of the weak sentences that say a confirmed answer and nothing else, or quote a passage that holds
    it: they are weak no longer. None in events stored by older versions."""
    type: Literal["reply_reviewed"] = "reply_reviewed"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFault:
    """The model did something unusable, or its service failed; the run goes on with what it has."""

    what: str
    """One clear line."""
    action: str
    """What was done about it."""
    type: Literal["model_fault"] = "model_fault"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished:
    status: Status
    final_answer: str
    """The short answer alone, ``""`` when there is none."""
    invented_markers: int
    """Keys in the model's reply that were never given; all were dropped."""
    usage: Usage
    outcome: Outcome | None = None
    """``None`` for a run that was stopped or failed, and for those stored before there were outcomes."""
    probability: float | None = None
    """How likely the reply is right, 0–1; ``None`` where that was never measured."""
    threshold: float | None = None
    """From which probability on replies and sentences are supported; ``None`` where none is."""
    message: str = ""
    """For ``failed``: what happened, to what, and the next step. For ``partial``: which step is open."""
    type: Literal["run_finished"] = "run_finished"
    version: Literal[1, 2, 3] = 3


Event = (
    RunStarted
    | Waiting
    | TaskChosen
    | QuestionRewritten
    | RoundStarted
    | ChainDelta
    | ThoughtDelta
    | NodeParsed
    | Searched
    | NodeRead
    | NodeJudged
    | FeedbackSent
    | BranchOpened
    | CandidatesWeighed
    | SamplesWeighed
    | TracingStarted
    | ReplyDelta
    | SentenceBound
    | ReviewStarted
    | ReplyReviewed
    | ModelFault
    | RunFinished
)


@cache
def _adapter() -> Any:
    from pydantic import Field, TypeAdapter  # here, because it takes 0.1 s that `--help` need not pay

    return TypeAdapter(Annotated[Event, Field(discriminator="type")])


_SINCE_VERSION_2 = ("outcome", "probability", "threshold", "likelihood", "lead")
"""Fields that payloads of version 1 do not have."""


def to_payload(event: Event) -> dict[str, Any]:
    """The event as JSON-ready values, ``type`` and ``version`` included.

    An event of an older version gets the payload that the program of then wrote, to the letter.
    """
    payload = _adapter().dump_python(event, mode="json")
    if isinstance(event, RunFinished) and event.version < 3:
        del payload["usage"]["prompt_words"], payload["usage"]["completion_words"]
    match event:
        case RunStarted(version=1):
            del payload["system"], payload["beside"]
        case (
            NodeRead(version=1)
            | NodeJudged(version=1)
            | ReplyDelta(version=1)
            | SentenceBound(version=1)
            | RunFinished(version=1)
        ):
            parts = (payload.get("reading", {}), payload.get("sentence", {}), *payload.get("sources", ()))
            for values in (payload, *parts):
                for name in _SINCE_VERSION_2:
                    values.pop(name, None)
    payload.get("reading", {}).pop("others", None)  # they were weighed, and belong to no node
    for name in ("collections", "generations", "replaces"):
        if not payload.get(name, True):
            del payload[name]
    for holder in (*payload.get("hits", ()), *payload.get("sources", ())):
        if holder["passage"]["place"] is None:  # as it was written before passages had places
            del holder["passage"]["place"]
    return payload


def from_payload(payload: dict[str, Any]) -> Event:
    """The event that ``to_payload`` wrote.

    Raises:
        pydantic.ValidationError: an unknown type or version, or a payload of another form.
    """
    return _adapter().validate_python(payload)


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of one turn, as far as its events tell."""

    question: str = ""
    standalone_question: str = ""
    model: str = ""
    index: str = ""
    """The index that is searched; several are joined by ``+``."""
    collections: tuple[str, ...] = ()
    """The names of the collections of own documents among them."""
    profile: str = ""
    system: str = ""
    beside: str | None = None
    """The turn that this one is compared with."""
    replaces: str | None = None
    """The turn whose place this one takes."""
    settings: dict[str, Any] = field(default_factory=dict)
    waiting: int | None = None
    """How many runs begin before this one; ``None`` when it has begun."""
    task: TaskKind | None = None
    round: int = 0
    chains: tuple[str, ...] = ()
    """The model's text, one entry a round."""
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
    """What the second reading made of the reply; ``None`` while it goes on, and where there was none to the end."""
    status: Status | None = None
    """``None`` while the run goes on."""
    outcome: Outcome | None = None
    """``None`` for a run that did not finish, and where it is not rated: stored before there were outcomes."""
    probability: float | None = None
    """How likely the reply is right, 0–1; ``None`` where that was never measured."""
    threshold: float | None = None
    """From which probability on replies and sentences are supported; ``None`` where none is."""
    candidates: tuple[Candidate, ...] = ()
    """The answers that were weighed, the chosen one first."""
    weighed: tuple[SamplesWeighed, ...] = ()
    """The texts that were drawn, in the order in which they were weighed."""
    final_answer: str = ""
    invented_markers: int = 0
    usage: Usage = Usage()
    message: str = ""

    def node(self, id: str) -> Node:
        """The node with this id; ``KeyError`` when there is none."""
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


def sentence_is_supported(turn: Turn, sentence: Sentence) -> bool:
    """Whether ``sentence`` may bear the tick: its ``turn`` is supported, and what the sentence cites carries it.

    Where the run has a threshold, its own probability must reach it. In a reply that was read a second time, a sentence
    that does not state its short answer must reach ``STRICTER``. This is the one place that decides it.
    """
    if turn.outcome is not Outcome.SUPPORTED or sentence.support in (Support.WEAK, Support.NONE):
        return False
    if turn.threshold is None:
        return True
    is_read_once = turn.review is not None and sentence.probability != turn.probability
    least = max(turn.threshold, STRICTER) if is_read_once else turn.threshold
    return sentence.probability is not None and sentence.probability >= least


def fold(events: Iterable[Event], turn: Turn = Turn()) -> Turn:
    """The turn after ``events``, starting from ``turn``."""
    for event in events:
        turn = _apply(turn, event)
    return turn


def _apply(turn: Turn, event: Event) -> Turn:
    match event:
        case RunStarted():
            return replace(
                turn,
                question=event.question,
                standalone_question=event.question,
                model=event.model,
                index=event.index,
                collections=event.collections,
                profile=event.profile,
                system=_system(event),
                beside=event.beside,
                replaces=event.replaces,
                settings=event.settings,
                waiting=None,
            )
        case Waiting():
            return replace(turn, waiting=event.ahead)
        case TaskChosen():
            return replace(turn, task=event.task)
        case QuestionRewritten():
            return replace(turn, standalone_question=event.standalone)
        case RoundStarted():
            return replace(_rested(turn), round=event.round, chains=(*turn.chains, ""))
        case ChainDelta():
            return replace(turn, chains=(*turn.chains[:-1], turn.chains[-1] + event.text))
        case ThoughtDelta():
            return replace(turn, thoughts=turn.thoughts + event.text)
        case NodeParsed():
            if any(node.id == event.node for node in turn.nodes):
                return _with_node(turn, turn.node(event.node), query=event.query, model_answer=event.answer)
            new = Node(
                id=event.node,
                parent=event.parent,
                round=event.round,
                query=event.query,
                model_answer=event.answer,
                answer=event.answer,
            )
            return replace(turn, nodes=(*turn.nodes, new))
        case Searched():
            return replace(turn, hits={**turn.hits, event.node: event.hits})
        case NodeRead():
            node = turn.node(event.node)
            known = [hit.passage for hit in turn.hits.get(event.node, ())] + ([node.passage] if node.passage else [])
            passage = next(one for one in known if one.id == event.passage)
            return _with_node(
                turn,
                node,
                passage=passage,
                rank=event.rank,
                span=event.reading.span,
                reader_answer=event.reading.answer,
                confidence=event.reading.confidence,
            )
        case NodeJudged():
            node = turn.node(event.node)
            if event.same_as is not None:
                node = node.with_evidence_of(turn.node(event.same_as))
            return _with_node(
                turn,
                node,
                verdict=event.verdict,
                rule=event.rule,
                answer=event.after,
                probability=event.probability,
            )
        case FeedbackSent():
            return replace(turn, feedback=(*turn.feedback, event))
        case BranchOpened():
            new = Node(
                id=event.node,
                parent=event.parent,
                round=event.round,
                query=event.query,
                answer=event.answer,
                mends=event.mends,
            )
            return replace(turn, nodes=(*turn.nodes, new))
        case CandidatesWeighed():
            chosen = event.candidates[event.chosen]
            others = (one for number, one in enumerate(event.candidates) if number != event.chosen)
            return replace(turn, candidates=(chosen, *others))
        case SamplesWeighed():
            return replace(turn, weighed=(*turn.weighed, event))
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
            sentences = tuple(
                replace(
                    one,
                    probability=event.probability if place in event.sentences else one.probability,
                    support=Support.COMPLETED if place in event.carried else one.support,
                )
                for place, one in enumerate(turn.sentences)
            )
            return replace(turn, review=event, sentences=sentences)
        case ModelFault():
            return replace(turn, faults=(*turn.faults, event))
        case RunFinished():
            return replace(
                turn,
                waiting=None,
                status=event.status,
                outcome=event.outcome,
                probability=event.probability,
                threshold=event.threshold,
                final_answer=event.final_answer,
                usage=event.usage,
                invented_markers=event.invented_markers,
                message=event.message,
            )
        case _:
            assert_never(event)


def _system(event: RunStarted) -> str:
    """The method; events of version 1 tell it by their profile alone."""
    if event.version == 1:
        return {"default": "searchain", "paper": "searchain-paper"}.get(event.profile, event.model)
    return event.system


def _rested(turn: Turn) -> Turn:
    """The turn, where its next thought begins a paragraph."""
    thoughts = turn.thoughts.rstrip()
    return replace(turn, thoughts=f"{thoughts}\n\n" if thoughts else "")


def _with_node(turn: Turn, node: Node, **changes: Any) -> Turn:
    node = replace(node, **changes)
    return replace(turn, nodes=tuple(node if other.id == node.id else other for other in turn.nodes))
