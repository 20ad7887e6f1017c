"""The annotation desk: it hands out queued items, keeps drafts and stores labels, each in one short transaction."""

import json
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from searchain.annotation.labels import MAX_COMMENT, check, labels_from_json, to_json
from searchain.annotation.protocol import Item, Labels, default_labels
from searchain.errors import NotFound, UsageError
from searchain.safe_text import without_surrogates
from storage.annotation import history, items, pseudonyms, studies, tasks
from storage.annotation.tasks import LEASE
from storage.database import Connection, Database, first, now

MAX_SECONDS = 24 * 3600.0
MAX_DRAFT = 400_000
"""The most characters of JSON in a draft."""
_AT_ONCE = 8  # candidates fetched per search; other annotators may take the first ones before this one does


@dataclass(frozen=True, slots=True)
class Task:
    """An item with one annotator's labels and lease."""

    item: Item
    labels: Labels
    """The draft if there is one, else the submitted labels, else ``default_labels``."""
    state: str
    """open, submitted or skipped."""
    version: int
    """The newest version in the annotator's history of the item, 0 before the first entry. ``submit`` compares it."""
    seconds: float
    expires: float | None
    """When the lease ends, in Unix seconds; ``None`` if there is no lease (assigned, submitted, or no free place)."""
    is_assigned: bool
    """Whether the item is assigned to the annotator and so needs no lease."""


class Desk:
    """The actions of annotators. Thread-safe; several processes may use one database."""

    def __init__(self, store: Database, *, lease: float = LEASE, clock: Callable[[], float] = time.time) -> None:
        self._store, self._lease, self._clock = store, lease, clock

    def next_item(self, annotator: str, *, without: Collection[str] = ()) -> Task | None:
        """Lease the next item: first the annotator's own unfinished ones, then the queue; ``None`` if no item is left.

        Items in ``without`` are skipped.
        """
        at = self._clock()
        with self._store.reading() as db:
            own = [item for item in tasks.unfinished(db, annotator, at) if item not in without]
        for item in own:
            if task := self._take(annotator, item, at):
                return task
        while True:
            with self._store.reading() as db:
                has_share = tasks.has_share(db, annotator, at)
                first = tasks.candidates(db, annotator, at, _AT_ONCE + len(without)) if has_share else []
            found = [item for item in first if item not in without]
            for item in found:
                if task := self._take(annotator, item, at):
                    return task
            if not found:
                return None

    def open_item(self, annotator: str, item: str) -> Task:
        """Return the annotator's own item, or lease an item that has a free place.

        Raises:
            NotFound: there is no such item, or it was removed.
            UsageError: the annotator does not have it, and no place is free.
        """
        with self._store.writing() as db:
            items.must_be_judgeable(db, item)
            has_place = tasks.take(db, annotator, item, self._clock(), self._clock() + self._lease)
            if not has_place and tasks.find(db, annotator, item) is None:
                raise UsageError(f"{_cause(db, annotator, item, self._clock())}; go on with the next one")
            pseudonyms.remember_annotator(db, annotator)
        return self._task(annotator, item)

    def state(self, annotator: str, item: str) -> str:
        """Return the state of the annotator's item. Raises ``UsageError`` if the annotator never had it."""
        with self._store.reading() as db:
            return _own(db, annotator, item).state

    def save_draft(self, annotator: str, item: str, labels: Labels, *, seconds: float = 0.0) -> float | None:
        """Store unfinished labels without checking them, and renew the lease; ``seconds`` is the total working time.

        Returns the end of the lease in Unix seconds; ``None`` if others took all places meanwhile, or if the item is
        assigned or was submitted and needs no lease.

        Raises:
            NotFound: there is no such item, or its text was removed; then the labels are kept without their comment.
            UsageError: the annotator never had the item, or the draft is too large.
        """
        with self._store.writing() as db:
            is_gone, task, at = items.is_withdrawn(db, item), _own(db, annotator, item), self._clock()
            held = task.state == "open" and tasks.take(db, annotator, item, at, at + self._lease)
            self._keep(db, annotator, item, _discreet(labels) if is_gone else labels, seconds)
        if is_gone:
            raise NotFound(
                "this reply was removed meanwhile, and its text is gone; what you judged is kept: submit it "
                "as it is, or go on with the next one"
            )
        return at + self._lease if held and task.assigned is None else None

    def submit(
        self, annotator: str, item: str, labels: Labels, *, seconds: float = 0.0, version: int | None = None
    ) -> int:
        """Store submitted labels as the next version of the annotator's history of the item; return that version.

        After the lease has ended, labels are accepted while a place is free. If the item's text was removed, they are
        stored without their comment. ``version`` is the version of the task that the annotator worked on.

        Raises:
            NotFound: there is no such item.
            UsageError: the labels are incomplete or do not fit; the annotator never had the item; every place was taken
                meanwhile; or another version was submitted meanwhile. The labels are then kept as the draft.
        """
        _encoded(labels)  # what is too large is refused before anything else
        with self._store.reading() as db:
            judged, is_gone = items.get(db, item), items.is_withdrawn(db, item)
        asks = studies.current(self._store).show_uncited
        problem: UsageError | None = None
        try:  # here, where nobody waits for it
            check(_discreet(labels) if is_gone else labels, judged, asks_uncited=asks)
        except UsageError as error:
            problem = error
        with self._store.writing(is_final=True) as db:
            labels = _discreet(labels) if items.is_withdrawn(db, item) else labels
            task = _own(db, annotator, item)
            problem = problem or self._problem(db, annotator, item, task, version)
            if problem is None:
                number = history.append(db, item, annotator, "submitted", labels, _spent(seconds))
                query = """UPDATE annotation_tasks SET state = 'submitted', draft = NULL, saved = NULL,
                    expires = NULL, seconds = ? WHERE annotator = ? AND item = ?"""
                db.execute(query, (_spent(seconds), annotator, item))
                is_new = task.state != "submitted"
                db.execute("UPDATE annotation_items SET done = done + ? WHERE id = ?", (is_new, item))
                return number
            self._keep(db, annotator, item, labels, seconds)
        raise problem

    def skip(self, annotator: str, item: str, reason: str, *, seconds: float = 0.0) -> int:
        """Skip the item and leave it to others; return the version of the new entry in the history.

        Raises:
            NotFound: there is no such item.
            UsageError: the reason is empty or too long, the annotator never had the item, or submitted labels of it.
        """
        reason = without_surrogates(reason).strip()
        if not reason:
            raise UsageError("say why you skip the reply, so that somebody can mend it")
        if len(reason) > MAX_COMMENT:
            raise UsageError(f"the reason has {len(reason):,} characters; write {MAX_COMMENT:,} or fewer")
        with self._store.writing(is_final=True) as db:
            why = "removed" if items.is_withdrawn(db, item) else reason
            if _own(db, annotator, item).state == "submitted":
                raise UsageError("you submitted labels of this reply; undo that first, then skip it")
            number = history.append(db, item, annotator, "skipped", Labels(comment=why), _spent(seconds))
            query = """UPDATE annotation_tasks SET state = 'skipped', assigned = NULL, expires = NULL, seconds = ?
                WHERE annotator = ? AND item = ?"""
            db.execute(query, (_spent(seconds), annotator, item))
        return number

    def undo(self, annotator: str) -> Task | None:
        """Reopen the item that the annotator submitted or skipped last; its draft is kept, or made from the labels.

        The history keeps both entries. The next call reopens the item before it; ``None`` if no item is left to reopen.
        Raises ``UsageError`` if the item was skipped, and others took all places meanwhile, or the annotator's share is
        used up.
        """
        with self._store.writing(is_final=True) as db:
            last = history.last_standing(db, annotator)
            if last is None:
                return None
            item, state, labels = last
            at = self._clock()
            if state == "skipped" and not tasks.may_have(db, annotator, item, at):
                cause = _cause(db, annotator, item, at)
                raise UsageError(f"the reply that you skipped cannot be reopened: {cause}; go on with the next one")
            history.append(db, item, annotator, "undone", Labels(), 0.0)
            query = """UPDATE annotation_tasks SET state = 'open', expires = ?, draft = coalesce(draft, ?), saved = ?
                WHERE annotator = ? AND item = ?"""
            db.execute(query, (at + self._lease, labels, now(), annotator, item))
            db.execute("UPDATE annotation_items SET done = done - ? WHERE id = ?", (state == "submitted", item))
        return self._task(annotator, item)

    def _take(self, annotator: str, item: str, at: float) -> Task | None:
        with self._store.writing() as db:
            is_there = first(db, "SELECT 1 FROM annotation_items WHERE id = ? AND withdrawn IS NULL", item)
            if not is_there or not tasks.take(db, annotator, item, at, at + self._lease):
                return None
            pseudonyms.remember_annotator(db, annotator)
        return self._task(annotator, item)

    def _task(self, annotator: str, id: str) -> Task:
        with self._store.reading() as db:
            item, task = items.get(db, id, judgeable=True), _own(db, annotator, id)
            version, submitted = history.newest(db, id, annotator)
        labels = task.draft if task.draft is not None else submitted if task.state == "submitted" else None
        is_leased = task.is_held(self._clock()) and task.assigned is None
        known = default_labels(item) if labels is None else labels_from_json(json.loads(labels))
        expires = task.expires if is_leased else None
        return Task(item, known, task.state, version, task.seconds, expires, task.assigned is not None)

    def _problem(
        self, db: Connection, annotator: str, id: str, task: tasks.Row, version: int | None
    ) -> UsageError | None:
        kept = "your work is kept as a draft"
        newest, _ = history.newest(db, id, annotator)
        if version is not None and version != newest:
            why = f"this reply was judged in another window meanwhile; {kept}"
            return UsageError(f"{why}: open the reply again to compare and submit")
        at = self._clock()
        if task.state != "submitted" and not task.is_held(at) and not tasks.may_have(db, annotator, id, at):
            cause = _cause(db, annotator, id, at)
            return UsageError(f"the 15 minutes for this reply were over: {cause}; {kept}: go on with the next one")
        return None

    def _keep(self, db: Connection, annotator: str, item: str, labels: Labels, seconds: float) -> None:
        db.execute(
            "UPDATE annotation_tasks SET draft = ?, saved = ?, seconds = ? WHERE annotator = ? AND item = ?",
            (_encoded(labels), now(), _spent(seconds), annotator, item),
        )


def _own(db: Connection, annotator: str, item: str) -> tasks.Row:
    task = tasks.find(db, annotator, item)
    if task is None:
        raise UsageError("this reply was never given to you; take the next one of the queue")
    return task


def _cause(db: Connection, annotator: str, item: str, at: float) -> str:
    has_place = tasks.has_place(db, annotator, item, at)
    return "you have your share of replies" if has_place else "as many annotators as wanted have this reply already"


def _discreet(labels: Labels) -> Labels:
    """Remove the comment from labels; it may quote the removed text."""
    return replace(labels, comment="")


def _encoded(labels: Labels) -> str:
    text = json.dumps(to_json(labels), ensure_ascii=False)
    if len(text) > MAX_DRAFT:
        raise UsageError("these labels are too large to be kept; shorten the comment, or join knowledge items")
    return text


def _spent(seconds: float) -> float:
    return min(max(float(seconds), 0.0), MAX_SECONDS)
