"""The end of a run: the model writes the reply from the path, or the template does; sentences are bound to their
sources."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from typing import Any

from searchain import backing, comparison, final_reply, template, text, tracing
from searchain.agreement import label_of
from searchain.cancel import CancelToken
from searchain.citations import Binder, Piece, keys_of
from searchain.comparison import Decision
from searchain.duplicates import Similarity
from searchain.errors import ModelError
from searchain.events import Event, ModelFault, ReplyDelta, RunFinished, SentenceBound, TracingStarted
from searchain.explaining import explain
from searchain.generation import BudgetSpent, Dialogue, Ended
from searchain.llm.base import Form
from searchain.lookup import Lookups
from searchain.settings import Settings
from searchain.support import SentenceCheck
from searchain.tree import Tree
from searchain.types import SETTLED, Node, Passage, TaskKind

FINAL_TOKENS = 512
WANTED = {
    TaskKind.MULTIHOP: "the short answer alone (a name, a date, a number)",
    TaskKind.YESNO: "yes or no",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES",
    TaskKind.LONGFORM: "the answer in one sentence",
}
LENGTHS = {kind: "one to four sentences" for kind in TaskKind} | {TaskKind.LONGFORM: "three to eight sentences"}

_COMPARED = (TaskKind.MULTIHOP, TaskKind.YESNO, TaskKind.FACTCHECK)


class Replier:
    """Writes the reply of one run."""

    def __init__(
        self,
        tree: Tree,
        dialogue: Dialogue,
        settings: Settings,
        cancel: CancelToken,
        lookups: Lookups | None = None,
        similarity: Similarity | None = None,
        support: SentenceCheck | None = None,
    ) -> None:
        self._tree, self._dialogue, self._settings, self._cancel = tree, dialogue, settings, cancel
        self._lookups, self._similarity = lookups, similarity
        self._support = support if settings.method.checks_sentences else None
        self.invented = 0
        """Markers that were never given, in all attempts."""

    def explains(self, task: TaskKind) -> bool:
        """Whether the reply is made of the passages' own sentences: they explain better than a small model."""
        return task is TaskKind.LONGFORM and self._dialogue.program_helps and self._settings.method.program_may_answer

    def reply(self, question: str, task: TaskKind, *, by_model: bool, is_cut: bool = False) -> Iterator[Event]:
        """From the correct path to ``RunFinished``. ``is_cut``: the chain may miss its end.

        Raises:
            Cancelled: the run was stopped.
        """
        if task is TaskKind.MULTIHOP and text.is_yes_no_question_form(question):
            task = TaskKind.YESNO  # whatever the kind is called, yes or no is wanted
        path = self._tree.path()
        keys = keys_of(path)
        program_helps = self._dialogue.program_helps
        explains = self.explains(task)
        if explains:
            by_model = False
        # a capable model compares by itself; the embedded one, and the template, leave it to the program
        decides = (program_helps or not by_model) and self._settings.method.program_may_answer
        decision = comparison.decide(question, path) if decides and task in _COMPARED else None
        binder: Binder | None = None
        written = ""
        if by_model and any(node.answer for node in path):
            binder, written = yield from self._by_model(question, task, path, keys, decision)
        final = self._final(question, task, path, written, decision)
        if binder is None:
            yield TracingStarted(path=tuple(node.id for node in path), writer="template")
            told = self._explanation(question, path) if explains else []
            if told:
                keys = keys_of(told)
                content = template.quoted(told, keys)
                final = max((node.answer or "" for node in told), key=lambda said: self._similarity(question, said))
            else:
                content = template.template_reply(path, keys, task, final, decision)
            binder = Binder(keys)
            for piece in (binder.feed(content), binder.finish()):
                yield from _delta(piece)
        for sentence in backing.bind_sentences(
            binder.text, binder.marks, self._settings, decision, self._is_carried if self._support else None
        ):
            yield SentenceBound(sentence=sentence)
        status, message = tracing.status_of(path, final, question, is_cut=is_cut and decision is None)
        yield RunFinished(
            status=status,
            final_answer=final,
            invented_markers=self.invented,
            usage=self._dialogue.total,
            message=message,
        )

    def _is_carried(self, sentence: str, passages: Sequence[Passage]) -> bool:
        assert self._support is not None
        self._cancel.check()
        return self._support.judge(sentence, passages).label != "not_supported"

    def _explanation(self, question: str, path: tuple[Node, ...]) -> list[Node]:
        """Sentences out of all that the steps of the path found."""
        if self._lookups is None or self._similarity is None:
            return []
        found = [other for node in reversed(path) if node.passage is not None for other in self._lookups.found(node)]
        return explain(question, found, self._similarity)

    def _final(
        self, question: str, task: TaskKind, path: tuple[Node, ...], written: str, decision: Decision | None
    ) -> str:
        last = path[-1] if path else None
        if last is not None and last.rule == "stance" and last.verdict in SETTLED:
            # the passages were asked for the label itself
            return tracing.final_answer_of(path, task, last.answer or "")
        if decision is not None:
            return decision.answer
        copies = self._dialogue.program_helps and self._settings.method.program_may_answer
        if copies and task is TaskKind.MULTIHOP and not text.is_comparison(question):
            written = ""  # a chain ends with what is asked, and the program copies more surely than a small model
        return tracing.final_answer_of(path, task, written)

    def _by_model(
        self,
        question: str,
        task: TaskKind,
        path: tuple[Node, ...],
        keys: dict[str, Node],
        decision: Decision | None,
    ) -> Iterator[Event]:
        """Returns (binder, the model's short answer); the binder is ``None`` when its reply cannot stand."""
        prompts = self._dialogue.prompts
        leads = self._dialogue.program_helps and (decision is not None or task in (TaskKind.YESNO, TaskKind.FACTCHECK))
        told = path
        if self._dialogue.program_helps:  # a small model restates the claim as a fact; the lead says what became of it
            told = tuple(node for node in path if node.answer and not (leads and label_of(node.answer))) or path
        values = dict(
            steps=final_reply.render_steps(told, keys, with_evidence=not self._dialogue.program_helps),
            question=question,
            wanted=WANTED[task],
            length=LENGTHS[task],
        )
        if keys:
            prompt = prompts.render("final", example=final_reply.example_key(keys), **values)
        else:
            prompt = prompts.render("final-no-ir", **values)
        alone = None
        if self._dialogue.program_helps:
            alone = prompt  # what was said before would only make it longer: the steps hold all of it
        else:
            self._dialogue.say("user", prompt)
        yield TracingStarted(path=tuple(node.id for node in path), writer="model")
        binder, reader = Binder(keys), final_reply.FinalReader()
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        try:
            # the form asks for keys, so without any it is left to the prompt
            form = Form.FINAL if keys or self._dialogue.program_helps else None
            generation = self._dialogue.generate(form, max_tokens=FINAL_TOKENS, inbox=inbox, alone=alone)
            try:
                with self._cancel.on_set(lambda: inbox.put(None)):
                    while not isinstance(item := self._dialogue.take(inbox), Ended):
                        content = reader.feed(item)
                        if content and leads:  # the adapter was taught to write the steps alone
                            leads = False
                            final = self._final(question, task, path, reader.answer, decision)
                            if final:
                                content = f"{template.lead(path, keys, task, final, decision)} {content}"
                        yield from _delta(binder.feed(content))
                    if item.error is not None:
                        raise item.error
                yield from _delta(binder.feed(reader.finish()))
                yield from _delta(binder.finish())
            finally:
                self._dialogue.book(generation.close())
        except BudgetSpent:
            yield ModelFault(what="the budget of this run is spent", action="wrote the reply from the steps alone")
            return None, reader.answer
        except ModelError as error:
            yield ModelFault(what=str(error), action="wrote the reply from the steps alone")
            return None, reader.answer
        finally:
            self.invented += binder.invented
        problem = backing.problem_of(binder.text, binder.marks, keys)
        if problem is None and self._dialogue.program_helps and task is TaskKind.FACTCHECK:
            problem = backing.restates(binder.text, binder.marks, question)
        if problem is not None:
            yield ModelFault(
                what=f"the model's reply cannot be used: {problem}", action="wrote the reply from the steps alone"
            )
            return None, reader.answer
        return binder, reader.answer


def _delta(piece: Piece) -> Iterator[Event]:
    if piece.text:
        yield ReplyDelta(text=piece.text, sources=piece.sources)
