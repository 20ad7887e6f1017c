"""``direct-retrieval``: the question itself is looked up, and answered from what is found.

Everything but the plan is SearChain's: passages, the choice among them, the way the answer is taken and the reply. A
capable model answers with the passages in its prompt. The embedded one reads them worse than the Reader does, so there
the Reader's span is the answer, except to a question for yes or no, which no span answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from searchain import text
from searchain.cancel import CancelToken
from searchain.events import ChainDelta, Event, NodeJudged, NodeParsed, NodeRead, Searched
from searchain.generation import Dialogue
from searchain.lookup import look_up
from searchain.pipeline import PASSAGE_CHARACTERS, SearChain
from searchain.replying import Replier
from searchain.systems.one_step import OneStep, ask
from searchain.tree import Tree
from searchain.types import Passage, Reading, Step, TaskKind, Usage, Verdict
from searchain.verification import Evidence, Judgement, judge, with_witness


def direct_retrieval(searchain: SearChain, *, by_reader: bool) -> OneStep:
    """One lookup with the parts of ``searchain``; ``by_reader``: the Reader answers what asks for more than a label."""
    settings = searchain.settings

    def answer(question: str, task: TaskKind, dialogue: Dialogue, cancel: CancelToken) -> Iterator[Event]:
        evidence = look_up(question, searchain.retriever, searchain.reader, settings.passages)
        dialogue.book(Usage(retrieval_seconds=evidence.retrieval_seconds, reader_seconds=evidence.reader_seconds))
        wants_label = task in (TaskKind.YESNO, TaskKind.FACTCHECK) or text.is_yes_no_question(question)
        if by_reader and not wants_label:
            step, judgement = Step(question, None), _read(question, evidence, task)
        else:
            written, short, _ = ask(dialogue, "direct-retrieval", question, task, passages=_passages(evidence))
            yield ChainDelta(round=1, text=written)
            step = Step(question, short or None)
            evidence = with_witness(step, evidence, task, settings)
            judgement = _checked(step, evidence, task)
        tree = Tree()
        node = tree.add(step, 1)
        yield NodeParsed(node=node.id, parent=None, round=1, query=question, answer=step.answer)
        yield Searched(node=node.id, query=question, hits=evidence.hits, seconds=evidence.retrieval_seconds)
        if evidence.chosen is not None and evidence.reading is not None:
            passage, reading = evidence.chosen.passage, _shown(evidence.chosen.passage, evidence.reading, judgement)
            yield NodeRead(
                node=node.id,
                passage=passage.id,
                rank=evidence.chosen.rank,
                reading=reading,
                seconds=evidence.reader_seconds,
            )
            tree.update(
                node.id,
                passage=passage,
                rank=evidence.chosen.rank,
                span=reading.span,
                reader_answer=reading.answer,
                confidence=reading.confidence,
            )
        tree.update(node.id, verdict=judgement.verdict, rule=judgement.rule, answer=judgement.answer)
        yield NodeJudged(
            node=node.id,
            verdict=judgement.verdict,
            rule=judgement.rule,
            before=step.answer,
            after=judgement.answer,
        )
        replier = Replier(tree, dialogue, settings, cancel)
        yield from replier.reply(question, task, by_model=settings.reply != "template")

    def _read(question: str, evidence: Evidence, task: TaskKind) -> Judgement:
        """The reading, with the verdict of a completion; one that is too weak to complete a step is still the best
        answer to give."""
        judgement = judge(Step(question, None), evidence, task, settings)
        if judgement.answer is None and evidence.reading is not None and evidence.reading.answer:
            return replace(judgement, answer=evidence.reading.answer)
        return judgement

    def _checked(step: Step, evidence: Evidence, task: TaskKind) -> Judgement:
        """The model has seen the passages: what it answers stands, whether or not the Reader agrees."""
        judgement = judge(step, evidence, task, settings) if step.is_solved else None
        if judgement is not None and judgement.verdict is Verdict.AGREED:
            return judgement
        return Judgement(Verdict.UNCONFIRMED, judgement.rule if judgement else "no-answer", step.answer)

    return OneStep(answer, model=searchain.model, settings=settings, index=searchain.index)


def _shown(passage: Passage, reading: Reading, judgement: Judgement) -> Reading:
    """What is cited: of a long answer the window that decided."""
    if judgement.quote is None:
        return reading
    quote = judgement.quote
    return Reading(passage.text[quote.start : quote.end], quote, reading.confidence)


def _passages(evidence: Evidence) -> str:
    """The passages for the prompt, the chosen one first; of long ones the part that was read."""
    pairs = zip(evidence.hits, evidence.readings, strict=True)
    chosen_first = sorted(pairs, key=lambda pair: pair[0] is not evidence.chosen)
    return "\n\n".join(f"{hit.passage.title}: {_part(hit.passage, reading)}" for hit, reading in chosen_first)


def _part(passage: Passage, reading: Reading) -> str:
    middle = reading.span.start if reading.span else 0
    start = max(0, min(middle - PASSAGE_CHARACTERS // 2, len(passage.text) - PASSAGE_CHARACTERS))
    return " ".join(passage.text[start : start + PASSAGE_CHARACTERS].split())
