"""Somebody of a crowd platform in a browser: from the link to the completion code."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from storage.annotation import crowd, history
from tests.support.desk_site import NO_PRACTICE, PHONE, WIDE, desk_page, ready, site
from ui.server.access import Who

ONE = {
    "question": "Where is Nintendo?",
    "system": "an engine",
    "answer": "Nintendo sits in Kyoto [1].",
    "citations": [{"number": 1, "title": "Nintendo", "text": "Nintendo is headquartered in Kyoto."}],
}


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_person_comes_by_the_link_judges_their_share_and_takes_the_code(
    browser: Browser, tmp_path: Path, screen: dict
):
    with site(tmp_path, Who.USERS, NO_PRACTICE, ada="admin") as desk:
        desk.put(ONE, {**ONE, "question": "And where is it?"}, {**ONE, "question": "Once more?"}, quota=1)
        values = {"parameter": "PROLIFIC_PID", "code": "C0DE-77", "back": "https://example.org/done?cc=1", "days": 9}
        token, _ = crowd.make(desk.store, 3, 2, **values)
        with desk_page(browser, desk, f"join?study={token}&PROLIFIC_PID=5f8c", **screen) as page:
            page.click("text=Begin, or go on")
            before = ""
            for number in range(2):
                expect(page.locator("#progress")).to_have_text(f"{number} of 2 replies judged by you")
                expect(page.locator("#question")).not_to_have_text(before)  # the progress changes before it
                before = page.locator("#question").inner_text()
                ready(page, before)
                page.click("#now [data-argument='1']")
                page.click("#foot [data-action=submit]")
            expect(page.locator("#code")).to_have_text("C0DE-77")
            expect(page.locator(".button")).to_have_attribute("href", values["back"])
            page.go_back()
            expect(page.locator("#code")).to_be_visible()  # nothing more is given
        assert len(history.labels(desk.store)) == 2
