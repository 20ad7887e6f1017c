"""Signing in and out in a real browser, and whose page it is while that changes, also in another tab."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from storage.people import tokens, users
from tests.support.browser import opened_page
from tests.support.chat_page import PHONE_IN_THE_DARK, ask, ask_to_end, conversation, wait_for
from tests.support.served_page import PASSWORD, ServedPage, served_page
from ui.server.access import SESSION, Who


@pytest.fixture(scope="module", params=[Who.USERS, Who.ANYBODY], ids=["users", "public"])
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[ServedPage]:
    with served_page(tmp_path_factory.mktemp("page"), request.param) as served:
        yield served


SIGN_IN = {"path": "sign-in", "wait_for": "#password"}


@pytest.fixture
def page(browser: Browser, site: ServedPage) -> Iterator[Page]:
    with opened_page(browser, site.url, **SIGN_IN, **PHONE_IN_THE_DARK) as page:
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
    page.fill("#question textarea", "a secret question")
    page.reload()
    expect(page.locator("#question textarea")).to_have_value("a secret question")
    page.click("#nav-toggle")
    expect(page.locator("#nav .person .name")).to_have_text("ann")
    page.click("#nav .sign-out")
    expect(page.locator("#password")).to_be_visible()
    assert "secret" not in page.evaluate("JSON.stringify(sessionStorage)")  # no draft is left for the next one
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


def test_over_plain_http_and_by_another_name_one_signs_in_asks_and_signs_out(browser: Browser, tmp_path: Path):
    with served_page(tmp_path, Who.USERS) as served:
        url = served.url.replace("127.0.0.1", "page.test")
        with opened_page(browser, url, **SIGN_IN) as page:
            sign_in(page)
            ask_to_end(page, "Where is Nintendo?")
            page.goto(f"{url}sign-in")
            page.get_by_role("button", name="Sign out").click()
            expect(page.locator("#password")).to_be_visible()


SEEN = {"window": "focus", "document": "visibilitychange"}


def let_in(context: BrowserContext, site: ServedPage, name: str) -> None:
    context.add_cookies([{"name": SESSION, "value": tokens.issue(site.store, name, "session"), "url": site.url}])


def test_an_ended_session_is_told_with_a_link_and_the_conversation_stays(browser: Browser, closed: ServedPage):
    site = closed
    with opened_page(browser, site.url, "sign-in", wait_for="#password") as page:
        let_in(page.context, site, "ann")
        page.goto(site.url)
        ask_to_end(page, "Where is Nintendo?")
        page.context.clear_cookies()
        ask(page, "And Sega?")
        expect(page.locator("#signed-out")).to_have_text("You are no longer signed in as ann. Sign in again")
        expect(page.get_by_test_id("toast-text")).to_have_text("Sign in first.")
        expect(page.get_by_test_id("status-tracker").filter(visible=True)).to_have_count(0)
        expect(page.locator("#chat .reply")).to_contain_text("Kyoto")
        assert page.input_value("#question textarea") == "And Sega?"
        shown = conversation(page)
        page.get_by_role("link", name="Sign in again").click()
        page.wait_for_url(f"{site.url}sign-in?c={shown}")


def test_on_a_public_page_somebody_who_was_removed_is_told_with_a_link(browser: Browser, public: ServedPage, capfd):
    site = public
    with opened_page(browser, site.url, "sign-in", wait_for="#password") as page:
        let_in(page.context, site, "bob")
        page.goto(site.url)
        ask_to_end(page, "Where is Nintendo?")
        users.remove(site.store, "bob")
        ask(page, "And Sega?")
        # a request of the page between removal and question makes the browser that of a visitor
        expect(page.locator("#chat .notice")).to_have_text(
            re.compile("! (Your conversations are not open to this browser|This conversation is not here)")
        )
        expect(page.locator("#signed-out")).to_have_text("You are no longer signed in as bob. Sign in again")
        assert page.input_value("#question textarea") == "And Sega?"
        page.locator("#signed-out a").click()
        page.wait_for_url(f"{site.url}sign-in**")
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("sign", [f"{on}.dispatchEvent(new Event('{name}'))" for on, name in SEEN.items()])
def test_a_tab_that_is_seen_again_knows_who_was_signed_out_elsewhere(browser: Browser, public: ServedPage, sign: str):
    site = public
    with opened_page(browser, site.url) as page:
        let_in(page.context, site, "ann")
        page.reload()
        expect(page.locator("#nav .name")).to_have_text("ann")
        other = page.context.new_page()
        other.goto(f"{site.url}sign-in")
        other.get_by_role("button", name="Sign out").click()
        expect(other.locator("#password")).to_be_visible()
        page.evaluate(sign)
        expect(page.locator("#nav .sign-in")).to_be_visible()
        expect(page.locator("#nav .name")).to_have_text("")
