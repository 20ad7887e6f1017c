"""Measure how far the program's own states and the Reader's confidence f agree with people.

A unit is a default knowledge item with marks in a reply of this program. People's judgement of it is the gold label, or
else the majority of the annotators; ties are left out and counted. f of a unit is that of its weakest mark, just as a
sentence's state is that of its weakest step.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from searchain.annotation.agreement import MISSING, Ratings, cohen_kappa
from searchain.annotation.estimates import Estimate, absent, divided, draws, interval, share
from searchain.annotation.measures import state_at
from searchain.annotation.protocol import Backing, Item, Labels, Origin, default_labels, marks_of
from searchain.annotation.units import SUPPORT, Judgement, ratings
from searchain.types import Support

FEWEST = 50
"""Fewest units for which a threshold is suggested."""
FEWEST_EACH = 10
"""Fewest completely supported units, and fewest others, for which a threshold is suggested."""
WANTED_PRECISION = 0.9
_BIN = 15
"""Fewest units in a bin of the curve, which has at most ten bins."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A knowledge item that both the program and people have judged."""

    item: str
    state: Support
    confidence: float
    """f: a logit."""
    said: Backing
    is_gold: bool


@dataclass(frozen=True, slots=True)
class Bin:
    """Units of similar confidence."""

    low: float
    high: float
    """The least and the greatest f in it."""
    mean: float
    share: Estimate
    """The share supported completely; the interval is over replies."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The result of selecting the units with f > ``value``."""

    value: float
    selected: int
    right: int
    """Selected units that are supported completely."""
    wanted: int
    """All units that are supported completely."""

    @property
    def precision(self) -> float:
        return self.right / self.selected

    @property
    def recall(self) -> float:
        return self.right / self.wanted

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.selected + self.wanted)


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
    auc: Estimate
    """The chance that a completely supported unit has a greater f than another one."""
    curve: tuple[Bin, ...]
    best: Threshold | None
    """The threshold with the greatest F1."""
    precise: Threshold | None
    """The lowest threshold with precision ≥ 0.9; ``None`` also if no threshold reaches it."""
    reason: str
    """Why no threshold is suggested; empty if ``best`` exists."""


def reliability(
    judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None, seed: int = 0
) -> Reliability:
    """Compute all figures of this module. Thresholds are chosen on these units, so test them on others."""
    found, undecided = units(judgements, gold)
    confidence = np.array([one.confidence for one in found])
    is_right = np.array([one.said is Backing.COMPLETE for one in found], dtype=bool)
    replies = np.array([one.item for one in found])
    reason = _too_few(is_right)
    return Reliability(
        units=len(found),
        gold=sum(one.is_gold for one in found),
        undecided=undecided,
        states={
            state.value: _share(is_right[those], replies[those])
            for state in Support
            if (those := np.array([one.state is state for one in found], dtype=bool)).any()
        },
        kappa=_kappa(found, seed),
        auc=_auc(found, confidence, is_right, seed),
        curve=curve(confidence, is_right, replies),
        best=None if reason else best_threshold(confidence, is_right),
        precise=None if reason else precise_threshold(confidence, is_right),
        reason=reason,
    )


def units(judgements: Iterable[Judgement], gold: Mapping[str, Labels] | None = None) -> tuple[list[Unit], int]:
    """Return the units with a gold label or a clear majority, and the number of tied units."""
    own = [one for one in judgements if one.item.origin is Origin.TURN]
    items = {one.item.id: one.item for one in own}
    questions = ratings(own, gold, [SUPPORT])[SUPPORT]
    counts, found, undecided = questions.counts(), [], 0
    places: dict[str, int] = {}
    facts = {id: _machine(item) for id, item in items.items()}
    for id, votes, decided in zip(questions.items, counts, questions.gold, strict=True):
        place = places[id] = places.get(id, -1) + 1
        state, confidence = facts[id][place]
        if confidence is None or state is None or (decided == MISSING and not votes.any()):
            continue
        if decided == MISSING and (votes == votes.max()).sum() > 1:
            undecided += 1
            continue
        said = questions.categories[votes.argmax() if decided == MISSING else decided]
        found.append(Unit(id, state, confidence, Backing(said), bool(decided != MISSING)))
    return found, undecided


def curve(confidence: np.ndarray, is_right: np.ndarray, replies: np.ndarray) -> tuple[Bin, ...]:
    """Cut the units into bins of equal size by f; equal values may fall into two. ``replies`` has each unit's reply."""
    order = np.argsort(confidence, kind="stable")
    bins = min(10, len(order) // _BIN)
    parts = np.array_split(order, bins) if bins else []
    return tuple(
        Bin(
            float(confidence[part[0]]),
            float(confidence[part[-1]]),
            float(confidence[part].mean()),
            _share(is_right[part], replies[part]),
        )
        for part in parts
    )


def _share(is_right: np.ndarray, replies: np.ndarray) -> Estimate:
    _, reply, units = np.unique(replies, return_inverse=True, return_counts=True)
    return share(np.bincount(reply, weights=is_right), units)


def best_threshold(confidence: np.ndarray, is_right: np.ndarray) -> Threshold:
    """Return the threshold with the greatest F1; of equal ones, the one that selects most."""
    return max(_thresholds(confidence, is_right), key=lambda one: (one.f1, one.selected))


def precise_threshold(confidence: np.ndarray, is_right: np.ndarray) -> Threshold | None:
    """Return the threshold that selects most with a precision of at least 0.9; ``None`` if none reaches it."""
    good = [one for one in _thresholds(confidence, is_right) if one.precision >= WANTED_PRECISION]
    return max(good, key=lambda one: one.selected, default=None)


def _thresholds(confidence: np.ndarray, is_right: np.ndarray) -> Sequence[Threshold]:
    """Return a threshold between every two neighbouring values of f, and one that selects everything."""
    order = np.argsort(-confidence, kind="stable")
    values, right = confidence[order], np.cumsum(is_right[order])
    found = []
    for last, value in enumerate(values):
        below = values[last + 1] if last + 1 < len(values) else value - 1.0
        if below < value:
            found.append(Threshold(float((value + below) / 2), last + 1, int(right[last]), int(right[-1])))
    return found


def _too_few(is_right: np.ndarray) -> str:
    hits, n = int(is_right.sum()), len(is_right)
    if n >= FEWEST and min(hits, n - hits) >= FEWEST_EACH:
        return ""
    return (
        f"too few judged knowledge items for a threshold: {n}, of which {hits} are supported completely; it takes "
        f"{FEWEST}, with {FEWEST_EACH} of each kind"
    )


def _machine(item: Item) -> list[tuple[Support | None, float | None]]:
    """Return state and f of each default knowledge item; each is ``None`` if it does not exist."""
    default = default_labels(item)
    f = dict(zip((source.number for source in item.sources), item.machine.confidences, strict=False))
    return [
        (
            state_at(item, one.start),
            min((f[mark.number] for mark in marks_of(item, default, one.id) if mark.number in f), default=None),
        )
        for one in default.knowledge_items
    ]


def _kappa(found: Sequence[Unit], seed: int) -> Estimate:
    if not found:
        return absent("no knowledge item of this program's replies is judged")
    values = np.array([[one.state.is_carried, one.said is Backing.COMPLETE] for one in found], dtype=int)
    return cohen_kappa(
        Ratings(
            "",
            ("no", "yes"),
            ("program", "people"),
            values,
            tuple(one.item for one in found),
            np.full(len(found), MISSING),
        ),
        0,
        1,
        seed,
    )


def _auc(found: Sequence[Unit], confidence: np.ndarray, is_right: np.ndarray, seed: int) -> Estimate:
    """Compute Mann and Whitney's U ÷ pairs of a right and a wrong unit; equal values count half."""
    if not found or is_right.all() or not is_right.any():
        return absent("it takes knowledge items that are supported completely and others", len(found))
    rows = {id: row for row, id in enumerate(dict.fromkeys(one.item for one in found))}
    order = np.argsort(confidence, kind="stable")
    reply, right = np.array([rows[one.item] for one in found])[order], is_right[order]
    firsts = np.unique(confidence[order], return_index=True)[1]

    def figure(times: np.ndarray) -> np.ndarray:
        drawn = times[:, reply]
        above, below = (np.add.reduceat(drawn * kind, firsts, axis=1) for kind in (right, ~right))
        ranks = below.cumsum(axis=1) - below / 2
        return divided((above * ranks).sum(axis=1), above.sum(axis=1) * below.sum(axis=1))

    value = float(figure(np.ones((1, len(rows)), int))[0])
    low, high = interval(np.concatenate([figure(times) for times in draws(len(rows), seed)]))
    return Estimate(value, *((low, high) if len(rows) > 1 else (None, None)), len(found))
