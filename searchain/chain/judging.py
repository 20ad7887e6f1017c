"""Judges one node: by its evidence, by an earlier node with the same query, or by the model's second answer."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.settling import read_again, settle
from searchain.events import Event, NodeJudged, NodeParsed
from searchain.language.questions import wants_label
from searchain.types import Evidence, Judgement, Node, Step, TaskKind, Usage, Verdict
from searchain.verification.judge import IN_PASSAGE, judge, with_stance, with_witness
from searchain.verification.second_answer import second_answer


def judge_node(run: RunContext, node: Node, evidence: Evidence) -> Generator[Event, None, tuple[Node, Judgement]]:
    """Judge ``node`` by its evidence; return the node's new value and the judgement."""
    run.dialogue.book(Usage(retrieval_seconds=evidence.retrieval_seconds, reader_seconds=evidence.reader_seconds))
    step = Step(node.query, node.model_answer)
    is_short = run.task is not TaskKind.LONGFORM
    if is_short and wants_label(step, run.task) and not run.settings.follows_paper:
        evidence = with_stance(step, evidence, run.settings)
    else:
        evidence = with_witness(step, evidence, run.task, run.settings)
    judgement = judge(step, evidence, run.task, run.settings, keeps_word=run.strategy.keeps_word)
    if run.probability is not None and judgement.rule != IN_PASSAGE:  # its probability is that of another span
        judgement = replace(judgement, probability=run.probability.of_step(step, evidence, judgement))
    settled = yield from settle(run.tree, node, evidence, judgement)
    return settled, judgement


def inherit(run: RunContext, node: Node, earlier: Node) -> Iterator[Event]:
    """Give ``node`` the evidence of an earlier node with the same query, without a look-up."""
    judgement = replace(_second_answer(run, earlier, node.model_answer), rule="asked-before")
    run.tree.inherit(node.id, earlier)
    yield from _change(run, run.tree[node.id], judgement, before=node.model_answer, same_as=earlier.id)


def restate(run: RunContext, root: Node, step: Step, round: int) -> Iterator[Event]:
    """Judge the model's second answer to a corrected node, which may change its answer and its verdict."""
    yield NodeParsed(node=root.id, parent=root.parent, round=round, query=root.query, answer=step.answer)
    judgement = _second_answer(run, root, step.answer)
    run.tree.update(root.id, model_answer=step.answer)
    if judgement.answer != root.answer or judgement.verdict is not root.verdict:
        yield from _change(run, root, judgement, before=step.answer)


def leave_unconfirmed(run: RunContext, node: Node) -> Iterator[Event]:
    """Mark ``node`` as unconfirmed because no round is left to judge it."""
    verdict, rule = Verdict.UNCONFIRMED, "rounds-used-up"
    run.tree.update(node.id, verdict=verdict, rule=rule)
    yield NodeJudged(node=node.id, verdict=verdict, rule=rule, before=node.model_answer, after=node.answer)


def _second_answer(run: RunContext, settled: Node, answer: str | None) -> Judgement:
    return second_answer(settled, answer, run.task, run.settings, keeps_word=run.strategy.keeps_word)


def _change(
    run: RunContext, node: Node, judgement: Judgement, *, before: str | None, same_as: str | None = None
) -> Iterator[Event]:
    """Give a node that keeps its evidence another judgement."""
    verdict, rule, answer, probability = judgement.verdict, judgement.rule, judgement.answer, judgement.probability
    run.tree.update(node.id, verdict=verdict, rule=rule, answer=answer, probability=probability)
    yield NodeJudged(
        node=node.id,
        verdict=verdict,
        rule=rule,
        before=before,
        after=answer,
        same_as=same_as,
        probability=probability,
    )
    if judgement.quote is not None and node.passage is not None:
        yield from read_again(run.tree, node, judgement.quote)
