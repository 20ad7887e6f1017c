"""Disputed replies: for an adjudicator, labels side by side without annotators' names; for the report, agreement."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from searchain.annotation.agreement import Agreement, Confusion, Level, Ratings, agreement, confusions, disputes
from searchain.annotation.protocol import Item, Labels, Origin
from searchain.annotation.unitizing import SKC, division, same_items, skc
from searchain.annotation.units import NEED, PLACE, SCALE, SUPPORT, Judgement, ratings
from searchain.errors import NotFound
from storage.annotation import gold as golds
from storage.annotation import history, items
from storage.database import Database


@dataclass(frozen=True, slots=True)
class Disputed:
    """A reply on which annotators disagree."""

    item: str
    question: str
    disagreeing: int
    """Pairs of judgements that differ."""
    pairs: int
    state: str
    """open; decided; or outdated: labels changed since the decision."""
    annotators: tuple[str, ...]
    """Casefolded names of those who judged it: they must not decide. For the server only."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The labels of one reply side by side."""

    item: Item
    labels: tuple[Labels, ...]
    """One per annotator. The order reveals no names, and is always the same for one reply."""
    basis: tuple[tuple[str, int], ...]
    """Annotator and version of each column. For provenance only."""
    gold: Labels | None
    """The newest decision."""

    @property
    def state(self) -> str:
        """Hash ``basis``; another hash means that labels changed meanwhile."""
        return hashlib.blake2b(json.dumps(sorted(self.basis)).encode(), digest_size=10).hexdigest()


def disputed(store: Database) -> list[Disputed]:
    """Return disputed replies without practice items: undecided ones first, and of these the most disputed first."""
    found = [one for one in history.labels(store) if one.item.origin is not Origin.PRACTICE and not one.is_withdrawn]
    questions = {one.item.id: one.item.question for one in found}
    basis: dict[str, set[tuple[str, int]]] = {}
    for one in found:
        basis.setdefault(one.item.id, set()).add((one.annotator, one.version))
    decided = {one.item.id: set(one.based_on) for one in golds.gold(store)}
    judgements = [one.judgement for one in found]
    units = ratings(judgements)
    rows = [
        Disputed(
            one.item,
            questions[one.item],
            one.disagreeing,
            one.pairs,
            "open" if one.item not in decided else "decided" if decided[one.item] == basis[one.item] else "outdated",
            tuple(sorted(annotator.casefold() for annotator, _ in basis[one.item])),
        )
        for one in disputes([units[SUPPORT], units[PLACE], units[NEED], same_items(judgements)])
    ]
    return sorted(rows, key=lambda row: row.state == "decided")


def columns(store: Database, item: str) -> Columns:
    """Return the newest labels of ``item``, one column per annotator.

    Raises:
        NotFound: there is no such item, its text was removed, or nobody has judged it.
    """
    with store.reading() as db:
        judged = items.get(db, item, judgeable=True)
    found = sorted(
        history.labels(store, item),
        key=lambda one: hashlib.blake2b(f"{item} {one.annotator}".encode(), digest_size=8).digest(),
    )
    if not found:
        raise NotFound("nobody has judged this reply yet; there is nothing to decide")
    decision = next((one.labels for one in golds.gold(store, item)), None)
    return Columns(
        judged, tuple(one.labels for one in found), tuple((one.annotator, one.version) for one in found), decision
    )


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


def disagreement(judgements: Iterable[Judgement], gold: Mapping[str, Labels]) -> Disagreement:
    """Compute the agreement, the confusions and the most disputed items of these labels."""
    judgements = list(judgements)
    items = {one.item.id: one.item for one in judgements}
    questions: dict[str, Ratings] = ratings(judgements, gold)
    same = same_items(judgements)
    found = disputes([questions[SUPPORT], questions[PLACE], questions[NEED], same])
    levels: dict[str, Level] = {SCALE: "ordinal", SKC: "interval"}
    asked = [*questions.values(), division(judgements), skc(judgements)]
    return Disagreement(
        agreements=tuple(agreement(one, levels.get(one.name, "nominal")) for one in asked),
        divided=len(disputes([same])),
        confusions={name: confusions(questions[name]) for name in (SUPPORT, PLACE)},
        worst=tuple(
            Worst(one.item, items[one.item].system, items[one.item].question, one.disagreeing, one.pairs)
            for one in found[:WORST]
        ),
        disputed=len(found),
    )
