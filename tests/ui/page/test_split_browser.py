"""How the width is shared out between the conversation and its sources, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from tests.support.chat_page import ask, wait_for
from tests.support.stories import QUESTION

SHARE = """() => { const [chat, side] = ['chat-column', 'side'].map((id) => document.getElementById(id).offsetWidth);
  return Math.round(100 * chat / (chat + side)) }"""


def test_the_conversation_has_more_than_half_and_the_line_moves_by_keys(page: Page):
    line = page.get_by_role("separator")
    assert page.evaluate(SHARE) == pytest.approx(62, abs=1)
    expect(line).to_have_attribute("aria-valuenow", "62")
    line.focus()
    for key, share in (("ArrowRight", 64), ("ArrowLeft", 62), ("ArrowLeft", 60)):
        page.keyboard.press(key)
        expect(line).to_have_attribute("aria-valuenow", str(share))
        assert page.evaluate(SHARE) == pytest.approx(share, abs=1)
    page.reload()
    expect(line).to_have_attribute("aria-valuenow", "60")
    line.dblclick()
    expect(line).to_have_attribute("aria-valuenow", "62")


def test_the_sources_are_folded_and_come_back_with_a_citation(page: Page):
    ask(page, QUESTION)
    wait_for(page, "done")
    side, unfold = page.locator("#side"), page.locator("#unfold-side")
    page.get_by_role("button", name="Hide the sources").click()
    expect(side).not_to_be_visible()
    expect(unfold).to_be_focused()
    page.reload()
    wait_for(page, "done")
    expect(side).not_to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") == 0
    unfold.click()
    expect(side).to_be_visible()
    page.get_by_role("separator").focus()
    page.keyboard.press("Enter")
    expect(side).not_to_be_visible()
    page.locator("#chat a.cite").first.click()
    expect(side.locator(".card.is-chosen mark").first).to_be_in_viewport()
    page.locator("#side .close-side").click()
    page.locator("#chat .to-side").last.click()
    expect(side).to_be_visible()
