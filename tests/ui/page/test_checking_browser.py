"""“Check a text” in a real browser, over own documents and the real judge: from a pasted text to both sides."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from assistant import open_assistant
from storage.database import Database
from tests.support.browser import opened_page
from tests.support.chat_page import DESK, PHONE_IN_THE_DARK
from tests.support.hostile_files import docx, paragraph
from tests.support.own_documents import add, collection_of
from tests.support.retrieval_home import share_models
from tests.support.served_page import served_page
from tests.ui.page.test_axe import faults

LEASE = (
    "The monthly rent for the flat is 1,150 euros. The tenant pays a deposit of 3,450 euros. Small pets are allowed."
)
TEXT = "Here is what I found.\n\nThe deposit is 2,450 euros [1]. Small pets are allowed. The flat has a balcony that faces south."


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = share_models(tmp_path_factory.mktemp("check") / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEARCHAIN_HOME", str(home))
        store = Database(home / "page.db")
        add(store, collection_of(store, name="flat"), lease=LEASE)
        embedded = open_assistant(db=store.path)
        with served_page(home, people={}, assistant=embedded, library=True) as served:
            yield served.url


def choose_flat(page: Page) -> None:
    page.locator("#question textarea").press("Escape")  # leaves the field
    page.keyboard.press("c")
    page.click("#check .to-documents")
    page.check("#documents .tick")
    page.click("#check-title")
    expect(page.locator("#documents")).to_be_hidden()
    expect(page.locator("#check .against")).to_contain_text("flat")


@pytest.mark.parametrize("screen", [DESK, PHONE_IN_THE_DARK], ids=["wide", "phone"])
def test_a_pasted_text_to_a_contradicted_sentence_with_both_sides(browser: Browser, url: str, screen: dict):
    with opened_page(browser, url, **screen) as page:
        choose_flat(page)
        assert faults(page) == []
        page.fill("#check textarea", TEXT)
        page.keyboard.press("Control+Enter")
        wrong = page.locator("#chat .sentence.is-contradicted")
        expect(wrong.locator(".uncarried")).to_have_text(re.compile("2,450"))
        expect(page.locator("#chat .is-contradicted + .against mark")).to_have_text("3,450 euros")
        expect(page.locator("#chat .outcome")).to_contain_text("A passage says otherwise: 1")
        expect(page.locator("#chat .sentence.is-absent")).to_contain_text("balcony")
        assert faults(page) == []
        wrong.locator(".cite").click()
        expect(page.locator("#side .card[open] .passage mark")).to_have_text("3,450 euros")
        page.keyboard.press("Escape")
        page.reload()  # it is stored as a reply
        expect(page.locator("#chat .is-contradicted + .against mark")).to_have_text("3,450 euros")
        page.click("#chat .asked .edit")
        expect(page.locator("#check textarea")).to_have_value(TEXT.replace(" [1]", ""))


def test_a_file_fills_the_panel_and_is_not_added_to_the_documents(browser: Browser, url: str, tmp_path: Path):
    written = tmp_path / "answer.docx"
    written.write_bytes(docx(paragraph("The deposit is 2,450 euros.")))
    with opened_page(browser, url) as page:
        page.click("#nav .to-check")
        page.set_input_files("#check input[type=file]", written)
        expect(page.locator("#check textarea")).to_have_value("The deposit is 2,450 euros.")
        (tmp_path / "broken.pdf").write_bytes(b"no pdf")
        page.set_input_files("#check input[type=file]", tmp_path / "broken.pdf")
        expect(page.locator("#check .said")).not_to_be_empty()
        page.keyboard.press("Escape")
        expect(page.locator("#check")).to_have_count(0)
        page.click("#documents-toggle")
        expect(page.locator("#documents .collections")).not_to_contain_text("answer.docx")


def test_stop_keeps_the_sentences_that_were_judged(browser: Browser, url: str):
    with opened_page(browser, url) as page:
        choose_flat(page)
        many = " ".join(f"The deposit of flat {number} is {number}50 euros." for number in range(2, 60))
        page.fill("#check textarea", many)
        page.click("#check .is-main")
        expect(page.locator("#chat .doing-line")).to_contain_text("checked")
        page.click("#stop")
        expect(page.locator("#chat .outcome")).to_contain_text("Stopped")
        kept = page.locator("#chat .sentence").count()
        assert 1 <= kept < 58
        expect(page.locator("#chat .sentence .support")).to_have_count(kept)
