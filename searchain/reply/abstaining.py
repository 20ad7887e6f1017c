"""Say that nothing was found, where the short answer is as good as certainly wrong."""

from __future__ import annotations

from searchain.chain.context import RunContext
from searchain.language.same_answer import label_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.writer import KnownReply, Replier
from searchain.types import SETTLED, TaskKind
from searchain.verification.probability import LEAST_LIKELY

DOUBT = "no passage is likely to answer it"


def abstained(run: RunContext, replier: Replier) -> KnownReply | None:
    """Return the reply that names the nearest passage, if the short answer is less likely right than ``LEAST_LIKELY``.

    ``None``: the short answer stands. So it does where a capable model gave it, where it is a label or follows from two
    values, and where its probability was never measured.
    """
    path, final = run.tree.path(), replier.final_answer()
    if run.probability is None or not run.help.quotes or run.task is TaskKind.LONGFORM:
        return None
    if not final or label_of(final) or replier.is_compared:
        return None
    if any(node.verdict in SETTLED and node.probability is None for node in path):
        return None
    known = run.probability.of_reply(run.question, path, final, run.weighed)
    if known is None or known >= LEAST_LIKELY:
        return None
    nearest = path[-1:] if path[-1].passage is not None else ()
    keys = keys_of(nearest)
    near = "".join(
        f" The nearest passage is “{template.plain(node.passage.title)}” [{key}]."
        for key, node in keys.items()
        if node.passage is not None
    )
    return KnownReply(f"I found no answer.{near}", keys, "", DOUBT)
