"""What a third person waits for while two others attack the server: open uploads, half requests, pages hard to draw.

    python -m lab.benchmarks.attacks [--uploads 200] [--half 200] [--pictures 100]

The server is a process of its own, the real page with users, sessions, documents and a database, without a model. Ann
and Bob attack; Eve asks for her lists and her source, one after the other: first while all is quiet, then during each
attack, then during all of them at once.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import click
import httpx

from lab.benchmarks.chats import p95
from storage.collections import access as collections
from storage.collections import documents
from storage.collections.files import Files
from storage.database import Database
from storage.people import tokens, users
from tests.support.browser import free_port

PEOPLE, PASSWORD = ("ann", "bob", "eve"), "correct horse"
SIGN_IN = "/sign-in"
PATHS = ("/conversations", "/collections", "/documents/{document}/original", SIGN_IN)
"""Eve's lists, her source, and the page that health checks ask."""
SIGN_INS = 5
LONGEST = 10.0
"""Seconds after which a request of Eve's counts as lost."""


def hard_to_draw(curves: int = 60_000) -> bytes:
    """Return a PDF of one page with so many wide, dashed curves over one another."""
    import zlib

    content = zlib.compress(b"20 w [1 1] 0 d\n" + b"0 0 m 900 10 10 900 600 800 c S\n" * curves)
    bodies = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content),
    )
    pdf, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, 1):
        offsets.append(len(pdf))
        pdf += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return pdf + b"xref\n0 5\n0000000000 65535 f \n%strailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (
        table,
        len(pdf),
    )


def add_people(store: Database) -> list[str]:
    """Add the people with a session and a document each; return the line that ``Person`` reads of each."""
    files, told = Files(store), []
    for name in PEOPLE:
        users.add(store, users.new(name, "chat", PASSWORD))
        into = collections.create(store, name, "notes")
        stored = files.put([hard_to_draw()])
        document, _ = documents.submit(store, files, into.id, "page.pdf", stored)
        with store.writing() as db:  # read without its text, which is not what is measured
            db.execute("UPDATE documents SET state = 'ready', type = 'pdf', pages = 1 WHERE id = ?", [document.id])
        told.append(f"{tokens.issue(store, name, 'session')} {into.id} {document.id}")
    return told


def serve(folder: str, port: int) -> None:
    """The page with its documents until the process ends."""
    from assistant import Assistant
    from searchain.settings import Settings
    from ui.page.app import build
    from ui.page.app import serve as serve_page
    from ui.page.own_documents import Library
    from ui.server.access import Access, Who

    store = Database(Path(folder) / "attacks.db")
    (Path(folder) / "people").write_text("\n".join(add_people(store)))
    assistant, access = Assistant(store, None, Settings()), Access(Who.USERS, store)
    library = Library(store, assistant, access)
    serve_page(build(assistant, about="benchmark", access=access, library=library), host="127.0.0.1", port=port)
    time.sleep(3600)


class Person:
    """A signed-in person of the benchmark's server."""

    def __init__(self, port: int, told: str) -> None:
        session, self.collection, self.document = told.split()
        self.port, self.cookie = port, f"searchain_session={session}"

    async def send(self, head: str, body: bytes = b"", *, is_whole: bool = True) -> bytes:
        """Send one request as it stands, and return what comes back until the server closes or the task is ended."""
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                end = f"Host: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n" + ("\r\n" if is_whole else "")
                writer.write(f"{head}\r\n{end}".encode() + body)
                return await reader.read(65_536)
            finally:
                writer.close()
        return b""

    async def upload(self) -> bytes:
        """Begin an upload that never ends."""
        head = f"POST /uploads/{self.collection}?name=a.txt HTTP/1.1\r\nx-searchain: upload\r\nContent-Length: 1000"
        return await self.send(head, b"Begin")

    async def half(self) -> bytes:
        """Send half of a request's headers."""
        return await self.send("GET / HTTP/1.1", is_whole=False)

    async def picture(self) -> bytes:
        """Ask for the page that is hard to draw."""
        return await self.send(f"GET /documents/{self.document}/pages/1 HTTP/1.1")


@contextmanager
def served() -> Iterator[list[Person]]:
    """Serve in a process of its own."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder, port), daemon=True)
        process.start()
        try:
            while True:
                with suppress(httpx.TransportError):
                    httpx.get(f"http://127.0.0.1:{port}/sign-in", trust_env=False, timeout=60)
                    break
                if not process.is_alive():
                    raise click.ClickException("the server ended before it answered")
                time.sleep(0.2)
            yield [Person(port, told) for told in (Path(folder) / "people").read_text().splitlines()]
        finally:
            process.kill()
            process.join()


async def waits(
    eve: Person, seconds: float, form: dict[str, str] | None = None, seen: Callable[[str], object] = len
) -> tuple[dict[str, list[float]], int]:
    """Ask for Eve's lists and source for so long; return each path's seconds, and how many requests had no answer.

    With a ``form`` she also signs in with it, in one round of ``SIGN_INS``, where she else asks for the page. ``seen``
    gets the text of each answer.
    """
    found, lost, until = {path: list[float]() for path in PATHS}, 0, time.monotonic() + seconds
    headers = {"cookie": eve.cookie}
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{eve.port}", headers=headers, timeout=LONGEST, trust_env=False
    ) as client:
        for rounds in count():
            if time.monotonic() > until:
                break
            for path in PATHS if not form or rounds % SIGN_INS == 0 else PATHS[:-1]:
                begun = time.monotonic()
                try:
                    if form and path == SIGN_IN:
                        answer = await client.post(path, data=form)
                    else:
                        answer = await client.get(path.format(document=eve.document))
                    lost += answer.status_code >= 400
                    seen(answer.text)
                except httpx.HTTPError:
                    lost += 1
                found[path].append(time.monotonic() - begun)
                await asyncio.sleep(0.02)
    return found, lost


async def during(people: list[Person], attacks: dict[str, int], seconds: float) -> tuple[dict[str, list[float]], int]:
    """Return ``waits`` while the attacks go on, by Ann and Bob in turn."""
    *attackers, eve = people
    tasks = [
        asyncio.create_task(getattr(attackers[number % len(attackers)], name)())
        for name, times in attacks.items()
        for number in range(times)
    ]
    await asyncio.sleep(2)
    try:
        return await waits(eve, seconds)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@click.command(help=__doc__.partition("\n")[0])
@click.option("--uploads", default=200, show_default=True, help="Uploads that never end.")
@click.option("--half", default=200, show_default=True, help="Requests without the end of their headers.")
@click.option("--pictures", default=100, show_default=True, help="Requests for a page that is hard to draw.")
@click.option("--seconds", default=15.0, show_default=True, help="How long each row is measured.")
def main(uploads: int, half: int, pictures: int, seconds: float) -> None:
    """Attack, and print what the third person waited for."""
    every = {"upload": uploads, "half": half, "picture": pictures}
    rows: dict[str, dict[str, int]] = {"quiet": {}, **{name: {name: times} for name, times in every.items()}}
    quiet = 0.0
    for name, attacks in (rows | {"all at once": every}).items():
        with served() as people:  # each row with a server of its own: what one attack leaves is not the next one's
            paths, lost = asyncio.run(during(people, attacks, seconds))
        found = [one for seconds_of in paths.values() for one in seconds_of]
        quiet = quiet or p95(found)
        click.echo(
            f"{name}: {len(found)} requests, {lost} without an answer, p50 {statistics.median(found):.3f} s, "
            f"p95 {p95(found):.3f} s ({p95(found) / quiet:.1f} x quiet)"
        )


if __name__ == "__main__":
    main()
