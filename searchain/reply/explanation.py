"""An explanation out of the passages' own sentences, for the model that is too small to write one.

Of all sentences that the run found, those are taken that are nearest to the question, most like what the others say
(centrality, as in LexRank: Erkan and Radev 2004) and least like one another (maximal marginal relevance, Carbonell and
Goldstein 1998), up to a length; every sentence keeps its place for the citation.
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
"""How long an explanation becomes, about."""
DEPTH = 2
"""An explanation is chosen out of so many times the passages of another reply."""
CENTRALITY, NOVELTY = 2.0, 0.7
"""What mean likeness to all sentences gives, and likeness to a chosen one costs, against likeness to the question."""
SHORTEST, LONGEST = 5, 70
"""Words of a sentence that can be taken: headings explain nothing, and lists run on."""
_NO_STATEMENT = re.compile(r"^[a-z]|[#|>]|https?:|\?$")
"""Of a sentence's second half, a table, a web page's markup, a question."""


def explain(question: str, nodes: Sequence[Node], similarity: Similarity, *, words: int = WORDS) -> list[Node]:
    """The chosen sentences as nodes, each narrowed to its sentence (``span``, ``answer``), in the order of ``nodes``
    and of the text. A passage that several nodes hold counts for the first."""
    candidates = _sentences(nodes)
    said = [node.answer or "" for node in candidates]
    likeness = [[similarity(one, other) for other in said] for one in said]
    worth = [similarity(question, said[i]) + CENTRALITY * sum(row) / len(row) for i, row in enumerate(likeness)]
    chosen: list[int] = []
    left, length = list(range(len(candidates))), 0
    while left and length < words:
        best = max(left, key=lambda i: worth[i] - NOVELTY * max((likeness[i][j] for j in chosen), default=0.0))
        left.remove(best)
        size = len(said[best].split())
        if length + size <= words + SHORTEST * 4:
            chosen.append(best)
            length += size
    return [candidates[number] for number in sorted(chosen)]


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
