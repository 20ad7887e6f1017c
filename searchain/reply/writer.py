"""Write the reply at the end of a run, by the model or by the program, and bind each sentence to its sources."""

import queue
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from searchain.chain import joined, two_things
from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent, Ended, aside
from searchain.errors import ModelError
from searchain.events import Event, ModelFault, RunFinished, SentenceBound, TracingStarted
from searchain.language import comparing, text
from searchain.language.comparing import Decision
from searchain.language.same_answer import label_in, label_of
from searchain.llm.base import Cut, CutReason, Form, Retracted
from searchain.reading.lists import short
from searchain.reply import final_text, outcome, sentence_support, template
from searchain.reply.citations import Binder, BoundMark, deltas, keys_of
from searchain.reply.explanation import explain
from searchain.reply.notes import SILENT
from searchain.reply.outcome import KnownReply
from searchain.reply.own_explanation import are_own, explain_by_documents
from searchain.reply.quoting import Quoter
from searchain.reply.sentence_support import Carrying
from searchain.reply.support_check import SentenceCheck
from searchain.types import SETTLED, Message, Node, Sentence, Status, TaskKind, Verdict
from searchain.verification.judge import STANCE_RULE

FINAL_TOKENS = 512
WANTED = {
    TaskKind.MULTIHOP: "the short answer alone (a name, a date, a number)",
    TaskKind.SLOTS: "the short answer alone (a name, a date, a number)",
    TaskKind.YESNO: "yes or no",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES",
    TaskKind.LONGFORM: "the answer in one sentence",
}
LENGTHS = {kind: "one to four sentences" for kind in TaskKind} | {TaskKind.LONGFORM: "three to eight sentences"}

_COMPARED = (TaskKind.MULTIHOP, TaskKind.YESNO, TaskKind.FACTCHECK)


@dataclass(frozen=True, slots=True)
class _Basis:
    """The basis of a reply: the path, the keys of its steps, and the result of comparing them."""

    path: tuple[Node, ...]
    keys: dict[str, Node]
    decision: Decision | None

    def started(self, writer: Literal["model", "template"]) -> TracingStarted:
        return TracingStarted(path=tuple(node.id for node in self.path), writer=writer)


class Replier:
    """The writer of one run's reply.

    ``support`` checks whether the cited passages support a sentence; ``quoter`` chooses the sentences to quote.
    """

    def __init__(self, run: RunContext, support: SentenceCheck | None = None, quoter: Quoter | None = None) -> None:
        self._run = run
        is_yes_no = run.task is TaskKind.MULTIHOP and not run.parts and text.is_yes_no_question_form(run.question)
        self.task = TaskKind.YESNO if is_yes_no else run.task
        """The kind of answer that the reply gives. By its form the question may want yes or no."""
        self.carrying = Carrying(run.question, None if run.settings.follows_paper else support, run.cancel)
        self.quoter = quoter if not run.settings.follows_paper else None
        self.invented = 0
        """The number of markers with a key that was never given, in all attempts."""
        self.doubt = ""
        """Why the last reply is not supported, whatever its probability; ``""`` without a reason."""
        self._quotes: list[Node] | None = None

    def reply(
        self,
        *,
        by_model: bool,
        is_cut: bool = False,
        silence: str = "",
        limit: str = "",
        known: KnownReply | None = None,
        doubt: str = "",
    ) -> Iterator[Event]:
        """Write the reply from the correct path; yield its events, the last one ``RunFinished``.

        Args:
            by_model: the model writes the reply, if it can.
            is_cut: the chain may miss its last steps.
            silence: why the model delivered nothing so far. If it writes no reply either, the program's reply says so,
                and counts only if the evidence alone is enough.
            limit: which limit ended the run early; without an answer the run then has no outcome.
            known: the reply, if its text is already known.
            doubt: why it is not supported, if that is known before.

        Raises:
            Cancelled: the run was stopped.
        """
        run = self._run
        path, uncarried = self._quotable(joined.with_weak_open(run, run.tree.path()))
        by_model = by_model and not run.explains
        decision = known.decision if known else None
        basis = _Basis(path, keys_of(path), decision or self._compared(path, by_model=by_model))
        binder, final, is_of_model = yield from self._text(basis, silence, known, by_model=by_model)
        sentences = self._bound(binder, basis, final)
        for sentence in sentences:
            yield SentenceBound(sentence=sentence)
        if is_of_model or known:
            uncarried = ""  # what is quoted was not chosen
        is_cut = is_cut and basis.decision is None
        doubt = known.doubt if known else doubt
        self.doubt = doubt or outcome.doubt(path, final, run.question, is_cut=is_cut) or uncarried
        silence = "" if is_of_model else silence
        end = self._finished(final, self._rated(basis, final, sentences), sentences, silence, limit)
        yield known.ended(end) if known else end

    def _text(
        self, basis: _Basis, silence: str, known: KnownReply | None, *, by_model: bool
    ) -> Generator[Event, None, tuple[Binder, str, bool]]:
        """Write the text; return it, the short answer, and whether the model wrote it."""
        binder, written = None, ""
        if by_model and any(node.answer for node in basis.path):
            binder, written = yield from self._by_model(basis)
        final = self._final(basis, written)
        if binder is None:
            note = f" {SILENT}" if silence else ""
            return *(yield from self._by_program(basis, final, note, known)), False
        for dispute in template.disputes(basis.path, basis.keys, final):
            yield from deltas(binder.feed(f" {dispute}"), binder.finish())
        return binder, final, True

    def _quotable(self, path: tuple[Node, ...]) -> tuple[tuple[Node, ...], str]:
        """Return the path with its spans in the sentences to quote, and a doubt if these do not carry its steps."""
        if self.quoter is None or self.task in outcome.TEXTS:
            return path, ""
        quoted = {node.id: self.quoter.quoted(node) for node in path if node.verdict in SETTLED}
        moved = tuple(quoted[node.id].node if node.id in quoted else node for node in path)
        used = path if joined.asks_parts(self._run) else template.used(path)
        is_carried = all(quoted[node.id].is_carried for node in used if node.id in quoted)
        return moved, "" if is_carried else outcome.NOT_CARRIED

    def _bound(self, binder: Binder, basis: _Basis, final: str) -> tuple[Sentence, ...]:
        marks = _against(binder.marks, outcome.overruled(basis.path, final))
        return sentence_support.bind_sentences(binder.text, marks, self.carrying, basis.decision)

    def _finished(
        self, final: str, probability: float | None, sentences: Sequence[Sentence], silence: str, limit: str
    ) -> RunFinished:
        threshold = self._run.probability.threshold if self._run.probability else None
        end = self.ended(final, probability, sentences, threshold)
        if silence:
            status, message = outcome.of_silence(end.status, end.message, silence)
            end = replace(end, status=status, message=message, outcome=None if status is Status.FAILED else end.outcome)
        elif limit and not final:
            end = replace(end, status=Status.PARTIAL, outcome=None, message=f"{limit}, before an answer was found")
        return end

    def ended(
        self, final: str, probability: float | None, sentences: Sequence[Sentence], threshold: float | None
    ) -> RunFinished:
        """Return the end of a run with this short answer, its probability and the sentences of the reply."""
        texts = sentences if self.task in outcome.TEXTS and not (self.doubt and self.task is TaskKind.COMPARE) else ()
        status, ending = outcome.outcome_of(final, probability, threshold or 1.0, self.doubt, texts)
        return RunFinished(
            status=status,
            outcome=ending,
            probability=probability,
            threshold=threshold,
            final_answer=short(self._run.question, final),
            invented_markers=self.invented,
            usage=self._run.dialogue.total,
            message=outcome.message_of(ending, self.doubt),
        )

    @property
    def is_compared(self) -> bool:
        """Whether the program finds the answer by comparing the answers of the steps."""
        return self._compared(self._run.tree.path(), by_model=False) is not None

    def final_answer(self) -> str:
        """Return the short answer of the path, as known without a reply by the model."""
        path = joined.with_weak_open(self._run, self._run.tree.path())
        return self._final(_Basis(path, {}, self._compared(path, by_model=False)), "")

    def _rated(self, basis: _Basis, final: str, sentences: Sequence[Sentence]) -> float | None:
        """Return how likely the reply is right; for an explanation, the lowest probability of its sentences."""
        rating = self._run.probability
        if rating is None:
            return None
        if self.task in outcome.TEXTS:
            known = [sentence.probability for sentence in sentences if sentence.probability is not None]
            return min(known) if known and len(known) == len(sentences) and self.task is TaskKind.DEFINE else None
        if basis.decision and basis.decision.rule == joined.RULE:
            return joined.probability_of(basis.decision.nodes)
        return rating.of_reply(self._run.question, basis.path, final, self._run.weighed)

    def _compared(self, path: tuple[Node, ...], *, by_model: bool) -> Decision | None:
        """Return what the program decides by comparing; ``None`` if a capable model, which writes the reply, compares
        itself."""
        run = self._run
        may_compare = run.settings.strategy.program_may_answer and self.task in _COMPARED
        if not may_compare or not (run.strategy.helps or not by_model):
            return None
        if joined.asks_parts(run):
            decision = joined.conclusion(path)
        else:
            decision = comparing.decide(run.question, path) or two_things.conclusion(run.question, path)
        if decision is None:
            return None
        if label_of(decision.answer) and not run.parts:
            is_verdict = decision.answer in ("SUPPORTS", "REFUTES")
            return None if is_verdict and self.task is not TaskKind.FACTCHECK else decision  # "… from which opera"
        texts = [f"{node.passage.title}. {node.passage.text}" for node in path if node.passage]
        return replace(decision, answer=text.as_written(decision.answer, texts))

    def _final(self, basis: _Basis, written: str) -> str:
        """Return the short answer; ``written`` is the model's."""
        run, path, task = self._run, basis.path, self.task
        if not run.settings.strategy.program_may_answer and (alone := outcome.final_answer_of((), task, written)):
            return alone
        if run.strategy.keeps_word and task in outcome.LABELLED and label_in(written):
            return outcome.final_answer_of(path, task, written)
        label = _label_of_passages(path)
        if basis.decision is not None and (joined.asks_parts(run) or label is None):
            return basis.decision.answer
        if label is not None:
            written = label
        elif run.strategy.writes and task in template.OF_LAST_STEP and not text.is_comparison(run.question):
            written = ""  # the last step has the answer, and the program copies it more reliably than a small model
        return self._if_possible(path, outcome.final_answer_of(path, task, written))

    def _if_possible(self, path: Sequence[Node], answer: str) -> str:
        """Return ``answer`` if it is one of the things compared, or shared by both things asked about, else ``""``."""
        run = self._run
        is_open = run.strategy.helps and two_things.is_open(run.question, path, answer)
        return answer if not is_open and comparing.can_answer(run.question, answer) else ""

    def _by_program(
        self, basis: _Basis, final: str, note: str, known: KnownReply | None
    ) -> Generator[Event, None, tuple[Binder, str]]:
        """Write the reply from the steps alone, with ``note`` at its end; return it and the short answer.

        An explanation and a ``known`` reply replace the short answer.
        """
        yield basis.started("template")
        similarity = self._run.similarity
        if known is not None:
            keys, content, final = known.keys, known.content, known.final
        elif similarity is not None and (quotes := self.explanation()):
            keys = keys_of(quotes)
            content = template.quoted(quotes, keys)
            final = max((node.answer or "" for node in quotes), key=partial(similarity, self._run.asked))
        else:
            keys = basis.keys
            content = template.template_reply(basis.path, keys, self.task, final, basis.decision)
        binder = Binder(keys)
        yield from deltas(binder.feed(content + note), binder.finish())
        return binder, final

    def explanation(self) -> list[Node]:
        """Return the sentences of the explanation as nodes; empty if the reply is not an explanation.

        They are chosen once, when the path is complete.
        """
        run = self._run
        if run.lookups is None or run.similarity is None or not run.explains:
            return []
        if self._quotes is None:
            steps = [node for node in reversed(run.tree.path()) if node.passage is not None]
            found = [other for node in steps for other in run.lookups.found(node)]
            if are_own(found):
                self._quotes = explain_by_documents(run.asked, found, run.similarity, run.large_read)
            else:
                self._quotes = explain(run.asked, found, run.similarity)
        return self._quotes

    def _by_model(self, basis: _Basis) -> Generator[Event, None, tuple[Binder | None, str]]:
        """Let the model write the reply; return it and the short answer in it.

        The reply is ``None`` if it cannot be used.
        """
        needs_lead = self._run.strategy.is_brief and (basis.decision is not None or self.task in outcome.LABELLED)
        prompt = self._prompt(basis, needs_lead=needs_lead)
        if not self._run.strategy.is_brief:
            self._run.dialogue.say("user", prompt)
        yield basis.started("model")
        binder, reader = Binder(basis.keys), final_text.FinalReader()
        try:
            cut = yield from self._generate(prompt, basis, binder, reader, needs_lead=needs_lead)
            fault = f"the model {cut}" if cut else self._problem_of(binder, basis.keys)
        except (BudgetSpent, ModelError) as error:
            fault = str(error)
        finally:
            self.invented += binder.invented
        if fault is None:
            return binder, reader.answer
        yield ModelFault(what=fault, action="wrote the reply from the steps alone")
        return None, reader.answer

    def _prompt(self, basis: _Basis, *, needs_lead: bool) -> str:
        """Write the prompt for the reply; if the program adds the lead, leave the steps with a label out."""
        run, path = self._run, basis.path
        if run.strategy.is_brief:  # a small model restates the claim as a fact; the lead gives the verdict on it
            path = tuple(node for node in path if node.answer and not (needs_lead and label_of(node.answer))) or path
        values = dict(
            steps=final_text.render_steps(path, basis.keys, with_evidence=not run.strategy.is_brief),
            question=run.question,
            wanted=WANTED[self.task],
            length=LENGTHS[self.task],
        )
        if not basis.keys:
            return run.dialogue.prompts.render("final-no-ir", **values)
        return run.dialogue.prompts.render("final", example=final_text.example_key(basis.keys), **values)

    def _generate(
        self, prompt: str, basis: _Basis, binder: Binder, reader: final_text.FinalReader, *, needs_lead: bool
    ) -> Generator[Event, None, Cut | None]:
        """Feed the model's text to ``reader`` and ``binder``; return why it is incomplete, or ``None``.

        Raises ``ModelError``, ``BudgetSpent`` or ``Cancelled``.
        """
        run, inbox = self._run, queue.SimpleQueue[Any]()
        # the form requires keys; without keys only the prompt gives the form
        form = Form.FINAL if basis.keys or run.strategy.is_brief else None
        # the dialogue would only make a small model's prompt longer: the steps repeat all of it
        alone = (Message("user", prompt),) if run.strategy.is_brief else None
        generation = run.dialogue.generate(form, max_tokens=FINAL_TOKENS, inbox=inbox, alone=alone)
        try:
            with run.cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := run.dialogue.take(inbox), Ended):
                    if isinstance(item, Retracted):  # no reply of this model was read before
                        return Cut(CutReason.BROKEN)
                    if not isinstance(item, str):
                        yield from aside(item)
                        continue
                    content = reader.feed(item)
                    if content and needs_lead:
                        needs_lead = False
                        content = self._lead(basis, reader.answer) + content
                    yield from deltas(binder.feed(content))
                if item.error is not None:
                    raise item.error
            if item.cut is None:
                yield from deltas(binder.feed(reader.finish()))
                yield from deltas(binder.finish())
            return item.cut
        finally:
            run.dialogue.book(generation.close())

    def _lead(self, basis: _Basis, written: str) -> str:
        """Write the sentence with the answer, because a model trained to write only the steps leaves it out."""
        final = self._final(basis, written)
        return f"{template.lead(basis.path, basis.keys, self.task, final, basis.decision)} " if final else ""

    def _problem_of(self, binder: Binder, keys: dict[str, Node]) -> str | None:
        """Return why the model's reply cannot be used; ``None`` if it can."""
        problem = sentence_support.problem_of(binder.text, binder.marks, keys)
        if problem is None and self._run.strategy.is_brief and self.task is TaskKind.FACTCHECK:
            problem = sentence_support.restates(binder.text, binder.marks, self._run.question)
        return None if problem is None else f"the model's reply cannot be used: {problem}"


def _against(marks: Sequence[BoundMark], overruled: Node | None) -> list[BoundMark]:
    """Return ``marks``; the step that the model's label overruled counts as disputed."""
    return [
        replace(bound, node=replace(bound.node, verdict=Verdict.DISPUTED))
        if overruled is not None and bound.node.id == overruled.id
        else bound
        for bound in marks
    ]


def _label_of_passages(path: Sequence[Node]) -> str | None:
    """Return the label of the last step, where the passages were asked for it; else ``None``."""
    if not path or path[-1].rule != STANCE_RULE or path[-1].verdict not in SETTLED:
        return None
    return path[-1].answer or ""
