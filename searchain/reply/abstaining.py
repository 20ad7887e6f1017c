"""Reply that nothing was found, where the answer is almost surely wrong or no sentence is near the question."""

from collections.abc import Sequence

from searchain.chain.context import RunContext
from searchain.language.same_answer import label_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.explanation import nearness
from searchain.reply.nearby import NOT_LIKELY, nearby
from searchain.reply.notes import NOTHING_FOUND
from searchain.reply.outcome import KnownReply
from searchain.reply.own_explanation import are_own
from searchain.reply.writer import Replier
from searchain.types import SETTLED, Node, TaskKind, Verdict
from searchain.verification.probability import LEAST_LIKELY

LEAST_LIKELY_BEFORE = 0.5
"""Least probability of an earlier step's answer that is given where the last step found none."""
LEAST_NEAR = 0.62
"""Least nearness of an explanation to its question, as ``lab.training.explained`` measures it."""


def abstained(run: RunContext, replier: Replier) -> KnownReply | None:
    """Return a reply that only names the nearest passage, if the answer found is almost surely wrong, else ``None``.

    This is so for a short answer below ``LEAST_LIKELY``, for an unlikely answer of an earlier step where the last step
    found nothing, and for an explanation that is not near the question.

    An answer is always kept if a capable model gave it, if it is a label or follows from two values, or if its
    probability was never measured.
    """
    path, final = run.tree.path(), replier.final_answer()
    if run.probability is None or not run.strategy.writes:
        return None
    if run.task is TaskKind.LONGFORM:
        return _without_explanation(run, replier)
    if not final:
        return nearby(run)
    if label_of(final) or replier.is_compared or _is_unmeasured(path):
        return None
    known, least = run.probability.of_reply(run.question, path, final, run.weighed), LEAST_LIKELY
    if path[-1].verdict is Verdict.UNCONFIRMED and not path[-1].answer:
        known, least = next((node.probability for node in reversed(path) if node.answer), None), LEAST_LIKELY_BEFORE
    if known is None or known >= least:
        return None
    return nearby(run) or _nothing_found(path[-1:])


def _is_unmeasured(path: Sequence[Node]) -> bool:
    return any(node.verdict in SETTLED and node.probability is None for node in path)


def _without_explanation(run: RunContext, replier: Replier) -> KnownReply | None:
    quotes = replier.explanation()
    if run.similarity is None:
        return None
    if not quotes:
        return nearby(run)
    if are_own(quotes):
        return None
    is_near = nearness(run.asked, quotes, run.similarity) >= LEAST_NEAR
    return None if is_near else _nothing_found(quotes[:1])


def _nothing_found(nearest: Sequence[Node]) -> KnownReply:
    """Return the reply that names the passage of ``nearest``, if it has one."""
    keys = keys_of(nearest)
    near = "".join(
        f" The nearest passage is “{template.plain(node.passage.title)}” [{key}]."
        for key, node in keys.items()
        if node.passage is not None
    )
    return KnownReply(f"{NOTHING_FOUND}{near}", keys, "", NOT_LIKELY)
