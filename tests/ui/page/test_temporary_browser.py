"""A temporary conversation in a real browser: in no list, search or export, and erased when it is left."""

import time

import pytest
from playwright.sync_api import Page, expect

from searchain.errors import UsageError
from storage.history import finished_turns, listing
from storage.history.selection import Selection
from storage.people import shares
from tests.storage.removal.test_delete import on_disk, secret
from tests.support.chat_page import Site, ask, ask_to_end, held
from tests.support.waiting import until

SITE = {"story": secret}
ALL = Selection(with_hidden=True)


@pytest.fixture
def begun(page: Page) -> Page:
    """The page after a key began a temporary conversation."""
    page.locator("#question textarea").blur()
    page.keyboard.press("t")
    page.wait_for_url("**temporary**")
    expect(page.locator("#temporary")).to_have_text("Temporary: erased when you leave")
    return page


def erased(site: Site) -> bool:
    until(lambda: not listing.latest(site.store, 1, ALL))
    site.assistant.deletions._compaction._compact()  # what else comes minutes later
    return b"ebediah" not in on_disk(site.store)


def test_it_is_stored_and_followed_up_but_in_no_list_and_gone_when_it_is_left(begun: Page, site: Site):
    ask_to_end(begun, "Where does Zebediah live?")
    ask_to_end(begun, "And Zebediah's mother?", replies=2)
    turns = listing.latest(site.store, -1, ALL)
    assert len(turns) == 2
    assert len({turn.conversation for turn in turns}) == 1
    assert b"ebediah" in on_disk(site.store)  # every event is stored before it is shown
    assert finished_turns.count(site.store) == (0, 0)
    assert site.assistant.overview() == site.assistant.overview(words="zebediah") == []
    assert list(site.assistant.finished()) == []
    with pytest.raises(UsageError, match="a temporary conversation is not shared"):
        shares.make(site.store, turns[0].conversation, owner="local")
    assert "c=" not in begun.url
    expect(begun.locator("#nav .entries li")).to_have_count(0)
    begun.click("#new")
    expect(begun.locator("#temporary")).to_be_hidden()
    assert erased(site)


@pytest.mark.parametrize("leave", ["reload", "close"])
def test_a_run_is_stopped_when_it_is_left(begun: Page, site: Site, leave: str):
    with held(site):
        ask(begun, "Where does Zebediah live?")
        expect(begun.locator("#reasoning[data-state=running]")).to_be_visible()
        getattr(begun, leave)()
        time.sleep(0.5)
    assert erased(site)


def test_other_conversations_stay_and_a_new_one_is_kept(page: Page, site: Site):
    ask_to_end(page, "Where does Zebediah live?")
    page.click("#new-temporary")
    page.wait_for_url("**temporary**")
    ask_to_end(page, "And Zebediah's mother?")
    page.click("#nav .entries a")
    page.wait_for_url("**c=**")
    until(lambda: finished_turns.count(site.store, ALL) == (1, 0))
    assert [turn.question for turn in listing.latest(site.store, -1, ALL)] == ["Where does Zebediah live?"]
