"""axe-core over the main states of the page: nothing serious or critical, Gradio's own markup included."""

from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from storage.people import shares
from tests.support.browser import opened_page
from tests.support.chat_page import DESK, PHONE
from tests.support.served_page import PASSWORD, ServedPage, served_page
from tests.support.stories import nintendo
from tests.support.story_runs import store_run
from ui.server.access import Who

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
SERVED = {"exports": True, "shares": True}
SETTLED = "document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)"


def faults(page: Page) -> list[tuple[str, str, str]]:
    """Rule, selector and element of every serious or critical violation."""
    page.wait_for_function(SETTLED)
    page.evaluate(AXE)
    violations = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    grave = [
        (rule["id"], node) for rule in violations if rule["impact"] in ("serious", "critical") for node in rule["nodes"]
    ]
    return [(id, " ".join(map(str, node["target"])), node["html"][:200]) for id, node in grave]


@pytest.mark.parametrize(("screen", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_the_empty_page_and_a_finished_reply_with_everything_open(
    browser: Browser, local: ServedPage, screen: dict, theme: str
):
    begun = store_run(local.store)
    store_run(local.store, nintendo("And where was it founded?"), conversation=begun.conversation)
    with opened_page(browser, local.url, f"?__theme={theme}", **screen) as page:
        assert faults(page) == []
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        page.goto(f"{local.url}?__theme={theme}&c={begun.conversation}")
        expect(page.locator("#chat .outcome")).to_have_count(2)
        assert faults(page) == []
        page.evaluate("document.querySelectorAll('#chat .how > summary').forEach((one) => one.click())")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        expect(page.locator("#chat .step").first).to_be_visible()
        assert faults(page) == []


def test_open_menus_and_folded_sources(browser: Browser, local: ServedPage):
    begun = store_run(local.store)
    shares.make(local.store, begun.conversation, owner="local")
    with opened_page(browser, local.url, f"?c={begun.conversation}") as page:
        expect(page.locator("#chat .outcome")).to_have_count(1)
        for menu in ("share", "export"):
            page.click(f"#{menu} summary")
            expect(page.locator(f"#{menu} li").first).to_be_visible()
            assert faults(page) == []
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Hide the sources").click()
        expect(page.locator("#unfold-side")).to_be_focused()
        assert faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_snapshot(browser: Browser, local: ServedPage, scheme: str):
    token, _ = shares.make(local.store, store_run(local.store).conversation, owner="local")
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{local.url}s/{token}")
    assert faults(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_page(browser: Browser, tmp_path: Path, scheme: str):
    with served_page(tmp_path, Who.USERS) as served:
        context = browser.new_context(color_scheme=scheme)
        page = context.new_page()
        page.goto(served.url)
        expect(page.get_by_label("Password")).to_be_visible()
        assert faults(page) == []
        page.get_by_label("Name").fill("ann")
        page.get_by_label("Password").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_contain_text("wrong")
        assert faults(page) == []
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.goto(f"{served.url}sign-in")
        page.get_by_text("Change your password").click()
        for label, word in (("Present password", PASSWORD), ("New password", "a new horse"), ("again", "another one")):
            page.get_by_label(label, exact=label != "again").fill(word)
        page.get_by_role("button", name="Change it").click()
        expect(page.get_by_role("alert")).to_have_text("The new passwords differ.")
        assert faults(page) == []
        context.close()
