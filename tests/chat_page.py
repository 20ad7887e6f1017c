"""The chat page as browser tests use it: served over the real assistant and store, with runs that are told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from assistant import Assistant
from searchain.events import Event
from searchain.settings import Settings
from storage.database import Database
from tests.browser import free_port
from tests.telling import Teller
from tests.told import nintendo
from ui.app import build, serve

MID_RUN = 10
"""Where a held ``nintendo`` waits: two nodes are written, nothing is searched yet."""


@dataclass
class Site:
    url: str
    assistant: Assistant
    teller: Teller
    database: Path


@contextmanager
def site(folder: Path, story: Callable[[str], Sequence[Event]] = nintendo, pause: float = 0.01, **page: Any) -> Iterator[Site]:
    """A page over a database in ``folder``; ``page`` as ``build`` takes it, ``access`` also as ``serve`` does."""
    teller = Teller(story, pause=pause)
    database = folder / "page.db"
    assistant = Assistant(Database(database), teller, Settings(), models=page.pop("models", None))
    served = serve(build(assistant, about="a scripted model · index default", **page), host="127.0.0.1", port=free_port(),
                   access=page.get("access"))
    yield Site(served.url, assistant, teller, database)
    served.close()
    assistant.close()


@contextmanager
def held(site: Site) -> Iterator[Teller]:
    """The teller, which holds every run in the middle until ``go_on`` is set."""
    site.teller.go_on.clear()
    site.teller.hold = MID_RUN
    yield site.teller
    site.teller.go_on.set()
    site.teller.hold = None


def ask(page: Page, question: str) -> None:
    page.fill("#question textarea", question)
    page.keyboard.press("Enter")


def wait_for(page: Page, state: str, replies: int = 1) -> None:
    expect(page.locator(f"#reasoning[data-state={state}]")).to_be_visible()
    if state == "done":
        expect(page.locator("#chat .outcome")).to_have_count(replies)


def conversation(page: Page) -> str | None:
    found = re.search(r"[?&]c=([^&]+)", page.url)
    return found and found[1]
