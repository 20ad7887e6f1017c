"""Measure how far the program's own support states agree with people.

A unit is a default knowledge item with marks in a reply of this program. People's judgement of it is the gold label, or
else the majority of the annotators; ties are left out and counted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from searchain.annotation.agreement import MISSING, Ratings, cohen_kappa
from searchain.annotation.estimates import Estimate, absent, share
from searchain.annotation.measures import state_at
from searchain.annotation.protocol import Backing, Item, Labels, Origin, default_labels, documented
from searchain.annotation.units import SUPPORT, Judgement, ratings
from searchain.types import Support


@dataclass(frozen=True, slots=True)
class Unit:
    """A knowledge item that both the program and people have judged."""

    item: str
    state: Support
    said: Backing
    is_gold: bool


@dataclass(frozen=True, slots=True)
class Reliability:
    """The agreement of the program's judgements with people's."""

    units: int
    gold: int
    """Units with a gold label."""
    undecided: int
    """Units on which people are tied; left out."""
    states: dict[str, Estimate]
    """State → the share of units in sentences with this state that is supported completely."""
    kappa: Estimate
    """Cohen's κ of "the source says it" with "supported completely"."""


def reliability(judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None) -> Reliability:
    """Compute all figures of this module."""
    found, undecided = units(judgements, gold)
    is_right = np.array([one.said is Backing.COMPLETE for one in found], dtype=bool)
    replies = np.array([one.item for one in found])
    return Reliability(
        units=len(found),
        gold=sum(one.is_gold for one in found),
        undecided=undecided,
        states={
            state.value: _share(is_right[those], replies[those])
            for state in Support
            if (those := np.array([one.state is state for one in found], dtype=bool)).any()
        },
        kappa=_kappa(found),
    )


def units(judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None) -> tuple[list[Unit], int]:
    """Return the units with a gold label or a clear majority, and the number of tied units."""
    own = [one for one in judgements if one.item.origin is Origin.TURN]
    items = {one.item.id: one.item for one in own}
    questions = ratings(own, gold, [SUPPORT])[SUPPORT]
    counts, found, undecided = questions.counts(), [], 0
    places: dict[str, int] = {}
    states = {id: _states(item) for id, item in items.items()}
    for id, votes, decided in zip(questions.items, counts, questions.gold, strict=True):
        place = places[id] = places.get(id, -1) + 1
        state = states[id][place]
        if state is None or (decided == MISSING and not votes.any()):
            continue
        if decided == MISSING and (votes == votes.max()).sum() > 1:
            undecided += 1
            continue
        said = questions.categories[votes.argmax() if decided == MISSING else decided]
        found.append(Unit(id, state, Backing(said), bool(decided != MISSING)))
    return found, undecided


def _states(item: Item) -> list[Support | None]:
    """Return the state of each default knowledge item; ``None`` without marks or without a state."""
    default = default_labels(item)
    marked = documented(item, default)
    return [state_at(item, one.start) if one.id in marked else None for one in default.knowledge_items]


def _share(is_right: np.ndarray, replies: np.ndarray) -> Estimate:
    _, reply, units = np.unique(replies, return_inverse=True, return_counts=True)
    return share(np.bincount(reply, weights=is_right), units)


def _kappa(found: Sequence[Unit]) -> Estimate:
    if not found:
        return absent("no knowledge item of this program's replies is judged")
    values = np.array([[one.state.is_carried, one.said is Backing.COMPLETE] for one in found], dtype=int)
    names = tuple(one.item for one in found)
    unknown = np.full(len(found), MISSING)
    return cohen_kappa(Ratings("", ("no", "yes"), ("program", "people"), values, names, unknown), 0, 1)
