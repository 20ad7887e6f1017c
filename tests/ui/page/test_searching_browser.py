"""The header says how the encyclopedia is searched while its index is built, in a real browser."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from searchain.setup import index
from searchain.setup.index import Behind, Meter, State
from storage.people.users import Role
from tests.support import chat_page
from tests.support.chat_page import CONTRAST, Site, ask, wait_for
from tests.support.fakes import QUESTION
from ui.page.sidebar import Searching
from ui.server.access import Access, Person

REASON = "building the index ended with signal 9; to go on, run: make setup"


class Told(Behind):
    """A build whose state the test tells."""

    now = State.BUILDING

    def state(self) -> State:
        return self.now


@pytest.fixture(scope="module")
def behind() -> Told:
    return Told()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, behind: Told) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "indexes").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEARCHAIN_HOME", str(folder))
        with chat_page.site(folder, searching=Searching(Access(), behind)) as served:
            yield served


@pytest.mark.parametrize("page", [(1280, 800), (390, 800)], indirect=True, ids=["wide", "phone"])
def test_the_header_follows_the_build_to_its_end(page: Page, site: Site, behind: Told):
    behind.now = State.BUILDING
    page.reload()
    said, bar = page.locator("#searching .said"), page.locator("#searching progress")
    expect(said).to_have_text("Searching by words; by meaning in a few minutes")
    expect(bar).to_be_hidden()
    progress, now = site.store.path.parent / "indexes" / ".default.progress", time.time()
    moments = iter([now - 240, now])  # it has taken four minutes for a half
    Meter(progress, clock=lambda: next(moments))(index.ENCODING, 10, 13)
    expect(said).to_have_text("Searching by words; by meaning in about 4 min")
    expect(bar).to_have_attribute("value", "0.5")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert said.evaluate("it => it.scrollWidth <= it.clientWidth"), "the minutes are cut off"
    assert said.bounding_box()["width"] > 100
    assert page.evaluate(CONTRAST) == []
    ask(page, QUESTION)  # the page answers meanwhile
    wait_for(page, "done")
    behind.now = State.READY
    expect(page.locator("#searching")).to_be_hidden()
    progress.unlink()


def test_a_build_that_failed_is_told_with_the_next_step(page: Page, site: Site, behind: Told):
    behind.now, behind.reason = State.FAILED, REASON
    page.reload()
    expect(page.locator("#searching .said")).to_have_text(f"Searching by words: {REASON}")
    expect(page.locator("#searching progress")).to_be_hidden()
    assert page.evaluate(CONTRAST) == []


def test_only_who_can_mend_it_is_told_why_it_failed(behind: Told):
    behind.now, behind.reason = State.FAILED, REASON
    for role, said in ((None, ""), (Role.CHAT, ""), (Role.ADMIN, f": {REASON}")):
        (route,) = Searching(access := Access(), behind).routes
        access.person = lambda headers: Person("ann", role)  # noqa: B023
        answer = TestClient(Starlette(routes=[route])).get("/searching").json()
        assert answer == {"state": "failed", "said": f"Searching by words{said}"}
