"""What the page shows when somebody has asked too much."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.support.browser import visit
from tests.support.chat_page import ask, site, wait_for
from ui.server.access import Access
from ui.server.limits import Limits


def test_a_question_too_many_is_told_apart_from_the_reply_before_it(browser: Browser, tmp_path: Path):
    access = Access(limits=Limits(at_once=1, per_hour=1, is_going=lambda turn: False))
    with (
        site(tmp_path, access=access) as served,
        visit(browser, served.url, viewport={"width": 1280, "height": 800}) as visitor,
    ):
        page = visitor.page
        ask(page, "Where is Nintendo?")
        wait_for(page, "done")
        ask(page, "And Sega?")
        expect(page.locator("#chat .notice")).to_contain_text("1 question an hour is allowed")
        assert page.input_value("#question textarea") == "And Sega?"
        text = (
            "(e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect().top }"
        )
        below = page.locator("#chat .acts >> nth=-1").bounding_box()
        assert page.locator("#chat .notice").evaluate(text) - below["y"] - below["height"] >= 12
        assert (visitor.foreign, visitor.errors) == ([], [])
