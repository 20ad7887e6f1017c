"""What conversations cost to keep, to find and to take out.

    python -m lab.benchmarks.storage [--turns 100000] [--keep FILE]

A database of so many turns is made by copying some hundred played ones under new ids and questions: in bulk, with one
search of five passages for each of two nodes, and the digests of the originals. List, search and show are timed as
their commands query, without the start of Python; the export is the command itself. What storing costs is the time in
which a run's events are written against the wall time of that run, with a model at 50 tokens a second. The processor
time beside the wall time tells how busy the machine was with other things.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import click
import sqlite_utils

from lab.scripted.model import ScriptedModel
from searchain.events import Event, Searched
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.types import Hit, Outcome, Passage, Status
from storage.database import Database
from storage.history import listing
from storage.history.selection import Selection
from storage.log import event_log, runs
from storage.log.runs import Process
from tests.support.fakes import QUESTION, KnowingReader, WordRetriever
from tests.support.scripted_chat import speak
from tests.support.stories import nintendo
from tests.support.story_runs import store_run
from ui.show import terminal

WORDS = (
    "river island museum painter bridge novel planet treaty engine opera volcano harbour mathematician festival "
    "cathedral glacier dynasty orchestra telescope parliament"
).split()
TOLD = 200


@click.command(help=__doc__.partition("\n")[0])
@click.option("--turns", default=100_000, show_default=True, help="Turns in the database.")
@click.option("--keep", "kept", type=click.Path(path_type=Path), help="Keep the database here, or use it again.")
def main(turns: int, kept: Path | None) -> None:
    wall, processor, seconds, events = storing()
    with tempfile.TemporaryDirectory() as folder:
        path = kept or Path(folder) / "storage.db"
        if not path.exists():
            started = time.perf_counter()
            fill(path, turns)
            click.echo(
                f"made {turns:,} turns, {path.stat().st_size / 1e9:.2f} GB, in {time.perf_counter() - started:.0f} s",
                err=True,
            )
        store = Database(path)
        lists, searches, shows = queries(store)
        store.close()
        out = export(path)
    click.echo(f"{'':48}{'wall':>12}{'processor':>12}{'limit':>12}")
    for what, measured, alone, limit in (
        (f"storing {events} events of a run of {seconds:.1f} s", f"{wall:.2%}", f"{processor:.2%}", "≤ 1 %"),
        *(
            (f"{what} {turns:,} turns, p95", milliseconds(times.wall), milliseconds(times.processor), limit)
            for what, times, limit in (
                ("list of", lists, "≤ 50 ms"),
                ("search of", searches, "≤ 100 ms"),
                ("show in", shows, "≤ 50 ms"),
            )
        ),
        (
            f"export of {out.turns:,} turns to jsonl, turns a second",
            f"{out.turns / out.wall:,.0f}",
            f"{out.turns / out.processor:,.0f}",
            "≥ 2,000",
        ),
        ("  its memory", f"{out.memory / 1e6:.0f} MB", "", "≤ 200 MB"),
    ):
        click.echo(f"{what:<48}{measured:>12}{alone:>12}{limit:>12}")


def storing() -> tuple[float, float, float, int]:
    """Share of the wall time of a run that its events take to be written, by the wall's and by the processor's clock;
    that wall time; and their number."""
    model = ScriptedModel(speak, name="a scripted model", delay=0.02)
    searchain = SearChain(
        model=model, retriever=WordRetriever(), reader=KnowingReader(), settings=Settings.of(first_call="plan")
    )
    spent, worked, count = 0.0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        store, process = Database(Path(folder) / "chat.db"), Process()
        store_run(store)  # the first run of a process also loads what all of them need
        started = runs.start(store, process, QUESTION, "local")
        begun = time.perf_counter()
        for seq, event in enumerate(searchain.stream(QUESTION)):
            before, work = time.perf_counter(), time.thread_time()
            event_log.append(store, started.turn, process.id, seq, event)
            spent, worked = spent + time.perf_counter() - before, worked + time.thread_time() - work
            count += 1
        seconds = time.perf_counter() - begun
        store.close()
    return spent / seconds, worked / seconds, seconds, count


def told(rng: random.Random) -> list[Event]:
    """A run with five passages of usual length at each node, about words of its own."""

    def text(length: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(length))

    def found(event: Searched) -> Searched:
        more = (Hit(Passage(f"x{rank}", text(2), text(90)), 1.0, rank) for rank in range(2, 6))
        return replace(event, hits=(*event.hits, *more))

    return [
        found(event) if isinstance(event, Searched) else event
        for event in nintendo(f"Which {text(3)} is where Nintendo is?")
    ]


def fill(path: Path, turns: int) -> None:
    rng = random.Random(0)
    store = Database(path)
    for number in range(TOLD):
        first, *rest, last = told(rng)
        model = rng.choice(["model a", "model b", "model c"])
        status = Status.FAILED if number == 0 else rng.choice([Status.ANSWERED, Status.PARTIAL])
        outcome = {Status.ANSWERED: Outcome.SUPPORTED, Status.PARTIAL: Outcome.UNSURE}.get(status)
        store_run(
            store,
            [replace(first, model=model), *rest, replace(last, status=status, outcome=outcome, probability=0.95)],
            owner=f"user {number % 20}",
        )
    with store.writing() as db:
        db["turns"].disable_fts()  # made in one go below
        copy(db, "conversations", turns, id=_NEW.format("t.id"))
        copy(
            db,
            "turns",
            turns,
            number="NULL",
            id=_NEW.format("t.id"),
            conversation=_NEW.format("t.conversation"),
            question="t.question || ' no ' || n.n",
            created="strftime('%Y-%m-%dT%H:%M:%f', t.created, '-' || n.n || ' hours') || '+00:00'",
        )
        for table in ("events", "nodes", "retrievals", "sources", "sentences", "marks"):
            copy(db, table, turns, turn=_NEW.format("t.turn"))
        db["turns"].enable_fts(["question", "answer"], fts_version="FTS5", create_triggers=True)
    with store.writing() as db:
        db.execute("ANALYZE")
    store.close()


_NEW = "substr({0}, 1, 16) || printf('%07d', n.n) || substr({0}, -3)"
"""An id of the same length."""


def copy(db: sqlite_utils.Database, table: str, turns: int, **changed: str) -> None:
    """Every row of ``table`` again, as often as it takes to have ``turns``, with the columns ``changed``."""
    columns = {column.name: changed.get(column.name, f't."{column.name}"') for column in db[table].columns}
    names = ", ".join(f'"{name}"' for name in columns)
    db.execute(f"""WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT {turns // TOLD - 1})
                   INSERT INTO {table} ({names}) SELECT {", ".join(columns.values())} FROM n, {table} t""")


@dataclass(slots=True)
class Times:
    """Seconds of many calls."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


def queries(store: Database) -> tuple[Times, Times, Times]:
    """Lists, searches and shows."""
    rng = random.Random(1)
    some = [
        Selection(),
        Selection(status=Status.FAILED),
        Selection(model="model b"),
        Selection(owner="user 7"),
        Selection(since="2020", until="2099"),
        Selection(text="river island"),
        Selection(model="none"),
    ]
    with store.reading() as db:
        ids = [row[0] for row in db.execute("SELECT id FROM turns")]
    words = [
        *WORDS,
        "river island museum",
        "no 321",
        '"opera volcano"',
        "plan*",
        "nintendo",
        "kyoto headquarters",
        "zebra",
    ]

    def show() -> None:
        [(_, turn)] = listing.named(store, rng.choice(ids))
        "\n".join(terminal.transcript(event_log.turn(store, turn)))

    return (
        timed(lambda: listing.latest(store, 20, rng.choice(some)), 200),
        timed(lambda: listing.find(store, rng.choice(words), 20), 200),
        timed(show, 200),
    )


def timed(action: Callable[[], object], times: int) -> Times:
    spent = Times()
    for _ in range(times):
        before, work = time.perf_counter(), time.thread_time()
        action()
        spent.wall.append(time.perf_counter() - before)
        spent.processor.append(time.thread_time() - work)
    return spent


def milliseconds(times: list[float]) -> str:
    """The 95th percentile."""
    return f"{statistics.quantiles(times, n=20)[-1] * 1000:.0f} ms"


@dataclass(frozen=True, slots=True)
class Exported:
    turns: int
    wall: float
    """Seconds, the start of Python included."""
    processor: float
    memory: float
    """Bytes resident at the worst."""


def export(path: Path) -> Exported:
    """The command, as it is used."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".jsonl") as out:
        begun = time.perf_counter()
        exporting = subprocess.Popen(
            [sys.executable, "assistant.py", "export", "--db", path, "-o", out.name],
            cwd=Path(__file__).parents[2],
            stderr=subprocess.PIPE,
            text=True,
        )
        _, status, used = os.wait4(exporting.pid, 0)
        seconds = time.perf_counter() - begun
        said = exporting.stderr.read()
        if status:
            raise click.ClickException(said)
        with open(out.name, "rb") as lines:
            return Exported(sum(1 for _ in lines), seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


if __name__ == "__main__":
    main()
