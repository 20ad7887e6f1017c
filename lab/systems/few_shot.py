"""``searchain-few-shot``: SearChain with a model that was not trained on its form, and with everyone's demonstrations.

Only this one can be compared with the other systems over the embedded model, whose planner's adapter knows SearChain's
form alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cache

from lab.systems.demonstrations import PROMPTS, demonstrations, how_many
from searchain.chain.parser import render_step
from searchain.llm.base import LanguageModel
from searchain.llm.embedded import EmbeddedModel
from searchain.pipeline import SearChain
from searchain.reply.writer import WANTED
from searchain.types import Message, Step, TaskKind


def few_shot(searchain: SearChain) -> SearChain:
    """``searchain`` with the untrained model and the demonstrations."""
    changed = copy(searchain)
    changed.model = _untrained(searchain.model)
    changed.opening = opening
    if isinstance(searchain.model, EmbeddedModel) and searchain.settings.reply is None:
        changed.settings = replace(searchain.settings, reply="template")  # untrained, it writes nonsense
    return changed


def opening(task: TaskKind) -> Sequence[Message]:
    """What the model reads before the question: the form, and solved questions in it."""
    said = [Message("system", PROMPTS.render("searchain-few-shot", wanted=WANTED[task]))]
    for one in demonstrations(task, how_many("searchain-few-shot", task)):
        steps = (render_step(number, Step(step.query, step.answer)) for number, step in enumerate(one.steps, 1))
        said += [Message("user", f"[Question]: {one.question}"), Message("assistant", "\n".join(steps))]
    return said


def _untrained(model: LanguageModel) -> LanguageModel:
    return _embedded() if isinstance(model, EmbeddedModel) else model


@cache
def _embedded() -> EmbeddedModel:
    """One server a process, beside the one with the adapters."""
    return EmbeddedModel(adapters={})
