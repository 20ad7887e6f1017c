"""Agreement between annotators per question, and the items on which they disagree most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from searchain.annotation.agreement import Agreement, Confusion, Level, Ratings, agreement, confusions, disputes
from searchain.annotation.protocol import Labels
from searchain.annotation.unitizing import SKC, division, same_items, skc
from searchain.annotation.units import NEED, PLACE, SCALE, SUPPORT, Judgement, ratings

WORST = 20
"""The most items in the list of disagreements."""


@dataclass(frozen=True, slots=True)
class Worst:
    """An item on which annotators disagree."""

    item: str
    system: str
    question: str
    disagreeing: int
    """Pairs of judgements that differ."""
    pairs: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Agreement between annotators per question, and the items on which they disagree most."""

    agreements: tuple[Agreement, ...]
    confusions: dict[str, tuple[Confusion, ...]]
    """By question: for the support of knowledge items, and for the places of marks."""
    worst: tuple[Worst, ...]
    divided: int
    """Items in which annotators find different knowledge items."""
    disputed: int
    """Items with any disagreement."""


def disagreement(judgements: Iterable[Judgement], gold: Mapping[str, Labels], seed: int = 0) -> Disagreement:
    """Compute the agreement, the confusions and the most disputed items of these labels."""
    judgements = list(judgements)
    items = {one.item.id: one.item for one in judgements}
    questions: dict[str, Ratings] = ratings(judgements, gold)
    same = same_items(judgements)
    found = disputes([questions[SUPPORT], questions[PLACE], questions[NEED], same])
    levels: dict[str, Level] = {SCALE: "ordinal", SKC: "interval"}
    asked = [*questions.values(), division(judgements), skc(judgements)]
    return Disagreement(
        agreements=tuple(agreement(one, levels.get(one.name, "nominal"), seed) for one in asked),
        divided=len(disputes([same])),
        confusions={name: confusions(questions[name]) for name in (SUPPORT, PLACE)},
        worst=tuple(
            Worst(one.item, items[one.item].system, items[one.item].question, one.disagreeing, one.pairs)
            for one in found[:WORST]
        ),
        disputed=len(found),
    )
