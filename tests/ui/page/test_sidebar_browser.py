"""The list of conversations in a real browser: found, opened, renamed and deleted, by mouse, keyboard and finger."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain.errors import NotFound
from tests.support.browser import opened_page
from tests.support.chat_page import PHONE, Site, ask, ask_to_end, conversation, held, wait_for
from tests.support.stories import nintendo
from tests.support.story_runs import store_run
from ui.server.access import VISITOR, Access, Who, visitor_of

SITE = {"access": Access(Who.ANYBODY)}
"""A public page: each test is a visitor of its own, and finds nothing that another one left."""


@pytest.fixture
def empty(browser: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    with opened_page(browser, site.url, **getattr(request, "param", {})) as page:
        yield page


@pytest.fixture
def owner(empty: Page) -> str:
    return visitor_of(next(cookie["value"] for cookie in empty.context.cookies() if cookie["name"] == VISITOR)).owner


@pytest.fixture
def asked(site: Site, owner: str) -> list[str]:
    """Three conversations, the newest last."""
    questions = ("Where is Nintendo?", "Which island is Kyoto on?", "Who owns Sega?")
    return [store_run(site.store, nintendo(question), owner).conversation for question in questions]


@pytest.fixture
def page(empty: Page, asked: list[str]) -> Page:
    empty.reload()
    expect(titles(empty)).to_have_count(3)
    return empty


def titles(page: Page):
    return page.locator("#nav .title")


def test_the_newest_come_first_and_one_is_opened_by_its_link(page: Page, asked: list[str]):
    expect(titles(page)).to_have_text(["Who owns Sega?", "Which island is Kyoto on?", "Where is Nintendo?"])
    expect(page.locator("#nav [aria-current]")).to_have_count(0)
    page.click("#nav a >> nth=2")
    wait_for(page, "done")
    assert conversation(page) == asked[0]
    expect(page.locator("#chat .question")).to_have_text("Where is Nintendo?")
    expect(page.locator("#nav [aria-current]")).to_contain_text("Where is Nintendo?")
    page.click("#nav a >> nth=0")
    expect(page.locator("#chat .question")).to_have_text("Who owns Sega?")
    page.go_back()
    expect(page.locator("#chat .question")).to_have_text("Where is Nintendo?")


def test_a_new_question_begins_a_conversation_that_is_marked_while_it_runs(page: Page, site: Site):
    with held(site) as player:
        ask(page, "Is Kyoto old?")
        expect(page.locator("#nav li").first).to_contain_text("Is Kyoto old?being answered")
        expect(page.locator("#nav [aria-current]")).to_contain_text("Is Kyoto old?")
        player.go_on.set()
        wait_for(page, "done")
        expect(page.locator("#nav .is-running")).to_have_count(0)
    page.click("#new")
    expect(page.locator("#reasoning[data-state=idle]")).to_be_visible()
    expect(titles(page)).to_have_count(4)


def test_words_are_searched_while_they_are_typed_and_what_runs_cannot_be_deleted(page: Page, site: Site, owner: str):
    page.locator("#nav .words").press_sequentially("sega")
    expect(titles(page)).to_have_text(["Who owns Sega?"])
    page.fill("#nav .words", "zebra")
    expect(titles(page)).to_have_count(0)
    said = "Nothing found. Try fewer words, or the beginning of one; in documents, words must be whole."
    expect(page.locator("#nav .said")).to_have_text(said)
    page.fill("#nav .words", "")
    expect(titles(page)).to_have_count(3)
    with held(site):
        site.assistant.start("Still going", owner=owner)
        page.reload()
        page.hover("#nav li >> nth=0")
        page.click("#nav .delete >> nth=0")
        page.click("dialog .is-dangerous")
        expect(page.locator("dialog .said")).to_contain_text("still being answered; wait for it, or stop it first")
        page.click("dialog >> text=Cancel")


def test_a_conversation_is_renamed_and_a_title_that_is_none_says_so(page: Page):
    page.hover("#nav li >> nth=1")
    page.click("#nav .rename >> nth=1")
    field = page.locator("dialog input")
    expect(field).to_be_focused()
    field.fill(" ")
    page.keyboard.press("Enter")
    expect(page.locator("dialog .said")).to_have_text("the title is empty; write a few words")
    field.fill("<b>Islands</b>")
    page.keyboard.press("Enter")
    expect(titles(page).nth(1)).to_have_text("<b>Islands</b>")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Rename <b>Islands</b>")).to_be_focused()
    page.reload()
    expect(titles(page).nth(1)).to_have_text("<b>Islands</b>")


def test_deleting_asks_first_and_leaves_nothing(page: Page, site: Site, owner: str, asked: list[str]):
    page.click("#nav a >> nth=0")
    wait_for(page, "done")
    page.hover("#nav li >> nth=0")
    page.click("#nav .delete >> nth=0")
    filled = "(one) => getComputedStyle(one).backgroundColor"
    assert page.locator("dialog .is-dangerous").evaluate(filled) == "rgb(185, 28, 28)"  # what cannot be undone is red
    asked_first = "“Who owns Sega?” with its questions, replies and evidence is erased after ten seconds."
    expect(page.get_by_role("dialog")).to_contain_text(f"{asked_first} Until then Undo brings it back.")
    page.keyboard.press("Escape")
    expect(titles(page)).to_have_count(3)
    page.click("#nav .delete >> nth=0")
    page.click("dialog .is-dangerous")
    expect(page.locator("#reasoning[data-state=idle]")).to_be_visible()
    expect(titles(page)).to_have_count(2)
    assert conversation(page) is None
    with pytest.raises(NotFound):
        site.assistant.turns(asked[2], owner=owner)


def delete_first(page: Page) -> None:
    page.hover("#nav li >> nth=0")
    page.click("#nav .delete >> nth=0")
    page.click("dialog .is-dangerous")
    expect(page.locator("dialog")).to_have_count(0)


def test_a_deletion_is_undone_by_key_also_after_the_page_was_loaded_anew(page: Page, asked: list[str]):
    delete_first(page)
    said = page.get_by_role("status").filter(has_text="“Who owns Sega?” is deleted.")
    expect(said).to_be_visible()
    expect(titles(page)).to_have_text(["Which island is Kyoto on?", "Where is Nintendo?"])
    page.fill("#nav .words", "sega")
    expect(titles(page)).to_have_count(0)
    page.reload()
    expect(said).to_be_visible()
    page.locator("#undo button").focus()
    page.keyboard.press("Enter")
    expect(titles(page)).to_have_text(["Who owns Sega?", "Which island is Kyoto on?", "Where is Nintendo?"])
    expect(page.locator("#nav li >> nth=0").locator("a")).to_be_focused()
    expect(said).to_have_count(0)
    page.keyboard.press("Enter")
    wait_for(page, "done")
    assert conversation(page) == asked[2]
    delete_first(page)  # the page begins anew, because what it showed is gone
    expect(page.locator("#reasoning[data-state=idle]")).to_be_visible()
    expect(said).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(titles(page)).to_have_count(3)


def test_after_its_seconds_a_deletion_cannot_be_undone(page: Page, site: Site, asked: list[str], monkeypatch):
    monkeypatch.setattr(site.assistant.deletions, "seconds", 1.5)
    delete_first(page)
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#undo")).to_be_hidden()
    address, own = f"{site.url}conversations/{asked[2]}", {"origin": site.url.rstrip("/")}
    answer = page.request.patch(address, data={"deleted": False}, headers=own)
    assert answer.status == 404
    assert "gone for good" in answer.json()["error"]
    expect(titles(page)).to_have_count(2)


def test_a_pinned_conversation_stands_first_in_a_group_of_its_own(page: Page):
    page.hover("#nav li >> nth=2")
    page.get_by_role("button", name="Pin Where is Nintendo?").click()
    expect(titles(page)).to_have_text(["Where is Nintendo?", "Who owns Sega?", "Which island is Kyoto on?"])
    off = page.get_by_role("button", name="Unpin Where is Nintendo?")
    expect(off).to_be_focused()
    shown = "(one) => getComputedStyle(one, '::before').content"
    assert page.locator("#nav li").evaluate_all(f"(all) => all.map({shown})") == ['"Pinned"', '""', "none"]
    page.fill("#nav .words", "nintendo")
    expect(titles(page)).to_have_text(["Where is Nintendo?"] + titles(page).all_inner_texts()[1:])
    expect(page.locator("#nav .is-pinned")).to_have_count(0)  # what is found stands by how well it fits
    page.fill("#nav .words", "")
    page.reload()
    expect(titles(page).first).to_have_text("Where is Nintendo?")
    page.locator("#nav a >> nth=0").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(titles(page)).to_have_text(["Who owns Sega?", "Which island is Kyoto on?", "Where is Nintendo?"])


def test_all_of_it_works_by_keyboard(page: Page):
    page.focus("#nav .words")
    page.keyboard.press("Tab")
    expect(page.locator("#nav a >> nth=0")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Pin Which island is Kyoto on?")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Rename Which island is Kyoto on?")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Delete the conversation?")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    page.focus("#nav a >> nth=1")
    page.keyboard.press("Enter")
    wait_for(page, "done")
    expect(page.locator("#chat .question")).to_have_text("Which island is Kyoto on?")


@pytest.mark.parametrize("empty", [PHONE], indirect=True)
def test_on_a_phone_it_is_a_drawer(page: Page):
    toggle = page.get_by_role("button", name="Conversations")
    expect(page.locator("#nav")).to_be_hidden()
    expect(page.locator("#question textarea")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth - innerWidth") <= 0
    toggle.tap()
    expect(page.locator("#nav .drawer-head button")).to_be_focused()  # and no keyboard covers the list
    page.keyboard.press("Escape")
    expect(page.locator("#nav")).to_be_hidden()
    expect(toggle).to_be_focused()
    toggle.tap()
    page.touchscreen.tap(370, 400)
    expect(page.locator("#nav")).to_be_hidden()
    toggle.tap()
    page.locator("#nav a").nth(2).tap()
    wait_for(page, "done")
    expect(page.locator("#nav")).to_be_hidden()
    expect(page.locator("#chat .question")).to_have_text("Where is Nintendo?")


def test_nothing_there_says_what_to_do_and_visitors_see_their_own_alone(empty: Page, browser: Browser, site: Site):
    nothing = "Your conversations appear here. Ask a question to begin the first one."
    expect(empty.locator("#nav .said")).to_have_text(nothing)
    with opened_page(browser, site.url) as other:
        ask_to_end(other, "Where is Nintendo?")
        expect(titles(other)).to_have_text(["Where is Nintendo?"])
        empty.reload()
        expect(empty.locator("#nav .said")).to_be_visible()
        expect(titles(empty)).to_have_count(0)
