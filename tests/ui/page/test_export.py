"""The page's export menu, in a real browser and by its routes."""

import urllib.request
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from storage.history import finished_turns
from storage.removal import delete
from tests.support.browser import opened_page
from tests.support.stories import nintendo
from tests.support.story_runs import store_run
from ui.exports.formats import FORMATS, encoded

SERVED = {"people": {}, "exports": True}


@pytest.fixture
def served(local):
    """A page where nothing was asked."""
    delete.remove(local.store, [turn for (turn,) in local.store.rows("SELECT id FROM turns")])
    return local


def test_the_menu_exports_this_conversation_or_all(browser, served):
    shown = store_run(served.store)
    store_run(served.store, nintendo("Another question?"))
    with opened_page(browser, served.url, f"?c={shown.conversation}", accept_downloads=True) as page:
        expect(page.locator("#chat .outcome")).to_have_count(1)
        page.locator("#export summary").first.click()
        page.locator("#export .details > summary").click()
        named = "On-which-Japanese-island-is-the-city-where-Nintendo-has-its-headquarters"
        for link, turns, name in (("this one", 1, named), ("all", 2, "SearChain-conversations")):
            with page.expect_download() as download:
                page.locator("#export .more li", has_text="jsonl").first.get_by_text(link).click()
            assert download.value.suggested_filename == f"{name}-{datetime.now(UTC):%Y-%m-%d}.jsonl"
            assert len(download.value.path().read_text(encoding="utf-8").splitlines()) == turns


def test_every_format_is_streamed_as_a_file(served):
    store_run(served.store)
    for name, format in FORMATS.items():
        with urllib.request.urlopen(f"{served.url}export/{name}") as answered:
            status, headers, body = answered.status, answered.headers, answered.read()
        assert status == 200
        if name != "proof":  # it says when it was made
            assert body == b"".join(encoded(format.write(finished_turns.records(served.store))))
        file = f"SearChain-conversations-{datetime.now(UTC):%Y-%m-%d}{format.suffix}"
        assert f'filename="{file}"' in headers["content-disposition"]
        assert headers["x-content-type-options"] == "nosniff"


def test_conditions_and_mistakes(served):
    store_run(served.store)
    store_run(served.store, owner="ann")  # whose conversations nobody else exports
    assert served.request("/export/jsonl?status=failed")[2] == served.request("/export/jsonl?text=zebra")[2] == ""
    assert served.request("/export/jsonl?outcome=unsure")[2] == ""
    assert served.request("/export/jsonl?outcome=supported")[2] == served.request("/export/jsonl")[2] != ""
    assert served.request("/export/jsonl?text=headquarters&since=1d&owner=x")[2].count("\n") == 1
    for path, words in (
        ("pdf", "no format 'pdf'"),
        ("csv?since=soon", "'soon' is no time"),
        ("csv?text=%3F", "no word"),
        ("csv?status=fine", "no status 'fine'"),
        ("csv?outcome=fine", "no outcome 'fine'"),
    ):
        status, _, text = served.request(f"/export/{path}")
        assert status == 400
        assert words in text
        assert "\n" not in text


@pytest.mark.parametrize("name", FORMATS)
def test_an_unknown_conversation_and_somebody_elses_are_refused_alike(served, name):
    told = [
        served.request(f"/export/{name}?conversation={id}")[::2]
        for id in (store_run(served.store, owner="ann").conversation, "nowhere", "", "%00", "a&conversation=b")
    ]
    assert told == [(404, "There is no such conversation.")] * 5


def test_visitors_export_nothing(public):
    mine = store_run(public.store, owner=f"visitor:{'a' * 32}")
    for headers in ({"cookie": f"searchain_visitor={'a' * 32}"}, {"cookie": "searchain_visitor=short"}, {}):
        status, _, text = public.request(f"/export/jsonl?conversation={mine.conversation}", **headers)
        assert (status, text) == (403, "Visitors may only chat; sign in for this.")
