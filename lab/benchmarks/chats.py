"""How the page holds up: many chats at once in one process, its loading, and how fast stop reaches the model.

    python -m lab.benchmarks.chats [--chats 100]

The server is a process of its own: the real page, Assistant and database over runs that are played at a set pace, 30
events at 10 a second; the questions come within two seconds, and once more all at one instant. The client speaks the
page's protocol over real connections, on the same machine. Stretch is the time from question to end over the 2.9 s that
the telling takes. The server's processor seconds tell what is its own work and what the machine's other load: one
process has one core's worth of Python.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import click
import httpx
import psutil

from lab.scripted.server import Reply, ScriptedServer
from searchain.cancel import CancelToken
from searchain.events import ChainDelta, Event
from searchain.settings import Settings
from searchain.types import Exchange
from tests.support.browser import chromium, free_port
from tests.support.stories import nintendo

EVENTS, PER_SECOND = 30, 10
TOLD = (EVENTS - 1) / PER_SECOND
"""Seconds from the first event to the last."""
WITHIN = 2.0
"""Seconds in which the questions are asked: shorter than a run, so that all run at the same time."""
LIMITS = {"first": 0.5, "stretch": 1.25, "load": 1.5, "stop": 0.5}


class Paced:
    """Tells a run of ``EVENTS`` events at their times, however late the one before was."""

    def __call__(self, settings: Settings, index: str) -> Paced:
        return self

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        told = list(nintendo(question))
        for delta in [event for event in told if isinstance(event, ChainDelta)][: len(told) - EVENTS]:
            told.remove(delta)
        begun = time.monotonic()
        for number, event in enumerate(told):
            time.sleep(max(0.0, begun + number / PER_SECOND - time.monotonic()))
            yield event


def serve(folder: str, port: int, model: str | None = None) -> None:
    """The page until the process ends; ``model`` is the address of a language model instead of played runs."""
    from assistant import Assistant, open_assistant
    from storage.database import Database
    from ui.page.app import build
    from ui.page.app import serve as serve_page

    path = Path(folder) / "chats.db"
    assistant = (
        Assistant(Database(path), Paced(), Settings())
        if model is None
        else open_assistant(db=path, model="scripted", base_url=model, careful="off")
    )
    serve_page(build(assistant, about="benchmark"), host="127.0.0.1", port=port)
    time.sleep(3600)


@contextmanager
def served(*args: str, serve: Callable[..., None] = serve) -> Iterator[tuple[str, psutil.Process]]:
    """The page's address, and its process: ``serve`` in it gets a folder, a port and ``args``."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder, port, *args), daemon=True)
        process.start()
        url = f"http://127.0.0.1:{port}/"
        try:
            while True:
                try:
                    httpx.get(f"{url}config", trust_env=False, timeout=30)
                    break
                except httpx.TransportError:
                    if not process.is_alive():
                        raise click.ClickException("the server ended before it answered") from None
                    time.sleep(0.1)
            yield url, psutil.Process(process.pid)
        finally:
            process.kill()
            process.join()


@dataclass(frozen=True, slots=True)
class Handlers:
    """The page's events that are used here: their numbers, and values for their inputs."""

    ask: tuple[int, list]
    stop: tuple[int, list]
    load: tuple[int, list]
    """What a browser sends when it has loaded the page."""

    @classmethod
    def of(cls, url: str, cookie: str = "") -> Handlers:
        config = httpx.get(f"{url}config", headers={"cookie": cookie}, trust_env=False, timeout=60).json()
        parts = {part["id"]: part for part in config["components"]}

        def event(kind: str, id: str | None) -> tuple[int, list]:
            found = next(
                event
                for event in config["dependencies"]
                for part, name in event["targets"]
                if name == kind and (id is None or parts[part]["props"].get("elem_id") == id)
            )
            return found["id"], ["" if parts[part]["type"] == "textbox" else None for part in found["inputs"]]

        return cls(event("click", "ask"), event("click", "stop"), event("load", None))


@dataclass(frozen=True, slots=True)
class Timed:
    """One chat, in seconds from its question."""

    first: float
    """Until the first event of the run was shown."""
    whole: float


class Session:
    """One browser's connection to the page: plain enough to cost next to nothing beside the server."""

    def __init__(self, url: str, handlers: Handlers, cookie: str = "") -> None:
        self._host, self._handlers, self._cookie = urlsplit(url).netloc, handlers, cookie
        self.id = uuid.uuid4().hex

    @property
    def _headers(self) -> str:
        return f"Host: {self._host}\r\n" + (f"Cookie: {self._cookie}\r\n" if self._cookie else "")

    async def send(self, event: tuple[int, list], *first: str, path: str = "queue/join") -> None:
        """Let the page's event happen, with ``first`` as its first inputs."""
        number, inputs = event
        body = json.dumps({"fn_index": number, "data": [*first, *inputs[len(first) :]], "session_hash": self.id})
        answer = b"".join([line async for line in self._lines("POST", path, body)])
        if b" 200 " not in answer:
            raise click.ClickException(f"the page refused an event: {answer[:200]!r}")

    async def messages(self) -> AsyncIterator[str]:
        """The kinds of the page's messages until its events are over."""
        async for line in self._lines("GET", f"queue/data?session_hash={self.id}"):
            if line.startswith(b"data:"):
                kind = json.loads(line[5:])["msg"]
                yield kind
                if kind == "close_stream":
                    return

    @asynccontextmanager
    async def there(self) -> AsyncIterator[None]:
        """A block in which the browser is open. The page forgets whoever closes it."""
        reader, writer = await asyncio.open_connection(*self._host.split(":"))
        writer.write(f"GET /gradio_api/heartbeat/{self.id} HTTP/1.1\r\n{self._headers}\r\n".encode())
        await reader.readline()
        try:
            yield
        finally:
            writer.close()

    async def open(self) -> None:
        await self.send(self._handlers.load)
        async for _ in self.messages():
            pass

    async def chat(self, question: str) -> Timed:
        """Ask and read the page's updates to the end."""
        begun, first = time.perf_counter(), None
        await self.send(self._handlers.ask, question)
        async for message in self.messages():
            if message == "process_generating" and first is None:
                first = time.perf_counter() - begun  # before half a second no picture comes without an event
            elif message == "process_completed":
                return Timed(first, time.perf_counter() - begun)
        raise click.ClickException("the page’s server broke a chat off")

    async def _lines(self, method: str, path: str, body: str = "") -> AsyncIterator[bytes]:
        """The lines of the answer, headers and lengths of chunks among them."""
        reader, writer = await asyncio.open_connection(*self._host.split(":"), limit=1 << 24)
        writer.write(
            f"{method} /gradio_api/{path} HTTP/1.1\r\n{self._headers}Connection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )
        try:
            while line := await reader.readline():
                yield line
        finally:
            writer.close()


@dataclass(frozen=True, slots=True)
class Crowd:
    """Many chats at once."""

    times: list[Timed]
    processor: float
    """Seconds that the server worked on them."""
    wall: float

    @property
    def firsts(self) -> list[float]:
        return [one.first for one in self.times]

    @property
    def stretches(self) -> list[float]:
        return [one.whole / TOLD for one in self.times]


async def crowd(url: str, process: psutil.Process, number: int, within: float) -> Crowd:
    """So many chats at once, their questions asked evenly over ``within`` seconds, in sessions that are open
    already, as they are where people sit before the page."""
    handlers = Handlers.of(url)
    sessions = [Session(url, handlers) for _ in range(number)]
    for session in sessions:
        await session.open()
    begun, worked = time.perf_counter(), spent(process)

    async def chat(n: int, session: Session) -> Timed:
        await asyncio.sleep(n * within / number)
        return await session.chat(f"Question {n}?")

    times = await asyncio.gather(*(chat(n, session) for n, session in enumerate(sessions)))
    return Crowd(times, spent(process) - worked, time.perf_counter() - begun)


def spent(process: psutil.Process) -> float:
    """The processor seconds of the process so far."""
    return sum(process.cpu_times()[:2])


def loads(url: str, times: int) -> list[float]:
    """Seconds from an address to a page that takes a question, each in a fresh browser context."""
    loaded = []
    with chromium() as browser:
        for _ in range(times + 1):
            context = browser.new_context()
            page = context.new_page()
            begun = time.perf_counter()
            page.goto(url, wait_until="commit")
            page.wait_for_selector("#reasoning[data-state]")
            page.fill("#question textarea", "Is it usable?")
            loaded.append(time.perf_counter() - begun)
            context.close()
    return loaded[1:]  # the first one waits for the browser, too


async def stopped(url: str, model: ScriptedServer) -> float:
    """Seconds from a click on Stop until the model's server sees that nobody listens any more."""
    handlers, asked = Handlers.of(url), len(model.requests)
    session = Session(url, handlers)
    await session.send(handlers.ask, "What is told for long?")
    async for _ in session.messages():
        if len(model.requests) > asked and model.requests[-1].tokens_sent >= 20:
            break
    clicked = time.monotonic()
    await session.send(handlers.stop, path="run/predict")  # as the page does: it is not queued
    while model.requests[-1].disconnected is None:
        await asyncio.sleep(0.01)
    return model.requests[-1].disconnected - clicked


@click.command(help=__doc__.partition("\n")[0])
@click.option("--chats", "number", default=100, show_default=True, help="Chats at once.")
@click.option("--repeat", default=5, show_default=True, help="Loads of the page, and stops.")
def main(number: int, repeat: int) -> None:
    with served() as (url, process):
        loaded = loads(url, repeat)
        idle = process.memory_info().rss
        spread, burst = (asyncio.run(crowd(url, process, number, within)) for within in (WITHIN, 0.0))
        busy = process.memory_info().rss
    with (
        ScriptedServer(
            script=[Reply(text="[Query 1]: What is told for long? " * 500, repeats=True)], tokens_per_second=30
        ) as model,
        served(model.base_url) as (url, _),
    ):
        stops = [asyncio.run(stopped(url, model)) for _ in range(repeat)]
    click.echo(f"{'':52}{'p50':>8}{'p95':>8}{'limit':>8}")
    for what, values, limit in (
        (f"{number} chats, asked within {WITHIN:.0f} s: first event, s", spread.firsts, f"{LIMITS['first']}"),
        ("  stretch of the whole", spread.stretches, f"{LIMITS['stretch']}"),
        (f"{number} chats, asked at one instant: first event, s", burst.firsts, ""),
        ("  stretch of the whole", burst.stretches, ""),
        ("page from address to usable, s", loaded, f"{LIMITS['load']}"),
        ("stop until the model’s server is left, s", stops, f"{LIMITS['stop']}"),
    ):
        click.echo(f"{what:<52}{statistics.median(values):>8.2f}{p95(values):>8.2f}{limit:>8}")
    each = 1000 * spread.processor / number / EVENTS
    click.echo(
        f"server: {spread.processor:.1f} s of processor in {spread.wall:.1f} s, "
        f"{each:.1f} ms an event; memory {idle / 1e6:.0f} MB idle, {busy / 1e6:.0f} MB after; machine: load "
        f"{psutil.getloadavg()[0]:.1f} on {psutil.cpu_count()} cores"
    )


def p95(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


if __name__ == "__main__":
    main()
