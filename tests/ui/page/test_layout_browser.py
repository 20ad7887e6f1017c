"""What must be in sight of one window: the box for questions, its buttons and the menus, at every size."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.chat_page import wait_for
from tests.support.stories import QUESTION

SIZES = [(1440, 700), (640, 400), (320, 640)]


@pytest.mark.parametrize("page", SIZES, indirect=True)
def test_the_box_for_questions_is_in_the_window_however_much_is_typed(page: Page):
    box = page.locator("#question textarea")
    expect(box).to_be_focused()
    assert page.evaluate("scrollY") == 0
    for text in ("", QUESTION * 3, "line\n" * 9):
        box.fill(text)
        for part in ("#compose", "#ask", "#settings-toggle", "#top"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        middles = [
            page.locator(part).evaluate("(one) => one.getBoundingClientRect().bottom") for part in ("#question", "#ask")
        ]
        assert abs(middles[0] - middles[1]) <= 4  # they stand in one row
    wait_for(page, "idle")
    box.fill(QUESTION)
    page.click("#ask")
    wait_for(page, "done")
    expect(page.locator("#compose")).to_be_in_viewport(ratio=1)


def test_the_box_for_questions_stands_in_its_place_from_the_beginning(page: Page):
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
    assert page.evaluate("[...places]") == [
        page.locator("#question").evaluate("(box) => Math.round(box.getBoundingClientRect().y)")
    ]
