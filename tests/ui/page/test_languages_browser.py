"""The page in another language, in a real browser: the main paths, without a word of another language around them."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain.reply.no_search import Collection
from searchain.types import Passage
from storage.database import Database
from tests.support.browser import opened_page
from tests.support.chat_page import Site, ask_to_end
from tests.support.chat_page import site as served_site
from tests.support.stories import QUESTION, nintendo, not_found
from tests.ui.page.test_axe import faults
from ui.page.export import menu
from ui.page.sidebar import Titles
from ui.server.access import Access
from ui.translation import ENGLISH, _, language, languages, n_, speaking

KNOWS = Collection("default", 10_033, "introductions of English Wikipedia articles")
TITLES = [Passage("1", "Kyoto", "Kyoto is a city.")]


def story(question: str):
    return not_found(question) if "Atlantis" in question else nintendo(question)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("page")
    access = Access(store=Database(folder / "people.db"))
    with served_site(folder, story, titles=Titles(KNOWS, TITLES, Access()), access=access) as served:
        yield served


@pytest.fixture(params=[tag for tag in languages() if tag != ENGLISH])
def page(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    with opened_page(browser, site.url, locale=request.param) as page, speaking(request.param):
        yield page


def test_the_main_paths(page: Page):
    assert page.evaluate("document.documentElement.lang") == language()
    expect(page.get_by_role("button", name=_("Ask"), exact=True)).to_be_visible()
    expect(page.get_by_role("textbox", name=_("Question"))).to_have_attribute("placeholder", _("Ask a question"))
    expect(page.locator("#chat .welcome h2")).to_have_text(_("Ask a question, check every sentence"))
    assert faults(page) == []
    ask_to_end(page, QUESTION)
    sure = n_("about {n} in 10 such answers is right", "about {n} in 10 such answers are right", 9)
    expect(page.locator("#chat .outcome")).to_have_text(f"✓ {_('Supported')} {sure}")
    said = _("The article says {answer}; the model had said {old}.", answer="Kyoto", old="Tokyo")
    expect(page.locator("#chat .corrections")).to_contain_text(said)
    page.locator("a.cite").first.click()
    card = page.locator("details.card.is-chosen")
    expect(card.locator(".back")).to_have_text(_("Back to the reply"))
    expect(page.locator("#reasoning .verdict").first).to_contain_text(_("the article says otherwise"))
    ask_to_end(page, "Who is the mayor of Atlantis?", replies=2)
    where = _("in {where}.", where=_("the introductions of English Wikipedia articles"))
    expect(page.locator("#chat .outcome").last).to_have_text(f"– {_('Not found')} {where}")
    expect(page.locator("#chat .ways .edit")).to_have_text(_("Ask differently"))
    page.locator("#chat .retry:visible").last.hover()
    expect(page.locator("#chat .retry").last).to_have_text(_("Retry"))
    page.click("#ask")
    expect(page.locator("#asking-hint")).to_have_text(_("Type a question first."))
    assert faults(page) == []
    page.click("#settings-toggle")
    expect(page.locator("#settings h2")).to_have_text(_("Settings of this conversation"))
    expect(page.locator("#set-task option").first).to_have_text(_("chosen automatically"))
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.locator("#knows .to-titles").click()
    expect(page.locator("#titles .count")).to_have_text(_("{all} titles", all=1))


def test_the_language_is_chosen_in_the_settings_and_stays(browser: Browser, site: Site):
    with opened_page(browser, site.url, viewport={"width": 390, "height": 800}, locale="en-GB") as page:
        ask_to_end(page, QUESTION)
        page.click("#settings-toggle")
        page.get_by_label("Language of this page").select_option("简体中文")
        expect(page.locator("#ask")).to_have_text("提问")
        expect(page.locator("#chat .outcome")).to_contain_text("有依据")
        expect(page.locator("#chat .final")).to_have_text("Honshu")  # what is answered stays as it is
        page.reload()
        expect(page.locator("#new")).to_have_text("新建对话")
        page.click("#settings-toggle")
        page.get_by_label("页面语言").select_option("")
        expect(page.locator("#ask")).to_have_text("Ask")


def test_menus_speak_and_what_is_kept_or_for_programs_stays_english(site: Site):
    with speaking("zh-CN"):
        assert "供研究使用" in menu()

    chinese = {"Accept_Language": "zh-CN", "Accept": "text/html"}
    missing = site.request("/nothing-here", **chinese)[2]
    assert 'lang="zh-CN"' in missing
    assert "此地址没有页面。" in missing
    assert (
        site.request("/nothing-here", Accept_Language="zh-CN", Accept="application/json")[2] == '{"detail":"Not Found"}'
    )
    desk = site.request("/annotate", **chinese)[2]
    assert "<h1>标注台</h1>" in desk
    assert '<p id="question" lang="en"' in desk
