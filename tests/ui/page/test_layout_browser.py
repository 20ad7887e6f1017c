"""What is in sight of one window, and how its width is shared out between the conversation and its sources."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.chat_page import ask_to_end, wait_for
from tests.support.stories import QUESTION


@pytest.mark.parametrize("page", [(1440, 700), (640, 400), (320, 640)], indirect=True)
def test_the_box_for_questions_is_in_the_window_however_much_is_typed(page: Page):
    box = page.locator("#question textarea")
    expect(box).to_be_focused()
    assert page.evaluate("scrollY") == 0
    for text in ("", QUESTION * 3, "line\n" * 9):
        box.fill(text)
        for part in ("#compose", "#ask", "#settings-toggle", "#top"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        one, other = (page.locator(part).bounding_box() for part in ("#question", "#ask"))
        assert abs(one["y"] + one["height"] - other["y"] - other["height"]) <= 4  # they stand in one row
    wait_for(page, "idle")
    box.fill(QUESTION)
    page.click("#ask")
    wait_for(page, "done")
    expect(page.locator("#compose")).to_be_in_viewport(ratio=1)


SHARE = """() => { const [chat, side] = ['chat-column', 'side'].map((id) => document.getElementById(id).offsetWidth);
  return Math.round(100 * chat / (chat + side)) }"""


def test_the_box_for_questions_stands_in_its_place_from_the_beginning_and_the_line_moves_by_keys(page: Page):
    page.add_init_script("""window.places = new Set(); new MutationObserver(() => {
        const box = document.querySelector('#question');
        if (box?.checkVisibility()) places.add(Math.round(box.getBoundingClientRect().y));
    }).observe(document, { subtree: true, childList: true })""")

    def late(route: Route) -> None:  # Gradio brings its parts one by one, in no certain order
        answer = route.fetch()
        if "scroll-down-button" in answer.text():
            expect(page.locator("#question")).to_be_visible()
        route.fulfill(response=answer)

    page.route("**/assets/Index-*.js", late)
    page.reload()
    expect(page.locator("#chat .welcome")).to_be_visible()
    assert page.evaluate("[...places]") == [round(page.locator("#question").bounding_box()["y"])]
    line = page.get_by_role("separator")  # between the conversation, which has more than half, and its sources
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
    ask_to_end(page, QUESTION)
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
