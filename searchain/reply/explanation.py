"""Build an explanation from the passages' own sentences, for a model that is too small to write one.

A logistic regression says of each sentence found how likely it explains what is asked: by how near it is to the
question, and by what was read in its passage. ``lab.training.explanation`` fitted it. The likeliest are taken, up to a
length, unless they say again what was taken before. Each sentence keeps its place in its passage, for the citation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from searchain.files.weights import read_weights
from searchain.language import text
from searchain.language.same_query import Similarity
from searchain.reading.articles import sentences_of
from searchain.reply.subjects import said
from searchain.types import Node
from searchain.verification.features import Prepares
from searchain.verification.probability import Logistic

WEIGHTS = Path(__file__).parent.parent / "weights" / "explanation" / "explanation.json"
FEATURES = ("near", "behind", "asked", "relevant", "is_read")
"""The cosine of the question with title and sentence, what that lacks to the greatest one, the share of the question's
words that they hold, how relevant the Reader finds the passage (f), and whether its span lies in the sentence."""
LEAST, SHARE = 0.1, 0.4
"""The least probability of a sentence that explains something, and its least share of that of the likeliest one."""
WORDS = 100
"""Approximate length of an explanation, in words."""
DEPTH = 2
"""An explanation is chosen from this many times the passages of another reply."""
ALIKE = 0.9
"""A sentence whose cosine with a chosen one is as great says nothing new."""
SHORTEST, LONGEST = 5, 70
"""Fewest and most words of a sentence that can be taken: shorter ones are headings, longer ones are lists."""
SHORTEST_ENDED = 3
"""Fewest words with a full stop behind them, which headings lack: "Dogs are not allowed."."""
_NO_STATEMENT = ("#", "|", ">", "http:", "https:")
"""Marks of a table and of a web page, which are not statements."""


def explain(
    question: str, nodes: Sequence[Node], similarity: Similarity, *, words: int = WORDS, least: float = LEAST
) -> list[Node]:
    """Return the chosen sentences as nodes, each narrowed to its sentence (``span``, ``answer``).

    The likeliest comes first, the others in the order of ``nodes`` and of the text. None is less likely than ``least``.
    A sentence such as "It is pale blue" comes with the sentence before it or with a name (``subjects.said``). Each
    passage counts only for its first node.

    Raises:
        SetupError: the weights are missing or damaged.
    """
    found = statements(nodes)
    likely = [_weights().probability(one) for one in features(question, found, similarity)]
    chosen: list[int] = []
    length = 0
    for place in sorted(range(len(found)), key=lambda place: -likely[place]):
        if likely[place] < max(least, SHARE * max(likely)) or length >= words:
            break
        if all(_is_new(found[place][1], found[one][1], similarity) for one in chosen):
            chosen.append(place)
            length += len((found[place][1].answer or "").split())
    return [found[place][1] for place in [*chosen[:1], *sorted(chosen[1:])]]


def statements(nodes: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Return each statement of the nodes' passages, as the node it was found with and the node narrowed to it."""
    found: list[tuple[Node, Node]] = []
    seen: set[str] = set()
    for node in nodes:
        if node.passage is None or node.passage.text in seen:
            continue
        seen.add(node.passage.text)
        for span in sentences_of(node.passage):
            quote = said(node.passage, span)
            if quote.names_subject and is_statement(node.passage.text[span.start : span.end]):
                found.append((node, replace(node, span=quote.span, answer=quote.text)))
    return found


def features(question: str, found: Sequence[tuple[Node, Node]], similarity: Similarity) -> list[tuple[float, ...]]:
    """Return the values of ``FEATURES`` for each of the ``statements``."""
    titled = [f"{node.passage.title if node.passage else ''}: {one.answer}" for node, one in found]
    if isinstance(similarity, Prepares):
        similarity.prepare([question, *titled, *(one.answer or "" for _, one in found)])
    near = [similarity(question, one) for one in titled]
    asked = text.content_words(question)
    return [
        (
            close,
            max(near) - close,
            len(asked & text.content_words(body)) / len(asked) if asked else 1.0,
            node.confidence or 0.0,
            float(node.span is not None and _overlap(node, one)),
        )
        for (node, one), body, close in zip(found, titled, near, strict=True)
    ]


@cache
def _weights() -> Logistic:
    def built(stored: dict[str, Any]) -> Logistic:
        return Logistic.from_json(stored, FEATURES)

    return read_weights(WEIGHTS, built)


def _is_new(one: Node, other: Node, similarity: Similarity) -> bool:
    return not _overlap(one, other) and similarity(one.answer or "", other.answer or "") < ALIKE


def _overlap(one: Node, other: Node) -> bool:
    assert one.span is not None
    assert other.span is not None
    return one.passage == other.passage and one.span.start < other.span.end and other.span.start < one.span.end


def is_statement(sentence: str) -> bool:
    """Tell whether a sentence is prose of a usual length, and no question, table or heading."""
    is_whole = not sentence[0].islower() and not sentence.endswith("?")
    is_prose = not any(mark in sentence for mark in _NO_STATEMENT)
    shortest = SHORTEST_ENDED if sentence.endswith(".") else SHORTEST
    return is_whole and is_prose and shortest <= len(sentence.split()) <= LONGEST
