"""Build an explanation from the passages' own sentences, for a model that is too small to write one.

Of all sentences found, it takes those nearest to the question, most like the other sentences (centrality, as in
LexRank: Erkan and Radev 2004) and least like one another (maximal marginal relevance, Carbonell and Goldstein 1998), up
to a length. Each sentence keeps its place in its passage, for the citation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from searchain.language.descriptions import after_description
from searchain.language.same_query import Similarity
from searchain.language.sentences import split
from searchain.types import Node, Span

WORDS = 100
"""Approximate length of an explanation, in words."""
DEPTH = 2
"""An explanation is chosen from this many times the passages of another reply."""
CENTRALITY, NOVELTY = 2.0, 0.7
"""Weights relative to the cosine with the question: of the mean cosine with all sentences, and against that with a
chosen one."""
NEAR_ENOUGH = 0.6
"""A sentence whose cosine with the question is below this share of the greatest one is left out."""
SHORTEST, LONGEST = 5, 70
"""Fewest and most words of a sentence that can be taken: shorter ones are headings, longer ones are lists."""
_NO_STATEMENT = re.compile(r"^[a-z]|[#|>]|https?:|\?$")
"""Marks of text that is not a statement: half a sentence, a table, a web page's markup, a question."""


_LEANING = re.compile(
    r"(?:It|Its|They|Their|He|His|She|Her|This|These|That|Those|Such|However|But|Also|Thus|Therefore|Both|As a result|"
    r"In (?:its|their|his|her|addition|contrast))\b"
)
"""Beginnings of sentences that refer to the sentence before."""


def explain(question: str, nodes: Sequence[Node], similarity: Similarity, *, words: int = WORDS) -> list[Node]:
    """Return the chosen sentences as nodes, each narrowed to its sentence (``span``, ``answer``).

    The one nearest to the question comes first, the others in the order of ``nodes`` and of the text. A sentence such
    as "It is pale blue" is left out unless a sentence of its passage precedes it. Each passage counts only for its
    first node.
    """
    candidates = _sentences(nodes)
    said = [node.answer or "" for node in candidates]
    near = [similarity(question, one) for one in said]
    chosen = _chosen(said, near, similarity, words)
    least = NEAR_ENOUGH * max((near[i] for i in chosen), default=0.0)
    kept = sorted(i for i in chosen if near[i] >= least)
    first = max((i for i in kept if not _LEANING.match(said[i])), key=near.__getitem__, default=None)
    ordered = [candidates[i] for i in sorted(kept, key=lambda i: (i != first, i))]
    return [
        node
        for node, before in zip(ordered, [None, *ordered], strict=False)
        if not _LEANING.match(node.answer or "") or (before and before.passage == node.passage)
    ]


def _chosen(said: Sequence[str], near: Sequence[float], similarity: Similarity, words: int) -> list[int]:
    """Return the indices of sentences near the question, central and unlike one another, up to ``words`` words."""
    likeness = [[similarity(one, other) for other in said] for one in said]
    worth = [near[i] + CENTRALITY * sum(row) / len(row) for i, row in enumerate(likeness)]
    chosen: list[int] = []
    left, length = list(range(len(said))), 0
    while left and length < words:
        best = max(left, key=lambda i: worth[i] - NOVELTY * max((likeness[i][j] for j in chosen), default=0.0))
        left.remove(best)
        size = len(said[best].split())
        if length + size <= words + SHORTEST * 4:
            chosen.append(best)
            length += size
    return chosen


def _sentences(nodes: Sequence[Node]) -> list[Node]:
    found: list[Node] = []
    seen: set[str] = set()
    for node in nodes:
        if node.passage is None or node.passage.text in seen:
            continue
        seen.add(node.passage.text)
        for start, end in split(node.passage.text):
            if start < after_description(node.passage.text):
                continue
            sentence = node.passage.text[start:end]
            if SHORTEST <= len(sentence.split()) <= LONGEST and not _NO_STATEMENT.search(sentence):
                found.append(replace(node, span=Span(start, end), answer=sentence))
    return found
