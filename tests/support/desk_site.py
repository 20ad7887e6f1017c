"""The desk on a real server, for tests: its requests, its users' sessions, and its pages in a browser."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from assistant import Assistant
from searchain.annotation.protocol import Item, Labels
from searchain.annotation.study import Study
from searchain.settings import Settings
from storage.annotation import history, import_items, progress, studies
from storage.annotation.desk import Desk
from storage.database import Database
from storage.people import tokens, users
from tests.support.browser import Visit, empty_context, free_port
from tests.support.story_runs import StoryPlayer
from ui.page.app import build, serve
from ui.server.access import SESSION, Access, Who

WIDE = {"viewport": {"width": 1280, "height": 850}}
PHONE = {"viewport": {"width": 380, "height": 760}, "has_touch": True, "is_mobile": True}
FOUR = {
    "question": "What do you know of Nintendo?",
    "system": "an engine",
    "answer": "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on Honshu [2][3]. Honshu is an island of Japan [3]. "
    "Mario is a plumber [4].",
    "citations": [
        {"number": 1, "title": "Nintendo", "text": "Nintendo Co., Ltd. is headquartered in Kyoto. It makes games."},
        {"number": 2, "title": "Kyoto", "text": "Kyoto is a city on the island of Honshu. It has 1.46 million people."},
        {"number": 3, "title": "Honshu", "text": "Honshu is the largest island of Japan. Kyoto is one of its cities."},
        {
            "number": 4,
            "title": "Mario",
            "text": "Mario, a plumber, was made by Nintendo.",
            "url": "https://example.org/mario",
        },
    ],
}
"""Four sentences and five marks, all of which can be called right."""

NO_PRACTICE = Study(guided_practice=False)
TABLES = ("annotation_guesses", "annotation_gold", "annotation_labels", "annotation_tasks", "annotation_items")


@dataclass
class Site:
    url: str
    store: Database

    def request(
        self, path: str, method: str = "GET", body: object = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """``body`` goes as JSON, bytes as they are."""
        connection = http.client.HTTPConnection("127.0.0.1", int(re.search(r":(\d+)/", self.url)[1]), timeout=60)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body)
        if body is not None and not isinstance(body, bytes):
            headers = {"Content-Type": "application/json", **headers}
        connection.request(
            method, path, body=data, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()

    def call(self, path: str, values: object = None, who: str | None = None, **headers: str) -> tuple[int, dict]:
        """An action of the desk: ``values`` are posted; without them it is asked."""
        headers = {**(self.session(who) if who else {}), **headers}
        status, _, text = self.request(f"/annotate/api/{path}", "GET" if values is None else "POST", values, **headers)
        return status, json.loads(text) if text.startswith("{") else {"text": text}

    def session(self, name: str) -> dict[str, str]:
        return {"Cookie": f"{SESSION}={tokens.issue(self.store, name, 'session')}"}

    def put(self, *answers: dict, quota: int = 2) -> None:
        """Replies onto the desk."""
        done = import_items.file(self.store, [json.dumps(answer).encode() for answer in answers], quota=quota)
        assert done.added == len(answers)

    def clear(self) -> None:
        """Nothing is on the desk any more."""
        for table in TABLES:
            self.set(f"DELETE FROM {table}")

    def set(self, sql: str) -> None:
        with self.store.writing() as db:
            db.execute(sql)


@contextmanager
def site(folder: Path, who: Who = Who.LOCAL, study: Study = NO_PRACTICE, **people: str) -> Iterator[Site]:
    """``people``: names and roles. Without another ``study`` the first reply comes at once."""
    store = Database(folder / "page.db")
    studies.change(store, study, "test")
    for name, role in people.items():
        users.add(store, users.new(name, role, "correct horse"))
    assistant, access = Assistant(store, StoryPlayer(), Settings()), Access(who, store)
    served = serve(build(assistant, about="x", access=access), host="127.0.0.1", port=free_port(), access=access)
    yield Site(served.url, store)
    served.close()
    assistant.close()


@contextmanager
def desk_page(
    browser: Browser, site: Site, path: str = "annotate", who: str | None = None, **options
) -> Iterator[Visit]:
    """A page of the desk; at its end nothing foreign was asked for, and no script failed."""
    with empty_context(browser, site.url, **(options or WIDE)) as context:
        if who:
            name, _, value = site.session(who)["Cookie"].partition("=")
            context.add_cookies([{"name": name, "value": value, "url": site.url}])
        visitor = Visit(context.new_page(), site.url)
        visitor.watch()
        visitor.page.goto(site.url + path)
        yield visitor
        assert (visitor.foreign, visitor.errors) == ([], [])


def title(page: Page) -> str:
    """What the panel asks about now."""
    return page.locator("#now h2").inner_text()


def saved(page: Page) -> None:
    """Waits until the desk has the draft."""
    expect(page.locator("#saved")).to_have_text("Saved")


def ready(page: Page, question: str) -> None:
    """Waits until the reply to ``question`` is there to be judged."""
    expect(page.locator("#question")).to_have_text(question)
    expect(page.locator("#now")).to_be_visible()


def opened(page: Page, of: dict = FOUR) -> Page:
    ready(page, of["question"])
    return page


def the_item(desk: Site) -> Item:
    """The only reply."""
    [one] = progress.items(desk.store)
    return Desk(desk.store).item(one.id)


def draft(desk: Site, page: Page, of: str = "local") -> Labels:
    """The stored draft of the only reply, once the page says that it is saved."""
    saved(page)
    return Desk(desk.store).open_item(of, the_item(desk).id).labels


def submitted(desk: Site) -> list[Labels]:
    return [one.labels for one in history.labels(desk.store)]
