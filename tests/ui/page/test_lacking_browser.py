"""Questions that were not found, in the panel of documents: listed in groups, asked again with one click, whose they are."""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from searchain.events import RunStarted
from storage.collections import access as collections
from storage.database import Database
from tests.support.browser import opened_page
from tests.support.chat_page import DESK, PHONE_IN_THE_DARK
from tests.support.stories import everest, not_found
from tests.support.story_runs import StoryPlayer, store_run
from tests.ui.page.test_documents_browser import page_over


@pytest.mark.parametrize(
    ("screen", "refused"),
    [(DESK, 0), (PHONE_IN_THE_DARK, 1), (DESK, 2)],
    ids=["none", "one", "two"],
)
def test_not_found_questions_are_asked_again_with_one_click(browser: Browser, index_home, screen: dict, refused: int):
    store = Database(index_home / "page.db")
    flat = collections.create(store, "local", "flat")

    def over(events):
        return [replace(event, index=flat.index) if isinstance(event, RunStarted) else event for event in events]

    def answered(question: str):
        return over(
            [replace(event, question=question) if isinstance(event, RunStarted) else event for event in everest()]
        )

    for owner, question in (
        ("local", "Where can I park?"),
        ("bob", "Who is the janitor?"),
        ("local", "Is there <b>parking</b>?"),
    ):
        store_run(store, over(not_found(question)), owner=owner)
    alike = lambda one, other: float("park" in one and "park" in other)  # noqa: E731
    with page_over(store, StoryPlayer(answered), alike=alike) as site, opened_page(browser, site.url, **screen) as page:
        page.click("#documents-toggle")
        page.get_by_role("button", name="Not found: 3").click()
        sheet = page.get_by_role("dialog", name="Asked of “flat” and not found")
        expect(sheet.locator("li")).to_have_count(1)
        expect(sheet.locator("li a")).to_have_text(["Is there <b>parking</b>?", "Where can I park?"])
        expect(sheet).to_contain_text("Nearest: “Mount Everest”")
        expect(sheet).to_contain_text("1 question of somebody else was not found either")
        expect(sheet).not_to_contain_text("janitor")
        answers = iter([*range(2 - refused), *[None] * refused])  # the last ones of the first click

        def refuse(route):
            is_refused = next(answers, 0) is None
            route.fulfill(status=429, json={"error": "Too many."}) if is_refused else route.continue_()

        page.route("**/turns/*/again", refuse)
        again = sheet.get_by_role("button", name="Ask again")
        again.click()
        if refused:  # nothing is lost, and what was asked is not asked twice
            expect(sheet.get_by_role("alert")).to_have_text(f"{2 - refused} of 2 asked: Too many.")
            expect(again).to_be_enabled()
            again.click()
        asked = "Where can I park?" if refused == 1 else "Is there <b>parking</b>?"
        expect(page.locator("#chat .asked.is-newest .question")).to_have_text(asked)
        expect(page.locator("#chat .outcome.is-perhaps")).to_have_count(1)
        page.click("#documents-toggle")
        expect(page.get_by_role("button", name="Not found: 1")).to_be_visible()  # the other person's
