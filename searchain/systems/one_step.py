"""What the systems that plan nothing have in common: the question is the only step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from searchain.cancel import CancelToken
from searchain.chain import prompts
from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.tree import Tree
from searchain.errors import Cancelled, SearChainError
from searchain.events import Event, RoundStarted, RunFinished, RunStarted, TaskChosen
from searchain.language import questions, text
from searchain.llm.base import Form, LanguageModel
from searchain.reply.final_text import FinalReader
from searchain.reply.outcome import final_answer_of
from searchain.reply.writer import FINAL_TOKENS, LENGTHS, WANTED
from searchain.settings import Settings
from searchain.types import Status, Step, TaskKind


class Answers(Protocol):
    """The one step: from the question to ``RunFinished``.

    Raises:
        SearChainError, BudgetSpent: a service failed, or the settings allow no further call, token or second.
        Cancelled: the run was stopped.
    """

    def __call__(self, question: str, task: TaskKind, dialogue: Dialogue, cancel: CancelToken) -> Iterator[Event]: ...


class OneStep:
    """Answers questions by ``answer``. Thread-safe when that is."""

    def __init__(self, answer: Answers, *, model: LanguageModel, settings: Settings, index: str = "") -> None:
        self._answer, self.model, self.settings, self.index = answer, model, settings, index

    def stream(self, question: str, *, cancel: CancelToken | None = None) -> Iterator[Event]:
        """All events of one run, the last one ``RunFinished``; see ``SearChain.stream``."""
        cancel = cancel or CancelToken()
        task = self.settings.task or questions.choose_task(question)
        dialogue = Dialogue(self.model, self.settings, cancel)
        yield RunStarted(
            question=question,
            model=self.model.name,
            index=self.index,
            profile=self.settings.profile,
            settings=self.settings.as_dict(),
        )
        yield TaskChosen(task=task, by="user" if self.settings.task else "rule")
        yield RoundStarted(round=1)
        try:
            yield from self._answer(question, task, dialogue, cancel)
        except Cancelled:
            yield _ended(Status.STOPPED, "stopped; what was found so far is kept", dialogue)
        except BudgetSpent:
            yield _ended(Status.NOT_FOUND, "the budget of this run is spent", dialogue)
        except SearChainError as error:
            yield _ended(Status.FAILED, str(error), dialogue)


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
    values |= {"question": question, "examples": prompts.render(f"examples-{task}")}
    prompt = prompts.render(prompt, wanted=WANTED[task], length=LENGTHS[task], **values)
    form = None if task is TaskKind.LONGFORM else Form.ANSWER  # whose few sentences are no long answer
    whole = dialogue.ask(prompt, form, max_tokens=FINAL_TOKENS)
    reader = FinalReader()
    reply = (reader.feed(whole) + reader.finish()).strip()
    written = reader.answer or reply.partition("\n")[0]
    answer = final_answer_of([Tree().add(Step("", written or None), 1)], task, written)
    return whole, answer, reply or answer


def _ended(status: Status, message: str, dialogue: Dialogue) -> RunFinished:
    return RunFinished(status=status, final_answer="", invented_markers=0, usage=dialogue.total, message=message)
