"""``direct-retrieval``: the question itself is looked up, and answered from what is found.

Everything but the plan is SearChain's: passages, the choice among them, the way the answer is taken and the reply. A
capable model answers with the passages in its prompt. The embedded one reads them worse than the Reader does, so there
the step is completed as SearChain completes one: by the Reader's span, or by whether the passages support a claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lab.systems.one_step import ask, asks_for_label
from lab.systems.run import Run
from searchain.chain.context import RunContext
from searchain.chain.rounds import PASSAGE_CHARACTERS
from searchain.chain.tree import settle
from searchain.events import ChainDelta, Event, NodeParsed
from searchain.language.questions import wants_label
from searchain.language.same_answer import label_of
from searchain.language.text import window
from searchain.pipeline import SearChain
from searchain.reading.lookup import look_up
from searchain.reply.writer import Replier
from searchain.types import Evidence, Judgement, Passage, Reading, Step, TaskKind, Usage, Verdict
from searchain.verification.judge import judge, with_stance, with_witness


def direct_retrieval(run: Run) -> Iterator[Event]:
    """One lookup; where the Reader reads for the model, the model answers only what the evidence cannot."""
    yield from _Answer(run.parts, by_reader=run.reading == "reader").events(run)


class _Answer:
    def __init__(self, searchain: SearChain, *, by_reader: bool) -> None:
        self._searchain, self._settings, self._by_reader = searchain, searchain.settings, by_reader

    def events(self, run: Run) -> Iterator[Event]:
        parts, step = self._searchain, Step(run.question, None)
        question, task, dialogue, tree = run.question, run.task, run.dialogue, run.tree
        assert parts.retriever is not None  # the system's settings ask for retrieval
        assert parts.reader is not None
        rating = parts.probability if self._settings.strategy.rates else None
        evidence = look_up(
            question,
            parts.retriever,
            parts.reader,
            self._settings.passages,
            stance=parts.stance,
            rate=rating.rated if rating else None,
            task=task,
        )
        dialogue.book(Usage(retrieval_seconds=evidence.retrieval_seconds, reader_seconds=evidence.reader_seconds))
        judgement = None
        if self._by_reader:
            evidence, judgement = self._completed(step, evidence, task)
        if judgement is None:
            written, short, _ = ask(dialogue, "direct-retrieval", question, task, passages=_passages(evidence))
            yield ChainDelta(round=1, text=written)
            step = Step(question, short or None)
            evidence = self._decisive(step, evidence, task)
            judgement = self._checked(step, evidence, task)
        node = tree.add(step, 1)
        yield NodeParsed(node=node.id, parent=None, round=1, query=step.query, answer=step.answer)
        if rating is not None:
            judgement = replace(judgement, probability=rating.of_step(step, evidence, judgement))
        yield from settle(tree, node, evidence, judgement)
        context = RunContext(
            question=question,
            task=task,
            settings=self._settings,
            tree=tree,
            dialogue=dialogue,
            strategy=self._settings.strategy_for(parts.model.abilities),
            cancel=run.cancel,
            probability=rating,
        )
        yield from Replier(context, parts.support).reply(by_model=context.model_replies)

    def _completed(self, step: Step, evidence: Evidence, task: TaskKind) -> tuple[Evidence, Judgement | None]:
        """The step as the evidence completes it; ``None`` where it is undecided between yes and no. A reading too weak
        to complete a step is still the best answer to give."""
        is_label = asks_for_label(step.query, task)
        if is_label or not wants_label(step, task):
            evidence = self._decisive(step, evidence, task)
            judgement = judge(step, evidence, task, self._settings)
        else:  # no reading decides between two things, yet one of them may be read
            judgement = Judgement(Verdict.UNCONFIRMED, "undecided", None)
        if is_label:
            return evidence, judgement if judgement.answer and label_of(judgement.answer) else None
        found = evidence.reading.answer if evidence.reading else ""
        return evidence, judgement if judgement.answer else replace(judgement, answer=found or None)

    def _decisive(self, step: Step, evidence: Evidence, task: TaskKind) -> Evidence:
        """The evidence by which the step is judged, as in a round of SearChain."""
        if wants_label(step, task):
            return with_stance(step, evidence, self._settings)
        return with_witness(step, evidence, task, self._settings)

    def _checked(self, step: Step, evidence: Evidence, task: TaskKind) -> Judgement:
        """The model has seen the passages: what it answers stands, whether or not the evidence agrees."""
        if not step.is_solved:
            return Judgement(Verdict.UNCONFIRMED, "no-answer", None)
        judgement = judge(step, evidence, task, self._settings)
        if judgement.verdict is Verdict.AGREED:
            return judgement
        return Judgement(Verdict.UNCONFIRMED, judgement.rule, step.answer)


def _passages(evidence: Evidence) -> str:
    """The passages for the prompt, the chosen one first; of long ones the part that was read."""
    pairs = zip(evidence.hits, evidence.readings, strict=True)
    chosen_first = sorted(pairs, key=lambda pair: pair[0] is not evidence.chosen)
    return "\n\n".join(f"{hit.passage.title}: {_part(hit.passage, reading)}" for hit, reading in chosen_first)


def _part(passage: Passage, reading: Reading) -> str:
    start, end = window(passage.text, reading.span, PASSAGE_CHARACTERS)
    return " ".join(passage.text[start:end].split())
