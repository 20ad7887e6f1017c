"""The first steps of somebody who is new to the desk: from a reply in the chat, or from an empty desk."""

import pytest
from playwright.sync_api import Browser, expect

from searchain.errors import NotFound
from storage.annotation import import_items, progress
from tests.support.chat_page import ask, wait_for
from tests.support.desk_site import Site, desk_page, ready
from tests.support.stories import QUESTION


def test_a_reply_is_put_on_the_desk_from_the_chat_and_opened(browser: Browser, desk: Site):
    with desk_page(browser, desk, "") as page:
        for number in (1, 2):  # the second time it is there already
            if number == 1:
                ask(page, QUESTION)
            wait_for(page, "done")
            page.click("#chat .by-hand")
            ready(page, QUESTION)
            page.go_back()
    assert len(list(progress.items(desk.store))) == 1


def test_nobody_puts_the_reply_of_somebody_else_on_the_desk(desk: Site):
    turn = desk.assistant.start(QUESTION, owner="ann").turn
    list(desk.assistant.follow(turn, owner="ann"))
    with pytest.raises(NotFound, match="cannot be judged"):
        import_items.own_turn(desk.store, turn, "local")
    assert list(progress.items(desk.store)) == []
    assert import_items.own_turn(desk.store, turn, "ann") == import_items.own_turn(desk.store, turn, "ann")


def test_a_bad_reply_is_put_on_the_desk_by_whoever_wants_it(browser: Browser, desk: Site):
    with desk_page(browser, desk, "") as page:
        ask(page, QUESTION)
        wait_for(page, "done")
        for is_wanted, there in ((False, 0), (True, 1)):
            page.click("#chat .rate-down")
            page.get_by_label("Put it on the annotation desk").set_checked(is_wanted)
            page.click("dialog .is-main")
            expect(page.locator("dialog")).to_have_count(0)
            assert len(list(progress.items(desk.store))) == there
