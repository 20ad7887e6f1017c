"""Build an explanation from the passages' own sentences, for a model that is too small to write one.

Of all sentences found, it takes those nearest to the question, most like the other sentences (centrality, as in
LexRank: Erkan and Radev 2004) and least like one another (maximal marginal relevance, Carbonell and Goldstein 1998), up
to a length. Each sentence keeps its place in its passage, for the citation.
"""

from collections.abc import Sequence
from dataclasses import replace

from searchain.language import text
from searchain.language.same_query import Similarity
from searchain.language.sentences import after_marker
from searchain.reading.articles import sentences_of
from searchain.reply.subjects import said
from searchain.types import Node

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
SHORTEST_ENDED = 3
"""Fewest words with a full stop behind them, which headings lack: "Dogs are not allowed."."""
_NO_STATEMENT = ("#", "|", ">", "http:", "https:")
"""Marks of a table and of a web page, which are not statements."""


def explain(question: str, nodes: Sequence[Node], similarity: Similarity, *, words: int = WORDS) -> list[Node]:
    """Return the chosen sentences as nodes, each narrowed to its sentence (``span``, ``answer``).

    The one nearest to the question comes first, the others in the order of ``nodes`` and of the text. A sentence such
    as "It is pale blue" comes with the sentence before it or with a name (``subjects.said``). Each passage counts only
    for its first node.
    """
    candidates = [one for _, one in statements(nodes)]
    near = [similarity(question, node.answer or "") for node in candidates]
    chosen = _chosen(candidates, near, similarity, words)
    least = NEAR_ENOUGH * max((near[i] for i in chosen), default=0.0)
    kept = sorted(i for i in chosen if near[i] >= least)
    first = max(kept, key=near.__getitem__, default=None)
    return [candidates[i] for i in sorted(kept, key=lambda i: (i != first, i))]


def nearness(question: str, quotes: Sequence[Node], similarity: Similarity) -> float:
    """Return how near the quoted sentences are to a question: the greatest cosine, plus a share of words.

    The share is what that sentence holds of the question's words beyond its title, because a sentence about Venice need
    not say why Venice is sinking.
    """
    nearest = max(quotes, key=lambda node: similarity(question, node.answer or ""))
    title = nearest.passage.title if nearest.passage else ""
    asked = text.content_words(question) - text.content_words(title)
    held = asked & text.content_words(nearest.answer or "")
    return similarity(question, nearest.answer or "") + (len(held) / len(asked) if asked else 1.0)


def _chosen(candidates: Sequence[Node], near: Sequence[float], similarity: Similarity, words: int) -> list[int]:
    """Return the indices of sentences near the question, central and unlike one another, up to ``words`` words.

    No two of them share a sentence of their passage.
    """
    said = [node.answer or "" for node in candidates]
    likeness = [[similarity(one, other) for other in said] for one in said]
    worth = [near[i] + CENTRALITY * sum(row) / len(row) for i, row in enumerate(likeness)]
    chosen: list[int] = []
    left, length = list(range(len(said))), 0
    while left and length < words:
        best = max(left, key=lambda i: worth[i] - NOVELTY * max((likeness[i][j] for j in chosen), default=0.0))
        left.remove(best)
        size = len(said[best].split())
        is_new = not any(overlap(candidates[best], candidates[one]) for one in chosen)
        if is_new and length + size <= words + SHORTEST * 4:
            chosen.append(best)
            length += size
    return chosen


def overlap(one: Node, other: Node) -> bool:
    assert one.span is not None
    assert other.span is not None
    return one.passage == other.passage and one.span.start < other.span.end and other.span.start < one.span.end


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
            words = node.passage.text[after_marker(node.passage.text, span.start) : span.end]
            if quote.names_subject and is_statement(words):
                found.append((node, replace(node, span=quote.span, answer=quote.text)))
    return found


def is_statement(sentence: str) -> bool:
    """Tell whether a sentence is prose of a usual length, and no question, table or heading."""
    is_whole = not sentence[0].islower() and not sentence.endswith("?")
    is_prose = not any(mark in sentence for mark in _NO_STATEMENT)
    shortest = SHORTEST_ENDED if sentence.endswith(".") else SHORTEST
    return is_whole and is_prose and shortest <= len(sentence.split()) <= LONGEST
