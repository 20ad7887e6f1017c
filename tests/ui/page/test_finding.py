"""The search field of the list of conversations finds own documents, too: those that the person may search."""

import pytest
from playwright.sync_api import Browser, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from assistant import Assistant
from searchain.settings import Settings
from storage.collections import access, adding, removing
from storage.collections.access import Role
from storage.collections.files import Files
from storage.database import Database
from tests.support.browser import opened_page
from tests.support.own_documents import add, collection_of, store, submit, toy_parser  # noqa: F401
from tests.support.served_page import served_page
from tests.support.story_runs import store_run
from ui.page.finding import find
from ui.page.originals import Originals
from ui.server.access import Access, Who

PLANTS = dict(herbs="Basil likes the sun.\nMint spreads through the whole garden.", moss="Moss needs shade.")


def names(store, owner, words):
    return [found.document.name for found in find(store, owner, words)]


def test_a_document_is_found_by_its_name_and_by_all_words_of_a_passage(store):
    add(store, collection_of(store), **PLANTS)
    found = {"HERB": ["herbs.txt"], "garden mint": ["herbs.txt"], "txt": ["herbs.txt", "moss.txt"]}
    found |= {"mint basil": [], "  ": [], "fern": []}
    assert {words: names(store, "local", words) for words in found} == found


CONTRACT = "公司的工资表显示，安娜每月赚四千三百五十欧元，而且她的合同将于明年三月到期，届时双方将重新谈判条件。" * 3


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        (CONTRACT, "合同", "合同"),
        (CONTRACT, "三月 合同", "三月"),
        ("Basil (and “Mint”, too).", "mint", "Mint"),
        ("Eine Crêperie, klein.", "creperie", "Crêperie,"),
    ],
)
def test_the_excerpt_marks_the_word_and_is_short(store, text, words, marked):
    add(store, collection_of(store), one=text)
    (found,) = find(store, "local", words)
    assert found.excerpt.quote == marked == text[found.start : found.end]
    assert len("".join(found.excerpt)) < 130


def test_a_document_with_many_passages_hides_no_other(store):
    long = "Mint grows in the shade of the oldest garden wall, which faces north. " * 3
    add(store, collection_of(store), book="\n".join(f"Mint {number}." for number in range(300)), herbs=long)
    assert sorted(names(store, "local", "mint")) == ["book.txt", "herbs.txt"]


def test_nobody_finds_what_they_may_not_search_or_what_was_removed(store):
    secret = collection_of(store, owner="ann")
    (document,) = add(store, secret, herbs="Basil likes the sun.")
    assert names(store, "bob", "basil") == names(store, "bob", "herbs") == []
    access.share(store, secret, "bob", Role.READER)
    assert names(store, "bob", "basil") == ["herbs.txt"]
    removing.remove(store, [document])
    assert names(store, "ann", "basil") == names(store, "ann", "herbs") == []


def test_a_found_document_opens_at_the_word_and_for_nobody_else(browser: Browser, index_home, toy_parser):
    store = Database(index_home / "page.db")
    mine, theirs = collection_of(store), collection_of(store, owner="ann", name="secrets")
    add(store, mine, **PLANTS)
    (hidden,) = add(store, theirs, mints="The mint of the realm strikes coins.")
    with served_page(index_home, people={}, library=True) as site:
        with opened_page(browser, site.url) as page:
            field = page.get_by_role("searchbox", name="Search conversations and documents")
            field.fill("mint")
            found = page.locator("#nav .documents button")
            expect(found).to_have_text(["herbs.txtMint spreads through the whole garden.manuals"])
            expect(found.locator("mark")).to_have_text("Mint")
            expect(page.locator("#nav .said")).to_have_text("")
            found.focus()
            page.keyboard.press("Enter")
            shown = page.locator("#original")
            expect(shown.locator(".where")).to_have_text("herbs.txt")
            expect(shown.locator("mark")).to_have_text("Mint")
            expect(shown.get_by_role("button", name="Close")).to_be_focused()
            page.keyboard.press("Escape")
            found.focus()
            store_run(store)
            expect(page.locator("#nav .entries li")).to_have_count(0)
            with page.expect_response("**words=mint*") as asked:
                page.evaluate("dispatchEvent(new Event('focus'))")
            assert "documents=" not in asked.value.url
            with page.expect_response("**documents=*"):
                field.dispatch_event("input")  # the list is asked for as by typing
            expect(found).to_be_focused()
        status, _, text = site.request(f"/documents/{hidden.id}/place?start=0&end=4")
        assert (status, "realm" in text, "mints" in text) == (404, False, False)


def test_a_document_that_is_opened_by_its_name_is_shown_or_says_why_not(store):
    collection = collection_of(store)
    routes = Originals(store, Files(store), Assistant(store, None, Settings()), Access(Who.LOCAL, store)).routes
    client = TestClient(Starlette(routes=routes))
    for name, text, said in (
        ("protected", "SECRET words", "protected.txt · protected: The file has a password; save it without one."),
        ("short", "\n".join(f"Paragraph {number}." for number in range(50)), "Paragraph 49."),
        ("long", "\n".join(f"Paragraph {number}." for number in range(500)), "long.txt · only the beginning is shown"),
    ):
        document, _ = submit(store, collection, f"{name}.txt", text)
        adding.work(store, collection.id)
        assert said in client.get(f"/documents/{document.id}/place?start=0&end=0").json()["html"]
