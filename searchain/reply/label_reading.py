"""Let a larger language model read the passages of a yes/no question, and find the sentences that carry a label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.reply.found import Found, all_own
from searchain.reply.quoting import Carrier, Quoter
from searchain.reply.second_reader import LabelReading, SecondReader
from searchain.types import Passage
from searchain.verification.probability import logit
from searchain.verification.second_label import LABELS

LABELLED = 600
"""How many characters of each passage are read."""


def read_for_labels(
    reader: SecondReader, run: RunContext, found: Sequence[Found]
) -> tuple[Sequence[int], LabelReading]:
    """Return the places of the passages by which the model says yes or no, and how likely it says what.

    Passages of own documents are read together. Each article is read alone, and the one counts of which the model says
    most clearly that it answers: read together, the right article is often overlooked. Raises as
    ``SecondReader.decide``.
    """
    places = range(len(found))
    groups: Sequence[Sequence[int]] = [places] if all_own(found) else [[place] for place in places]
    excerpts = [[found[place].excerpt(LABELLED) for place in group] for group in groups]
    readings = reader.decide(run.question, excerpts, run.cancel, run.dialogue.book)
    both = zip(groups, readings, strict=True)
    return max(both, key=lambda one: logit(one[1].holds) - logit(one[1].unknown))


def carriers_in(
    passages: Sequence[Passage], places: Sequence[int], quoter: Quoter, run: RunContext
) -> dict[str, Carrier]:
    """Return for each label the sentence of the passages at ``places`` that carries it, or is the nearest to do so."""
    best: dict[str, Carrier] = {}
    for place in places:
        run.cancel.check()
        for label, one in quoter.for_labels(run.question, LABELS, passages[place]).items():
            carrier = replace(one, place=place)
            best[label] = quoter.better(best.get(label, carrier), carrier)
    return best
