"""What annotators are asked besides their labels: guidelines and examples before, and who wrote the replies after."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from searchain.annotation.annotators import Blinding, blinding
from searchain.annotation.guided_practice import Point, examples, graded
from searchain.annotation.labels import without_comment
from searchain.annotation.protocol import GUIDELINES, Labels
from searchain.errors import UsageError
from storage.annotation import items, studies
from storage.annotation.pseudonyms import Names
from storage.database import Database, first, insert_row, now


@dataclass(frozen=True, slots=True)
class State:
    """An annotator's progress in the practice."""

    is_due: bool
    """Whether the annotator must finish the practice before the next reply."""
    has_read: bool
    example: int | None
    """The number of the next example, from 1; ``None`` if none is left."""
    right: int
    points: int
    """The points of the last try of each example, right and wrong ones together."""
    number: int
    """How many examples there are."""
    pass_mark: float


def state(store: Database, annotator: str) -> State:
    """Return the progress of ``annotator``. Whoever judged replies before the practice existed may leave it out."""
    study = studies.current(store)
    own = "FROM annotation_practice WHERE annotator = ? ORDER BY number"
    rows = store.rows(f"SELECT action, example, correct, points {own}", (annotator,))
    is_old = not rows and store.row("SELECT 1 FROM annotation_labels WHERE annotator = ?", (annotator,))
    number = len(examples())
    actions = {action for action, *_ in rows}
    tries = {example: (right, points) for action, example, right, points in rows if action == "tried"}
    right, points = (sum(one[at] for one in tries.values()) for at in (0, 1))
    is_through = len(tries) == number and right >= study.pass_mark * points
    left = [one for one in range(1, number + 1) if one not in tries]
    if not left and not is_through:
        left = _wrong(rows, tries)
    is_due = study.guided_practice and not is_old and not is_through and "left out" not in actions
    return State(is_due, "read" in actions, left[0] if left else None, right, points, number, study.pass_mark)


def _wrong(rows: Sequence[Any], tries: Mapping[int, tuple[int, int]]) -> list[int]:
    """Return the examples that were not right at the last try, those tried least first."""
    repeated = Counter(example for action, example, *_ in rows if action == "tried")
    return sorted((one for one, (got, of) in tries.items() if got < of), key=lambda one: (repeated[one], one))


def must_be_through(store: Database, annotator: str) -> None:
    """Raise ``UsageError`` if the annotator must finish the practice first."""
    if state(store, annotator).is_due:
        raise UsageError("the guidelines and the examples come before the first reply; reload the page")


def tried(store: Database, annotator: str, number: int, labels: Labels, seconds: float) -> tuple[Point, ...]:
    """Store the annotator's labels of an example, and return its points, right and wrong.

    Raises ``UsageError`` if there is no such example.
    """
    if not 1 <= number <= len(examples()):
        raise UsageError(f"there is no example {number}; reload the page")
    points = graded(examples()[number - 1], labels)
    record(store, annotator, "tried", seconds, number, labels, points)
    return points


def record(
    store: Database,
    annotator: str,
    action: str,
    seconds: float = 0.0,
    number: int | None = None,
    labels: Labels | None = None,
    points: tuple[Point, ...] = (),
) -> None:
    """Record that the annotator has ``read`` the guidelines, ``tried`` an example, or ``left out`` the practice."""
    row = {"annotator": annotator, "action": action, "example": number, "seconds": min(max(seconds, 0.0), 86_400.0)}
    row["labels"] = None if labels is None else without_comment(labels)
    if points:
        row |= {"correct": sum(point.is_right for point in points), "points": len(points)}
    with store.writing() as db:
        insert_row(db, "annotation_practice", row | {"guidelines": GUIDELINES, "created": now()})


MOST = 10
"""The most replies that one annotator is asked about."""


def asked(store: Database, annotator: str) -> dict[str, Any] | None:
    """Return the replies to ask ``annotator`` about, and the systems to choose from; ``None`` if nothing is asked.

    Each annotator is asked once, about a sample of their own replies, if the study says so and has two systems.
    """
    if not studies.current(store).ask_for_systems:
        return None
    if store.row("SELECT 1 FROM annotation_guesses WHERE annotator = ?", (annotator,)):
        return None
    systems = _systems(store)
    query = """SELECT t.item, i.content FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
        WHERE t.annotator = ? AND t.state = 'submitted' AND i.origin != 'practice' AND i.withdrawn IS NULL"""
    own = store.rows(query, (annotator,))
    if len(systems) < 2 or not own:
        return None
    drawn = sorted(own, key=lambda row: hashlib.blake2b(f"{annotator} {row[0]}".encode(), digest_size=8).digest())
    found = [items.decoded(content) for _, content in drawn[:MOST]]
    replies = [{"item": one.id, "question": one.question, "answer": one.answer} for one in found]
    return {"systems": systems, "replies": replies}


def keep(store: Database, annotator: str, said: Mapping[str, str | None]) -> int:
    """Store the guesses, with ``None`` for "I do not know"; return their number.

    Raises ``UsageError`` if the annotator did not submit labels of one of these replies.
    """
    with store.writing() as db:
        for item, guess in said.items():
            submitted = "SELECT 1 FROM annotation_tasks WHERE annotator = ? AND item = ? AND state = 'submitted'"
            if not first(db, submitted, annotator, item):
                raise UsageError("this reply is none that you judged; reload the page")
            row = {"annotator": annotator, "item": item, "guess": guess, "created": now()}
            insert_row(db, "annotation_guesses", row, or_ignore=True)
    return len(said)


def guesses(store: Database) -> list[tuple[str, str, str | None, str]]:
    """Return annotator, system of the reply, system that was guessed, and time of all guesses, the oldest first."""
    every = "FROM annotation_guesses g JOIN annotation_items i ON i.id = g.item ORDER BY g.created"
    return store.rows(f"SELECT g.annotator, i.system, g.guess, g.created {every}")


def result(store: Database, names: Names = str) -> Blinding | None:
    """Compute how well annotators know who wrote the replies; ``None`` if nobody was asked."""
    found = [(names(annotator), system, guess) for annotator, system, guess, _ in guesses(store)]
    return blinding(found, len(_systems(store))) if found else None


def _systems(store: Database) -> list[str]:
    there = "FROM annotation_items WHERE origin != 'practice' AND withdrawn IS NULL"
    rows = store.rows(f"SELECT DISTINCT system {there} ORDER BY system COLLATE NOCASE")
    return [system for (system,) in rows]
