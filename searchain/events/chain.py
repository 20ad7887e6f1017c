"""The events of writing the chain: rounds, nodes with their evidence, and feedback."""

from dataclasses import dataclass
from typing import Literal

from searchain.types import Hit, Reading, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted:
    round: int
    """From 1."""
    type: Literal["round_started"] = "round_started"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainDelta:
    """The model wrote more of its chain (joined to at most ten events per second)."""

    round: int
    text: str
    type: Literal["chain_delta"] = "chain_delta"
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtDelta:
    """The model wrote more of its thoughts (at most ten events per second); they are never read as steps."""

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
    """The hits with their whole passages, so that the evidence is stored with the run."""
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
    """The node to correct; ``None`` if the response could not be parsed (repair)."""
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
class Sample:
    """One of several texts that the model wrote to the same prompt."""

    text: str
    answer: str
    """Its vote: the short answer in it, the thought, or the number of a choice; ``""`` without a vote."""
    votes: int
    """The number of texts with the same answer, or of votes for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplesWeighed:
    """Several texts were sampled, and the one with most votes is used; only methods other than SearChain do this."""

    round: int
    kind: Literal["answers", "recitations", "thoughts", "queries"]
    samples: tuple[Sample, ...]
    chosen: int | None
    """The index of the used one in ``samples``; ``None`` if all or none are used."""
    type: Literal["samples_weighed"] = "samples_weighed"
    version: Literal[1] = 1


ChainEvent = (
    RoundStarted
    | ChainDelta
    | ThoughtDelta
    | NodeParsed
    | Searched
    | NodeRead
    | NodeJudged
    | FeedbackSent
    | BranchOpened
    | SamplesWeighed
)
