"""Whose page it is, while that changes: a session that ends, somebody who is removed, another tab that signs out."""

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from storage.people import tokens, users
from tests.support.browser import opened_page
from tests.support.chat_page import ask, ask_to_end, conversation
from tests.support.served_page import ServedPage
from ui.server.access import SESSION

QUESTION = "Where is Nintendo?"


def sign_in(context: BrowserContext, site: ServedPage, name: str) -> None:
    context.add_cookies([{"name": SESSION, "value": tokens.issue(site.store, name, "session"), "url": site.url}])


def test_an_ended_session_is_told_with_a_link_and_the_conversation_stays(browser: Browser, closed: ServedPage):
    site = closed
    with opened_page(browser, site.url, "sign-in", wait_for="#password") as page:
        sign_in(page.context, site, "ann")
        page.goto(site.url)
        ask_to_end(page, QUESTION)
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
        sign_in(page.context, site, "bob")
        page.goto(site.url)
        ask_to_end(page, QUESTION)
        users.remove(site.store, "bob")
        ask(page, "And Sega?")
        expect(page.locator("#chat .notice")).to_have_text(
            "! Your conversations are not open to this browser: sign in again, or allow cookies. Sign in"
        )
        expect(page.locator("#chat .notice a")).to_have_attribute("href", "sign-in")
        expect(page.locator("#signed-out")).to_have_text("You are no longer signed in as bob. Sign in again")
        assert page.input_value("#question textarea") == "And Sega?"
        page.locator("#chat .notice a").click()
        page.wait_for_url(f"{site.url}sign-in")
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    "sign", ["window.dispatchEvent(new Event('focus'))", "document.dispatchEvent(new Event('visibilitychange'))"]
)
def test_a_tab_that_is_seen_again_knows_who_was_signed_out_elsewhere(browser: Browser, public: ServedPage, sign: str):
    site = public
    with opened_page(browser, site.url) as page:
        sign_in(page.context, site, "ann")
        page.reload()
        expect(page.locator("#nav .name")).to_have_text("ann")
        other = page.context.new_page()
        other.goto(f"{site.url}sign-in")
        other.get_by_role("button", name="Sign out").click()
        expect(other.locator("#password")).to_be_visible()
        page.evaluate(sign)
        expect(page.locator("#nav .sign-in")).to_be_visible()
        expect(page.locator("#nav .name")).to_have_text("")
