"""Which questions are answered with a label (yes, no, SUPPORTS, REFUTES) instead of a span."""

from __future__ import annotations

from searchain.language import text
from searchain.language.same_answer import label_of
from searchain.types import Step, TaskKind


def wants_label(step: Step, task: TaskKind) -> bool:
    """Whether a step is answered with a label rather than a span: a yes/no question, a claim, a comparison, or one
    that the model answered so."""
    is_label = step.answer is not None and label_of(step.answer) is not None
    is_claim = task is TaskKind.FACTCHECK and text.is_statement(step.query)
    return is_label or is_claim or text.is_yes_no_question(step.query) or text.is_comparison(step.query)
