"""Many streams of ``/v1`` at once in one process: whether all are answered, how soon each hears of it, at what cost.

    python -m lab.benchmarks.streams [--streams 200] [--toy]

The server is a process of its own: the real page with its API, Assistant and database. The language model is a scripted
server in another process; index, Reader and stance are the embedded ones, with ``--toy`` toys that take ``--work``
milliseconds of a processor for each search. The careful model is off, which reads one reply at a time. All questions
are asked at one instant, after a sample was asked one by one, which gives the serial sum. The order of the questions in
the database is compared with that of their first searches.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import multiprocessing
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import httpx
import psutil

from lab.benchmarks.chats import p95
from lab.scripted.server import Reply, ScriptedServer
from searchain.llm.openai import OpenAIModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from storage.database import Database
from tests.support.behaviours import Cautious, written
from tests.support.browser import free_port
from tests.support.fakes import QUESTION, KnowingReader, WordRetriever

SERIAL = 20
"""Questions that are asked one by one."""
REPLIED = ("answered", "partial")
LIMITS = {"first": 2.0, "total": 1.1}


class BusyRetriever(WordRetriever):
    """Toy search that takes a processor for ``work`` seconds and leaves Python to others, as a real one does."""

    work = 0.0
    _block = bytes(1_000_000)

    def search(self, query: str, k: int):
        until = time.thread_time() + self.work
        while time.thread_time() < until:
            hashlib.sha256(self._block)
        return super().search(query, k)


def model(pipe: Any) -> None:
    """The scripted model until the process ends."""
    with ScriptedServer(script=[Reply(written, repeats=True)], tokens_per_second=200) as server:
        pipe.send(server.base_url)
        time.sleep(3600)


def serve(folder: str, port: int, base_url: str, work: float | None) -> None:
    """The page and its API until the process ends; ``work`` are a toy search's seconds, ``None`` the real parts."""
    from assistant import Assistant, open_assistant
    from storage.people import tokens
    from storage.people.users import LOCAL
    from ui.api.openai_routes import Api
    from ui.page.app import build
    from ui.page.app import serve as serve_page
    from ui.server.access import Access

    store = Database(Path(folder) / "streams.db")
    if work is None:
        assistant = open_assistant(db=store.path, model="scripted", base_url=base_url, careful="off")
        assistant.prepare()
    else:
        searching = BusyRetriever()
        searching.work = work
        made = partial(
            SearChain,
            model=OpenAIModel("scripted", base_url),
            retriever=searching,
            reader=KnowingReader(),
            probability=Cautious(),
        )
        assistant = Assistant(store, lambda settings, index: made(settings=settings), Settings())
    access = Access(store=store)
    (Path(folder) / "token").write_text(tokens.issue(store, LOCAL))
    page = build(assistant, about="benchmark", access=access, others=(Api(assistant, access),))
    serve_page(page, host="127.0.0.1", port=port)
    gc.collect()
    gc.freeze()  # as the command `chat` does
    time.sleep(3600)


@contextmanager
def served(work: float | None) -> Iterator[tuple[str, str, Path, psutil.Process]]:
    """The API's address, a token, the folder of the database, and the server's process."""
    spawn, port = multiprocessing.get_context("spawn"), free_port()
    ours, theirs = spawn.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        first = spawn.Process(target=model, args=(theirs,), daemon=True)
        first.start()
        second = spawn.Process(target=serve, args=(folder, port, ours.recv(), work), daemon=True)
        second.start()
        try:
            url = f"http://127.0.0.1:{port}"
            while True:
                try:
                    httpx.get(f"{url}/config", trust_env=False, timeout=60)
                    break
                except httpx.TransportError:
                    if not second.is_alive():
                        raise click.ClickException("the server ended before it answered") from None
                    time.sleep(0.2)
            yield url, (Path(folder) / "token").read_text(), Path(folder), psutil.Process(second.pid)
        finally:
            for process in (second, first):
                process.kill()
                process.join()


@dataclass(frozen=True, slots=True)
class Heard:
    """One stream, in seconds from its question."""

    first: float
    """Until its first line: the role, or how many wait before it."""
    whole: float
    status: str
    """How the run ended; the real parts may well be not sure of a scripted plan."""
    fault: str
    """``""`` where there is a reply."""


async def ask(client: httpx.AsyncClient) -> Heard:
    """Ask, and read the stream to its end."""
    begun, first, last, fault = time.perf_counter(), 0.0, "", ""
    body = {"model": "searchain", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    try:
        async with client.stream("POST", "/v1/chat/completions", json=body) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data:"):
                    first = first or time.perf_counter() - begun
                    last = line if "searchain" in line and "final_answer" in line else last
                    fault = fault or (line if '"error"' in line else "")
    except httpx.HTTPError as error:
        fault = f"{type(error).__name__}: {error}"
    told = json.loads(last[5:])["searchain"] if last else {}
    status = str(told.get("status"))
    if not fault and status not in REPLIED:
        fault = f"{status}: {told.get('message')}"
    return Heard(first, time.perf_counter() - begun, status, fault)


def out_of_order(path: Path) -> tuple[int, int]:
    """How many places the first search of a question was from that of its turn, at most; and how many questions."""
    store = Database(path, read_only=True)
    with store.reading() as db:
        asked = [row[0] for row in db.execute("SELECT id FROM turns ORDER BY number")]
        searched = [
            row[0]
            for row in db.execute("SELECT turn FROM events WHERE type = 'searched' GROUP BY turn ORDER BY min(rowid)")
        ]
    store.close()
    place = {turn: number for number, turn in enumerate(asked)}
    return max((abs(place[turn] - number) for number, turn in enumerate(searched)), default=0), len(searched)


async def measure(url: str, token: str, number: int) -> tuple[list[float], list[Heard], float]:
    """Seconds of questions asked one by one; what the streams heard; seconds until all had ended."""
    async with httpx.AsyncClient(
        base_url=url,
        headers={"authorization": f"Bearer {token}"},
        timeout=900,
        limits=httpx.Limits(max_connections=None),
        trust_env=False,
    ) as client:
        await ask(client)
        alone = [(await ask(client)).whole for _ in range(min(SERIAL, number))]
        begun = time.perf_counter()
        heard = await asyncio.gather(*(ask(client) for _ in range(number)))
        return alone, heard, time.perf_counter() - begun


@click.command(help=__doc__.partition("\n")[0])
@click.option("--streams", "number", default=200, show_default=True, help="Streams at once.")
@click.option("--toy", is_flag=True, help="With a toy index and a toy Reader.")
@click.option("--work", default=20.0, show_default=True, help="Milliseconds of a processor for each toy search.")
def main(number: int, toy: bool, work: float) -> None:
    """Ask everything at once and print the figures."""
    with served(work / 1000 if toy else None) as (url, token, folder, process):
        idle = process.memory_info().rss
        alone, heard, seconds = asyncio.run(measure(url, token, number))
        busy = process.memory_info().rss
        places, searched = out_of_order(folder / "streams.db")
    faults = [one.fault for one in heard if one.fault]
    for fault in dict.fromkeys(faults):
        click.echo(f"  {fault}")
    firsts, serial = [one.first for one in heard], statistics.mean(alone) * number
    endings = ", ".join(f"{count} {status}" for status, count in Counter(one.status for one in heard).items())
    click.echo(f"{number - len(faults)} of {number} have a reply ({endings}) · {searched} questions searched")
    click.echo(
        f"first line: p50 {statistics.median(firsts):.2f} s, p95 {p95(firsts):.2f} s (limit {LIMITS['first']} s)"
    )
    click.echo(f"whole: p50 {statistics.median(one.whole for one in heard):.1f} s, last {seconds:.1f} s")
    click.echo(
        f"serial sum {serial:.1f} s ({statistics.mean(alone):.2f} s a question): the total is "
        f"{seconds / serial:.2f} of it (limit {LIMITS['total']})"
    )
    click.echo(f"first searches: at most {places} places from the order of asking")
    click.echo(f"memory {idle / 1e6:.0f} → {busy / 1e6:.0f} MB; machine: load {psutil.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
