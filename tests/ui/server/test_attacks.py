"""Attacks on the server over real sockets: what one person sends stops nobody else, and is refused in a sentence."""

import json
import os
import socket
import time
from collections.abc import Iterator

import psutil
import pytest

from lab.benchmarks.attacks import hard_to_draw
from storage.collections import access as collections
from storage.collections import documents
from storage.collections.files import Files
from storage.people import tokens
from tests.support.served_page import ServedPage, served_page
from tests.support.waiting import until
from ui.server import connections, receiving
from ui.server.access import Who

MANY = 45
"""More than the threads that all routes share."""
SOON = 2.0


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(receiving, "GRACE", 1.5)
        monkeypatch.setattr(connections, "HEADER_SECONDS", 1.0)
        folder, people = tmp_path_factory.mktemp("attacked"), {"ann": "admin", "bob": "admin"}
        with served_page(folder, Who.USERS, people=people, library=True, api=True) as served:
            yield served


def opened(site: ServedPage, head: str, body: bytes = b"", *, end: str = "\r\n\r\n") -> socket.socket:
    """Send one request of ann's as it stands."""
    connection = socket.create_connection(("127.0.0.1", site.port), timeout=20)
    cookie, token = site.session("ann")["Cookie"], tokens.issue(site.store, "ann")
    lines = (head, "Host: localhost", f"Cookie: {cookie}", f"Authorization: Bearer {token}")
    connection.sendall("\r\n".join(lines).encode() + end.encode() + body)
    return connection


def status(connection: socket.socket) -> int:
    return int(connection.recv(65_536).split()[1])


def answered_soon(site: ServedPage) -> bool:
    """Return whether another person's list comes soon."""
    begun = time.monotonic()
    found = site.request("/conversations", **site.session("bob"))[0]
    return found == 200 and time.monotonic() - begun < SOON


PATHS = "uploads/x?name=a.txt v1/chat/completions gradio_api/queue/join collections sign-in annotate/import".split()


@pytest.mark.parametrize("path", PATHS)
def test_bodies_that_never_end_stop_nobody(site: ServedPage, path: str):
    is_upload = path.startswith("uploads")
    head = f"POST /{path} HTTP/1.1\r\nContent-Length: 1000" + ("\r\nx-searchain: upload" if is_upload else "")
    begun = [opened(site, head, b"Begin") for _ in range(MANY)]
    assert answered_soon(site)
    assert {status(one) for one in begun} == ({408, 429} if is_upload else {408})
    assert answered_soon(site)


def test_headers_that_never_end_gradios_reloading_and_bodies_too_long_are_refused(site: ServedPage):
    half = [opened(site, "GET / HTTP/1.1", end="\r\n") for _ in range(MANY)]
    assert answered_soon(site)
    assert {status(one) for one in half} == {408}
    assert all(one.recv(1) == b"" for one in half)
    assert 64 <= connections.limits()["limit_concurrency"] <= 2_000
    assert site.request("/gradio_api/dev/reload", **site.session("ann"))[0] == 404
    head = "POST /collections HTTP/1.1\r\nTransfer-Encoding: chunked"
    assert status(opened(site, head, b"f4245\r\n" + b"x" * 1_000_005 + b"\r\n")) == 413


def hostile_page(site: ServedPage, owner: str) -> str:
    """Add a page that takes longer to draw than is allowed; return its path."""
    files, into = Files(site.store), collections.create(site.store, owner, "hostile")
    document, _ = documents.submit(site.store, files, into.id, "page.pdf", files.put([hard_to_draw()]))
    site.store.write("UPDATE documents SET state = 'ready', type = 'pdf', pages = 1 WHERE id = ?", [document.id])
    return f"/documents/{document.id}/pages/1"


def viewers() -> list[psutil.Process]:
    """Return the processes that have a file open to draw it: forks of those that wait for files."""
    waiting = [one for one in psutil.Process(os.getpid()).children() if "serve()" in " ".join(one.cmdline())]
    return [fork for one in waiting for fork in one.children()]


def test_a_page_that_is_hard_to_draw_stops_nobody_and_its_children_go_with_who_asked(site: ServedPage):
    page = hostile_page(site, "ann")
    asked = [opened(site, f"GET {page} HTTP/1.1") for _ in range(MANY)]
    assert answered_soon(site)
    refused = asked.pop().recv(65_536)
    assert refused.split()[1] == b"503"
    assert b"retry-after: 5" in refused.lower()
    assert until(lambda: len(viewers()) == 2)
    for one in asked:
        one.close()
    assert until(lambda: viewers() == [], 3)

    begun = time.monotonic()
    assert site.request(page, **site.session("ann"))[0] == 404
    assert time.monotonic() - begun < 8
    begun = time.monotonic()
    assert site.request(page, **site.session("ann"))[0] == 404  # that it failed is remembered
    assert time.monotonic() - begun < 1


def test_only_so_many_pages_of_one_person_stay_connected(site: ServedPage):
    pages = [opened(site, f"GET /gradio_api/heartbeat/page{number} HTTP/1.1") for number in range(260)]
    assert [status(one) for one in pages[:2]] == [200, 200]
    assert [status(one) for one in pages[250:]].count(429) >= 8  # a slow server may have closed one or two by then
    for one in pages:
        one.close()
    assert site.request("/conversations", **site.session("bob"))[0] == 200


def test_a_session_belongs_to_who_opened_it(site: ServedPage):
    anns = site.session("ann")
    config = json.loads(site.request("/config", **anns)[2])
    event = next(one for one in config["dependencies"] if any(name == "load" for _, name in one["targets"]))
    body = {"fn_index": event["id"], "data": [], "session_hash": "known"}
    join, data = "/gradio_api/queue/join", "/gradio_api/queue/data?session_hash=known"
    assert site.request(join, body=body, Content_Type="application/json", **anns)[0] == 200
    cancel = {"session_hash": "known", "fn_index": 0, "event_id": "x"}
    tried = ((data, None), ("/gradio_api/heartbeat/known", None), (join, body), ("/gradio_api/cancel", cancel))
    for path, sent in tried:
        assert site.request(path, body=sent, Content_Type="application/json", **site.session("bob"))[0] == 404
    assert site.request(data, **anns)[0] == 200
