"""Solved questions (``demos``), which every compared system is shown in its own form.

All systems get the same questions, so that their prompts differ in form and never in knowledge.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from searchain.chain.prompts import Prompts
from searchain.types import TaskKind

FILES = Path(__file__).with_name("demos")
PROMPTS = Prompts(folder=Path(__file__).with_name("prompts"))
"""The instructions of the compared systems."""

_FOUR = {kind: 4 for kind in TaskKind} | {TaskKind.YESNO: 6, TaskKind.LONGFORM: 2}
_TWO = {kind: 2 for kind in TaskKind} | {TaskKind.FACTCHECK: 4}
_OWN = {
    "react-cot-sc": _FOUR | {TaskKind.MULTIHOP: 6},
    "verify-and-edit": _TWO,
    "dsp": {kind: 8 for kind in TaskKind} | {TaskKind.MULTIHOP: 16, TaskKind.LONGFORM: 2},
    "searchain-few-shot": _TWO,
}
"""How many demonstrations a system is shown, by kind of question (table 8 of the paper). Where the paper shows more for
one multi-hop set than for others, its number for HotpotQA."""


def how_many(system: str, kind: TaskKind) -> int:
    """The number of demonstrations in the prompts of ``system``."""
    return _OWN.get(system, _FOUR)[kind]


@dataclass(frozen=True, slots=True)
class SolvedStep:
    """One step of a solved question, and the passage that answers it."""

    query: str
    answer: str
    title: str
    text: str
    """One sentence, which states the answer: a passage, and just as well a thought."""

    @property
    def passage(self) -> str:
        return f"{self.title}: {self.text}"


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A solved question."""

    question: str
    answer: str
    steps: tuple[SolvedStep, ...]

    @property
    def reasoning(self) -> str:
        """What its passages state, one sentence after another."""
        return " ".join(step.text for step in self.steps)

    @property
    def conclusion(self) -> str:
        """The sentence with which every system ends."""
        return f"So the final answer is: {self.answer.rstrip('.')}."


def demonstrations(task: TaskKind, limit: int) -> tuple[Demonstration, ...]:
    """The first ``limit`` solved questions of a kind, fewer where there are not so many."""
    return _read(task)[:limit]


@cache
def _read(task: TaskKind) -> tuple[Demonstration, ...]:
    lines = (FILES / f"{task.value}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        Demonstration(one["question"], one["answer"], tuple(SolvedStep(**step) for step in one["steps"]))
        for one in map(json.loads, lines)
    )
