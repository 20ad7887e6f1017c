"""What a reader of the page meets in real Chromium, over scripted runs.

    python -m lab.benchmarks.page [--loads 5]

Measures how much moves, how often a step is shown, which of the paper's words are read outside of details, what
axe-core finds, and what the console says. No model is used; Chromium's driver is among the test requirements.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Browser, Page

from searchain.events import Event
from searchain.types import Message
from storage.database import Database
from tests.support.browser import chromium, visit
from tests.support.chat_page import Site, ask, site, wait_for
from tests.support.fakes import CITY, ISLAND, QUESTION, chain_text, toy_searchain
from tests.support.stories import everest, nintendo, not_found
from tests.support.story_runs import store_run
from tests.ui.page.test_vocabulary import WORDS
from ui.server.access import Access, Who
from ui.translation import languages

TURNS = 8
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
TABLET: dict[str, Any] = {"viewport": {"width": 1024, "height": 768}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SHIFTS = """window.shifts = 0; new PerformanceObserver((list) => list.getEntries().forEach((one) => {
  if (!one.hadRecentInput) window.shifts += one.value; })).observe({ type: 'layout-shift', buffered: true });"""
READ = """() => { const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), read = [];
  for (let node; (node = walk.nextNode());)
    if (!node.parentElement.closest('.details, script, style, template')) read.push(node.data);
  for (const name of ['title', 'aria-label', 'placeholder']) for (const one of document.querySelectorAll(`[${name}]`))
    if (!one.closest('.details, [role=log] .message')) read.push(one.getAttribute(name));
  return read.join(' ') }"""
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
TWO_STEPS = "two steps"


def plan(messages: Sequence[Message]) -> str:
    """Write a chain whose steps are left open, as the embedded model's are, until their answers were found."""
    said = " ".join(message.content for message in messages)
    if "Honshu" in said:
        return chain_text((CITY, "Kyoto"), (ISLAND, "Honshu"))
    return chain_text((CITY, "Kyoto"), (ISLAND, None)) if "Kyoto" in said else chain_text((CITY, None))


def story(question: str) -> Sequence[Event]:
    """Return the run that a question stands for."""
    if question == TWO_STEPS:
        return tuple(toy_searchain(plan).stream(QUESTION))
    return {"everest": everest, "not found": not_found}.get(question, nintendo)(question)


@click.command(help=__doc__.partition("\n")[0])
@click.option("--loads", default=5, show_default=True, help="How often the page is opened to time it.")
def main(loads: int) -> None:
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        with site(Path(folder), story) as served:
            rows = [*movement(browser, served), *told(browser, served), *timed(browser, served, loads)]
            rows += [("axe-core: violations, of any impact", violations(browser, served), "0")]
            rows += [("errors in the console and requests that failed", complaints(browser, served), "0")]
        (public := Path(folder, "public")).mkdir()
        with site(public, story, access=Access(Who.ANYBODY)) as served:
            rows += [("the same, with --public", complaints(browser, served), "0")]
    for what, figure, limit in rows:
        click.echo(f"{what:58}{figure:>10}   {limit}")


def movement(browser: Browser, served: Site) -> Iterator[tuple[str, str, str]]:
    kept = store_run(Database(served.database)).conversation
    for name, screen in (("wide", WIDE), ("tablet", TABLET), ("phone", PHONE)):
        found = [cold_shift(browser, served.url + path, screen) for path in ("", f"?c={kept}")]
        yield f"layout shift on a cold visit, {name}", f"{max(found):.3f}", "≤ 0.02"
    for name, screen in (("wide", WIDE), ("phone", PHONE)):
        with visit(browser, served.url, **screen) as visitor:
            page = visitor.page
            page.evaluate(SHIFTS)
            for number in range(1, TURNS + 1):
                page.evaluate("window.shifts = 0")
                ask(page, "Where is Nintendo?")  # it fits into the box as it is
                wait_for(page, "done", replies=number)
                page.wait_for_timeout(300)
                page.evaluate("window.inTurns = (window.inTurns || 0) + shifts")
            yield f"layout shift in a run of {TURNS} turns, {name}", f"{page.evaluate('inTurns'):.3f}", "≤ 0.05"


def cold_shift(browser: Browser, address: str, screen: dict[str, Any], slowness: int = 4) -> float:
    """Return how much moves while a browser that knows nothing of the page opens it, on a slow machine."""
    context = browser.new_context(**screen)
    page = context.new_page()
    page.add_init_script(SHIFTS)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowness})
    page.goto(address)
    page.wait_for_selector("html[data-scripts=run] #reasoning[data-state]", state="attached")
    page.wait_for_timeout(1_000 * slowness)
    found = page.evaluate("shifts")
    context.close()
    return found


def told(browser: Browser, served: Site) -> Iterator[tuple[str, str, str]]:
    words: Counter[str] = Counter()
    with visit(browser, served.url, **WIDE) as visitor:
        page = visitor.page
        for number, question in enumerate((TWO_STEPS, QUESTION, "everest", "not found"), 1):
            ask(page, question)
            wait_for(page, "done", replies=number)
            words.update(found[0] for found in WORDS.finditer(page.evaluate(READ)))
            if question == TWO_STEPS:
                steps = [
                    Counter(page.locator(f"{part} .query").all_text_contents())
                    for part in ("#reasoning .of-turn > .tree", "#chat .how")
                ]
    yield "words of the paper outside of details", f"{words.total()}", "0"
    yield "times a step of a two-step question is shown", f"{max(max(each.values()) for each in steps)}", "1"


def timed(browser: Browser, served: Site, loads: int) -> Iterator[tuple[str, str, str]]:
    usable, begun = [], []
    for _ in range(loads):
        with visit(browser, served.url, **WIDE) as visitor:
            page = visitor.page
            started = time.perf_counter()
            page.reload()
            page.locator("#asking-hint").wait_for(state="attached")
            page.fill("#question textarea", QUESTION)
            usable.append(time.perf_counter() - started)
            started = time.perf_counter()
            page.keyboard.press("Enter")
            page.locator("#reasoning:not([data-state=idle])").wait_for(state="attached")
            begun.append(time.perf_counter() - started)
            wait_for(page, "done")
    yield "from the address to a question typed, median", f"{statistics.median(usable):.2f} s", "1.1 s"
    yield "from Enter to the run's first picture, median", f"{statistics.median(begun):.2f} s", ""


def violations(browser: Browser, served: Site) -> str:
    """Return what axe finds on the empty page and on a reply with everything open, in all looks and languages."""
    found = 0
    for (screen, theme), tongue in product(product((WIDE, PHONE), ("light", "dark")), languages()):
        with visit(browser, served.url, f"?__theme={theme}", locale=tongue, **screen) as visitor:
            page = visitor.page
            found += axe(page)
            ask(page, QUESTION)
            wait_for(page, "done")
            found += axe(page)
            page.evaluate(
                "document.querySelectorAll('#chat details, #side details').forEach((one) => { one.open = true })"
            )
            found += axe(page)
    return f"{found}"


def axe(page: Page) -> int:
    page.wait_for_timeout(500)  # until colours have faded in
    page.evaluate(AXE)
    return len(page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"])


def complaints(browser: Browser, served: Site) -> str:
    """Return how much goes wrong unseen while a question is asked, a source opened, and the page opened again."""
    said: list[str] = []
    with visit(browser, served.url, **WIDE) as visitor:
        page = visitor.page.context.new_page()  # heard from its beginning
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        # a stream that goes on is broken off when its page is left: that is no failure
        page.on("requestfailed", lambda one: said.append(one.url) if one.failure != "net::ERR_ABORTED" else None)
        page.on("response", lambda response: said.append(response.url) if response.status >= 400 else None)
        page.goto(served.url)
        ask(page, QUESTION)
        wait_for(page, "done")
        page.click("#chat a.cite >> nth=0")
        page.wait_for_url("**/?c=*")
        page.wait_for_timeout(1_000)  # Gradio writes an error when a page is left whose event still ends
        with page.expect_navigation():
            page.reload()
        wait_for(page, "done")
        page.wait_for_timeout(500)
        return f"{len(said) + len(visitor.errors) + len(visitor.foreign)}"


if __name__ == "__main__":
    main()
