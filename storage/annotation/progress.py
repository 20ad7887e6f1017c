"""Progress of the desk and of each annotator, lists of an annotator's items, and work: replies, time, checks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from searchain.annotation.guided_practice import graded
from searchain.annotation.protocol import Origin
from searchain.annotation.units import Judgement
from storage.database import Database

MOST_MINE = 200
"""The most items in an annotator's own list, which begins with the latest."""
_COUNTS = """coalesce(sum(state = 'submitted'), 0) AS submitted, coalesce(sum(state = 'skipped'), 0) AS skipped,
    coalesce(sum(state = 'open' AND draft IS NOT NULL), 0) AS drafts,
    coalesce(sum(CASE WHEN state = 'submitted' THEN seconds END), 0.0) AS seconds"""
"""``submitted``: items for which labels count; ``drafts``: open items with a draft; ``seconds``: of submitted items."""


def progress(store: Database, annotator: str) -> dict[str, Any]:
    """Return the progress of ``annotator`` and of the desk.

    The ``_COUNTS``, how many submitted items have a newer draft (``changed``), and the ``share`` of who came by a crowd
    link, else ``None``; how many items are on the desk, how many of them are ``complete``, as their quota says, how
    many ``judgements`` all annotators submitted, and how many are ``wanted``, including those.
    """
    own = f"""SELECT {_COUNTS}, coalesce(sum(state = 'submitted' AND draft IS NOT NULL), 0) AS changed,
            (SELECT replies FROM crowd_people JOIN crowd_links ON number = link WHERE annotator = :name) AS share
        FROM annotation_tasks WHERE annotator = :name"""
    desk = """SELECT count(*) AS items, coalesce(sum(done >= quota), 0) AS complete,
            coalesce(sum(done), 0) AS judgements, coalesce(sum(max(done, quota)), 0) AS wanted
        FROM annotation_items WHERE withdrawn IS NULL"""
    return store.named_rows(own, {"name": annotator})[0] | store.named_rows(desk)[0]


def items(store: Database) -> list[dict[str, Any]]:
    """Return every item in order of import: its ``id``, progress, ``system``, ``question``, and ``is_there``."""
    query = """SELECT id, done, quota, system, json_extract(content, '$.question') AS question,
        withdrawn IS NULL AS is_there FROM annotation_items ORDER BY number"""
    return _answers(store.named_rows(query))


def mine(store: Database, annotator: str) -> list[dict[str, Any]]:
    """Return the annotator's items, with state and time; removed items and items without any work are left out.

    ``is_begun`` says that there is a draft that was not submitted, ``changed`` when the item was last worked on.
    """
    query = """SELECT t.item, json_extract(i.content, '$.question') AS question, t.state,
            t.draft IS NOT NULL AS is_begun, t.assigned IS NOT NULL AS is_assigned, t.seconds,
            coalesce(t.saved, (SELECT max(l.created) FROM annotation_labels l
                WHERE l.item = t.item AND l.annotator = t.annotator), t.assigned) AS changed
        FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
        WHERE t.annotator = ? AND i.withdrawn IS NULL
            AND (t.state != 'open' OR t.draft IS NOT NULL OR t.assigned IS NOT NULL)
        ORDER BY changed DESC, t.item LIMIT ?"""
    return _answers(store.named_rows(query, (annotator, MOST_MINE)))


def _answers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Convert SQLite's 0 and 1 in the columns that are named like a fact."""
    return [{name: bool(value) if name.startswith("is_") else value for name, value in row.items()} for row in rows]


def annotators(store: Database) -> list[dict[str, Any]]:
    """Return the ``name`` and ``_COUNTS`` of each annotator, by name."""
    return _shares(store, "t.annotator")


def systems(store: Database) -> list[dict[str, Any]]:
    """Return the ``name`` and ``_COUNTS`` of each system, by name; practice items are listed apart."""
    return _shares(store, "CASE i.origin WHEN 'practice' THEN 'practice: ' ELSE '' END || i.system")


def stranded(store: Database, at: float) -> list[dict[str, Any]]:
    """Return the drafts that cannot be submitted unless a place is added: ``item``, ``annotator`` and ``question``.

    ``at`` is now, in Unix seconds. Others have taken the places of these replies since.
    """
    query = """SELECT t.item, t.annotator, json_extract(i.content, '$.question') AS question
        FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
        WHERE t.state = 'open' AND t.draft IS NOT NULL AND t.assigned IS NULL AND i.withdrawn IS NULL
            AND coalesce(t.expires, 0) <= :at AND i.quota <= i.done + (SELECT count(*) FROM annotation_tasks o
                WHERE o.item = t.item AND o.annotator != t.annotator AND o.state = 'open'
                    AND (o.assigned IS NOT NULL OR o.expires > :at))
        ORDER BY t.saved"""
    return store.named_rows(query, {"at": at})


def skips(store: Database) -> list[dict[str, Any]]:
    """Return the skips that stand, the latest first: ``item``, ``annotator``, ``question``, ``reason``, ``created``."""
    query = """SELECT t.item, t.annotator, json_extract(i.content, '$.question') AS question,
            l.comment AS reason, l.created
        FROM annotation_tasks t JOIN annotation_items i ON i.id = t.item
            JOIN annotation_labels l ON l.item = t.item AND l.annotator = t.annotator
        WHERE t.state = 'skipped' AND i.withdrawn IS NULL AND l.version = (SELECT max(version) FROM annotation_labels
            WHERE item = t.item AND annotator = t.annotator)
        ORDER BY l.number DESC"""
    return store.named_rows(query)


def _shares(store: Database, name: str) -> list[dict[str, Any]]:
    return store.named_rows(f"""
        SELECT {name} AS name, {_COUNTS} FROM annotation_items i LEFT JOIN annotation_tasks t ON t.item = i.id
        GROUP BY name HAVING name IS NOT NULL ORDER BY name COLLATE NOCASE""")


@dataclass(frozen=True, slots=True)
class Work:
    annotator: str
    submitted: int
    """Submitted replies, without practice items."""
    skipped: int
    """Skipped items, practice items included."""
    median_seconds: float | None
    """The median time per reply; ``None`` if no time was measured."""
    seconds: float
    practice: int
    """Points of hidden checks that the annotator judged."""
    practice_right: int
    """Those of them that are right."""


def work_of(judgements: Sequence[Judgement], skipped: Mapping[str, int]) -> Iterable[Work]:
    """Summarise the work of each annotator, practice included; ``skipped`` counts the skipped replies of each."""
    for annotator in sorted({one.annotator for one in judgements} | {name for name in skipped if skipped[name]}):
        own = [one for one in judgements if one.annotator == annotator]
        replies = [one for one in own if one.item.origin is not Origin.PRACTICE]
        times = [one.seconds for one in replies if one.seconds]
        right, points, _ = checks(own)
        seconds, usual = sum(one.seconds or 0.0 for one in own), median(times) if times else None
        yield Work(annotator, len(replies), skipped.get(annotator, 0), usual, seconds, points, right)


def checks(judgements: Iterable[Judgement]) -> tuple[int, int, int]:
    """Return how many points of hidden checks were judged right, how many there were, and how many checks."""
    found = [graded(one.item, one.labels) for one in judgements if one.item.origin is Origin.PRACTICE]
    points = [point for those in found for point in those]
    return sum(point.is_right for point in points), len(points), len(found)
