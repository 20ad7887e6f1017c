"""The log of a round: who judged what and when, what was added, changed and removed. Methods are written from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from searchain.annotation.protocol import Item, Origin
from storage.annotation import gold, guided, history, items, pseudonyms, studies
from storage.database import Database


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply that is or was on the desk."""

    item: Item
    quota: int
    created: str
    withdrawn: str | None
    """When its text was removed."""


@dataclass(frozen=True, slots=True)
class Practice:
    """One action in the practice before the first reply."""

    annotator: str
    action: str
    """read, tried or left out."""
    example: int | None
    right: int
    points: int
    created: str


@dataclass(frozen=True, slots=True)
class Guess:
    """One guess of an annotator who wrote a reply; ``None``: does not know."""

    annotator: str
    system: str
    guess: str | None
    created: str


@dataclass(frozen=True)
class Record:
    """Everything that the database knows of a round. Names of people are those of the database."""

    replies: tuple[Reply, ...]
    checks: tuple[Reply, ...]
    """Hidden checks."""
    gone: int
    """Replies and checks that were removed with their labels, as far as gaps in the numbers show."""
    labels: tuple[history.Judgement, ...]
    """The newest labels of replies per annotator, excluded ones and those of removed replies too."""
    counted: tuple[history.Judgement, ...]
    """Those of them that count in the report."""
    checked: tuple[history.Judgement, ...]
    """The newest labels of hidden checks."""
    entries: tuple[history.Entry, ...]
    """All that was submitted, skipped and undone on replies."""
    practice: tuple[Practice, ...]
    decisions: tuple[gold.Gold, ...]
    """Those about replies on the desk that stand."""
    guesses: tuple[Guess, ...]
    """In the order in which they were made."""
    judges: tuple[tuple[str, int], ...]
    """Machine → how many replies on the desk it judged."""
    crowd: frozenset[str]
    """Casefolded names of annotators who came by a link of a crowd platform."""
    assigned: int
    """Assignments by name that stand."""
    study: tuple[studies.Entry, ...]

    @cached_property
    def frozen(self) -> studies.Entry | None:
        """The freeze of the study."""
        return next((one for one in self.study if one.action == "frozen"), None)

    @property
    def there(self) -> list[Reply]:
        """Return the replies on the desk whose text was not removed."""
        return [one for one in self.replies if one.withdrawn is None]

    def after_freeze(self, times: Sequence[str | None]) -> int:
        """Count the ``times`` after the freeze; 0 without a freeze."""
        return sum(one is not None and self.frozen is not None and one > self.frozen.created for one in times)


def record(store: Database) -> Record:
    """Read the log. Raises ``StorageError`` if the database cannot be read."""
    found = history.labels(store)
    out = studies.excluded(found, studies.current(store).exclusions, pseudonyms.pseudonyms_of(store))
    rows = store.rows("SELECT content, quota, created, withdrawn FROM annotation_items ORDER BY number")
    (highest,) = store.row("SELECT coalesce(max(number), 0) FROM annotation_items")
    (assigned,) = store.row("SELECT count(*) FROM annotation_tasks WHERE assigned IS NOT NULL")
    practice = """SELECT annotator, action, example, coalesce(correct, 0), coalesce(points, 0), created
        FROM annotation_practice ORDER BY number"""
    judges = """SELECT m.judge, count(*) FROM annotation_machines m JOIN annotation_items i ON i.id = m.item
        WHERE i.withdrawn IS NULL GROUP BY m.judge ORDER BY m.judge"""
    every = [Reply(items.decoded(content), quota, created, gone) for content, quota, created, gone in rows]
    checks = {one.item.id for one in every if one.item.origin is Origin.PRACTICE}
    there = {one.item.id for one in every if one.withdrawn is None} - checks
    labels = tuple(one for one in found if one.item.origin is not Origin.PRACTICE)
    return Record(
        replies=tuple(one for one in every if one.item.id not in checks),
        checks=tuple(one for one in every if one.item.id in checks),
        gone=highest - len(rows),
        labels=labels,
        counted=tuple(one for one in labels if not one.is_withdrawn and not out.leaves_out(one)),
        checked=tuple(one for one in found if one.item.origin is Origin.PRACTICE),
        entries=tuple(one for one in history.history(store) if one.item not in checks),
        practice=tuple(Practice(*row) for row in store.rows(practice)),
        decisions=tuple(one for one in gold.gold(store) if one.item.id in there),
        guesses=tuple(Guess(*row) for row in guided.guesses(store)),
        judges=tuple(store.rows(judges)),
        crowd=frozenset(name.casefold() for (name,) in store.rows("SELECT annotator FROM crowd_people")),
        assigned=assigned,
        study=tuple(studies.history(store)),
    )
