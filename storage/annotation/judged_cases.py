"""Judged replies as questions of a set: what is right to answer, or which answer was wrong.

The newest labels of the annotation desk decide, a decision between annotators before theirs: a reply is right if the
documents of each knowledge item with marks support it completely. Else the *Good* or *Bad* of its owner decides.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from searchain.types import JOINT, Outcome, is_own
from storage.database import Database
from storage.log.conversations import KEPT

_CASES = f"""SELECT t.id, coalesce(t.standalone_question, t.question), t.index_name, t.collections, t.final_answer,
    t.outcome,
    (SELECT f.value FROM feedback f WHERE f.turn = t.id AND f.source IS NULL AND f.owner = c.owner
        ORDER BY f.number DESC LIMIT 1) AS said,
    coalesce(
        (SELECT g.labels FROM annotation_gold g WHERE g.item = i.id ORDER BY g.number DESC LIMIT 1),
        (SELECT l.labels FROM annotation_labels l WHERE l.item = i.id AND l.action = 'submitted'
            ORDER BY l.number DESC LIMIT 1)
    ) AS labels
    FROM turns t JOIN conversations c ON c.id = t.conversation LEFT JOIN annotation_items i ON i.turn = t.id
    WHERE c.owner = ? AND {KEPT} AND t.system != 'check' AND (said IS NOT NULL OR labels IS NOT NULL)
    AND (t.final_answer != '' OR t.outcome = 'not_found') ORDER BY t.created, t.id"""


@dataclass(frozen=True, slots=True)
class Case:
    """A question with what is known of its answer."""

    id: str
    question: str
    collections: tuple[str, ...] = ()
    """Names of the collections that are searched."""
    index: str | None = None
    """What is searched beside them, or alone."""
    answers: tuple[str, ...] = ()
    """The answers that are right. Without these and ``wrong`` it is right to find nothing."""
    wrong: tuple[str, ...] = ()


def cases(store: Database, owner: str, collection: str | None = None) -> Iterator[Case]:
    """Yield the owner's judged replies as cases, the oldest first; with ``collection`` those over this collection.

    Of a *not found* reply only one that was judged right is a case.
    """
    for id, question, index, names, answer, outcome, said, labels in store.rows(_CASES, (owner,)):
        searched = tuple(json.loads(names or "[]"))
        is_right = _is_right(labels) if labels else said == "up"
        is_missing = outcome == Outcome.NOT_FOUND
        if (collection is not None and collection not in searched) or (is_missing and not is_right):
            continue
        others = [name for name in (index or "").split(JOINT) if name and not is_own(name)]
        known = () if is_missing else (answer,)
        right, wrong = (known, ()) if is_right else ((), known)
        yield Case(id, question, searched, next(iter(others), None), right, wrong)


def _is_right(labels: str) -> bool:
    items = [one for one in json.loads(labels)["knowledge_items"] if one.get("support") is not None]
    return bool(items) and all(one["support"] == "complete" for one in items)
