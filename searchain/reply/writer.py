"""Writes the reply at the end of a run: by the model or by the program, each sentence bound to its sources."""

from __future__ import annotations

import queue
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from searchain.chain.asides import aside
from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent, Ended
from searchain.errors import ModelError
from searchain.events import Event, ModelFault, ReplyDelta, RunFinished, SentenceBound, TracingStarted
from searchain.language import comparison, text
from searchain.language.comparison import Decision
from searchain.language.same_answer import label_in, label_of
from searchain.language.same_query import Similarity
from searchain.llm.base import Cut, CutReason, Form, Retracted
from searchain.reading.lists import short
from searchain.reply import final_text, outcome, sentence_support, template
from searchain.reply.citations import Binder, BoundMark, Piece, keys_of
from searchain.reply.explanation import explain
from searchain.reply.support_check import SentenceCheck
from searchain.types import SETTLED, Message, Node, Outcome, Passage, Sentence, Status, TaskKind, Verdict

FINAL_TOKENS = 512
WANTED = {
    TaskKind.MULTIHOP: "the short answer alone (a name, a date, a number)",
    TaskKind.SLOTS: "the short answer alone (a name, a date, a number)",
    TaskKind.YESNO: "yes or no",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES",
    TaskKind.LONGFORM: "the answer in one sentence",
}
LENGTHS = {kind: "one to four sentences" for kind in TaskKind} | {TaskKind.LONGFORM: "three to eight sentences"}

_LONG = (TaskKind.LONGFORM, TaskKind.COMPARE, TaskKind.DEFINE)
_SHORT = (TaskKind.MULTIHOP, TaskKind.SLOTS)
_COMPARED = (TaskKind.MULTIHOP, TaskKind.YESNO, TaskKind.FACTCHECK)
_LABELLED = (TaskKind.YESNO, TaskKind.FACTCHECK)


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a reply rests on: the path, the keys of its steps, and what comparing them decided."""

    path: tuple[Node, ...]
    keys: dict[str, Node]
    decision: Decision | None

    def started(self, writer: Literal["model", "template"]) -> TracingStarted:
        return TracingStarted(path=tuple(node.id for node in self.path), writer=writer)


@dataclass(frozen=True, slots=True)
class Told:
    """A reply whose words are known: with keys, the short answer, and why it is not supported (``""``: it may be)."""

    content: str
    keys: dict[str, Node]
    final: str
    doubt: str = ""


class Replier:
    """Writes the reply of one run. ``support`` says whether a sentence is carried by what it cites."""

    def __init__(self, run: RunContext, support: SentenceCheck | None = None) -> None:
        self._run = run
        is_yes_no = run.task is TaskKind.MULTIHOP and text.is_yes_no_question_form(run.question)
        self._task = TaskKind.YESNO if is_yes_no else run.task  # whatever the kind is called, yes or no is wanted
        self._support = support if run.settings.method.checks_sentences else None
        self.invented = 0
        """Markers that were never given, in all attempts."""
        self.doubt = ""
        """Why the last reply is not supported whatever its probability; ``""`` without such a reason."""

    def reply(
        self, *, by_model: bool, is_cut: bool = False, silence: str = "", told: Told | None = None
    ) -> Iterator[Event]:
        """From the correct path to ``RunFinished``. ``is_cut``: the chain may miss its end. ``told``: the reply,
        where nobody has to write it.

        ``silence`` says why the model delivered nothing so far. Where its reply is nothing either, the one that is
        written says so, and stands only where the evidence alone is enough.

        Raises:
            Cancelled: the run was stopped.
        """
        run, path = self._run, self._run.tree.path()
        by_model = by_model and not run.explains
        basis = _Basis(path, keys_of(path), self._compared(path, by_model=by_model))
        binder, written = None, ""
        if by_model and any(node.answer for node in path):
            binder, written = yield from self._by_model(basis)
        final = self._final(basis, written)
        if binder is None:
            note = f" {template.SILENT}" if silence else ""
            binder, final = yield from self._by_program(basis, final, note, told)
        else:
            silence = ""
            yield from self._disputes(basis, binder, final)
        is_carried = self._is_carried if self._support else None
        threshold = run.probability.threshold if run.probability else None
        marks = _against(binder.marks, outcome.overruled(path, final))
        sentences = sentence_support.bind_sentences(
            binder.text, marks, run.settings, basis.decision, is_carried, threshold
        )
        for sentence in sentences:
            yield SentenceBound(sentence=sentence)
        probability = self._rated(basis, final, sentences)
        self.doubt = told.doubt if told else ""
        self.doubt = self.doubt or outcome.doubt(path, final, run.question, is_cut=is_cut and basis.decision is None)
        status, ending = outcome.outcome_of(final, probability, threshold or 1.0, self.doubt)
        message = "" if ending is Outcome.SUPPORTED else self.doubt or outcome.NOT_SURE
        if silence:
            status, message = outcome.of_silence(status, message, silence)
        yield RunFinished(
            status=status,
            outcome=None if status is Status.FAILED else ending,
            probability=probability,
            threshold=threshold,
            final_answer=short(run.question, final),
            invented_markers=self.invented,
            usage=run.dialogue.total,
            message=message,
        )

    @property
    def task(self) -> TaskKind:
        """What kind of answer the reply gives."""
        return self._task

    @property
    def is_compared(self) -> bool:
        """Whether the program decides the answer by comparing what the steps found."""
        return self._compared(self._run.tree.path(), by_model=False) is not None

    def final_answer(self) -> str:
        """Return the short answer that the path gives, as far as no model has to write it."""
        path = self._run.tree.path()
        return self._final(_Basis(path, {}, self._compared(path, by_model=False)), "")

    def _rated(self, basis: _Basis, final: str, sentences: Sequence[Sentence]) -> float | None:
        """How likely the reply is right: an explanation is as likely right as its least likely sentence."""
        rating = self._run.probability
        if rating is None:
            return None
        if self._task in _LONG:
            known = [sentence.probability for sentence in sentences if sentence.probability is not None]
            return min(known) if known and len(known) == len(sentences) else None
        return rating.of_reply(self._run.question, basis.path, final, self._run.weighed)

    def _compared(self, path: tuple[Node, ...], *, by_model: bool) -> Decision | None:
        """What the program decides by comparing; a capable model that writes the reply compares by itself."""
        run = self._run
        may_compare = run.settings.method.program_may_answer and self._task in _COMPARED
        if may_compare and (run.help.compares or not by_model):
            return comparison.decide(run.question, path)
        return None

    def _is_carried(self, sentence: str, passages: Sequence[Passage]) -> bool:
        assert self._support is not None
        self._run.cancel.check()
        return self._support.judge(sentence, passages).label != "not_supported"

    def _final(self, basis: _Basis, written: str) -> str:
        """The short answer; ``written`` is the model's."""
        path, task = basis.path, self._task
        last = path[-1] if path else None
        if not self._run.settings.method.program_may_answer and (told := outcome.final_answer_of((), task, written)):
            return told
        if self._run.help.keeps_word and task in _LABELLED and label_in(written):
            return outcome.final_answer_of(path, task, written)
        if last is not None and last.rule == outcome.STANCE_RULE and last.verdict in SETTLED:
            # the passages were asked for the label itself
            return outcome.final_answer_of(path, task, last.answer or "")
        if basis.decision is not None:
            return basis.decision.answer
        if self._run.help.concludes and task in _SHORT and not text.is_comparison(self._run.question):
            written = ""  # a chain ends with what is asked, and the program copies more surely than a small model
        answer = outcome.final_answer_of(path, task, written)
        return answer if comparison.can_be_asked_for(self._run.question, answer) else ""

    def _by_program(
        self, basis: _Basis, final: str, note: str, told: Told | None
    ) -> Generator[Event, None, tuple[Binder, str]]:
        """Write the reply from the steps alone, with ``note`` at its end; returns it, and the short answer, which an
        explanation, and what is ``told``, replace."""
        yield basis.started("template")
        similarity = self._run.similarity
        if told is not None:
            keys, content, final = told.keys, told.content, told.final
        elif similarity is not None and (quotes := self._explanation(basis.path, similarity)):
            keys = keys_of(quotes)
            content = template.quoted(quotes, keys)
            final = max((node.answer or "" for node in quotes), key=partial(similarity, self._run.question))
        else:
            keys = basis.keys
            content = template.template_reply(basis.path, keys, self._task, final, basis.decision)
        binder = Binder(keys)
        for piece in (binder.feed(content + note), binder.finish()):
            yield from _delta(piece)
        return binder, final

    def _disputes(self, basis: _Basis, binder: Binder, final: str) -> Iterator[Event]:
        """Say at the end of the model's reply where it keeps to its word against a passage."""
        for note in template.disputes(basis.path, basis.keys, final):
            for piece in (binder.feed(f" {note}"), binder.finish()):
                yield from _delta(piece)

    def _explanation(self, path: tuple[Node, ...], similarity: Similarity) -> list[Node]:
        """Sentences out of all that the steps of the path found, where the reply is made of them."""
        lookups = self._run.lookups
        if lookups is None or not self._run.explains:
            return []
        found = [other for node in reversed(path) if node.passage is not None for other in lookups.found(node)]
        return explain(self._run.question, found, similarity)

    def _by_model(self, basis: _Basis) -> Generator[Event, None, tuple[Binder | None, str]]:
        """Let the model write the reply; returns it and the short answer in it.

        The reply is ``None`` when it cannot stand.
        """
        needs_lead = self._run.help.briefs and (basis.decision is not None or self._task in _LABELLED)
        prompt = self._prompt(basis, needs_lead=needs_lead)
        if not self._run.help.briefs:
            self._run.dialogue.say("user", prompt)
        yield basis.started("model")
        binder, reader = Binder(basis.keys), final_text.FinalReader()
        try:
            cut = yield from self._generate(prompt, basis, binder, reader, needs_lead=needs_lead)
            fault = f"the model {cut}" if cut else self._problem_of(binder, basis.keys)
        except BudgetSpent:
            fault = "the budget of this run is spent"
        except ModelError as error:
            fault = str(error)
        finally:
            self.invented += binder.invented
        if fault is None:
            return binder, reader.answer
        yield ModelFault(what=fault, action="wrote the reply from the steps alone")
        return None, reader.answer

    def _prompt(self, basis: _Basis, *, needs_lead: bool) -> str:
        """The prompt for the reply; a reply that needs a lead is asked for without the steps that give a label."""
        run, path = self._run, basis.path
        if run.help.briefs:  # a small model restates the claim as a fact; the lead says what became of it
            path = tuple(node for node in path if node.answer and not (needs_lead and label_of(node.answer))) or path
        values = dict(
            steps=final_text.render_steps(path, basis.keys, with_evidence=not run.help.briefs),
            question=run.question,
            wanted=WANTED[self._task],
            length=LENGTHS[self._task],
        )
        if not basis.keys:
            return run.dialogue.prompts.render("final-no-ir", **values)
        return run.dialogue.prompts.render("final", example=final_text.example_key(basis.keys), **values)

    def _generate(
        self, prompt: str, basis: _Basis, binder: Binder, reader: final_text.FinalReader, *, needs_lead: bool
    ) -> Generator[Event, None, Cut | None]:
        """Feed what the model writes to ``reader`` and ``binder``; returns why it is not whole, if it is not.

        Raises:
            ModelError, BudgetSpent, Cancelled.
        """
        run, inbox = self._run, queue.SimpleQueue[Any]()
        # the form asks for keys, so without any it is left to the prompt
        form = Form.FINAL if basis.keys or run.help.briefs else None
        # what was said before would only make a small model's prompt longer: the steps hold all of it
        alone = (Message("user", prompt),) if run.help.briefs else None
        generation = run.dialogue.generate(form, max_tokens=FINAL_TOKENS, inbox=inbox, alone=alone)
        try:
            with run.cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := run.dialogue.take(inbox), Ended):
                    if isinstance(item, Retracted):  # the model was never heard before
                        return Cut(CutReason.BROKEN)
                    if not isinstance(item, str):
                        yield from aside(item)
                        continue
                    content = reader.feed(item)
                    if content and needs_lead:
                        needs_lead = False
                        content = self._lead(basis, reader.answer) + content
                    yield from _delta(binder.feed(content))
                if item.error is not None:
                    raise item.error
            if item.cut is None:
                yield from _delta(binder.feed(reader.finish()))
                yield from _delta(binder.finish())
            return item.cut
        finally:
            run.dialogue.book(generation.close())

    def _lead(self, basis: _Basis, written: str) -> str:
        """The sentence with the answer, which a model that was trained to write only the steps leaves out."""
        final = self._final(basis, written)
        return f"{template.lead(basis.path, basis.keys, self._task, final, basis.decision)} " if final else ""

    def _problem_of(self, binder: Binder, keys: dict[str, Node]) -> str | None:
        """Why the model's reply cannot stand, or ``None``."""
        problem = sentence_support.problem_of(binder.text, binder.marks, keys)
        if problem is None and self._run.help.briefs and self._task is TaskKind.FACTCHECK:
            problem = sentence_support.restates(binder.text, binder.marks, self._run.question)
        return None if problem is None else f"the model's reply cannot be used: {problem}"


def _against(marks: Sequence[BoundMark], overruled: Node | None) -> list[BoundMark]:
    """``marks`` with the step that the model's label overruled as a disputed one."""
    return [
        replace(bound, node=replace(bound.node, verdict=Verdict.DISPUTED))
        if overruled is not None and bound.node.id == overruled.id
        else bound
        for bound in marks
    ]


def _delta(piece: Piece) -> Iterator[Event]:
    if piece.text:
        yield ReplyDelta(text=piece.text, sources=piece.sources)
