"""Disputed replies and decisions about them, which are stored beside the labels that they rest on and never alter."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from searchain.annotation import agreement
from searchain.annotation.labels import check, labels_from_json, without_comment
from searchain.annotation.protocol import GUIDELINES, Item, Labels, Origin
from searchain.annotation.unitizing import SKC, division, same_items, skc
from searchain.annotation.units import NEED, PLACE, SCALE, SUPPORT, UNCITED, Judgement, ratings
from searchain.errors import NotFound, UsageError
from storage.annotation import history, items, pseudonyms, studies
from storage.database import Database, first, insert_row, now
from storage.people.users import LOCAL

REASONS = ("overlooked", "guideline gap", "unclear reply", "unclear document", "both defensible")
"""Why annotators differed: one overlooked something; the guidelines do not tell; …"""
_DISPUTED = (SUPPORT, PLACE, NEED)  # the questions whose answers are disputed, and ``UNCITED`` while the study asks it


@dataclass(frozen=True, slots=True)
class Gold:
    """The newest decision about an item."""

    item: Item
    labels: Labels
    adjudicator: str
    based_on: tuple[tuple[str, int], ...]
    """Annotator and version of each of the labels that were compared."""
    guidelines: str
    created: str
    reason: str
    """One of ``REASONS``; empty: not said."""


def adjudicate(
    store: Database, item: str, labels: Labels, by: str, based_on: Sequence[tuple[str, int]], reason: str = ""
) -> None:
    """Store a decision. The newest decision about an item counts; earlier ones are kept.

    Raises:
        NotFound: there is no such item, or its text was removed.
        UsageError: the labels are incomplete or do not fit, ``based_on`` names labels that do not exist, ``reason``
            is none of ``REASONS``, or ``by`` judged the item.
    """
    must_be_impartial(by, basis(store, item))
    if reason not in ("", *REASONS):
        raise UsageError(f"{reason!r} is no reason of a decision; there are: {', '.join(REASONS)}")
    with store.reading() as db:
        judged = items.get(db, item, judgeable=True)
    check(labels, judged)
    with store.writing(is_final=True) as db:
        items.must_be_judgeable(db, item)
        for annotator, version in based_on:
            which = "item = ? AND annotator = ? AND version = ? AND action = 'submitted'"
            if not first(db, f"SELECT 1 FROM annotation_labels WHERE {which}", item, annotator, version):
                raise UsageError(f"{annotator} submitted no version {version} of labels of item {item}")
        pseudonyms.remember_annotator(db, by)
        pairs = json.dumps([list(pair) for pair in based_on], ensure_ascii=False)
        row = {"item": item, "adjudicator": by, "based_on": pairs, "guidelines": GUIDELINES, "reason": reason}
        row |= {"labels": without_comment(labels), "comment": labels.comment, "created": now()}
        insert_row(db, "annotation_gold", row)


def is_impartial(by: str, annotators: Iterable[str]) -> bool:
    """Return whether ``by`` may decide: only somebody who did not judge, or the one user of a local desk."""
    return by == LOCAL or by.casefold() not in {annotator.casefold() for annotator in annotators}


def must_be_impartial(by: str, based_on: Sequence[tuple[str, int]]) -> None:
    """Raise ``UsageError`` if ``by`` judged the reply: nobody may decide a dispute of their own."""
    if not is_impartial(by, (annotator for annotator, _ in based_on)):
        raise UsageError(f"{by} judged this reply; somebody else must decide about it")


def basis(store: Database, item: str) -> list[tuple[str, int]]:
    """Return annotator and version of all labels of the item that count."""
    return [(one.annotator, one.version) for one in history.labels(store, item)]


def from_annotator(store: Database, item: str, annotator: str) -> Labels:
    """Return the labels of the item by ``annotator``, a name or a pseudonym.

    Raises ``UsageError`` if the annotator has no labels that count.
    """
    with store.reading() as db:
        name = pseudonyms.known_as(db, annotator)
    found = history.labels(store, item)
    for one in found:
        if one.annotator.casefold() == name.casefold():
            return one.labels
    those = ", ".join(one.annotator for one in found) or "nobody"
    raise UsageError(f"{annotator} has submitted no labels of item {item} that count; who has: {those}")


def gold(store: Database, item: str | None = None) -> list[Gold]:
    """Return the decisions that count, by item in order of import; with ``item``, only the decision about it."""
    query = """SELECT i.content, g.labels, g.comment, g.adjudicator, g.based_on, g.guidelines, g.created, g.reason
        FROM annotation_gold g JOIN annotation_items i ON i.id = g.item
        WHERE (:item IS NULL OR g.item = :item)
            AND g.number = (SELECT max(number) FROM annotation_gold WHERE item = g.item)
        ORDER BY i.number"""
    rows = store.rows(query, {"item": item})
    found = []
    for content, text, comment, by, based_on, *others in rows:
        labels = labels_from_json({**json.loads(text), "comment": comment})
        compared = tuple((annotator, version) for annotator, version in json.loads(based_on))
        found.append(Gold(items.decoded(content), labels, by, compared, *others))
    return found


@dataclass(frozen=True, slots=True)
class Disputed:
    """A reply on which annotators disagree."""

    item: str
    question: str
    disagreeing: int
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
    gold: Gold | None

    @property
    def state(self) -> str:
        """Hash ``basis``; another hash means that labels changed meanwhile."""
        return hashlib.blake2b(json.dumps(sorted(self.basis)).encode(), digest_size=10).hexdigest()


def disputed(store: Database) -> list[Disputed]:
    """Return disputed replies without practice items: undecided ones first, and of these the most disputed first."""
    asked = _asked(asks_uncited=studies.current(store).show_uncited)
    found = [one for one in history.labels(store) if one.item.origin is not Origin.PRACTICE and not one.is_withdrawn]
    questions = {one.item.id: one.item.question for one in found}
    basis: dict[str, set[tuple[str, int]]] = {}
    for one in found:
        basis.setdefault(one.item.id, set()).add((one.annotator, one.version))
    decided = {one.item.id: set(one.based_on) for one in gold(store)}
    units = ratings(found)
    rows = [
        Disputed(
            one.item,
            questions[one.item],
            one.disagreeing,
            one.pairs,
            "open" if one.item not in decided else "decided" if decided[one.item] == basis[one.item] else "outdated",
            tuple(sorted(annotator.casefold() for annotator, _ in basis[one.item])),
        )
        for one in agreement.disputes([*(units[name] for name in asked), same_items(found)])
    ]
    return sorted(rows, key=lambda row: row.state == "decided")


def _asked(*, asks_uncited: bool) -> tuple[str, ...]:
    return (*_DISPUTED, UNCITED) if asks_uncited else _DISPUTED


def columns(store: Database, item: str) -> Columns:
    """Return the newest labels of ``item``, one column per annotator.

    Raises ``NotFound`` if there is no such item, its text was removed, or nobody has judged it.
    """
    with store.reading() as db:
        judged = items.get(db, item, judgeable=True)
    found = sorted(
        history.labels(store, item),
        key=lambda one: hashlib.blake2b(f"{item} {one.annotator}".encode(), digest_size=8).digest(),
    )
    if not found:
        raise NotFound("nobody has judged this reply yet; there is nothing to decide")
    decision = next(iter(gold(store, item)), None)
    basis = tuple((one.annotator, one.version) for one in found)
    return Columns(judged, tuple(one.labels for one in found), basis, decision)


WORST = 20
"""The most items in the list of disagreements."""


@dataclass(frozen=True, slots=True)
class Worst:
    """An item on which annotators disagree."""

    item: str
    system: str
    question: str
    disagreeing: int
    pairs: int


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Agreement between annotators per question, and the items on which they disagree most."""

    agreements: tuple[agreement.Agreement, ...]
    confusions: dict[str, tuple[agreement.Confusion, ...]]
    """By question: for the support of knowledge items, and for the places of marks."""
    worst: tuple[Worst, ...]
    divided: int
    """Items in which annotators find different knowledge items."""
    disputed: int


def disagreement(
    judgements: Iterable[Judgement], gold: Mapping[str, Labels], *, asks_uncited: bool = True
) -> Disagreement:
    """Compute the agreement, the confusions and the most disputed items of these labels.

    ``asks_uncited`` says whether the study asks about uncited documents.
    """
    judgements = list(judgements)
    items = {one.item.id: one.item for one in judgements}
    questions: dict[str, agreement.Ratings] = ratings(judgements, gold)
    same = same_items(judgements)
    found = agreement.disputes([*(questions[name] for name in _asked(asks_uncited=asks_uncited)), same])
    if (questions[UNCITED].values == agreement.MISSING).all():
        del questions[UNCITED]
    levels: dict[str, agreement.Level] = {SCALE: "ordinal", SKC: "interval"}
    asked = [*questions.values(), division(judgements), skc(judgements)]
    return Disagreement(
        agreements=tuple(agreement.agreement(one, levels.get(one.name, "nominal")) for one in asked),
        divided=len(agreement.disputes([same])),
        confusions={name: agreement.confusions(questions[name]) for name in (SUPPORT, PLACE)},
        worst=tuple(
            Worst(one.item, items[one.item].system, items[one.item].question, one.disagreeing, one.pairs)
            for one in found[:WORST]
        ),
        disputed=len(found),
    )
