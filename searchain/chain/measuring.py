"""Plan a comparison by a measure without the model: one look-up for each of the two things."""

from __future__ import annotations

from searchain.chain.context import RunContext
from searchain.language.comparison import decide
from searchain.language.measured import compared, two_questions
from searchain.language.said_of import is_about
from searchain.settings import LIKELY
from searchain.types import Node, Step, TaskKind
from searchain.verification.judge import judge


def measuring_steps(run: RunContext) -> tuple[Step, ...]:
    """Return the two steps that decide the question; empty if they do not, so that the model plans.

    Each must be answered by the article about its thing, more likely rightly than not, and the two answers must decide
    the comparison.

    Raises:
        RetrievalError, ReaderError, Cancelled, BudgetSpent.
    """
    if not run.help.compares or run.lookups is None or run.task is TaskKind.LONGFORM:
        return ()
    questions, things = two_questions(run.question), compared(run.question)
    if questions is None or things is None:
        return ()
    started = [run.lookups.start(query) for query in questions]
    nodes = []
    for query, thing, future in zip(questions, things, started, strict=True):
        evidence = run.wait(future)
        judgement = judge(Step(query, None), evidence, TaskKind.MULTIHOP, run.settings)
        if not judgement.answer or evidence.chosen is None or not is_about(thing, evidence.chosen.passage):
            return ()
        if run.probability is not None:
            likely = run.probability.of_step(Step(query, None), evidence, judgement)
            if likely is None or likely < LIKELY:
                return ()
        nodes.append(Node("", None, 1, query, answer=judgement.answer, passage=evidence.chosen.passage))
    return tuple(Step(query, None) for query in questions) if decide(run.question, nodes) else ()
