"""A shared conversation is continued in a copy: it holds what the snapshot shows, and nothing else of the log."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from searchain.events import Event, RunStarted, Searched, ThoughtDelta, fold
from searchain.types import Hit, Passage, Place
from storage.collections import removing
from storage.database import Database
from storage.history import finished_turns
from storage.history.selection import Selection
from storage.people import shares
from storage.removal.redact import redact
from tests.support import stories
from tests.support.chat_page import ask, wait_for
from tests.support.served_page import ServedPage, served_page
from tests.support.story_runs import store_run
from ui.exports import html_page
from ui.page import continuing
from ui.server.access import Who

ELSEWHERE = Passage("p9", "Salary list", "Ann earns 4,350 euros.", place=Place("01J0", "f" * 64, 0, 22))
SECRETS = ("Salary", "4,350", "payroll", "c-01j", "pondering", "Tokyo?", "[Query 1]", "According to the Reference")


def told_more(events: tuple[Event, ...]) -> Iterator[Event]:
    """The run with what its page does not show: settings, a collection, a thought and a passage that is not cited."""
    for event in events:
        if isinstance(event, RunStarted):
            own = f"c-{'01j0' * 6}01"
            event = replace(event, settings={"note": "payroll"}, collections=("payroll",), index=f"default+{own}")
        if isinstance(event, Searched):
            event = replace(event, hits=(*event.hits, Hit(ELSEWHERE, 1.0, 9)))
        yield event
        if isinstance(event, RunStarted):
            yield ThoughtDelta(text="pondering")


def snapshot(store: Database, share: shares.Share) -> str:
    return "".join(html_page.write(shares.records(store, share), title=share.title))


def told(page: str) -> str:
    """The words of a page, without the ids of its turns, and without the names of collections."""
    plain = html.unescape(re.sub(r"<[^>]+>", " ", page.partition("<main>")[2]))
    return " ".join(plain.split()).replace("your documents “payroll” and ", "")


words = re.compile(r"\w+").findall


def strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from strings(one) if name != "rule" else ()  # the program's own name of it
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("story", [stories.nintendo, stories.everest, stories.not_found, stories.compared])
def test_a_copy_shows_what_the_snapshot_shows_and_holds_no_other_word(store, story):
    begun = store_run(store, told_more(story()), owner="ann")
    _, share = shares.make(store, begun.conversation, owner="ann")
    store_run(store, stories.nintendo("A later question?"), owner="ann", conversation=begun.conversation)
    copied = continuing.copy(store, list(shares.records(store, share)), "bob")
    (record,) = finished_turns.records(store, Selection(conversation=copied, owner="bob"))
    assert told("".join(html_page.write([record]))) == told(snapshot(store, share))
    assert record.state().hits.keys() == fold(told_more(story())).hits.keys()  # as many searches
    held = [text for _, payload in record.log for text in strings(json.loads(payload))]
    assert not [secret for secret in SECRETS if any(secret in text for text in held)]
    said = {word for text in held if " " in text for word in words(text)}
    assert said - set(words(told(snapshot(store, share)))) == set()


def test_covered_words_are_not_in_a_copy(store):
    begun = store_run(store, owner="ann")
    redact(store, [begun.turn], ["Honshu"])
    _, share = shares.make(store, begun.conversation, owner="ann")
    copied = continuing.copy(store, list(shares.records(store, share)), "bob")
    (record,) = finished_turns.records(store, Selection(conversation=copied))
    assert "██████" in record.state().answer
    assert not any("Honshu" in payload for _, payload in record.log)


def test_what_erases_a_document_finds_the_copy_that_quotes_it(store):
    begun = store_run(store, stories.citing((ELSEWHERE, "4,350 euros")), owner="ann")
    _, share = shares.make(store, begun.conversation, owner="ann")
    copied = continuing.copy(store, list(shares.records(store, share)), "bob")
    (record,) = finished_turns.records(store, Selection(conversation=copied))
    assert set(removing.turns_with(store, [ELSEWHERE.place.document])) == {begun.turn, record.turn}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    with served_page(tmp_path_factory.mktemp("continued"), Who.USERS, shares=True) as served:
        yield served


def link(site: ServedPage, conversation: str) -> str:
    token, _ = shares.make(site.store, conversation, owner="ann")
    return f"s/{token}"


def test_a_signed_in_person_continues_with_what_was_shared_as_context(browser: Browser, shared: ServedPage):
    begun = store_run(shared.store, owner="ann")
    path = link(shared, begun.conversation)
    store_run(shared.store, stories.nintendo("A later question?"), owner="ann", conversation=begun.conversation)
    name, _, value = shared.session("bob")["Cookie"].partition("=")
    context = browser.new_context(locale="de-DE", viewport={"width": 390, "height": 780}, color_scheme="dark")
    context.add_cookies([{"name": name, "value": value, "url": shared.url}])
    page = context.new_page()
    page.goto(shared.url + path)
    button = page.get_by_role("button", name="Diese Unterhaltung fortsetzen")
    button.focus()
    page.keyboard.press("Enter")
    wait_for(page, "done")
    assert begun.conversation not in page.url
    expect(page.locator("#chat .question")).to_have_text([stories.QUESTION])
    ask(page, "Who founded it?")
    wait_for(page, "done", replies=2)
    assert [said.question for said in shared.player.histories[-1]] == [stories.QUESTION]
    context.close()
    assert [turn.question for _, turn in shared.assistant.turns(begun.conversation, owner="ann")][1:] == [
        "A later question?"
    ]


def test_who_may_not_chat_is_offered_no_copy_and_gets_none(shared: ServedPage):
    path = "/" + link(shared, store_run(shared.store, owner="ann").conversation)
    assert "<form" not in shared.request(path)[2]
    assert "<form" in shared.request(path, **shared.session("bob"))[2]
    assert shared.request(path, method="POST")[0] == 403
    assert shared.request(path, method="POST", Sec_Fetch_Site="cross-site", **shared.session("bob"))[0] == 403
    assert shared.request("/s/wrong", method="POST", **shared.session("bob"))[0] == 404
