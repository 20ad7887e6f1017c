"""A shared conversation is continued in a copy: it holds what the snapshot shows, and nothing else of the log."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, expect

from searchain.events import Event, RunStarted, Searched, ThoughtDelta, fold
from searchain.types import Hit, Passage, Place
from storage.collections import removing
from storage.database import Database
from storage.history import finished_turns
from storage.history.finished_turns import Record
from storage.history.selection import Selection
from storage.people import audit, shares, users
from storage.people.users import Role
from storage.removal.redact import redact
from tests.storage.collections.test_rechecking import NEW, NOTE, OLD, cited, replaced
from tests.support import stories
from tests.support.chat_page import ask_to_end, wait_for
from tests.support.own_documents import add, collection_of, toy_parser  # noqa: F401
from tests.support.served_page import ServedPage, served_page
from tests.support.story_runs import store_run
from ui.exports import html_page
from ui.page import continuing, quotas
from ui.page.share import Shares
from ui.server.access import VISITOR, Access, Person, Who

SERVED = {"shares": True}
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


def told(records: Iterable[Record], **title: str) -> str:
    """The words of a page with them, without the ids of its turns, and without the names of collections."""
    page = "".join(html_page.write(records, **title))
    plain = html.unescape(re.sub(r"<[^>]+>", " ", page.partition("<main>")[2]))
    return " ".join(plain.split()).replace("your documents “payroll” and ", "")


def snapshot(store: Database, share: shares.Share) -> str:
    return told(shares.records(store, share), title=share.title)


def copied(store: Database, share: shares.Share, owner: str = "bob") -> Record:
    """The only turn of a copy of what is shared."""
    copy, _ = continuing.copy(store, share, owner)
    (record,) = finished_turns.records(store, Selection(conversation=copy, owner=owner))
    return record


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
    record = copied(store, share)
    assert told([record]) == snapshot(store, share)
    assert record.state().hits.keys() == fold(told_more(story())).hits.keys()  # as many searches
    held = [text for _, payload in record.log for text in strings(json.loads(payload))]
    assert not [secret for secret in SECRETS if any(secret in text for text in held)]
    said = {word for text in held if " " in text for word in words(text)}
    assert said - set(words(snapshot(store, share))) == set()


def test_covered_words_are_not_in_a_copy_and_what_erases_a_document_finds_the_copy_that_quotes_it(store):
    begun = store_run(store, owner="ann")
    redact(store, [begun.turn], ["Honshu"])
    record = copied(store, shares.make(store, begun.conversation, owner="ann")[1])
    assert "██████" in record.state().answer
    assert not any("Honshu" in payload for _, payload in record.log)
    begun = store_run(store, stories.citing((ELSEWHERE, "4,350 euros")), owner="ann")
    record = copied(store, shares.make(store, begun.conversation, owner="ann")[1])
    assert set(removing.turns_with(store, [ELSEWHERE.place.document])) == {begun.turn, record.turn}


@pytest.fixture
def own(index_home, toy_parser):
    store = Database(index_home / "searchain.db")
    (document,) = add(store, collection_of(store), pump=OLD)
    yield store, document
    store.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda store, pump: replaced(store, pump, NEW), NOTE),
        (lambda store, pump: removing.remove(store, [pump]), "The document was removed since."),
    ],
)
def test_a_copy_keeps_the_note_that_its_document_changed(own, change, said):
    store, pump = own
    begun = store_run(store, cited(pump))
    _, share = shares.make(store, begun.conversation, owner="local")
    change(store, pump)
    assert (said in snapshot(store, share), said in told([copied(store, share, "local")])) == (True, True)


def test_erasing_a_document_reaches_a_copy_that_is_made_meanwhile(own, monkeypatch):
    store, pump = own
    begun = store_run(store, cited(pump))
    token, _ = shares.make(store, begun.conversation, owner="local")
    found, copies = removing.turns_with, []

    def copied_meanwhile(store, ids):
        turns = found(store, ids)
        copies.append(Shares(store, Access())._copied(token, Person("bob", Role.CHAT), None))
        return turns

    monkeypatch.setattr(removing, "turns_with", copied_meanwhile)
    removing.erase(store, [pump])
    assert copies[0]
    assert copies[-1] is None
    (record,) = finished_turns.records(store, Selection(conversation=copies[0]))
    assert not [payload for _, payload in record.log if "1,200" in payload]


def link(site: ServedPage, conversation: str) -> str:
    token, _ = shares.make(site.store, conversation, owner="ann")
    return f"s/{token}"


def test_a_signed_in_person_continues_with_what_was_shared_as_context(browser: Browser, closed: ServedPage):
    begun = store_run(closed.store, owner="ann")
    path = link(closed, begun.conversation)
    store_run(closed.store, stories.nintendo("A later question?"), owner="ann", conversation=begun.conversation)
    name, _, value = closed.session("bob")["Cookie"].partition("=")
    context = browser.new_context(locale="de-DE", viewport={"width": 390, "height": 780}, color_scheme="dark")
    context.add_cookies([{"name": name, "value": value, "url": closed.url}])
    page = context.new_page()
    page.goto(closed.url + path)
    button = page.get_by_role("button", name="Diese Unterhaltung fortsetzen")
    button.focus()
    page.keyboard.press("Enter")
    wait_for(page, "done")
    assert begun.conversation not in page.url
    expect(page.locator("#chat .question")).to_have_text([stories.QUESTION])
    ask_to_end(page, "Who founded it?", replies=2)
    assert [said.question for said in closed.player.histories[-1]] == [stories.QUESTION]
    context.close()
    assert [turn.question for _, turn in closed.assistant.turns(begun.conversation, owner="ann")][1:] == [
        "A later question?"
    ]


def copies(site: ServedPage, name: str) -> list[tuple[str]]:
    return site.store.rows("SELECT id FROM conversations WHERE owner = ? ORDER BY id", (name,))


def test_a_copy_is_made_once_and_again_when_it_was_continued(closed: ServedPage, monkeypatch: pytest.MonkeyPatch):
    begun, bob = store_run(closed.store, owner="ann"), closed.session("bob")
    path, before = "/" + link(closed, begun.conversation), len(copies(closed, "bob"))
    first, again = (closed.request(path, method="POST", **bob)[1]["location"] for _ in range(2))
    assert first == again
    assert [(one.actor, one.action) for one in audit.entries(closed.store, 1)] == [("bob", "continued")]
    store_run(closed.store, owner="bob", conversation=first.partition("=")[2])
    assert closed.request(path, method="POST", **bob)[1]["location"] != first
    assert len(copies(closed, "bob")) == before + 2
    monkeypatch.setattr(quotas.shutil, "disk_usage", lambda path: SimpleNamespace(free=900_000_000))
    store_run(closed.store, owner="ann", conversation=begun.conversation)
    other = "/" + link(closed, begun.conversation)
    status, _, said = closed.request(other, method="POST", Accept_Language="de", **bob)
    assert (status, said.startswith("Die Unterhaltung wurde nicht kopiert: the disk of this server")) == (507, True)


def test_copies_count_as_questions_of_an_hour(tmp_path: Path):
    with served_page(tmp_path, Who.USERS, shares=True, per_hour=1) as site:
        begun, bob = store_run(site.store, owner="ann"), site.session("bob")
        path = "/" + link(site, begun.conversation)
        assert [site.request(path, method="POST", **bob)[0] for _ in range(2)] == [303, 303]  # the same copy
        store_run(site.store, owner="ann", conversation=begun.conversation)
        assert site.request("/" + link(site, begun.conversation), method="POST", **bob)[0] == 503
        assert len(copies(site, "bob")) == 1


def test_only_who_signs_in_and_may_chat_is_offered_a_copy_and_gets_one(tmp_path: Path):
    with served_page(tmp_path, Who.ANYBODY, people=dict.fromkeys(("ann", "bob", "eve"), "chat"), shares=True) as site:
        path = "/" + link(site, store_run(site.store, owner="ann").conversation)
        eve = site.session("eve")
        users.remove(site.store, "eve")
        for headers in ({}, {"Cookie": f"{VISITOR}={'a' * 32}"}, eve):
            assert "<form" not in site.request(path, **headers)[2]
            assert site.request(path, method="POST", **headers)[0] == 403
        bob = site.session("bob")
        assert "<form" in site.request(path, **bob)[2]
        assert site.request(path, method="POST", Sec_Fetch_Site="cross-site", **bob)[0] == 403
        status, _, said = site.request("/s/wrong", method="POST", Accept="text/html", Accept_Language="de", **bob)
        assert (status, "Dieser Link funktioniert nicht" in said) == (404, True)
