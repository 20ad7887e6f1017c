"""Windows that show runs: how many there may be. Real requests over sockets."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant import Assistant
from searchain.settings import Settings
from storage.database import Database
from storage.people import tokens, users
from tests.support.browser import free_port
from tests.support.story_runs import StoryPlayer
from ui.page.app import build, serve
from ui.server.access import SESSION, Access, Who

MOST = 8
REFUSED = "show runs, and no more are allowed at once;"


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
            ("load" if trigger == "load" else names.get(target)): event["id"]
            for event in config["dependencies"]
            for target, trigger in event["targets"]
        }

    def window(self, name: str) -> Window:
        return Window(self, f"{SESSION}={tokens.issue(self.store, name, 'session')}")


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
    site.player.pause = 1.0
    begun = site.assistant.start("Where is Nintendo?", owner="ann")
    windows = [site.window("ann").open(begun.conversation) for _ in range(MOST)]
    assert site.window("ann").open(begun.conversation).end().is_refused
    for window in windows:
        window.leave()
    while (late := site.window("ann").open(begun.conversation)).is_refused:
        time.sleep(0.5)
    assert site.assistant.turn(begun.turn, owner="ann").status is None
    late.leave()
