"""Plan a comparison without the model: one look-up for each of the two things."""

from __future__ import annotations

from searchain.chain.context import RunContext
from searchain.language.comparing import compared, decide
from searchain.language.same_answer import is_about
from searchain.settings import LIKELY
from searchain.types import Evidence, Node, Step, TaskKind
from searchain.verification.judge import judge


def comparing_steps(run: RunContext) -> tuple[Step, ...]:
    """Return the first two steps that decide the question; empty if no two steps do, so that the model plans.

    Each must have a likely answer in the article about its thing.

    Raises:
        RetrievalError, ReaderError, Cancelled, BudgetSpent.
    """
    asked = compared(run.question)
    if not run.strategy.helps or run.lookups is None or run.task is TaskKind.LONGFORM or asked is None or asked.others:
        return ()
    for measure in asked.measures:
        steps = [Step(measure.asks.format(thing), None) for thing in asked.things]
        futures = [run.lookups.start(step.query) for step in steps]
        found = (_answered(run, *one) for one in zip(steps, asked.things, map(run.wait, futures), strict=True))
        if decide(run.question, [node for node in found if node is not None]):
            return tuple(steps)
    return ()


def _answered(run: RunContext, step: Step, thing: str, evidence: Evidence) -> Node | None:
    """Return a step with its answer; ``None`` if it has no likely answer in the article about ``thing``."""
    judgement = judge(step, evidence, TaskKind.MULTIHOP, run.settings)
    if not judgement.answer or evidence.chosen is None or not is_about(thing, evidence.chosen.passage):
        return None
    likely = run.probability.of_step(step, evidence, judgement) if run.probability is not None else LIKELY
    if likely is None or likely < LIKELY:
        return None
    return Node("", None, 1, step.query, answer=judgement.answer, passage=evidence.chosen.passage)
