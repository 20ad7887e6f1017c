"""Adjudication: decisions about items. They are stored beside the labels that they are based on and never alter."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from searchain.annotation.labels import check, labels_from_json, without_comment
from searchain.annotation.protocol import GUIDELINES, Item, Labels
from searchain.errors import UsageError
from storage.annotation import history, items, pseudonyms
from storage.database import Database, now
from storage.people.users import LOCAL


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


def adjudicate(store: Database, item: str, labels: Labels, by: str, based_on: Sequence[tuple[str, int]]) -> None:
    """Store a decision. The newest decision about an item counts; earlier ones are kept.

    Raises:
        NotFound: there is no such item, or its text was removed.
        UsageError: the labels are incomplete or do not fit, ``based_on`` names labels that do not exist, or ``by``
            judged the item.
    """
    must_be_impartial(by, basis(store, item))
    with store.reading() as db:
        judged = items.get(db, item, judgeable=True)
    check(labels, judged)
    with store.writing(is_final=True) as db:
        items.must_be_judgeable(db, item)
        for annotator, version in based_on:
            if not db.execute(
                "SELECT 1 FROM annotation_labels WHERE item = ? AND annotator = ? AND version = ? AND "
                "action = 'submitted'",
                (item, annotator, version),
            ).fetchone():
                raise UsageError(f"{annotator} submitted no version {version} of labels of item {item}")
        pseudonyms.remember_annotator(db, by)
        db.execute(
            "INSERT INTO annotation_gold (item, adjudicator, based_on, guidelines, labels, comment, created) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                item,
                by,
                json.dumps([list(pair) for pair in based_on], ensure_ascii=False),
                GUIDELINES,
                without_comment(labels),
                labels.comment,
                now(),
            ),
        )


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

    Raises:
        UsageError: the annotator has no labels that count; the message names those who have.
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
    where = "1" if item is None else "g.item = :item"
    with store.reading() as db:
        return [
            Gold(
                items.decoded(content),
                labels_from_json({**json.loads(labels), "comment": comment}),
                by,
                tuple((annotator, version) for annotator, version in json.loads(based_on)),
                guidelines,
                created,
            )
            for content, labels, comment, by, based_on, guidelines, created in db.execute(
                f"""
                    SELECT i.content, g.labels, g.comment, g.adjudicator, g.based_on, g.guidelines, g.created
                    FROM annotation_gold g JOIN annotation_items i ON i.id = g.item
                    WHERE {where} AND g.number = (SELECT max(number) FROM annotation_gold WHERE item = g.item)
                    ORDER BY i.number""",
                {"item": item},
            )
        ]
