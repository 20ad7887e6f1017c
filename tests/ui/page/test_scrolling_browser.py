"""What part of a conversation is in view: the end of what is written, unless the reader went to read elsewhere."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from searchain.events import Event, ReplyDelta
from tests.support.browser import opened_page
from tests.support.chat_page import Site, ask, ask_to_end, place, wait_for
from tests.support.stories import nintendo
from tests.support.story_runs import store_run

PLACE = "const log = document.querySelector('#chat [role=log]'), left = log.scrollHeight - log.clientHeight - log.scrollTop;"
SEARCHING, WRITING = 10, 33
"""Where a run is held: in its first round, and in its reply before the first of two ``LINES``."""
LINES = "".join(f"\nLine {number} of the reply." for number in range(30))


def story(question: str) -> tuple[Event, ...]:
    *events, end = nintendo(question)
    return (*events, ReplyDelta(text=LINES), ReplyDelta(text=LINES), end)


SITE = {"story": story}


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """A conversation with one reply that is longer than the window."""
    path, size = f"?c={store_run(site.store, story('Where is Nintendo?')).conversation}", {"width": 1280, "height": 500}
    with opened_page(browser, site.url, path, viewport=size, has_touch=True) as page:
        wait_for(page, "done")
        yield page
    site.player.hold = None


def is_at_end(page: Page) -> None:
    page.wait_for_function(f"() => {{ {PLACE} return log.scrollTop > 0 && left <= 1 }}")


def by_touch(page: Page) -> None:
    box = page.locator("#chat [role=log]").bounding_box()
    session, x, y = page.context.new_cdp_session(page), box["x"] + 200, box["y"] + 60
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for moved in range(20, 140, 20):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + moved}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def by_the_scrollbar(page: Page) -> None:
    page.locator("#chat [role=log]").evaluate("(log) => { log.scrollTop -= 30 }")


WAYS: dict[str, Callable[[Page], object]] = {
    "wheel": lambda page: (page.locator("#chat [role=log]").hover(), page.mouse.wheel(0, -60)),
    "touch": by_touch,
    "keys": lambda page: page.locator("#chat [role=log]").press("PageUp"),
    "scrollbar": by_the_scrollbar,
}


def gap(part: Locator, side: str) -> float:
    """How far this side of ``part`` is above that of the chat."""
    above = "(one, side) => one.closest('[role=log]').getBoundingClientRect()[side] - one.getBoundingClientRect()[side]"
    return part.evaluate(above, side)


def test_an_opened_conversation_begins_with_its_newest_question(page: Page):
    ask_to_end(page, "And Sega?", replies=2)
    is_at_end(page)
    for size in ({"width": 1280, "height": 500}, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        page.reload()
        wait_for(page, "done", replies=2)
        page.wait_for_timeout(1_200)
        assert place(page) > 0
        assert -30 < gap(page.locator("#chat .asked").last, "top") <= 0


@pytest.mark.parametrize("place_of", ["first", "last"])
def test_what_is_asked_again_in_its_place_is_followed(page: Page, site: Site, place_of: str):
    ask_to_end(page, "And Sega?", replies=2)
    site.player.hold = WRITING
    getattr(page.locator("#chat .retry"), place_of).evaluate("(button) => button.click()")
    writing = page.locator("#chat .version.is-newest .answer-block .reply")
    expect(writing).to_be_attached()
    expect(writing).to_contain_text("largest")
    site.player.hold = WRITING + 1
    expect(writing).to_contain_text("Line 29")
    place(page)
    assert 0 <= gap(writing, "bottom") < 80
    by_the_scrollbar(page)
    here = place(page)
    site.player.hold = None
    wait_for(page, "done", replies=3)
    assert place(page) == here


@pytest.mark.parametrize("scroll_up", WAYS.values(), ids=WAYS)
def test_who_scrolls_up_stays_there_until_they_come_back(page: Page, site: Site, scroll_up: Callable[[Page], None]):
    site.player.hold = WRITING
    ask(page, "And Sega?")
    expect(page.locator("#chat .reply")).to_have_count(2)
    is_at_end(page)
    end = place(page)
    scroll_up(page)
    here = place(page)
    assert 0 < here < end
    site.player.hold = WRITING + 1
    expect(page.locator("#chat .reply").last).to_contain_text("Line 29")
    assert place(page) == here
    site.player.hold = None
    wait_for(page, "done", replies=2)
    expect(page.locator("#chat .acts").last).to_be_attached()
    assert place(page) == here
    button, text = page.get_by_role("button", name="Scroll down"), page.locator("#chat [role=log]").bounding_box()
    assert button.bounding_box()["y"] >= text["y"] + text["height"]  # it covers no text
    button.click()
    is_at_end(page)
    ask_to_end(page, "And Sony?", replies=3)
    is_at_end(page)
