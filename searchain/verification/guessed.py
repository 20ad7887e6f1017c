"""Tell which labels of the stance model are guesses: its passage does not say what a yes/no question asks.

The stance model scores every passage, also one that says nothing to the question. Of 348 yes/no questions (110 everyday
ones, on which the threshold was chosen, and the 238 of ``lab.benchmarks.yes_no``) it supported about a dozen weakly in
words that the passage does not say; half of these labels were right. A label against the question is kept: of some 25
against a class that the passage does not name ("is coffee a stimulant"), four in five were right.
"""

from __future__ import annotations

from searchain.language import text
from searchain.types import Opinion, Passage

SURELY = 0.88
"""How far a passage must support a question whose words it does not all say."""
_KEPT = 5
"""Letters at least that two forms of a word share."""


def is_guessed(query: str, passage: Passage, opinion: Opinion) -> bool:
    """Tell whether ``opinion`` supports a yes/no question weakly, in words that ``passage`` does not say.

    >>> war = Passage("w", "Pacific War", "The Pacific War was fought between Japan and the Allies.")
    >>> is_guessed("did japan win the pacific war", war, Opinion(supports=0.82, refutes=0.14, unknown=0.04))
    True
    """
    if opinion.margin <= 0 or opinion.supports >= SURELY:
        return False
    known = text.content_words(f"{passage.title} {passage.text}")
    return not _are_said(text.content_words(query), known)


def _are_said(words: set[str], known: set[str]) -> bool:
    """Whether all ``words`` are known; "assassinated" also as "assassination"."""
    return all(
        word in known
        or len(word) > _KEPT
        and any(other.startswith(word[: max(_KEPT, len(word) - 3)]) for other in known)
        for word in words
    )
