"""The events of a run as a whole: how it begins, waits, fails and ends."""

from dataclasses import dataclass, field
from typing import Any, Literal

from searchain.types import Outcome, RivalAnswer, Status, TaskKind, Usage


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
    """The turn that this one replaces: its question is asked again, unchanged or in other words."""
    collections: tuple[str, ...] = ()
    """The names of the collections of own documents that are searched."""
    files: int = 0
    """How many files these collections have that can be read, if some of them are still being read; else 0."""
    unread: int = 0
    """How many of them are still being read, so that they are not searched."""
    generations: dict[str, int] = field(default_factory=dict)
    """Index → the number of its searched generation, for indexes that change."""
    type: Literal["run_started"] = "run_started"
    version: Literal[1, 2] = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The run waits: the number of runs before it fell (at most one event per second), or its models are loaded."""

    ahead: int
    """How many runs begin before this one."""
    is_loading: bool = False
    """Whether it waits for its models, which this process has to load first."""
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
    """``model``: the language model; ``rule``: the program without it."""
    type: Literal["question_rewritten"] = "question_rewritten"
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
    """The least probability of supported replies and sentences; ``None`` if none is supported."""
    message: str = ""
    """For ``failed``: what happened, to what, and the next step. For ``partial``: which step is open."""
    conflict: tuple[RivalAnswer, ...] = ()
    """The answers that do not agree, where sources differ; empty where they do not."""
    asks: str | None = None
    """The question back, for the outcome ``asks``."""
    as_of: str | None = None
    """The date of what is cited, if the question asks for what holds now: ``2024``, ``2024-05`` …"""
    type: Literal["run_finished"] = "run_finished"
    version: Literal[1, 2, 3, 4, 5, 6] = 6


RunEvent = RunStarted | Waiting | TaskChosen | QuestionRewritten | ModelFault | RunFinished
