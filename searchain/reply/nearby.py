"""Quote the sentences that are nearest to a question which no passage answers outright.

A reader can often use them. "Can the vaccine cause an allergic reaction?" is not decided by "People can have allergic
reactions to any medication or biological product such as a vaccine.", and yet this is what was looked for.
"""

from __future__ import annotations

from searchain.chain.context import RunContext
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.explanation import explain, nearness
from searchain.reply.known import KnownReply
from searchain.reply.notes import NOT_OUTRIGHT

LEAST_NEAR = 0.8
"""Least nearness of the quoted sentences to the question, chosen with ``lab.worth.refusals``."""
WORDS = 50
"""Approximate number of words that are quoted."""
DOUBT = "no passage answers it outright"


def nearby(run: RunContext) -> KnownReply | None:
    """Return a reply of the sentences nearest to the question; ``None`` if none is near enough.

    It has no short answer, and how likely it helps is not rated.
    """
    if run.lookups is None or run.similarity is None:
        return None
    steps = [node for node in reversed(run.tree.path()) if node.passage is not None]
    found = [other for node in steps for other in run.lookups.found(node)]
    quotes = explain(run.asked, found, run.similarity, words=WORDS)
    if not quotes or nearness(run.asked, quotes, run.similarity) < LEAST_NEAR:
        return None
    keys = keys_of(quotes)
    return KnownReply(f"{NOT_OUTRIGHT} {template.quoted(quotes, keys)}", keys, "", DOUBT, is_nearby=True)
