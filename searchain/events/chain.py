"""What happens while the chain is written: rounds, nodes with what was found for them, and feedback."""

from __future__ import annotations

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
