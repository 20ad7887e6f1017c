"""Look up each part of a question that asks for several things, and give all answers.

A small model that plans such a question asks one part, or gives the answer of the last step alone.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.language.comparing import Decision
from searchain.language.questions import choose_task
from searchain.question.parts import parts_of
from searchain.types import Node, Step, TaskKind, Verdict

RULE = "joined"
LEAST_LIKELY_PART = 0.4
"""Least probability of a part's answer that is given; the page gives a less likely one no headline."""


def joined_steps(run: RunContext) -> tuple[Step, ...]:
    """Return a step for each part of the question; empty unless it joins several questions for short answers."""
    if not run.strategy.helps or run.lookups is None or run.task is not TaskKind.MULTIHOP:
        return ()
    parts = parts_of(run.question)
    return tuple(Step(part, None) for part in parts if all(choose_task(one) is run.task for one in parts))


def conclusion(question: str, path: Sequence[Node]) -> Decision | None:
    """Return the answers of the parts of a question, as far as steps give likely ones; ``None`` without any."""
    parts = parts_of(question)
    nodes = tuple(node for node in path if node.query in parts and node.answer and not _is_weak(node))
    return Decision("; ".join(node.answer or "" for node in nodes), nodes, RULE) if nodes else None


def with_weak_open(question: str, path: Sequence[Node]) -> tuple[Node, ...]:
    """Return the path on which parts of a question with unlikely answers are open, so that the reply says so."""
    parts = parts_of(question)
    return tuple(
        replace(node, verdict=Verdict.UNCONFIRMED, answer=None) if node.query in parts and _is_weak(node) else node
        for node in path
    )


def _is_weak(node: Node) -> bool:
    return node.probability is not None and node.probability < LEAST_LIKELY_PART


def probability_of(nodes: Sequence[Node]) -> float | None:
    """Return how likely all answers of the nodes are right; ``None`` if one was not rated."""
    known = [node.probability for node in nodes if node.probability is not None]
    return math.prod(known) if len(known) == len(nodes) else None
