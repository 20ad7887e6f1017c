"""What the desk keeps while replies are put on it and judged in a real browser: whatever is taken back, changed, lost or late."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain.annotation.protocol import Backing
from searchain.errors import NotFound
from storage.annotation import history, import_items, progress, withdrawing
from storage.annotation.desk import Desk
from tests.support.chat_page import ask, wait_for
from tests.support.desk_site import FOUR, Site, desk_page, draft, opened, press, ready, saved, site, submitted, the_item
from tests.support.judged_replies import judge, uniform_labels
from tests.support.stories import QUESTION
from tests.support.story_runs import store_run
from ui.server.access import Who


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Site]:
    """A desk to which people sign in."""
    with site(tmp_path, Who.USERS, ann="annotator") as made:
        yield made


NOTICES = """() => { window.told = []; const notice = document.getElementById('notice');
    new MutationObserver(() => told.push(notice.textContent)).observe(notice, { childList: true, characterData: true, subtree: true }) }"""


def test_without_a_connection_work_is_kept_saved_and_submitted_later(page: Page, desk: Site):
    page.context.set_offline(True)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_have_text("Not saved yet: kept in this browser")
    expect(page.locator("#notice")).to_contain_text("Your work is kept in this browser")
    page.keyboard.press("1")
    page.evaluate(NOTICES)  # another attempt to save may put its own notice in the place of this one at once
    page.keyboard.press("Control+Enter")
    page.wait_for_function("told.some((text) => text.includes('still open'))")
    page.context.set_offline(False)
    assert [one.support for one in draft(desk, page).knowledge_items] == [Backing.COMPLETE] * 2 + [None] * 2
    press(page, *"1111")
    saved(page)
    page.context.set_offline(True)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#notice")).to_contain_text("The desk does not answer")
    page.context.set_offline(False)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#empty")).to_be_visible()
    assert submitted(desk) == [uniform_labels(the_item(desk))]


def test_work_that_the_desk_never_got_is_offered_again(browser: Browser, shared: Site):
    shared.put(FOUR)
    with desk_page(browser, shared, who="ann") as page:
        lost, context = opened(page), page.context
        cookies = context.cookies()
        context.clear_cookies()
        lost.keyboard.press("2")
        expect(lost.locator("#saved")).to_have_text("Not saved yet: kept in this browser")
        expect(lost.locator("#notice")).to_contain_text("You are signed out. Your work is kept in this browser")
        lost.close()
        context.add_cookies(cookies)
        page = context.new_page()
        page.goto(shared.url + "annotate")
        opened(page)
        expect(page.locator("#notice")).to_contain_text("that the desk never got")
        expect(page.locator("#points .value").first).to_have_text("to judge")
        page.get_by_role("button", name="Use it").click()
        assert draft(shared, page, "ann").knowledge_items[0].support is Backing.PARTIAL
        page.reload()
        opened(page)
        expect(page.locator("#points .value").first).to_have_text("Partial")
        expect(page.locator("#notice")).to_be_hidden()


# replies: before, later, skipped, taken back, changed


def test_later_before_skip_and_take_back(browser: Browser, desk: Site):
    desk.put(FOUR, {**FOUR, "question": "Another?"})
    with desk_page(browser, desk) as page:
        expect(page.locator("#now")).to_be_visible()
        first = page.locator("#question").inner_text()
        second = "Another?" if first == FOUR["question"] else FOUR["question"]
        press(page, "1", "n")
        ready(page, second)
        press(page, "p")
        ready(page, first)
        expect(page.locator("#points .value").first).to_have_text("Complete")
        press(page, "k")
        page.get_by_role("button", name="The language is not mine").click()
        press(page, "Enter")
        ready(page, second)
        press(page, "t")
        page.get_by_role("button", name="Take it back").click()
        ready(page, first)
        expect(page.locator("#notice")).to_contain_text("Taken back")
        expect(page.locator("#points .value").first).to_have_text("Complete")
    told = [(one.action, one.comment) for one in history.history(desk.store)]
    assert told == [("skipped", "The language is not mine"), ("undone", "")]


def test_submitted_labels_are_changed_later_and_their_history_is_kept(page: Page, desk: Site):
    press(page, *"111111", "Control+Enter")
    expect(page.locator("#empty")).to_be_visible()
    press(page, "l")
    expect(page.locator("dialog h3")).to_have_text("Submitted (1)")
    page.locator("dialog .reply").click()
    opened(page)
    expect(page.locator("#notice")).to_contain_text("You submitted this reply")
    page.locator("#points .point").first.click()
    press(page, "3", "3")  # no support: its only mark is not right any more, and is asked about
    saved(page)
    press(page, "Control+Enter")
    expect(page.locator("#empty")).to_be_visible()
    press(page, "l")
    page.get_by_role("button", name="History").click()
    expect(page.locator("dialog ol li")).to_have_count(2)
    expect(page.locator("dialog ol")).to_contain_text("3 complete of 4 with marks, 4 of 5 marks right")
    assert [one.version for one in history.labels(desk.store)] == [2]
    assert [(one.action, one.version) for one in history.history(desk.store)] == [("submitted", 1), ("submitted", 2)]


# what goes wrong


def test_a_lease_that_ended_and_a_place_that_others_took(browser: Browser, desk: Site):
    desk.put(FOUR, quota=1)
    with desk_page(browser, desk) as page:
        opened(page)
        press(page, *"111111")
        saved(page)
        desk.set("UPDATE annotation_tasks SET expires = 1")
        judge(desk.store, "somebody else")
        page.keyboard.press("Control+Enter")
        taken = "as many annotators as wanted have this reply already; your work is kept as a draft"
        expect(page.locator("#notice")).to_contain_text(taken)
        page.get_by_role("button", name="Next reply").click()
        expect(page.locator("#empty")).to_contain_text("Those that you left for later are under “Your replies”")
    [entry] = history.history(desk.store)
    assert entry.annotator == "somebody else"
    assert Desk(desk.store).open_item("local", the_item(desk).id).labels == uniform_labels(the_item(desk))


def test_a_window_that_became_stale(page: Page, desk: Site):
    other = page.context.new_page()
    other.goto(desk.url + "annotate")
    opened(other)
    press(other, *"111111", "Control+Enter")
    expect(other.locator("#empty")).to_be_visible()
    other.close()
    press(page, *"222211", "Control+Enter")
    expect(page.locator("#notice")).to_contain_text("judged in another window meanwhile")
    page.get_by_role("button", name="Open it again").click()
    expect(page.locator("#notice")).to_contain_text("You submitted this reply")
    expect(page.locator("#points .value").first).to_have_text("Partial")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#empty")).to_be_visible()
    assert submitted(desk) == [uniform_labels(the_item(desk), Backing.PARTIAL)]
    assert [one.version for one in history.history(desk.store)] == [1, 2]


def test_a_reply_that_was_removed_meanwhile(browser: Browser, desk: Site):
    desk.put(FOUR, {**FOUR, "question": "Another?"})
    with desk_page(browser, desk) as page:
        expect(page.locator("#now")).to_be_visible()
        first = page.locator("#question").inner_text()
        with desk.store.writing() as db:
            [(id,)] = db.execute("SELECT item FROM annotation_tasks").fetchall()
            withdrawing.remove(db, id, with_labels=False)
        page.keyboard.press("1")
        gone = "removed meanwhile, and its text is gone; what you judged is kept"
        expect(page.locator("#notice")).to_contain_text(gone)
        page.get_by_role("button", name="Next reply").click()
        ready(page, "Another?" if first == FOUR["question"] else FOUR["question"])


def test_a_reply_is_put_on_the_desk_from_the_chat_once_or_as_a_bad_one_by_whoever_wants_it(
    browser: Browser, desk: Site
):
    with desk_page(browser, desk, "") as page:
        ask(page, QUESTION)
        wait_for(page, "done")
        for is_wanted, there in ((False, 0), (True, 1)):
            page.click("#chat .rate-down")
            page.get_by_label("Put it on the annotation desk").set_checked(is_wanted)
            page.click("dialog .is-main")
            expect(page.locator("dialog")).to_have_count(0)
            assert len(list(progress.items(desk.store))) == there
        ask(page, "And Sega?")
        wait_for(page, "done", replies=2)
        for _ in range(2):  # the second time it is there already
            wait_for(page, "done", replies=2)
            page.locator("#chat .by-hand").last.click()
            ready(page, "And Sega?")
            page.go_back()
    assert len(list(progress.items(desk.store))) == 2


def test_nobody_puts_the_reply_of_somebody_else_on_the_desk(desk: Site):
    turn = store_run(desk.store, owner="ann").turn
    with pytest.raises(NotFound, match="cannot be judged"):
        import_items.own_turn(desk.store, turn, "local")
    assert list(progress.items(desk.store)) == []
    assert import_items.own_turn(desk.store, turn, "ann") == import_items.own_turn(desk.store, turn, "ann")
