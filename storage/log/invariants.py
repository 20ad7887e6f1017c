"""Rules for every stored turn: offsets match the text, citations have sources, and the outcome fits the rest."""

from __future__ import annotations

from collections.abc import Iterator

from searchain.events import Turn
from searchain.types import Node, Outcome, Passage, Sentence, Span, Status

STATUSES = {
    Outcome.SUPPORTED: Status.ANSWERED,
    Outcome.QUOTED: Status.ANSWERED,
    Outcome.UNSURE: Status.PARTIAL,
    Outcome.UNRATED: Status.PARTIAL,
    Outcome.NOT_FOUND: Status.NOT_FOUND,
    Outcome.NO_SEARCH: Status.ANSWERED,
}
"""The status of a run with each outcome."""


def faults(turn: Turn) -> Iterator[str]:
    """Describe each broken rule in one line."""
    seen: set[str] = set()
    for node in turn.nodes:
        yield from _node(node, seen)
        seen.add(node.id)
    numbers: set[int] = set()
    for source in turn.sources:
        if source.number in numbers:
            yield f"source {source.number} is there twice"
        numbers.add(source.number)
        if source.node not in seen:
            yield f"source {source.number} names node {source.node!r}, which is not in the tree"
        if not _fits(source.span, source.passage):
            yield f"the span of source {source.number} is not in its passage"
    end = 0
    for position, sentence in enumerate(turn.sentences):
        if sentence.start < end:
            yield f"sentence {position} begins before the one above it ends"
        end = sentence.end
        yield from _sentence(turn.answer, position, sentence, numbers)
    yield from _outcome(turn)
    yield from _probabilities(turn)


def _outcome(turn: Turn) -> Iterator[str]:
    if turn.outcome is None:
        return
    if turn.status is not STATUSES[turn.outcome]:
        yield f"its outcome is {turn.outcome}, which does not go with the status {turn.status or 'running'}"
    if turn.outcome is Outcome.SUPPORTED and turn.probability is None:
        yield "it is supported, and nothing says how likely it is right"
    elif turn.outcome is Outcome.SUPPORTED and (turn.probability or 0) < (turn.threshold or 0):
        yield f"it is supported, and its probability {turn.probability} does not reach the threshold {turn.threshold}"
    if turn.outcome is Outcome.NO_SEARCH and (turn.sources or turn.final_answer):
        yield "nothing was searched, and there are sources or a short answer"


def _probabilities(turn: Turn) -> Iterator[str]:
    """Describe each probability that is not between 0 and 1."""
    rated = {
        "the probability of the reply": turn.probability,
        "the threshold": turn.threshold,
        **{f"the probability of node {node.id!r}": node.probability for node in turn.nodes},
        **{f"the probability of source {source.number}": source.probability for source in turn.sources},
        **{
            f"the probability of sentence {position}": sentence.probability
            for position, sentence in enumerate(turn.sentences)
        },
        **{f"the probability of candidate {place}": one.probability for place, one in enumerate(turn.candidates)},
    }
    for what, probability in rated.items():
        if probability is not None and not 0 <= probability <= 1:
            yield f"{what} is {probability}, which is not between 0 and 1"


def _node(node: Node, seen: set[str]) -> Iterator[str]:
    if node.id in seen:
        yield f"node {node.id!r} is there twice"
    for name, other in (("hangs on", node.parent), ("mends", node.mends)):
        if other is not None and other not in seen:
            yield f"node {node.id!r} {name} node {other!r}, which did not come before it"
    if node.passage and not _fits(node.span, node.passage):
        yield f"the span of node {node.id!r} is not in its passage"
    elif node.passage and node.span and node.reader_answer != node.passage.text[node.span.start : node.span.end]:
        yield f"the span of node {node.id!r} does not match its passage: it does not hold the Reader's answer"


def _sentence(answer: str, position: int, sentence: Sentence, numbers: set[int]) -> Iterator[str]:
    if not 0 <= sentence.start <= sentence.end <= len(answer) or answer[sentence.start : sentence.end] != sentence.text:
        yield f"sentence {position} does not stand in the reply where it says"
        return
    end = sentence.start
    for mark in sentence.marks:
        if not end <= mark.start <= mark.end <= sentence.end or answer[mark.start : mark.end] != f"[{mark.number}]":
            yield f"citation [{mark.number}] does not stand in sentence {position} where it says"
        end = mark.end
        if mark.number not in numbers:
            yield f"citation [{mark.number}] of sentence {position} is dangling: there is no such source"


def _fits(span: Span | None, passage: Passage) -> bool:
    return span is None or 0 <= span.start <= span.end <= len(passage.text)
