"""Tell which labels of the stance model are guesses: its passage does not say what a yes/no question asks.

The stance model scores every passage, also one that says nothing to the question. Of 110 everyday yes/no questions it
labelled 17 weakly by words that the passage does not say, or against a class that the passage does not name; seven of
these labels were right. The threshold was chosen on the same questions. Of 238 others, which ``benchmarks.yes_no``
holds, it labelled 21 so, and was right for 19: two weakly, and 17 of 19 against a class. The rule about classes leaves
out more right labels than wrong ones there.
"""

from __future__ import annotations

import re

from searchain.language import text
from searchain.types import Opinion, Passage

SURELY = 0.88
"""How far a passage must support a question whose words it does not all say."""
_KEPT = 5
"""Letters at least that two forms of a word share."""
_ASKS_CLASS = re.compile(r"(?:is|are|was|were)\b.* an? (?P<kind>[\w'’-]+(?: [\w'’-]+)?)\W*$", re.IGNORECASE)


def is_guessed(query: str, passage: Passage, opinion: Opinion) -> bool:
    """Tell whether ``opinion`` answers a yes/no question by words that ``passage`` does not say.

    A passage may speak against "in London" by saying "in Paris". Against "a stimulant" it says nothing by saying "a
    drink", for a thing may be both.

    >>> war = Passage("w", "Pacific War", "The Pacific War was fought between Japan and the Allies.")
    >>> is_guessed("did japan win the pacific war", war, Opinion(supports=0.82, refutes=0.14, unknown=0.04))
    True
    >>> coffee = Passage("c", "Coffee", "Coffee is a beverage brewed from roasted beans.")
    >>> is_guessed("is coffee a stimulant", coffee, Opinion(supports=0.01, refutes=0.96, unknown=0.03))
    True
    """
    known = text.content_words(f"{passage.title} {passage.text}")
    if opinion.margin > 0:
        return opinion.supports < SURELY and not _are_said(text.content_words(query), known)
    asked = _ASKS_CLASS.match(query.strip())
    return asked is not None and not text.content_words(asked["kind"]) <= known


def _are_said(words: set[str], known: set[str]) -> bool:
    """Whether all ``words`` are known; "assassinated" also as "assassination"."""
    return all(
        word in known
        or len(word) > _KEPT
        and any(other.startswith(word[: max(_KEPT, len(word) - 3)]) for other in known)
        for word in words
    )
