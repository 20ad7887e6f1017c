"""Give a node its evidence and verdict: in the tree, and as events."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from searchain.chain.tree import Tree
from searchain.events import Event, NodeJudged, NodeParsed, NodeRead, Searched
from searchain.types import Evidence, Judgement, Node, Reading, Span, Step


def settle(tree: Tree, node: Node, evidence: Evidence, judgement: Judgement) -> Generator[Event, None, Node]:
    """Give ``node`` its evidence and its verdict; return the node's new value."""
    yield Searched(node=node.id, query=node.query, hits=evidence.hits, seconds=evidence.retrieval_seconds)
    if evidence.chosen is not None and evidence.reading is not None:
        passage, rank, reading = evidence.chosen.passage, evidence.chosen.rank, evidence.reading
        if judgement.quote is not None:  # another place than the reading's decided, so that place is shown
            quote = judgement.quote
            reading = Reading(passage.text[quote.start : quote.end], quote, reading.confidence)
        yield NodeRead(node=node.id, passage=passage.id, rank=rank, reading=reading, seconds=evidence.reader_seconds)
        tree.update(
            node.id,
            passage=passage,
            rank=rank,
            span=reading.span,
            reader_answer=reading.answer,
            confidence=reading.confidence,
        )
    return (yield from decide(tree, node, judgement, before=node.model_answer))


def decide(
    tree: Tree, node: Node, judgement: Judgement, *, before: str | None, same_as: str | None = None
) -> Generator[Event, None, Node]:
    """Give ``node`` a judgement that changes its answer from ``before``; return the node's new value."""
    verdict, rule, answer, probability = judgement.verdict, judgement.rule, judgement.answer, judgement.probability
    settled = tree.update(node.id, verdict=verdict, rule=rule, answer=answer, probability=probability)
    yield NodeJudged(
        node=node.id,
        verdict=verdict,
        rule=rule,
        before=before,
        after=answer,
        same_as=same_as,
        probability=probability,
    )
    return settled


def add(tree: Tree, step: Step, round: int) -> Generator[Event, None, Node]:
    """Add a step to the tree; return its node."""
    node = tree.add(step, round)
    yield NodeParsed(node=node.id, parent=node.parent, round=round, query=node.query, answer=node.model_answer)
    return node


def settle_new(
    tree: Tree, query: str, round: int, evidence: Evidence, judgement: Judgement
) -> Generator[Event, None, Node]:
    """Add a step that no model wrote, with its evidence and its verdict; return the node."""
    node = yield from add(tree, Step(query, None), round)
    return (yield from settle(tree, node, evidence, judgement))


def read_again(tree: Tree, node: Node, span: Span) -> Iterator[Event]:
    """Move the span of ``node`` to another place in its passage."""
    assert node.passage is not None
    reading = Reading(node.passage.text[span.start : span.end], span, node.confidence or 0.0)
    tree.update(node.id, span=span, reader_answer=reading.answer)
    yield NodeRead(node=node.id, passage=node.passage.id, rank=node.rank or 1, reading=reading, seconds=0.0)
