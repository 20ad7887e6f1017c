"""An explanation out of the passages' own sentences, for the model that is too small to write one.

Of all sentences that the run found, those are taken that are nearest to the question and least like one another
(maximal marginal relevance, Carbonell and Goldstein 1998), up to a length; every sentence keeps its place for the
citation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from searchain.duplicates import Similarity
from searchain.sentences import split
from searchain.types import Node, Span

WORDS = 100
"""How long an explanation becomes, about."""
NOVELTY = 0.5
"""What likeness to a chosen sentence costs, against likeness to the question."""
SHORTEST, LONGEST = 5, 70
"""Words of a sentence that can be taken: headings explain nothing, and lists run on."""


def explain(question: str, nodes: Sequence[Node], similarity: Similarity, *, words: int = WORDS) -> list[Node]:
    """The chosen sentences as nodes, each narrowed to its sentence (``span``, ``answer``), in the order of ``nodes``
    and of the text. A passage that several nodes hold counts for the first."""
    candidates = _sentences(nodes)
    nearness = [similarity(question, node.answer or "") for node in candidates]
    chosen: list[int] = []
    left, length = list(range(len(candidates))), 0
    while left and length < words:
        best = max(left, key=lambda i: nearness[i] - NOVELTY * _likeness(candidates, i, chosen, similarity))
        left.remove(best)
        size = len((candidates[best].answer or "").split())
        if length + size <= words + SHORTEST * 4:
            chosen.append(best)
            length += size
    return [candidates[number] for number in sorted(chosen)]


def _likeness(candidates: Sequence[Node], number: int, chosen: Sequence[int], similarity: Similarity) -> float:
    own = candidates[number].answer or ""
    return max((similarity(own, candidates[other].answer or "") for other in chosen), default=0.0)


def _sentences(nodes: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    seen: set[str] = set()
    for node in nodes:
        if node.passage is None or node.passage.text in seen:
            continue
        seen.add(node.passage.text)
        for start, end in split(node.passage.text):
            if SHORTEST <= len(node.passage.text[start:end].split()) <= LONGEST:
                found.append(replace(node, span=Span(start, end), answer=node.passage.text[start:end]))
    return found
