"""A run as it is watched in a real browser, event by event: the chain grows, steps change, nothing jumps."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from searchain.events import Event, ModelFault, ThoughtDelta, Waiting
from tests.support.chat_page import Site, ask, ask_to_end, wait_for
from tests.support.stories import QUESTION, nintendo

WRITING, STEP = "#chat .writing", "#chat .step"
GROWS = (  # before which event the run waits, what then is seen where
    (4, WRITING, "Next: Where is the head"),
    (5, WRITING, "Next: Where is the headquarters of Nintendo?"),
    (7, STEP, "…Searching: Where is the headquarters of Nintendo?"),
    (8, WRITING, "Next: On which island is To"),
    (11, STEP, "…Searching: Where is the headquarters of Nintendo? … reading “Nintendo”"),
    (13, STEP, "↻Searched: Where is the headquarters of Nintendo? … found in “Nintendo”: Kyoto"),
)


def test_the_chain_appears_as_it_is_written_and_each_step_says_what_happens_to_it(page: Page, site: Site):
    site.player.hold = GROWS[0][0]
    ask(page, QUESTION)
    for hold, where, text in GROWS:
        site.player.hold = hold
        expect(page.locator(where).first).to_have_text(text)
    site.player.hold = None
    wait_for(page, "done")


def test_what_the_reader_closed_stays_closed_and_what_was_opened_open(page: Page, site: Site):
    site.player.hold = 7
    ask(page, QUESTION)
    title = page.locator("#chat .how > summary")
    expect(page.locator(STEP)).to_have_count(1)
    expect(page.locator(STEP)).to_be_visible()
    title.click()
    expect(page.locator(STEP)).to_be_hidden()
    site.player.hold = 13
    expect(page.locator("#side .node").first).to_contain_text("the article says otherwise")
    expect(page.locator(STEP).first).to_be_hidden()
    site.player.hold = None
    wait_for(page, "done")
    expect(page.locator(STEP).first).to_be_hidden()
    title.click()
    expect(page.locator(STEP).first).to_be_visible()
    ask_to_end(page, "And Sega?", replies=2)
    expect(page.locator(STEP).first).to_be_visible()
    expect(page.locator(STEP).last).to_be_hidden()


def places(page: Page) -> dict[str, dict[str, float]]:
    found = {id: page.locator(f"#{id}").bounding_box() for id in ("top", "nav", "chat", "compose", "question", "side")}
    found["side"].pop("height")
    return found


def places_at_rest(page: Page) -> dict[str, dict[str, float]]:
    """Return where everything is once nothing has moved for half a second: a page that still loads lacks its buttons."""
    before = places(page)
    for _ in range(60):
        page.wait_for_timeout(500)
        now = places(page)
        if now == before:
            return now
        before = now
    raise AssertionError(f"the page does not come to rest: {before}")


@pytest.mark.parametrize("width", [1280, 1720])
def test_nothing_jumps_from_the_first_word_to_the_last(page: Page, site: Site, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    idle = places_at_rest(page)
    site.player.hold = 13
    ask(page, "Nintendo?")  # so short that no text fills the page by itself
    expect(page.locator(STEP)).to_have_count(2)
    assert places_at_rest(page) == idle
    site.player.hold = None
    wait_for(page, "done")
    assert places_at_rest(page) == idle


FAULTY = "Where does a model fail?"
THOUGHTS = "It asks for an island. <b>Kyoto</b> is none."
WHY = "the model refused: I cannot; the evidence is not sure enough"


def faulty(question: str) -> Sequence[Event]:
    first, *others, last = nintendo(question)
    fault = ModelFault(what="the model refused", action="asked once more")
    return [Waiting(ahead=12), first, ThoughtDelta(text=THOUGHTS), *others, fault, replace(last, message=WHY)]


SITE = {"story": lambda question: (faulty if question == FAULTY else nintendo)(question)}


def test_the_queue_the_thoughts_and_the_fault_are_seen(page: Page, site: Site):
    site.player.hold = 1
    ask(page, FAULTY)
    title = page.locator("#chat .how > summary")
    expect(title).to_have_text("Waiting, 12 before you")
    site.player.hold = None
    wait_for(page, "done")
    title.click()
    page.click("#chat .run > summary")
    thoughts = page.locator("#chat details.thoughts")
    expect(thoughts.locator("summary")).to_have_text("Thoughts")
    expect(thoughts.locator("div")).to_be_hidden()
    thoughts.locator("summary").click()
    expect(thoughts.locator("div")).to_have_text(THOUGHTS)
    expect(page.locator("#chat .fault")).to_have_text("the model refused; asked once more")
    expect(page.locator("#chat .outcome-note")).to_have_text(WHY)
