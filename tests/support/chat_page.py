"""The chat page as browser tests use it: served over the real assistant and store, with runs that are told."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from searchain.events import Event
from tests.support.served_page import ServedPage, served_page
from tests.support.stories import nintendo
from tests.support.story_runs import StoryPlayer
from ui.server.access import Access

MID_RUN = 10
"""Where a held ``nintendo`` waits: two nodes are written, nothing is searched yet."""
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 380, "height": 780}, "has_touch": True}
PHONE_IN_THE_DARK = PHONE | {"color_scheme": "dark"}
Site = ServedPage


def site(
    folder: Path, story: Callable[[str], Sequence[Event]] = nintendo, pause: float = 0.01, **page: Any
) -> AbstractContextManager[Site]:
    """Serve a page whose runs are ``story``; ``page`` as ``build`` takes it, ``models`` as ``Assistant`` does."""
    access, models = page.pop("access", None) or Access(), page.pop("models", None)
    player = StoryPlayer(story, pause=pause)
    return served_page(folder, people={}, player=player, access=access, runs={"models": models}, page=page)


@contextmanager
def held(site: Site) -> Iterator[StoryPlayer]:
    """The player, which holds every run in the middle until ``go_on`` is set."""
    site.player.go_on.clear()
    site.player.hold = MID_RUN
    yield site.player
    site.player.go_on.set()
    site.player.hold = None


def ask(page: Page, question: str) -> None:
    expect(page.locator("#asking-hint")).to_be_attached()  # the page's script for the box has run
    page.fill("#question textarea", question)
    page.keyboard.press("Enter")


def wait_for(page: Page, state: str, replies: int = 1) -> None:
    expect(page.locator(f"#reasoning[data-state={state}]")).to_have_count(1)  # on a phone in a closed sheet
    if state == "done":
        expect(page.locator("#chat .outcome")).to_have_count(replies)


def ask_to_end(page: Page, question: str, replies: int = 1) -> None:
    ask(page, question)
    wait_for(page, "done", replies)


def place(page: Page) -> float:
    """Where the chat stands once it stands still."""
    return page.evaluate("""async () => { const log = document.querySelector('#chat [role=log]');
        const frame = () => new Promise(requestAnimationFrame);
        for (let still = 0, at; still < 10; still = at === log.scrollTop ? still + 1 : 0) { at = log.scrollTop; await frame() }
        return log.scrollTop }""")


def conversation(page: Page) -> str | None:
    found = re.search(r"[?&]c=([^&]+)", page.url)
    return found and found[1]


CONTRAST = """() => {
  const channel = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4 };
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const paint = (colours) => { canvas.clearRect(0, 0, 1, 1); for (const c of colours) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1) }
    const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data; return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b) };
  const low = [];
  for (const e of document.querySelectorAll('#top *, #chat .message-row *, #side *')) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility()) continue;
    const under = []; let opacity = 1;
    for (let p = e; p; p = p.parentElement) { const s = getComputedStyle(p); under.unshift(s.backgroundColor); opacity *= s.opacity }
    const back = paint(under), front = paint([...under, getComputedStyle(e).color]);
    const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
    if (ratio < 4.5 || opacity < 1) low.push(`${e.className || e.tagName} ${ratio.toFixed(2)} ${opacity}: ${e.textContent.trim().slice(0, 40)}`);
  }
  return low }"""
"""A script: what is shown with too little contrast, each with its ratio and opacity."""
