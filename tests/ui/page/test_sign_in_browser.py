"""Signing in and out in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import opened_page
from tests.support.chat_page import ask_to_end, conversation, wait_for
from tests.support.served_page import PASSWORD, ServedPage, served_page
from ui.server.access import Who


@pytest.fixture(scope="module", params=[Who.USERS, Who.ANYBODY], ids=["users", "public"])
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[ServedPage]:
    with served_page(tmp_path_factory.mktemp("page"), request.param) as served:
        yield served


@pytest.fixture
def page(browser: Browser, site: ServedPage) -> Iterator[Page]:
    with opened_page(
        browser, site.url, "sign-in", wait_for="#password", color_scheme="dark", viewport={"width": 380, "height": 780}
    ) as page:
        yield page


def sign_in(page: Page, password: str = PASSWORD) -> None:
    page.fill("#name", "ann")
    page.fill("#password", password)
    page.keyboard.press("Enter")


def test_a_wrong_password_says_so_and_the_right_one_opens_the_page(page: Page):
    expect(page.locator("#name")).to_be_focused()
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    sign_in(page, "wrong")
    expect(page.get_by_role("alert")).to_have_text("The name or the password is wrong.")
    expect(page.locator("#name")).to_have_value("ann")
    expect(page.locator("#password")).to_be_focused()
    sign_in(page)
    expect(page.get_by_role("textbox", name="Question")).to_be_visible()


def test_signing_out_closes_the_conversations_and_signing_in_opens_them_again(page: Page, site: ServedPage):
    sign_in(page)
    ask_to_end(page, "Where is Nintendo?")
    asked = conversation(page)
    page.click("#nav-toggle")
    expect(page.locator("#nav .person .name")).to_have_text("ann")
    page.click("#nav .sign-out")
    expect(page.locator("#password")).to_be_visible()
    page.goto(f"{site.url}?c={asked}")
    if page.locator("#password").count():
        sign_in(page)
        wait_for(page, "done")
        assert conversation(page) == asked
    else:  # a public page is open to visitors, but not to their conversations
        expect(page.locator("#chat .notice")).to_contain_text("This conversation is not here")
        page.click("#nav-toggle")
        page.click("#nav .sign-in")
        sign_in(page)
        page.click("#nav-toggle")
        expect(page.locator("#nav .title").first).to_have_text("Where is Nintendo?")


def test_signing_out_leaves_no_draft_for_the_next_one(page: Page):
    sign_in(page)
    page.fill("#question textarea", "a secret question")
    page.reload()
    expect(page.locator("#question textarea")).to_have_value("a secret question")
    page.click("#nav-toggle")
    page.click("#nav .sign-out")
    expect(page.locator("#password")).to_be_visible()
    assert "secret" not in page.evaluate("JSON.stringify(sessionStorage)")


def test_over_plain_http_and_by_another_name_one_signs_in_asks_and_signs_out(browser: Browser, tmp_path: Path):
    with served_page(tmp_path, Who.USERS) as served:
        url = served.url.replace("127.0.0.1", "page.test")
        with opened_page(browser, url, "sign-in", wait_for="#password") as page:
            sign_in(page)
            ask_to_end(page, "Where is Nintendo?")
            page.goto(f"{url}sign-in")
            page.get_by_role("button", name="Sign out").click()
            expect(page.locator("#password")).to_be_visible()
