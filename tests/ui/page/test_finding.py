"""The search field of the list of conversations finds own documents, too: those that the person may search."""

import pytest
from playwright.sync_api import Browser, expect

from storage.collections import access, removing
from storage.collections.access import Role
from storage.database import Database
from tests.support.browser import opened_page
from tests.support.own_documents import add, collection_of, store, toy_parser  # noqa: F401
from tests.support.served_page import served_page
from ui.page.finding import find

PLANTS = dict(herbs="Basil likes the sun.\nMint spreads through the whole garden.", moss="Moss needs shade.")


def names(store, owner, words):
    return [found.document.name for found in find(store, owner, words)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("HERB", ["herbs.txt"]),
        ("garden mint", ["herbs.txt"]),
        ("mint basil", []),
        ("txt", ["herbs.txt", "moss.txt"]),
        ("  ", []),
        ("fern", []),
    ],
)
def test_a_document_is_found_by_its_name_and_by_all_words_of_a_passage(store, words, expected):
    add(store, collection_of(store), **PLANTS)
    assert names(store, "local", words) == expected


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
        status, _, text = site.request(f"/documents/{hidden.id}/place?start=0&end=4")
        assert (status, "realm" in text, "mints" in text) == (404, False, False)
