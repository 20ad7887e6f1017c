"""What the systems that plan nothing ask the model: the question is the only step."""

from __future__ import annotations

from searchain.chain import prompts
from searchain.chain.dialogue import Dialogue
from searchain.chain.tree import Tree
from searchain.language import text
from searchain.llm.base import Form
from searchain.reply.final_text import FinalReader
from searchain.reply.outcome import final_answer_of
from searchain.reply.writer import FINAL_TOKENS, LENGTHS, WANTED
from searchain.types import Step, TaskKind


def asks_for_label(question: str, task: TaskKind) -> bool:
    """Whether the answer is yes or no, or SUPPORTS or REFUTES, whatever the task."""
    return task in (TaskKind.YESNO, TaskKind.FACTCHECK) or text.is_yes_no_question_form(question)


def ask(dialogue: Dialogue, prompt: str, question: str, task: TaskKind, **values: str) -> tuple[str, str, str]:
    """What the model writes to ``prompt`` with ``values``: its text, the short answer in it, taken as from SearChain's
    replies, and the reply.

    Raises:
        ModelError, BudgetSpent, Cancelled.
    """
    if task is TaskKind.MULTIHOP and asks_for_label(question, task):
        task = TaskKind.YESNO
    values |= {"question": question, "examples": prompts.render(f"examples-{prompts.family(task, use_ir=True)}")}
    prompt = prompts.render(prompt, wanted=WANTED[task], length=LENGTHS[task], **values)
    form = None if task is TaskKind.LONGFORM else Form.ANSWER  # whose few sentences are no long answer
    whole = dialogue.ask(prompt, form, max_tokens=FINAL_TOKENS)
    reader = FinalReader()
    reply = (reader.feed(whole) + reader.finish()).strip()
    written = reader.answer or reply.partition("\n")[0]
    answer = final_answer_of([Tree().add(Step("", written or None), 1)], task, written)
    return whole, answer, reply or answer
