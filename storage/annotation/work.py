"""Work of each annotator: replies, time, and hidden checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from searchain.annotation.protocol import Origin
from searchain.annotation.units import Judgement
from storage.annotation.progress import Share


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one annotator."""

    annotator: str
    submitted: int
    """Submitted replies, without practice items."""
    skipped: int
    """Skipped items, practice items included."""
    median_seconds: float | None
    """The median time per reply; ``None`` if no time was measured."""
    seconds: float
    """The total time."""
    practice: int
    """Practice items whose support the annotator judged."""
    practice_right: int
    """Practice items whose judgement is the known label."""


def work_of(judgements: Sequence[Judgement], shares: Sequence[Share]) -> Iterable[Work]:
    """Summarise the work of each annotator, practice included; ``shares`` count the skipped replies."""
    skipped = {share.name: share.skipped for share in shares}
    for annotator in sorted({one.annotator for one in judgements} | {name for name in skipped if skipped[name]}):
        own = [one for one in judgements if one.annotator == annotator]
        replies = [one for one in own if one.item.origin is not Origin.PRACTICE]
        times = [one.seconds for one in replies if one.seconds]
        tried = [
            (said, one.item.machine.known)
            for one in own
            if one.item.origin is Origin.PRACTICE
            for said in [next((item.support for item in one.labels.knowledge_items if item.support), None)]
            if said is not None
        ]
        yield Work(
            annotator,
            len(replies),
            skipped.get(annotator, 0),
            median(times) if times else None,
            sum(one.seconds or 0.0 for one in own),
            len(tried),
            sum(said == known for said, known in tried),
        )
