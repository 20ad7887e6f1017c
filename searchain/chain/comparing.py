"""Plan a comparison without the model: one look-up for each of the two things."""

from __future__ import annotations

from concurrent.futures import Future

from searchain.chain.context import RunContext
from searchain.language.comparing import compared, decide
from searchain.language.same_answer import is_about
from searchain.settings import LIKELY
from searchain.types import Evidence, Node, Step, TaskKind
from searchain.verification.judge import judge


def comparing_steps(run: RunContext) -> tuple[Step, ...]:
    """Return the first two steps that decide the question; empty if none do, so that the model plans.

    Each must be answered by the article about its thing, more likely rightly than not, and the two answers must decide
    the comparison.

    Raises:
        RetrievalError, ReaderError, Cancelled, BudgetSpent.
    """
    asked = compared(run.question)
    is_open = run.help.compares and run.lookups is not None and run.task is not TaskKind.LONGFORM
    if asked is None or asked.others or not is_open:
        return ()
    assert run.lookups is not None
    for measure in asked.measures:
        queries = [measure.asks.format(thing) for thing in asked.things]
        futures = [run.lookups.start(query) for query in queries]
        found = (_answered(run, *one) for one in zip(queries, asked.things, futures, strict=True))
        nodes = [node for node in found if node is not None]
        if decide(run.question, nodes):
            return tuple(Step(query, None) for query in queries)
    return ()


def _answered(run: RunContext, query: str, thing: str, future: Future[Evidence]) -> Node | None:
    """Return a step with its answer; ``None`` if it has no likely answer in the article about ``thing``."""
    evidence = run.wait(future)
    judgement = judge(Step(query, None), evidence, TaskKind.MULTIHOP, run.settings)
    if not judgement.answer or evidence.chosen is None or not is_about(thing, evidence.chosen.passage):
        return None
    if run.probability is not None:
        likely = run.probability.of_step(Step(query, None), evidence, judgement)
        if likely is None or likely < LIKELY:
            return None
    return Node("", None, 1, query, answer=judgement.answer, passage=evidence.chosen.passage)
