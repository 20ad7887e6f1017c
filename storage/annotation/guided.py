"""An annotator's progress through the guidelines and the practice examples before the first reply."""

from collections import Counter
from dataclasses import dataclass

from searchain.annotation.guided_practice import Point, examples, graded
from searchain.annotation.labels import without_comment
from searchain.annotation.protocol import GUIDELINES, Labels
from searchain.errors import UsageError
from storage.annotation import studies
from storage.database import Database, now


@dataclass(frozen=True, slots=True)
class State:
    """An annotator's progress in the practice."""

    is_due: bool
    """Whether the annotator must finish the practice before the next reply."""
    has_read: bool
    """Whether the annotator has read the guidelines."""
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
    with store.reading() as db:
        rows = db.execute(
            "SELECT action, example, correct, points FROM annotation_practice WHERE annotator = ? ORDER BY number",
            (annotator,),
        ).fetchall()
        is_old = not rows and db.execute("SELECT 1 FROM annotation_labels WHERE annotator = ?", (annotator,)).fetchone()
    number = len(examples())
    actions = {action for action, *_ in rows}
    tries = {example: (right, points) for action, example, right, points in rows if action == "tried"}
    repeated = Counter(example for action, example, *_ in rows if action == "tried")
    right, points = (sum(one[at] for one in tries.values()) for at in (0, 1))
    is_through = len(tries) == number and right >= study.pass_mark * points
    untried = [one for one in range(1, number + 1) if one not in tries]
    left = untried or ([] if is_through else _wrong(tries, repeated))
    return State(
        is_due=study.guided_practice and not is_old and not is_through and "left out" not in actions,
        has_read="read" in actions,
        example=left[0] if left else None,
        right=right,
        points=points,
        number=number,
        pass_mark=study.pass_mark,
    )


def _wrong(tries: dict[int, tuple[int, int]], repeated: Counter[int]) -> list[int]:
    """Return the examples with a wrong judgement, those with the fewest tries first."""
    return sorted((one for one, (got, of) in tries.items() if got < of), key=lambda one: (repeated[one], one))


def must_be_through(store: Database, annotator: str) -> None:
    """Raise ``UsageError`` if the annotator must finish the practice first."""
    if state(store, annotator).is_due:
        raise UsageError("the guidelines and the examples come before the first reply; reload the page")


def read(store: Database, annotator: str, seconds: float) -> None:
    """Record that the annotator has read the guidelines."""
    _append(store, annotator, "read", seconds)


def leave_out(store: Database, annotator: str) -> None:
    """Record that the annotator, an admin, leaves the practice out."""
    _append(store, annotator, "left out", 0.0)


def tried(store: Database, annotator: str, number: int, labels: Labels, seconds: float) -> tuple[Point, ...]:
    """Store the annotator's labels of an example, and return its points, right and wrong.

    Raises:
        UsageError: there is no such example.
    """
    if not 1 <= number <= len(examples()):
        raise UsageError(f"there is no example {number}; reload the page")
    points = graded(examples()[number - 1], labels)
    _append(store, annotator, "tried", seconds, number, labels, points)
    return points


def _append(
    store: Database,
    annotator: str,
    action: str,
    seconds: float,
    number: int | None = None,
    labels: Labels | None = None,
    points: tuple[Point, ...] = (),
) -> None:
    with store.writing() as db:
        db.execute(
            "INSERT INTO annotation_practice (annotator, action, example, labels, correct, points, seconds, "
            "guidelines, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                annotator,
                action,
                number,
                None if labels is None else without_comment(labels),
                sum(point.is_right for point in points) if points else None,
                len(points) if points else None,
                min(max(seconds, 0.0), 86_400.0),
                GUIDELINES,
                now(),
            ),
        )
