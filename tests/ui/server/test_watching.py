"""Windows that show runs and replays: how many there may be, and that each is its own. Real requests over sockets."""

from __future__ import annotations

import hashlib
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant import Assistant
from searchain.settings import Settings
from storage.database import Database
from storage.people import tokens, users
from tests.support.browser import free_port
from tests.support.story_runs import StoryPlayer, store_run
from ui.page.app import build, serve
from ui.server.access import SESSION, VISITOR, Access, Who

MOST = 8
REFUSED = "show runs, and no more are allowed at once;"


def owner_of(letter: str) -> str:
    """The owner whose cookie is the letter, thirty-two times."""
    return f"visitor:{hashlib.sha256((letter * 32).encode()).hexdigest()}"


class Window:
    """A page of the site in a browser with this cookie, as far as it speaks with the server."""

    def __init__(self, site: Site, cookie: str) -> None:
        self.site, self.cookie, self.session = site, cookie, f"{time.monotonic_ns()}"
        self.said: list[dict] = []
        self.stream: http.client.HTTPResponse | None = None

    def post(self, event: str, path: str, query: str = "", data: tuple = ()) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=30)
        body = {"fn_index": self.site.events[event], "data": list(data), "session_hash": self.session}
        connection.request(
            "POST",
            f"/gradio_api/{path}{query}",
            json.dumps(body),
            {"Cookie": self.cookie, "Content-Type": "application/json"},
        )
        assert connection.getresponse().status == 200

    def begin(self, event: str, query: str = "", inputs: int = 0) -> Window:
        """Let ``event`` happen, and listen until something is shown."""
        self.post(event, "queue/join", query, (None,) * inputs)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        self.connection.request(
            "GET", f"/gradio_api/queue/data?session_hash={self.session}", headers={"Cookie": self.cookie}
        )
        self.stream, self.said = self.connection.getresponse(), []
        return self.until(lambda: self.said and self.said[-1]["msg"] in ("process_generating", "process_completed"))

    def until(self, is_true: Callable[[], object]) -> Window:
        while not is_true() and (line := self.stream.readline()):
            if line.startswith(b"data:"):
                self.said.append(json.loads(line[5:]))
        return self

    def end(self) -> Window:
        return self.until(lambda: False)

    def open(self, conversation: str) -> Window:
        return self.begin("load", f"?c={conversation}")

    def replay(self) -> Window:
        self.end()  # as a browser, which has one stream at a time: two take each other's messages
        return self.begin("replay", inputs=3)

    @property
    def is_refused(self) -> bool:
        return REFUSED in json.dumps(self.said)

    def leave(self) -> None:
        self.connection.close()
        self.stream.close()


class Site:
    def __init__(self, folder: Path) -> None:
        self.store, self.player, self.port = Database(folder / "page.db"), StoryPlayer(), free_port()
        for name in ("ann", "bob"):
            users.add(self.store, users.new(name, "chat", "correct horse"))
        self.assistant, access = (
            Assistant(Database(folder / "page.db"), self.player, Settings()),
            Access(Who.ANYBODY, self.store),
        )
        page = build(self.assistant, about="x", access=access)
        self.served = serve(page, host="127.0.0.1", port=self.port, access=access)
        config = page.blocks.get_config_file()
        names = {part["id"]: part["props"].get("elem_id") for part in config["components"]}
        self.events = {
            ("load" if trigger == "load" else names.get(target)): event["id"]  # of two that stop, hurrying is the last
            for event in config["dependencies"]
            for target, trigger in event["targets"]
        }

    def window(self, name: str) -> Window:
        cookie = (
            f"{VISITOR}={name * 32}" if len(name) == 1 else f"{SESSION}={tokens.issue(self.store, name, 'session')}"
        )
        return Window(self, cookie)

    def kept(self, owner: str, pause: float) -> str:
        """A conversation whose turn took ``pause`` seconds before each event."""
        started = store_run(self.store, owner=owner_of(owner) if len(owner) == 1 else owner)
        begun = datetime.now(UTC)
        with self.store.writing() as db:
            for (seq,) in db.execute("SELECT seq FROM events WHERE turn = ?", (started.turn,)).fetchall():
                moment = (begun + timedelta(seconds=seq * pause)).isoformat(timespec="milliseconds")
                db.execute("UPDATE events SET time = ? WHERE turn = ? AND seq = ?", (moment, started.turn, seq))
        return started.conversation


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.served.close()
    made.assistant.close()
    made.store.close()


def test_a_user_watches_a_handful_of_windows_and_others_are_not_kept_out(site: Site):
    site.player.hold = 5
    ann, bob = (site.assistant.start("Where is Nintendo?", owner=name).conversation for name in ("ann", "bob"))
    windows = [site.window("ann").open(ann) for _ in range(MOST)]
    assert not any(window.is_refused for window in windows)
    refused = site.window("ann").open(ann).end()
    assert refused.is_refused
    assert "Where is Nintendo?" in json.dumps(refused.said)
    assert not site.window("bob").open(bob).is_refused
    site.player.go_on.set()
    for window in windows:
        assert "Honshu" in json.dumps(window.end().said)
    assert [site.window("ann").open(ann).end().is_refused for _ in range(2 * MOST)] == [False] * 2 * MOST


def test_a_window_that_is_left_makes_room(site: Site):
    conversation = site.kept("ann", pause=1.0)
    windows = [site.window("ann").open(conversation).replay() for _ in range(MOST)]
    late = site.window("ann").open(conversation)
    assert late.replay().end().is_refused
    for window in windows:
        window.leave()
    deadline = time.monotonic() + 40
    while late.replay().is_refused and time.monotonic() < deadline:
        late.end()
        time.sleep(0.5)
    assert not late.is_refused
    late.leave()


def test_each_window_hurries_its_own_replay(site: Site):
    conversation = site.kept("ann", pause=2.0)
    one, other = (site.window("ann").open(conversation).replay() for _ in range(2))
    begun = time.monotonic()
    watching = threading.Thread(target=other.end)
    watching.start()
    one.post("stop", "run/predict", data=(None,))
    site.window("ann").post("stop", "run/predict", data=(None,))
    assert "process_completed" in [said["msg"] for said in one.end().said]
    assert time.monotonic() - begun < 8
    assert "process_completed" not in [said["msg"] for said in other.said]
    other.post("stop", "run/predict", data=(None,))
    watching.join(10)
    assert not watching.is_alive()
