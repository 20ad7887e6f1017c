"""Choose the sentences of a document that say most of it, and those in which two documents differ.

The first are near to the mean of all sentences and unlike one another, as in LexRank (Erkan and Radev 2004) and maximal
marginal relevance (Carbonell and Goldstein 1998).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from searchain.language.text import tokens
from searchain.question.document_head import Encoder
from searchain.reply.explanation import is_statement
from searchain.reply.held import Quote
from searchain.reply.template import plain

READ = 100
"""Most sentences that are weighed; of a longer text the first of each section go first."""
WORDS = range(8, 46)
"""How many words a chosen sentence has, if there are enough of these."""
NOVELTY = 0.5
"""What the likeness to a chosen sentence costs."""
EARLY, FIRST = 0.3, 0.1
"""What a sentence gains at the beginning of the text, falling to 0 at its end, and as the first of a section."""
SHORTEST = 4
"""Fewest words of a sentence that is compared."""
ALIKE = 0.6
"""The least cosine of two sentences that speak of the same thing."""


def central(quotes: Sequence[Quote], most: int, encoder: Encoder | None) -> list[Quote]:
    """Return at most ``most`` sentences that say most of what ``quotes`` say, in their order."""
    statements = [one for one in quotes if is_statement(plain(one.text))]
    prose = [one for one in statements if len(one.text.split()) in WORDS]
    prose = prose if len(prose) >= most else statements or list(quotes)
    if len(prose) <= most:
        return prose
    if encoder is None:
        return prose[:most]
    some = _weighed(prose)
    vectors = embedded([one.text for one in some], encoder)
    worth = vectors @ vectors.mean(axis=0)
    starts = np.array([rank == 0 for rank in _ranks(some)])
    worth = worth / worth.max() + FIRST * starts + EARLY * np.linspace(1, 0, len(some))
    chosen: list[int] = []
    while len(chosen) < most:
        likeness = (vectors @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(some))
        left = worth - NOVELTY * likeness
        left[chosen] = -np.inf
        chosen.append(int(left.argmax()))
    return [some[place] for place in sorted(chosen)]


def _weighed(quotes: Sequence[Quote]) -> list[Quote]:
    """Return at most ``READ`` sentences: the first of each section, and then the second, and so on."""
    ranks = _ranks(quotes)
    best = sorted(range(len(quotes)), key=lambda place: (ranks[place], place))[:READ]
    return [quotes[place] for place in sorted(best)]


def _ranks(quotes: Sequence[Quote]) -> list[int]:
    """Return for each sentence how many before it stand in the same section."""
    seen: dict[str, int] = {}
    ranks = []
    for one in quotes:
        ranks.append(seen.get(one.passage.title, 0))
        seen[one.passage.title] = ranks[-1] + 1
    return ranks


def differences(
    ours: Sequence[Quote], theirs: Sequence[Quote], encoder: Encoder
) -> tuple[list[tuple[Quote, Quote]], list[Quote], list[Quote]]:
    """Return pairs of sentences that speak of the same in other words, and the sentences that only one side has."""
    ours, theirs = ([one for one in _weighed(side) if len(one.text.split()) >= SHORTEST] for side in (ours, theirs))
    if not ours or not theirs:
        return [], list(ours), list(theirs)
    one, other = (embedded([quote.text for quote in quotes], encoder) for quotes in (ours, theirs))
    likeness = one @ other.T
    pairs = []
    for place, row in enumerate(likeness):
        best = int(row.argmax())
        is_mutual = int(likeness[:, best].argmax()) == place
        if is_mutual and row[best] >= ALIKE and set(tokens(ours[place].text)) != set(tokens(theirs[best].text)):
            pairs.append((ours[place], theirs[best]))
    alone = [quote for quote, row in zip(ours, likeness, strict=True) if row.max() < ALIKE]
    new = [quote for quote, row in zip(theirs, likeness.T, strict=True) if row.max() < ALIKE]
    return pairs, alone, new


def embedded(texts: Sequence[str], encoder: Encoder) -> NDArray[np.float64]:
    encoder.prepare(texts)
    return np.stack([encoder.embed(one) for one in texts]).astype(float)
