"""The keyboard leads everywhere in few steps, single keys act, and paper gets what is to be read."""

import io
from collections.abc import Iterator

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import chat_page
from tests.support.browser import opened_page
from tests.support.chat_page import Site, ask, wait_for
from tests.support.stories import QUESTION
from tests.support.story_runs import store_run

BOX = "#question textarea"
MOST = 12


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A page with 25 conversations."""
    with chat_page.site(tmp_path_factory.mktemp("page")) as served:
        for _ in range(25):
            last = store_run(served.store)
        served.conversation = last.conversation
        yield served


@pytest.fixture
def shown(browser: Browser, site: Site) -> Iterator[Page]:
    with opened_page(browser, site.url, f"?c={site.conversation}", viewport={"width": 1440, "height": 900}) as page:
        wait_for(page, "done")
        expect(page.locator("#nav .entries li")).to_have_count(25)
        yield page


def test_every_control_is_reached_in_few_steps(shown: Page):
    """From the top, by one of the links that skip: tabs to the link, Enter, and tabs from there."""
    for skipped in range(4):
        shown.evaluate("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
        shown.locator(".skip button").first.focus()
        shown.keyboard.press("Shift+Tab")  # before the first one
        for _ in range(skipped):
            shown.keyboard.press("Tab")
        if skipped:
            expect(shown.locator(".skip button").nth(skipped - 1)).to_be_focused()
            shown.keyboard.press("Enter")
        for _ in range(skipped + bool(skipped) + 1, MOST + 1):
            shown.keyboard.press("Tab")
            shown.evaluate("document.activeElement.dataset.reached = ''")
    left = shown.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input, textarea, select, summary, [tabindex="0"]')]
        .filter((one) => one.tabIndex >= 0 && !one.disabled && !('reached' in one.dataset) && !one.matches('.skip button')
          && one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })).map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert left == []


def test_arrow_keys_headings_landmarks_and_large_citations(shown: Page):
    shown.focus("#chat div.acts summary >> nth=0")
    for _ in range(2):
        shown.keyboard.press("ArrowRight")
    expect(shown.locator("#chat .rate-down")).to_be_focused()
    shown.keyboard.press("ArrowLeft")
    expect(shown.locator("#chat .rate-up")).to_be_focused()
    expect(shown.get_by_role("heading", name=QUESTION, level=2)).to_be_visible()
    expect(shown.get_by_role("region", name="Sources")).to_be_visible()
    for cite in shown.locator("#chat a.cite").all():
        box = cite.bounding_box()
        assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_paper_gets_questions_replies_sources_and_dates_without_buttons(shown: Page, paper: str, site: Site):
    pages = pypdfium2.PdfDocument(io.BytesIO(shown.pdf(format=paper)))
    text = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())
    for said in (QUESTION, "UTC", "Kyoto lies on Honshu", "Sources", "Nintendo Co., Ltd. is a Japanese"):
        assert said in text
    for button in ("Retry", "Good", "Side by side", "Ask", "Export", "New conversation"):
        assert button not in text.split()
        assert button == "Ask" or button not in text


def test_single_keys_act_outside_of_fields_until_they_are_turned_off(shown: Page, site: Site):
    shown.focus("#nav-toggle")
    shown.keyboard.press("/")
    expect(shown.locator(BOX)).to_be_focused()
    shown.keyboard.type("?/n")
    expect(shown.locator(BOX)).to_have_value("?/n")
    shown.fill(BOX, "")
    shown.keyboard.press("Escape")  # out of the box
    for number in (0, 1, 0):
        shown.keyboard.press(".")
        expect(shown.locator("#side .card > summary").nth(number)).to_be_focused()
        expect(shown.locator("#side .card").nth(number)).to_have_attribute("open", "")
    shown.keyboard.press("s")
    expect(shown.locator("#nav .words")).to_be_focused()
    shown.focus("#nav-toggle")
    shown.keyboard.press("?")
    sheet = shown.locator("#help")
    expect(sheet).to_contain_text("Its source says a part")
    expect(sheet.locator("kbd")).to_have_count(12)
    sheet.get_by_role("checkbox").uncheck()
    shown.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    shown.keyboard.press("n")
    shown.keyboard.press("?")
    expect(sheet).to_be_hidden()
    shown.click("#about button")  # by pointer, and by touch
    sheet.get_by_role("checkbox").check()
    shown.keyboard.press("Escape")
    with chat_page.held(site):
        ask(shown, "And Sega?")
        wait_for(shown, "running")
        shown.focus("#nav-toggle")
        shown.keyboard.press("x")
        wait_for(shown, "done", replies=2)
    shown.keyboard.press("Escape")  # Stop leads to the box
    shown.keyboard.press("n")
    shown.wait_for_url(lambda url: "c=" not in url)
