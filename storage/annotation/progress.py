"""Progress of the desk and of each annotator, lists of an annotator's items, and work: replies, time, checks."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from searchain.annotation.guided_practice import graded
from searchain.annotation.protocol import Origin
from searchain.annotation.units import Judgement
from storage.annotation import history
from storage.database import Database

MOST_MINE = 200
"""The most items in an annotator's own list, which begins with the latest."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one annotator and of the whole desk."""

    submitted: int
    """Items for which the annotator's labels count."""
    skipped: int
    drafts: int
    """Open items with a draft."""
    seconds: float
    """Time spent on the submitted items."""
    items: int
    """Items on the desk."""
    complete: int
    """Items of the desk with as many judgements as their quota."""
    judgements: int
    """Labels that all annotators submitted."""
    wanted: int
    """The number of judgements when every item is complete, including those already submitted."""
    changed: int
    """Submitted items that have a newer draft."""


@dataclass(frozen=True, slots=True)
class Share:
    """The progress of one annotator or one system."""

    name: str
    submitted: int
    skipped: int
    drafts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Listed:
    """An item in a list, with its progress."""

    id: str
    done: int
    quota: int
    system: str
    question: str
    is_there: bool
    """Whether its text was not removed."""


@dataclass(frozen=True, slots=True)
class Mine:
    """One item that an annotator began, submitted, skipped or was assigned."""

    item: str
    question: str
    state: str
    """open, submitted or skipped."""
    is_begun: bool
    """Whether it has a draft that was not submitted."""
    is_assigned: bool
    seconds: float
    changed: str | None
    """When it was last saved, submitted or skipped; UTC, ISO 8601."""


def progress(store: Database, annotator: str) -> Progress:
    """Return the progress of ``annotator`` and of the desk."""
    with store.reading() as db:
        own = db.execute(
            """
            SELECT coalesce(sum(state = 'submitted' AND draft IS NOT NULL), 0),
                coalesce(sum(state = 'submitted'), 0), coalesce(sum(state = 'skipped'), 0),
                coalesce(sum(state = 'open' AND draft IS NOT NULL), 0),
                coalesce(sum(CASE WHEN state = 'submitted' THEN seconds END), 0.0)
            FROM annotation_tasks WHERE annotator = ?""",
            (annotator,),
        ).fetchone()
        desk = db.execute("""
            SELECT count(*), coalesce(sum(done >= quota), 0), coalesce(sum(done), 0),
                coalesce(sum(max(done, quota)), 0)
            FROM annotation_items WHERE withdrawn IS NULL""").fetchone()
    changed, *counts = own
    return Progress(*(*counts, *desk, changed))


def items(store: Database) -> Iterator[Listed]:
    """Yield every item, in order of import."""
    with store.reading() as db:
        for id, done, quota, system, content, withdrawn in db.execute(
            "SELECT id, done, quota, system, content, withdrawn FROM annotation_items ORDER BY number"
        ):
            yield Listed(id, done, quota, system, json.loads(content)["question"], withdrawn is None)


def mine(store: Database, annotator: str, limit: int = MOST_MINE) -> list[Mine]:
    """Return the annotator's items; removed items and items without any work are left out."""
    with store.reading() as db:
        rows = db.execute(
            """
            SELECT t.item, i.content, t.state, t.draft IS NOT NULL, t.assigned IS NOT NULL, t.seconds,
                coalesce(t.saved, (SELECT max(l.created) FROM annotation_labels l
                    WHERE l.item = t.item AND l.annotator = t.annotator), t.assigned) AS changed
            FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
            WHERE t.annotator = ? AND i.withdrawn IS NULL
                AND (t.state != 'open' OR t.draft IS NOT NULL OR t.assigned IS NOT NULL)
            ORDER BY changed DESC, t.item LIMIT ?""",
            (annotator, limit),
        )
        return [
            Mine(item, json.loads(content)["question"], state, bool(draft), bool(assigned), seconds, changed)
            for item, content, state, draft, assigned, seconds, changed in rows
        ]


def annotators(store: Database) -> list[Share]:
    """Return the progress of each annotator, by name."""
    return _shares(store, "t.annotator")


def systems(store: Database) -> list[Share]:
    """Return the progress of each system, by name; practice items are listed apart."""
    return _shares(store, "CASE i.origin WHEN 'practice' THEN 'practice: ' ELSE '' END || i.system")


@dataclass(frozen=True, slots=True)
class Stranded:
    """A draft of a reply whose places others have taken since."""

    item: str
    annotator: str
    question: str


def stranded(store: Database, at: float) -> list[Stranded]:
    """Return the drafts that cannot be submitted unless a place is added; ``at`` is now, in Unix seconds."""
    with store.reading() as db:
        rows = db.execute(
            """
            SELECT t.item, t.annotator, i.content FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
            WHERE t.state = 'open' AND t.draft IS NOT NULL AND t.assigned IS NULL AND i.withdrawn IS NULL
                AND coalesce(t.expires, 0) <= :at AND i.quota <= i.done + (SELECT count(*) FROM annotation_tasks o
                    WHERE o.item = t.item AND o.annotator != t.annotator AND o.state = 'open'
                        AND (o.assigned IS NOT NULL OR o.expires > :at))
            ORDER BY t.saved""",
            {"at": at},
        )
        return [Stranded(item, annotator, json.loads(content)["question"]) for item, annotator, content in rows]


def _shares(store: Database, name: str) -> list[Share]:
    with store.reading() as db:
        return [
            Share(*row)
            for row in db.execute(f"""
            SELECT {name} AS name, coalesce(sum(t.state = 'submitted'), 0), coalesce(sum(t.state = 'skipped'), 0),
                coalesce(sum(t.state = 'open' AND t.draft IS NOT NULL), 0),
                coalesce(sum(CASE WHEN t.state = 'submitted' THEN t.seconds END), 0.0)
            FROM annotation_items i LEFT JOIN annotation_tasks t ON t.item = i.id
            GROUP BY name HAVING name IS NOT NULL ORDER BY name COLLATE NOCASE""")
        ]


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one annotator."""

    annotator: str
    submitted: int
    """Submitted replies, without practice items."""
    skipped: int
    """Skipped items, practice items included."""
    median_seconds: float | None
    """The median time per reply; ``None`` if no time was measured."""
    seconds: float
    """The total time."""
    practice: int
    """Points of hidden checks that the annotator judged."""
    practice_right: int
    """Those of them that are right."""


def work_of(judgements: Sequence[Judgement], shares: Sequence[Share]) -> Iterable[Work]:
    """Summarise the work of each annotator, practice included; ``shares`` count the skipped replies."""
    skipped = {share.name: share.skipped for share in shares}
    for annotator in sorted({one.annotator for one in judgements} | {name for name in skipped if skipped[name]}):
        own = [one for one in judgements if one.annotator == annotator]
        replies = [one for one in own if one.item.origin is not Origin.PRACTICE]
        times = [one.seconds for one in replies if one.seconds]
        right, points, _ = checks(own)
        yield Work(
            annotator,
            len(replies),
            skipped.get(annotator, 0),
            median(times) if times else None,
            sum(one.seconds or 0.0 for one in own),
            points,
            right,
        )


def checks(judgements: Iterable[Judgement | history.Judgement]) -> tuple[int, int, int]:
    """Return how many points of hidden checks were judged right, how many there were, and how many checks."""
    found = [graded(one.item, one.labels) for one in judgements if one.item.origin is Origin.PRACTICE]
    points = [point for those in found for point in those]
    return sum(point.is_right for point in points), len(points), len(found)
