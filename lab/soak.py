"""The load of a busy hour on the real server: what is lost, whose words are seen, and what a reader waits for.

    python -m lab.soak [--seconds 180] [--pages 200] [--annotators 20] [--uploads 50]

The server is the command ``chat`` in a process of its own, in a fresh home with the models and the encyclopedia that
are installed; the language model is scripted. Pages ask and follow their runs, of which two are at work at a time;
annotators judge replies; files are uploaded. Meanwhile Ann and Bob attack with uploads that never end and with a page
that is hard to draw. Eve reads her lists and her source and signs in, first while all is quiet. Everything that a
person writes has a mark with the person's number. At the end the server is stopped, and what it had confirmed is
looked for.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import click
import httpx
import psutil

from lab.benchmarks.attacks import PASSWORD, PATHS, SIGN_IN, Person, add_people, waits
from lab.benchmarks.chats import Handlers, Session, p95
from lab.benchmarks.memory import Memory
from lab.benchmarks.streams import model
from searchain.annotation.labels import to_json
from searchain.annotation.protocol import default_labels
from searchain.annotation.study import Study
from searchain.files.home import home
from searchain.retrieval.registry import get
from storage.annotation import history, import_items, studies
from storage.annotation.desk import Desk
from storage.collections import access as collections
from storage.collections.files import Files
from storage.database import Database
from storage.log import verify
from storage.people import tokens, users
from tests.support.browser import free_port

ROOT = Path(__file__).parents[1]
DATABASE = "soak.db"
AT_WORK = 2
PAGES_OF_ONE = 4
"""Pages that one person has open."""
ATTACKS = {"upload": 100, "picture": 50}
"""Requests of each attack that are open at a time."""
NOBODY = -1
"""The number of those who write nothing."""
PAUSE = 2.0
"""Seconds between two labels or uploads of one person."""
MARK = re.compile(r"note-(\d+)-\d+")
QUESTION = "On which Japanese island is the city where Nintendo has its headquarters, for {}?"


@dataclass(slots=True)
class Confirmed:
    """What the server said that it has, by owner, and what went wrong."""

    turns: set[tuple[str, str]] = field(default_factory=set)
    """Owner and mark of each question that a page showed."""
    labels: set[tuple[str, str, int]] = field(default_factory=set)
    """Annotator, item and version."""
    uploads: set[tuple[str, str, str]] = field(default_factory=set)
    """Owner, name and SHA-256."""
    answers: int = 0
    foreign: list[str] = field(default_factory=list)
    """Marks of others that somebody was shown."""
    faults: Counter[str] = field(default_factory=Counter)

    def seen(self, number: int, text: str) -> list[str]:
        """Look through what the person of this number was shown; return the person's own marks in it."""
        self.answers += 1
        found = {match[0]: int(match[1]) for match in MARK.finditer(text)}
        self.foreign += [mark for mark, whose in found.items() if whose != number]
        return [mark for mark, whose in found.items() if whose == number]


class Page(Session):
    """A page of the person ``number``, whose every message is looked through."""

    def __init__(self, url: str, handlers: Handlers, number: int, session: str, confirmed: Confirmed) -> None:
        super().__init__(url, handlers, f"searchain_session={session}")
        self._number, self._confirmed = number, confirmed

    async def _lines(self, method: str, path: str, body: str = "") -> AsyncIterator[bytes]:
        async for line in super()._lines(method, path, body):
            marks = self._confirmed.seen(self._number, line.decode("utf-8", "replace"))
            self._confirmed.turns |= {(f"person{self._number}", mark) for mark in marks}
            yield line


def fresh(folder: Path) -> Path:
    """Make a home with the installed models and the encyclopedia's index, and nothing of anybody's; return it."""
    (folder / "indexes" / "parts").mkdir(parents=True)
    (folder / "models").symlink_to(home() / "models")
    (folder / "indexes" / "default.json").write_bytes((home() / "indexes" / "default.json").read_bytes())
    for part in get("default").parts:
        (folder / "indexes" / "parts" / part).symlink_to(home() / "indexes" / "parts" / part)
    return folder


class Sizes(NamedTuple):
    """How many do what."""

    pages: int
    annotators: int
    uploads: int
    seconds: float

    @property
    def people(self) -> int:
        return -(-max(self.pages, self.uploads) // PAGES_OF_ONE)


class People(NamedTuple):
    """Lines for ``attacks.Person``: Ann, Bob, Eve; session and collection of each asker; sessions of annotators."""

    readers: list[str]
    askers: list[tuple[str, str]]
    annotators: list[str]


def prepared(store: Database, sizes: Sizes) -> People:
    """Add everybody, and replies to be judged."""
    askers = [f"person{number}" for number in range(sizes.people)]
    annotators = [f"annotator{number}" for number in range(sizes.annotators)]
    users.add(store, *(users.new(name, "chat", PASSWORD) for name in askers))
    users.add(store, *(users.new(name, "annotator", PASSWORD) for name in annotators))
    studies.change(store, Study(guided_practice=False), "local")
    passage = {"number": 1, "title": "Kyoto", "text": "Kyoto is a city on the island of Honshu."}
    answer = {"system": "an engine", "answer": "Kyoto lies on Honshu [1].", "citations": [passage]}
    number = max(50, int(sizes.annotators * sizes.seconds / PAUSE) + sizes.annotators)
    lines = (json.dumps({**answer, "question": f"Where is Kyoto, {n}?"}).encode() for n in range(number))
    import_items.file(store, lines, quota=1)

    def session(name: str) -> str:
        return tokens.issue(store, name, "session")

    asking = [(session(name), collections.create(store, name, "notes").id) for name in askers]
    return People(add_people(store), asking, [session(name) for name in annotators])


@contextmanager
def served(folder: Path, base_url: str) -> Iterator[tuple[int, psutil.Process]]:
    """Serve ``chat``; return its port and its process. It is stopped as an operator stops it."""
    port = free_port()
    named = "--model scripted --abilities capable --careful off --base-url".split()
    process = subprocess.Popen(
        [sys.executable, "assistant.py", "chat", *named, base_url, "--db", str(folder / DATABASE)]
        + ["--port", str(port), "--parallel", str(AT_WORK), *"--runs-at-once 1000 --runs-per-hour 100000".split()],
        cwd=ROOT,
        env={**os.environ, "SEARCHAIN_HOME": str(folder)},
        stdout=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False, timeout=60).status_code == 200:
                    break
            except httpx.TransportError:
                if process.poll() is not None:
                    raise click.ClickException("the server ended before it answered") from None
            time.sleep(0.5)
        yield port, psutil.Process(process.pid)
        process.terminate()
        if status := process.wait(60):
            raise click.ClickException(f"the server ended with status {status}")
    finally:
        process.kill()


def read(port: int, told: str, seconds: float) -> tuple[dict[str, list[float]], int, Confirmed]:
    """Let Eve read and sign in, in a process of her own that nobody else's work delays."""
    confirmed, form = Confirmed(), {"name": "eve", "password": PASSWORD}
    found, lost = asyncio.run(waits(Person(port, told), seconds, form, lambda text: confirmed.seen(NOBODY, text)))
    return found, lost, confirmed


class Load:
    """All who use the server at ``port`` while ``store`` is watched from outside; Eve is in a process of ``pool``."""

    def __init__(self, port: int, people: People, sizes: Sizes, store: Database, pool: Executor) -> None:
        self._url, self._people, self._sizes, self._store = f"http://127.0.0.1:{port}/", people, sizes, store
        self.confirmed = Confirmed()
        self._port, self._readers, self._pool = port, [Person(port, one) for one in people.readers], pool
        self._count = 0

    async def eve(self, seconds: float) -> dict[str, list[float]]:
        """Return what Eve waited for."""
        work = asyncio.get_running_loop().run_in_executor
        found, lost, seen = await work(self._pool, read, self._port, self._people.readers[-1], seconds)
        self.confirmed.answers += seen.answers
        self.confirmed.foreign += seen.foreign
        self.confirmed.faults.update({"no answer for Eve": lost} if lost else {})
        return found

    async def first(self) -> None:
        """Let everything be loaded that the first question, sign-in and list load."""
        session = self._people.askers[0][0]
        handlers = await asyncio.to_thread(Handlers.of, self._url, f"searchain_session={session}")
        await asyncio.gather(self.eve(3), *(self._page(0, handlers)() for _ in range(AT_WORK)))

    async def everybody(self) -> dict[str, list[float]]:
        """Let all work for ``seconds``; return what Eve waited for meanwhile."""
        handlers = await asyncio.to_thread(Handlers.of, self._url, f"searchain_session={self._people.askers[0][0]}")
        work = [self._page(number % self._sizes.people, handlers) for number in range(self._sizes.pages)]
        work += [self._annotator(number) for number in range(self._sizes.annotators)]
        work += [self._uploader(number % self._sizes.people) for number in range(self._sizes.uploads)]
        for name, times in ATTACKS.items():
            work += [getattr(self._readers[number % 2], name) for number in range(times)]
        tasks = [asyncio.create_task(self._again(one)) for one in work]
        await asyncio.sleep(2)
        try:
            return await self.eve(self._sizes.seconds)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _again(self, act: Callable[[], Awaitable[object]]) -> None:
        while True:
            try:
                await act()
            except (click.ClickException, OSError, httpx.HTTPError) as error:
                self.confirmed.faults[f"{type(error).__name__}: {error}"[:200]] += 1
            await asyncio.sleep(PAUSE)

    def _mark(self, number: int) -> str:
        self._count += 1
        return f"note-{number}-{self._count}"

    def _client(self, session: str) -> httpx.AsyncClient:
        headers = {"cookie": f"searchain_session={session}", "x-searchain": "upload"}
        return httpx.AsyncClient(base_url=self._url, headers=headers, timeout=120, trust_env=False)

    def _page(self, number: int, handlers: Handlers) -> Callable[[], Awaitable[object]]:
        session, _ = self._people.askers[number]

        async def ask() -> None:
            page = Page(self._url, handlers, number, session, self.confirmed)
            async with page.there(), self._client(session) as client:
                await page.chat(QUESTION.format(self._mark(number)))
                for path in PATHS[:2]:
                    self.confirmed.seen(number, (await client.get(path)).text)

        return ask

    def _annotator(self, number: int) -> Callable[[], Awaitable[object]]:
        session, desk = self._people.annotators[number], Desk(self._store)

        async def judge() -> None:
            async with self._client(session) as client:
                task = (await client.post("/annotate/api/next", json={})).raise_for_status().json()["task"]
                item = task["item"]["id"]
                labels = to_json(default_labels(await asyncio.to_thread(desk.item, item)))
                for one in labels["knowledge_items"]:
                    one |= {"support": "complete", "missing": False}
                for one in labels["marks"]:
                    one["place"] = "right"
                body = {"labels": labels, "version": task["version"], "seconds": 1}
                said = await client.post(f"/annotate/api/items/{item}/submit", json=body)
                self.confirmed.seen(NOBODY, said.raise_for_status().text)
                self.confirmed.labels.add((f"annotator{number}", item, task["version"] + 1))

        return judge

    def _uploader(self, number: int) -> Callable[[], Awaitable[object]]:
        session, collection = self._people.askers[number]

        async def upload() -> None:
            mark = self._mark(number)
            text = f"The shed opens with {mark}. It stands behind the house.".encode()
            async with self._client(session) as client:
                said = await client.post(f"/uploads/{collection}", params={"name": f"{mark}.txt"}, content=text)
                self.confirmed.seen(number, said.raise_for_status().text)
                sha256 = hashlib.sha256(text).hexdigest()
                self.confirmed.uploads.add((f"person{number}", f"{mark}.txt", sha256))

        return upload


def lost(store: Database, confirmed: Confirmed) -> dict[str, int]:
    """Count what was confirmed and is not there."""
    asked = store.rows(
        "SELECT c.owner, t.question, t.status FROM turns t JOIN conversations c ON c.id = t.conversation"
    )
    turns = {(owner, match[0]) for owner, text, status in asked if status and (match := MARK.search(text))}
    labels = {(entry.annotator, entry.item, entry.version) for entry in history.history(store)}
    rows = store.rows("SELECT c.owner, d.name, d.sha256 FROM documents d JOIN collections c ON c.id = d.collection")
    originals = Files(store).original
    there = [row for row in rows if originals(row[2]).is_file()]
    files = {row for row in there if hashlib.sha256(originals(row[2]).read_bytes()).hexdigest() == row[2]}
    return {
        "turns": len(confirmed.turns - turns),
        "labels": len(confirmed.labels - labels),
        "uploads": len(confirmed.uploads - files),
    }


def has_failed(gone: dict[str, int], confirmed: Confirmed, sizes: Sizes) -> bool:
    """Return whether anything was lost, foreign or at fault, or nothing was confirmed of a kind that was asked for."""
    found = confirmed.turns, confirmed.labels, confirmed.uploads
    is_idle = any(number and not of for number, of in zip(sizes[:3], found, strict=True))
    return bool(any(gone.values()) or confirmed.foreign or confirmed.faults or is_idle)


@click.command(help=__doc__.partition("\n")[0])
@click.option("--seconds", default=180.0, show_default=True, help="How long the load lasts.")
@click.option("--pages", default=200, show_default=True, help="Pages that ask and follow.")
@click.option("--annotators", default=20, show_default=True, help="Annotators who judge replies.")
@click.option("--uploads", default=50, show_default=True, help="Uploads at a time.")
def main(seconds: float, pages: int, annotators: int, uploads: int) -> None:
    """Put the load on the server, and print what was lost, what was foreign, and what Eve waited for."""
    sizes = Sizes(pages, annotators, uploads, seconds)
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    spawn.Process(target=model, args=(theirs,), daemon=True).start()
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(1, spawn) as pool:
        store = Database(fresh(Path(folder)) / DATABASE)
        people = prepared(store, sizes)
        with served(Path(folder), ours.recv()) as (port, process):
            load = Load(port, people, sizes, store, pool)
            asyncio.run(load.first())
            begin, quiet = Memory.of(process), asyncio.run(load.eve(min(seconds / 4, 20)))
            busy = asyncio.run(load.everybody())
            end = Memory.of(process)
        confirmed = load.confirmed
        gone, damage = lost(store, confirmed), list(verify.verify(store))
        store.close()
    known = {"turns": confirmed.turns, "labels": confirmed.labels, "uploads": confirmed.uploads}
    click.echo("lost: " + ", ".join(f"{gone[what]} of {len(found)} {what}" for what, found in known.items()))
    click.echo(f"foreign: {len(confirmed.foreign)} in {confirmed.answers:,} answers; faults in the log: {len(damage)}")
    for what, paths in (("lists", PATHS[:2]), ("source", PATHS[2:3]), ("sign-in", (SIGN_IN,))):
        before, after = (p95([one for path in paths for one in found[path]]) for found in (quiet, busy))
        click.echo(f"{what}: p95 {before:.3f} s quiet, {after:.3f} s under load ({after / before:.1f} x)")
    click.echo(f"memory: {begin} at the begin, {end} at the end; machine: load {psutil.getloadavg()[0]:.1f}")
    for fault, times in confirmed.faults.items():
        click.echo(f"  {times} x {fault}")
    sys.exit(bool(damage) or has_failed(gone, confirmed, sizes))


if __name__ == "__main__":
    main()
