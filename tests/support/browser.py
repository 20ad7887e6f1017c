"""A real browser for the tests: Chromium on this machine, driven by playwright."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

_OFF = ("gpu", "quic", "background-networking", "component-update", "sync", "dev-shm-usage")
_FLAGS = [
    "--no-sandbox",
    "--no-first-run",
    *(f"--disable-{name}" for name in _OFF),
    "--host-resolver-rules=MAP page.test 127.0.0.1",
    "--renderer-process-limit=1",  # pages of one context share a process, which starts once
    "--disable-site-isolation-trials",  # else a blank page shares its process with no other
]
_STATE = "html[data-scripts=run] #reasoning[data-state]"
"""Attached when the chat page is there and its scripts have run."""
_IDLE: WeakKeyDictionary[Browser, dict[str, list[BrowserContext]]] = WeakKeyDictionary()
"""Contexts that wait to be used again, by their options."""
expect.set_options(timeout=60_000)  # milliseconds; a busy machine is no failure
MISSING = "NO CHROMIUM ON THIS MACHINE: the browser tests are skipped; install chromium or set CHROMIUM to its path"


def find_chromium() -> str | None:
    """The browser's path: ``$CHROMIUM``, else the first usual name on the path."""
    usual = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, usual)), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), headless=True, args=_FLAGS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """One page in a context of its own, with all that must not happen: foreign requests and script errors."""

    page: Page
    home: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self) -> None:
        self.page.on("request", self._on_request)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.errors.append(f"dialog {dialog.message}"), dialog.dismiss()))

    def _on_request(self, request) -> None:
        if not request.url.startswith((self.home, "data:", "blob:", "about:")):
            self.foreign.append(request.url)


@contextmanager
def empty_context(browser: Browser, home: str, **options) -> Iterator[BrowserContext]:
    """Lend a context in which ``home`` has stored nothing; ``options`` as playwright's ``new_context`` takes them.

    Contexts are used again, since one with the page's scripts in its cache loads the page in a third of the time. Each
    keeps a blank page open, which keeps its process alive. Cookies and all that ``home`` stored are removed in between.
    """
    idle = _IDLE.setdefault(browser, {}).setdefault(repr(sorted(options.items())), [])
    context = idle.pop() if idle else browser.new_context(**options)
    blank = context.pages[0] if context.pages else context.new_page()
    context.set_default_timeout(60_000)  # milliseconds, as long as what is expected
    try:
        yield context
    finally:
        for page in context.pages:
            if page is not blank:
                page.close()
        context.set_offline(False)
        context.clear_cookies()
        devtools = context.new_cdp_session(blank)
        devtools.send("Storage.clearDataForOrigin", {"origin": home.rstrip("/"), "storageTypes": "all"})
        devtools.detach()
        idle.append(context)


@contextmanager
def visit(browser: Browser, home: str, path: str = "", *, wait_for: str = _STATE, **options) -> Iterator[Visit]:
    """Open ``home + path`` in an empty context; ``options`` as playwright's ``new_context`` takes them."""
    with empty_context(browser, home, **options) as context:
        visitor = Visit(context.new_page(), home)
        visitor.watch()
        visitor.page.goto(home + path)
        # what tells the state of the chat page is hidden on a phone
        visitor.page.wait_for_selector(wait_for, state="attached" if wait_for == _STATE else "visible")
        yield visitor


@contextmanager
def opened_page(browser: Browser, home: str, path: str = "", **options) -> Iterator[Page]:
    """Open a page as ``visit`` does, 1280 pixels wide; at its end nothing foreign was asked for and no script failed."""
    with visit(browser, home, path, **{"viewport": {"width": 1280, "height": 800}} | options) as visitor:
        yield visitor.page
        assert (visitor.foreign, visitor.errors) == ([], [])
