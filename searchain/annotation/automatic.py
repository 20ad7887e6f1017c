"""Compute SKC without people: count the default knowledge items that bear a mark of a document.

The paper calls SKC a statistic. Annotators start from the same default items, so both figures can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from searchain.annotation.estimates import Estimate, absent, average, rate
from searchain.annotation.measures import NO_MARKS
from searchain.annotation.protocol import Item, default_labels, documented


@dataclass(frozen=True, slots=True)
class Automatic:
    """The figures of one system over all its replies, judged or not."""

    replies: int
    skc: Estimate
    knowledge_items: Estimate
    coverage: Estimate
    """SKC ÷ knowledge items, the mean over replies."""
    marks: Estimate
    """Per reply."""
    invented: Estimate
    """Per reply."""
    invented_share: Estimate
    """Invented marks ÷ marks of a reply, the mean over replies with marks."""


def skc(item: Item) -> int:
    """Return the reply's SKC."""
    return len(documented(item, default_labels(item)))


def by_system(items: Iterable[Item]) -> dict[str, Automatic]:
    """Return the figures of each system, by name."""
    found: dict[str, list[Item]] = {}
    for one in items:
        found.setdefault(one.system, []).append(one)
    return {system: _figures(found[system]) for system in sorted(found)}


def _figures(items: list[Item]) -> Automatic:
    defaults = [default_labels(one) for one in items]
    counted = np.array([len(documented(one, labels)) for one, labels in zip(items, defaults, strict=True)], dtype=float)
    sizes = np.array([len(labels.knowledge_items) for labels in defaults], dtype=float)
    marks = np.array([len(one.marks) for one in items], dtype=float)
    invented = np.array([len(one.invented) + one.dropped for one in items], dtype=float)
    written = marks + np.array([one.dropped for one in items], dtype=float)
    has_items, has_marks = sizes > 0, written > 0
    return Automatic(
        len(items),
        average(counted),
        average(sizes),
        rate(counted[has_items] / sizes[has_items], sizes[has_items]),
        average(marks),
        average(invented),
        rate(invented[has_marks] / written[has_marks], written[has_marks]) if has_marks.any() else absent(NO_MARKS),
    )
