"""Windows that show runs: whose they show, and how many there may be. Real requests over sockets."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.served_page import ServedPage, served_page
from tests.support.story_runs import store_run
from ui.server.access import Who

MOST = 8


class Window:
    """A page in ann's or bob's browser, as far as it speaks with the server: it opens a conversation and listens."""

    def __init__(self, site: ServedPage, name: str, conversation: str) -> None:
        session, cookie = f"{time.monotonic_ns()}", site.session(name)
        config = site.blocks.get_config_file()
        opening = next(one["id"] for one in config["dependencies"] if one["targets"] and one["targets"][0][1] == "load")
        body = {"fn_index": opening, "data": [], "session_hash": session}
        join = f"/gradio_api/queue/join?c={conversation}"
        assert site.request(join, body=body, Content_Type="application/json", **cookie)[0] == 200
        self.connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
        self.connection.request("GET", f"/gradio_api/queue/data?session_hash={session}", headers=cookie)
        self.stream, self.said = self.connection.getresponse(), list[dict]()
        self.until(lambda: self.said and self.said[-1]["msg"] in ("process_generating", "process_completed"))

    def until(self, is_true: Callable[[], object]) -> Window:
        while not is_true() and (line := self.stream.readline()):
            if line.startswith(b"data:"):
                self.said.append(json.loads(line[5:]))
        return self

    def end(self) -> Window:
        return self.until(lambda: False)

    @property
    def is_refused(self) -> bool:
        return "show runs, and no more are allowed at once;" in json.dumps(self.said)

    def leave(self) -> None:
        self.connection.close()
        self.stream.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ServedPage]:
    with served_page(tmp_path, Who.ANYBODY) as served:
        yield served


def test_each_user_owns_what_they_ask(site: ServedPage):
    theirs = store_run(site.store, owner="bob").conversation
    anns, bobs = (json.dumps(Window(site, name, theirs).end().said) for name in ("ann", "bob"))
    assert ("Honshu" in anns, "no longer yours to see" in anns, "Honshu" in bobs) == (False, True, True)


def test_a_user_watches_a_handful_of_windows_and_others_are_not_kept_out(site: ServedPage):
    site.player.hold = 5
    ann, bob = (site.assistant.start("Where is Nintendo?", owner=name).conversation for name in ("ann", "bob"))
    windows = [Window(site, "ann", ann) for _ in range(MOST)]
    assert not any(window.is_refused for window in windows)
    refused = Window(site, "ann", ann).end()
    assert refused.is_refused
    assert "Where is Nintendo?" in json.dumps(refused.said)
    assert not Window(site, "bob", bob).is_refused
    site.player.go_on.set()
    for window in windows:
        assert "Honshu" in json.dumps(window.end().said)
    assert [Window(site, "ann", ann).end().is_refused for _ in range(2 * MOST)] == [False] * 2 * MOST


def test_a_window_that_is_left_makes_room(site: ServedPage):
    site.player.pause = 1.0
    begun = site.assistant.start("Where is Nintendo?", owner="ann")
    windows = [Window(site, "ann", begun.conversation) for _ in range(MOST)]
    assert Window(site, "ann", begun.conversation).end().is_refused
    for window in windows:
        window.leave()
    while (late := Window(site, "ann", begun.conversation)).is_refused:
        time.sleep(0.5)
    assert site.assistant.turn(begun.turn, owner="ann").status is None
    late.leave()
