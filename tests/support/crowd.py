"""Many annotators at once, threads in several processes, who write down what the desk answers them.

Usage:
    with crowd.desk(path, items=100, quota=2) as store:
        answers = crowd.work(path, crowd.names(6), processes=2, seconds=3, contests=5)
        assert crowd.faults(store, answers) == []
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from searchain.annotation.protocol import Backing, Item
from searchain.errors import UsageError
from storage.annotation import items
from storage.annotation.desk import Desk
from storage.annotation.history import history
from storage.annotation.progress import progress
from storage.database import Database
from storage.history import finished_turns
from tests.support.judged_replies import uniform_labels
from tests.support.stories import nintendo
from tests.support.story_runs import database_with

CONTEST = "contest"
"""The system of the items for which all annotators compete."""
_TIMEOUT = 600.0


@dataclass(slots=True)
class DeskAnswers:
    """What annotators did, and what the desk answered."""

    entries: list[tuple[str, str, int, str]] = field(default_factory=list)
    """Item, annotator, version and action of every entry of the history that was confirmed."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Item and annotator of every submission that came too late."""
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """What each action took."""

    def add(self, other: DeskAnswers) -> None:
        self.entries += other.entries
        self.refused += other.refused
        for action, times in other.seconds.items():
            self.seconds[action] += times


def names(number: int) -> list[str]:
    return [f"annotator {n}" for n in range(number)]


@contextmanager
def desk(path: Path, *, number: int, quota: int, contests: int) -> Iterator[Database]:
    """A desk with ``number`` items, and as many contests."""
    store = database_with(path, nintendo())
    [frozen] = [items.of_record(record) for record in finished_turns.records(store)]

    def made(n: int, system: str) -> Item:
        return items.identified(replace(frozen, question=f"Where is Nintendo, asked for the time {n}?", system=system))

    try:
        with store.writing() as db:
            for n in range(number):
                items.add(db, made(n, frozen.system), quota=quota)
            for n in range(contests):
                items.add(db, made(n, CONTEST), quota=quota)
            # the queue passes over them
            db.execute("UPDATE annotation_items SET withdrawn = 'later' WHERE system = ?", (CONTEST,))
        yield store
    finally:
        store.close()


def work(path: Path, annotators: Sequence[str], *, processes: int, seconds: float, pause: float = 0.0) -> DeskAnswers:
    """First everybody works on the queue for ``seconds``, with exponential pauses of ``pause`` seconds on average
    between two actions; then all submit the same item at the same moment, one contest after the other."""
    context = get_context("spawn")
    start, results = context.Barrier(len(annotators)), context.Queue()
    running = [
        context.Process(target=_process, args=(path, annotators[n::processes], start, results, seconds, pause))
        for n in range(processes)
    ]
    for process in running:
        process.start()
    answers = DeskAnswers()
    for _ in running:
        answer = results.get(timeout=seconds + _TIMEOUT)
        if isinstance(answer, str):
            raise AssertionError(answer)
        answers.add(answer)
    for process in running:
        process.join()
    return answers


def faults(store: Database, answers: DeskAnswers) -> list[str]:
    """What does not hold: a quota exceeded at any moment, or anything lost or made up."""
    found = []
    stored = [(entry.item, entry.annotator, entry.version, entry.action) for entry in history(store)]
    if missing := Counter(answers.entries) - Counter(stored):
        found.append(f"{missing.total()} confirmed entries are not in the history")
    if more := Counter(stored) - Counter(answers.entries):
        found.append(f"{more.total()} entries of the history were confirmed to nobody")
    quotas = dict(store.rows("SELECT id, quota FROM annotation_items"))
    done = dict(store.rows("SELECT id, done FROM annotation_items"))
    contests = [id for (id,) in store.rows("SELECT id FROM annotation_items WHERE system = ?", (CONTEST,))]
    drafts = set(store.rows("SELECT item, annotator FROM annotation_tasks WHERE draft IS NOT NULL"))
    standing: dict[str, set[str]] = defaultdict(set)
    for item, annotator, _, action in stored:
        (standing[item].add if action == "submitted" else standing[item].discard)(annotator)
        if len(standing[item]) > quotas[item]:
            found.append(f"item {item} had {len(standing[item])} labels for {quotas[item]} places")
    counts = {item: len(standing[item]) for item in quotas}
    wrong = [item for item in quotas if done[item] != counts[item]]
    found += [f"item {item} counts {done[item]} labels and has {counts[item]}" for item in wrong]
    wrong = [item for item in contests if counts[item] != quotas[item]]
    found += [f"contest {item} has {counts[item]} labels for {quotas[item]} places" for item in wrong]
    if lost := set(answers.refused) - drafts:
        found.append(f"{len(lost)} late submissions are not kept as drafts")
    return found


def _process(path: Path, annotators: Sequence[str], start: Any, results: Any, seconds: float, pause: float) -> None:
    store, each = Database(path), [DeskAnswers() for _ in annotators]
    try:
        contests = [
            id for (id,) in store.rows("SELECT id FROM annotation_items WHERE system = ? ORDER BY id", (CONTEST,))
        ]
        problems: list[str] = []

        def annotate(annotator: str, answers: DeskAnswers) -> None:
            try:
                start.wait(_TIMEOUT)
                _queue(store, annotator, answers, seconds, pause)
                start.wait(seconds + _TIMEOUT)
                _contests(store, annotator, answers, contests, start)
            except BaseException as error:
                problems.append(f"{annotator}: {type(error).__name__}: {error}")
                start.abort()

        threads = [threading.Thread(target=annotate, args=pair) for pair in zip(annotators, each, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        store.close()
    whole = DeskAnswers()
    for answers in each:
        whole.add(answers)
    results.put("; ".join(problems) or whole)


def _queue(store: Database, annotator: str, answers: DeskAnswers, seconds: float, pause: float) -> None:
    desk, rng, end = Desk(store), random.Random(annotator), time.monotonic() + seconds

    def timed(action: str, act: Callable[..., Any], *args: Any, **named: Any) -> Any:
        if pause:
            time.sleep(rng.expovariate(1 / pause))
        before = time.perf_counter()
        answer = act(*args, **named)
        answers.seconds[action].append(time.perf_counter() - before)
        return answer

    while time.monotonic() < end:
        task = timed("next item", desk.next_item, annotator)
        if task is None:
            return
        item, labels = task.item, uniform_labels(task.item, rng.choice(list(Backing)))
        for spent in range(rng.randint(1, 5)):
            timed("save draft", desk.save_draft, annotator, item.id, labels, seconds=spent)
        if rng.random() < 0.05:
            version = timed("skip", desk.skip, annotator, item.id, "in French")
            answers.entries.append((item.id, annotator, version, "skipped"))
        else:
            version = timed("submit", desk.submit, annotator, item.id, labels, version=task.version)
            answers.entries.append((item.id, annotator, version, "submitted"))
            if rng.random() < 0.1:
                back = timed("undo", desk.undo, annotator)
                answers.entries.append((item.id, annotator, back.version, "undone"))
        timed("progress", progress, store, annotator)


def _contests(store: Database, annotator: str, answers: DeskAnswers, contests: Iterable[str], start: Any) -> None:
    """Leases of no length, so that everybody comes to have the item before anybody submits."""
    desk = Desk(store, lease=0.0)
    for item in contests:
        store.write("UPDATE annotation_items SET withdrawn = NULL WHERE id = ?", (item,))
        labels = uniform_labels(desk.open_item(annotator, item).item)
        start.wait(_TIMEOUT)
        before = time.perf_counter()
        try:
            version = desk.submit(annotator, item, labels)
            answers.entries.append((item, annotator, version, "submitted"))
        except UsageError:
            answers.refused.append((item, annotator))
        answers.seconds["submit at the same moment"].append(time.perf_counter() - before)
        start.wait(_TIMEOUT)
