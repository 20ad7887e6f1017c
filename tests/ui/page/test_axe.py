"""axe-core over the main states of the page: nothing serious or critical, Gradio's own markup included."""

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant import Assistant
from searchain.settings import Settings
from storage.database import Database
from storage.people import shares, users
from tests.support.browser import free_port, visit
from tests.support.stories import nintendo
from tests.support.story_runs import StoryPlayer, store_run
from ui.page.app import Served, build, serve
from ui.page.export import Exports
from ui.page.share import Shares
from ui.server.access import Access, Who

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 380, "height": 780}, "has_touch": True}


SETTLED = "document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)"


def faults(page: Page) -> list[tuple[str, str, str]]:
    """Rule, selector and element of every serious or critical violation."""
    page.wait_for_function(SETTLED)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        (rule["id"], " ".join(map(str, node["target"])), node["html"][:200])
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    store = Database(tmp_path_factory.mktemp("axe") / "page.db")
    users.add(store, users.new("ann", "chat", "correct horse"))
    yield store
    store.close()


@pytest.fixture(scope="module")
def served(store: Database) -> Iterator[Served]:
    assistant, access = Assistant(store, StoryPlayer(), Settings()), Access(store=store)
    exports, shared = Exports(assistant, access), Shares(store, access)
    served = serve(
        build(assistant, about="a scripted model · index default", access=access, exports=exports, shares=shared),
        host="127.0.0.1",
        port=free_port(),
        access=access,
        exports=exports,
        shares=shared,
    )
    yield served
    served.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_empty_page(browser: Browser, served: Served, screen: dict, theme: str):
    with visit(browser, served.url, f"?__theme={theme}", **screen) as visitor:
        assert faults(visitor.page) == []
        assert visitor.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_finished_reply_with_everything_open(
    browser: Browser, served: Served, store: Database, screen: dict, theme: str
):
    begun = store_run(store)
    store_run(store, nintendo("And where was it founded?"), conversation=begun.conversation)
    with visit(browser, served.url, f"?__theme={theme}&c={begun.conversation}", **screen) as visitor:
        page = visitor.page
        expect(page.locator("#chat .outcome")).to_have_count(2)
        assert faults(page) == []
        page.evaluate("document.querySelectorAll('#chat .how > summary').forEach((one) => one.click())")
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        expect(page.locator("#chat .step").first).to_be_visible()
        assert faults(page) == []


def test_folded_sources(browser: Browser, served: Served):
    with visit(browser, served.url, **WIDE) as visitor:
        visitor.page.get_by_role("button", name="Hide the sources").click()
        expect(visitor.page.locator("#unfold-side")).to_be_focused()
        assert faults(visitor.page) == []


@pytest.mark.parametrize("menu", ["share", "export"])
def test_an_open_menu(browser: Browser, served: Served, store: Database, menu: str):
    begun = store_run(store)
    shares.make(store, begun.conversation, owner="local")
    with visit(browser, served.url, f"?c={begun.conversation}", **WIDE) as visitor:
        expect(visitor.page.locator("#chat .outcome")).to_have_count(1)
        visitor.page.click(f"#{menu} summary")
        expect(visitor.page.locator(f"#{menu} li").first).to_be_visible()
        assert faults(visitor.page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_snapshot(browser: Browser, served: Served, store: Database, scheme: str):
    token, _ = shares.make(store, store_run(store).conversation, owner="local")
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{served.url}s/{token}")
    assert faults(page) == []
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sign_in_page(browser: Browser, store: Database, scheme: str):
    assistant, access = Assistant(store, StoryPlayer(), Settings()), Access(Who.USERS, store)
    served = serve(build(assistant, about="x", access=access), host="127.0.0.1", port=free_port(), access=access)
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
    context.close()
    served.close()
