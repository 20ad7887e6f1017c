"""The careful model in a real browser: a reply that is being checked, what becomes of it, and the button that fetches it."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lab.scripted.model import ScriptedModel
from searchain.embedded.assets import FILE, Packaged
from searchain.errors import SetupError
from searchain.pipeline import SearChain
from searchain.reply.review import Review
from searchain.reply.second_reader import SecondReader
from searchain.settings import Settings
from searchain.setup import careful as setup
from searchain.setup.progress import Report
from storage.people.users import Role
from tests.searchain.reply.test_review import PLAN, Opinion
from tests.support.chat_page import CONTRAST, ask, wait_for
from tests.support.fakes import QUESTION, JudgingModel, Rating, around
from tests.support.served_page import served_page
from ui.page.careful import RULES, Careful
from ui.server.access import Access, Who

MODEL = Packaged(name="Toy", size=4, sha256="0" * 64, piece=2, notice="")
ODDS = "in 10 such answers are right"
CHECKING = "… Checking with a larger model This is the first reply; it may still change. Stop keeps it as it is."


class Site:
    """What the careful model of the page does: it reads ``answer`` as soon as ``go_on`` is set, and can be fetched."""

    def __init__(self) -> None:
        self.answer, self.opinion, self.go_on, self.may_fetch = "", Opinion(0.4), threading.Event(), threading.Event()
        self.fetch_error, self.url = "", ""
        self.careful = Careful(Access(), model=MODEL, fetch=self._fetch, is_behind=True)

    def searchain(self, settings: Settings, index: str) -> SearChain:
        def read(messages: object) -> str:
            self.go_on.wait(30)
            return self.answer

        review = Review(SecondReader(JudgingModel(read, name="careful")), self.opinion)
        return around(ScriptedModel(PLAN), reply="template", probability=Rating(0.4), review=review)

    def _fetch(self, report: Report) -> None:
        while not self.may_fetch.wait(0.1):
            report("part 1 of 2")
        if self.fetch_error:
            raise SetupError(self.fetch_error)
        MODEL.place.mkdir(parents=True)
        (MODEL.place / FILE).write_bytes(b"GGUF")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    made = Site()
    with served_page(tmp_path, people={}, player=made.searchain, page={"careful": made.careful}) as served:
        made.url = served.url
        yield made
        made.go_on.set()


@pytest.mark.parametrize(
    ("answer", "opinion", "reply", "ending"),
    [
        ("Honshu", Opinion(0.93), "Honshu", f"✓ Supported about 9 {ODDS}"),
        ("Kansai", Opinion(0.1, 0.6), "Kansai", f"? Not sure about 6 {ODDS} · changed after a larger model read it"),
        ("Shikoku", Opinion(0.2), "Honshu", f"? Perhaps about 2 {ODDS} · a larger model reads “Shikoku”"),
    ],
    ids=["confirmed", "corrected", "withdrawn"],
)
def test_a_reply_is_shown_as_being_checked_and_then_as_what_it_became(
    page: Page, site: Site, answer: str, opinion: Opinion, reply: str, ending: str
):
    site.answer, site.opinion = answer, opinion
    ask(page, QUESTION)
    outcome = page.locator("#chat .outcome")
    expect(outcome).to_have_text(CHECKING)
    expect(page.locator("#chat .answer-block")).to_contain_text("Honshu")
    expect(page.locator("#chat .reply .support")).to_have_count(0)  # nothing is rated yet
    site.go_on.set()
    wait_for(page, "done")
    expect(outcome).to_have_text(ending)
    expect(page.locator("#chat .answer-block")).to_contain_text(reply)


def test_the_next_question_does_not_wait_for_the_check_and_stop_keeps_the_first_reply(page: Page, site: Site):
    site.answer = "Shikoku"
    ask(page, QUESTION)
    outcome = page.locator("#chat .outcome")
    expect(outcome).to_have_text(CHECKING)
    ask(page, f"{QUESTION} Please.")
    expect(outcome.first).to_have_text(re.compile("^. Not sure"))
    expect(outcome.last).to_have_text(CHECKING)
    page.click("#stop")
    expect(outcome.last).to_have_text(re.compile("^. Not sure"))


def test_the_header_shows_a_download_behind_the_page_and_stops_it_for_good(page: Page, site: Site):
    site.careful.begin()
    page.reload()
    line = page.locator("#fetching")
    expect(line.locator(".said")).to_have_text("Fetching a larger model: 0 %")
    assert page.evaluate(CONTRAST) == []
    line.get_by_role("button", name="Stop").click()
    expect(line).to_be_hidden()
    assert setup.reason_against() == "it was stopped before; fetch it with: make careful"
    page.click("#settings-toggle")
    page.click("#careful .get")
    expect(line).to_be_visible()
    site.may_fetch.set()
    expect(line).to_be_hidden()
    assert "was stopped" not in setup.reason_against()


def test_the_button_fetches_the_model(page: Page, site: Site):
    page.click("#settings-toggle")
    state, button = page.locator("#careful .state"), page.locator("#careful .get")
    expect(button).to_have_text("Download: 1.1 GB, about 3 min at 50 Mbit/s")
    expect(state).to_have_text("It is not installed; it needs 0.0 GB of disk space.")
    site.fetch_error = "the package index cannot be reached; check the connection"
    site.may_fetch.set()
    button.click()
    expect(state).to_have_text(site.fetch_error)
    site.fetch_error = ""
    site.may_fetch.clear()
    button.click()
    expect(state).to_have_text("Downloading: 0 % done.")
    expect(page.locator("#careful progress")).to_be_visible()
    expect(button).to_be_hidden()
    site.may_fetch.set()
    said = f"the careful model '{MODEL.place / FILE}' is damaged; fetch it again with: make careful"
    expect(state).to_have_text(said)


def test_only_the_local_person_and_admins_may_fetch_it():
    (rule,) = (one for one in RULES if one.path == "/careful")
    assert (rule.role, Access(Who.LOCAL).person({}).may(rule.role)) == (Role.ADMIN, True)
