"""The desk on a real server, for tests: its requests, its users' sessions, and its pages in a browser."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from searchain.annotation.protocol import Item, Labels
from searchain.annotation.study import Study
from storage.annotation import history, import_items, items, studies
from storage.annotation.desk import Desk
from tests.support.browser import Visit, empty_context
from tests.support.served_page import Answer, ServedPage, served_page
from ui.server.access import Who

WIDE = {"viewport": {"width": 1280, "height": 850}}
PHONE = {"viewport": {"width": 380, "height": 760}, "has_touch": True, "is_mobile": True}
MARIO = "https://example.org/mario"
FOUR = {
    "question": "What do you know of Nintendo?",
    "system": "an engine",
    "answer": "Nintendo has its headquarters in Kyoto [1]. Kyoto lies on Honshu [2][3]. Honshu is an island of Japan [3]. "
    "Mario is a plumber [4].",
    "citations": [
        {"number": 1, "title": "Nintendo", "text": "Nintendo Co., Ltd. is headquartered in Kyoto. It makes games."},
        {"number": 2, "title": "Kyoto", "text": "Kyoto is a city on the island of Honshu. It has 1.46 million people."},
        {"number": 3, "title": "Honshu", "text": "Honshu is the largest island of Japan. Kyoto is one of its cities."},
        {"number": 4, "title": "Mario", "text": "Mario, a plumber, was made by Nintendo.", "url": MARIO},
    ],
}
"""Four sentences and five marks, all of which can be called right."""

NO_PRACTICE = Study(guided_practice=False)
TABLES = ("annotation_guesses", "annotation_gold", "annotation_labels", "annotation_tasks", "annotation_items")


@dataclass
class Site(ServedPage):
    """A served page with what is asked of its desk."""

    def request(self, path: str, method: str = "", body: object = None, **headers: str) -> Answer:
        kind = {} if body is None or isinstance(body, bytes) else {"Content_Type": "application/json"}
        return super().request(path, method, body, **(kind | headers))

    def call(self, path: str, values: object = None, who: str | None = None, **headers: str) -> tuple[int, dict]:
        """An action of the desk: ``values`` are posted; without them it is asked."""
        headers = {**(self.session(who) if who else {}), **headers}
        status, _, text = self.request(f"/annotate/api/{path}", "GET" if values is None else "POST", values, **headers)
        return status, json.loads(text) if text.startswith("{") else {"text": text}

    def send(self, form: str, *who: str, **headers: str) -> tuple[int, str]:
        """A form of the managing page, as a browser sends it."""
        headers = {"Content_Type": "application/x-www-form-urlencoded", **headers} | (self.session(*who) if who else {})
        status, _, text = self.request("/annotate/manage", "POST", form.encode(), **headers)
        return status, text

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
    with served_page(folder, who, people=people) as served:
        studies.change(served.store, study, "test")
        yield Site(**vars(served))


@contextmanager
def desk_page(
    browser: Browser, site: Site, path: str = "annotate", who: str | None = None, **options
) -> Iterator[Page]:
    """A page of the desk; at its end nothing foreign was asked for, and no script failed."""
    with empty_context(browser, site.url, **(options or WIDE)) as context:
        if who:
            name, _, value = site.session(who)["Cookie"].partition("=")
            context.add_cookies([{"name": name, "value": value, "url": site.url}])
        visitor = Visit(context.new_page(), site.url)
        visitor.watch()
        visitor.page.goto(site.url + path)
        yield visitor.page
        assert (visitor.foreign, visitor.errors) == ([], [])


def title(page: Page) -> str:
    """What the panel asks about now."""
    return page.locator("#now h2").inner_text()


def saved(page: Page) -> None:
    """Waits until the desk has the draft."""
    expect(page.locator("#saved")).to_have_text("Saved")


def press(page: Page, *keys: str) -> None:
    """One key after the other."""
    for key in keys:
        page.keyboard.press(key)


def ready(page: Page, question: str) -> None:
    """Waits until the reply to ``question`` is there to be judged."""
    expect(page.locator("#question")).to_have_text(question)
    expect(page.locator("#now")).to_be_visible()


def opened(page: Page, of: dict = FOUR) -> Page:
    ready(page, of["question"])
    return page


def the_item(desk: Site) -> Item:
    """The only reply."""
    [one] = items.items(desk.store)
    return one


def draft(desk: Site, page: Page, of: str = "local") -> Labels:
    """The stored draft of the only reply, once the page says that it is saved."""
    saved(page)
    return Desk(desk.store).open_item(of, the_item(desk).id).labels


def submitted(desk: Site) -> list[Labels]:
    return [one.labels for one in history.labels(desk.store)]
