"""Sharing: the menu in a real browser, the snapshot behind a link, and who may do what. Real requests."""

import json
import re

from playwright.sync_api import Browser, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from storage.database import Database
from tests.support.browser import opened_page
from tests.support.served_page import ServedPage
from tests.support.stories import nintendo
from tests.support.story_runs import store_run
from ui.page.share import Shares
from ui.server.access import VISITOR, Access, Who, visitor_of

SERVED = {"shares": True}
GONE = "This link does not work: it has expired, was revoked, or is not complete."


def share(site: ServedPage, conversation: str, **headers: str) -> str:
    """The path of a new link."""
    status, _, text = site.request("/shares", body={"conversation": conversation, "days": 30}, **headers)
    assert status == 200
    return f"/{json.loads(text)['path']}"


def test_a_link_is_made_copied_opened_and_revoked(browser: Browser, local: ServedPage):
    begun = store_run(local.store)
    allowed = ["clipboard-read", "clipboard-write"]
    with opened_page(browser, local.url, f"?c={begun.conversation}", permissions=allowed) as page:
        panel = page.locator("#share")
        expect(page.locator("#chat .outcome")).to_have_count(1)
        panel.locator("summary").click()
        panel.get_by_label("It works for").select_option("7")
        panel.get_by_role("button", name="Make a link").click()
        expect(panel.get_by_role("status")).to_contain_text("is shown only now")
        expect(panel.locator("li")).to_have_count(1)
        panel.get_by_role("button", name="Copy").click()
        expect(panel.get_by_role("status")).to_have_text("Copied.")
        link = page.evaluate("navigator.clipboard.readText()")
        assert re.fullmatch(re.escape(local.url) + r"s/[\w-]{43}", link)
        store_run(local.store, nintendo("A later question?"), conversation=begun.conversation)

        reader = page.context.browser.new_context()
        snapshot = reader.new_page()
        asked = []
        snapshot.on("request", lambda request: asked.append(request.url))
        assert snapshot.goto(link).status == 200
        expect(snapshot.locator("article")).to_have_count(1)
        assert snapshot.locator(".reply").inner_text().startswith("Nintendo has its headquarters in Kyoto [1].")
        assert snapshot.locator(".sources mark").all_inner_texts() == ["Kyoto", "Honshu"]
        assert snapshot.locator(".tree li").count() == 3
        assert asked == [link]

        panel.get_by_role("button", name="Revoke").click()
        expect(panel.locator("li")).to_have_count(0)
        assert snapshot.goto(link).status == 404
        assert snapshot.locator("main p").all_inner_texts() == [GONE, "Go to the chat"]
        snapshot.get_by_role("link", name="Go to the chat").click()
        expect(snapshot.locator("#question textarea")).to_be_visible()
        reader.close()


def test_a_snapshot_needs_its_link_alone_and_a_person_is_told_of_a_wrong_one_on_a_sheet(closed: ServedPage):
    link = share(closed, store_run(closed.store, owner="ann").conversation, **closed.session("ann"))
    status, headers, text = closed.request(link)
    assert (status, "Honshu" in text, "set-cookie" in headers) == (200, True, False)
    assert "ann" not in re.sub("<style>.*</style>", "", text, flags=re.DOTALL).split()
    assert closed.request("/")[0] == 303
    status, headers, text = closed.request("/s/wrong", Accept="text/html,*/*;q=0.8")
    assert (status, GONE in text, "<script" in text) == (404, True, False)
    assert '<a href="/">Go to the chat</a>' in text
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
    assert headers["content-security-policy"] == policy
    assert (headers["cache-control"], headers["x-frame-options"]) == ("no-store", "DENY")


def test_a_wrong_link_is_one_line(closed: ServedPage):
    for end in ("", "/", "/wrong", f"/{'A' * 43}", "/%00", "/a/b", "/..%2f..%2fconfig", "/%F0%9F"):
        status, headers, text = closed.request(f"/s{end}")
        assert (status, text.count("\n") <= 1, "Traceback" in text) == (404 if end else 401, True, False)


def test_what_cannot_be_shared_is_refused_in_one_line(local: ServedPage):
    days = ({"conversation": "x", "days": number} for number in (True, 10**9))
    for expected, body in (*((400, body) for body in days), (404, None), (404, {"conversation": "nowhere"})):
        status, _, text = local.request("/shares", method="POST", body=body)
        message = json.loads(text)["error"]
        assert (status, "\n" in message, len(message) < 200) == (expected, False, True)


def test_visitors_share_nothing_and_see_no_menu(browser: Browser, public: ServedPage):
    cookie = {"Cookie": f"{VISITOR}={'a' * 32}"}
    begun = store_run(public.store, owner=visitor_of("a" * 32).owner)
    body = {"conversation": begun.conversation, "days": 7}
    for path, method, sent in (("/shares", "POST", body), ("/shares", "", None), ("/shares/x", "DELETE", None)):
        refused = public.request(path, method, sent, **cookie)[::2]
        assert refused == (403, "Visitors may only chat; sign in for this.")
    with opened_page(browser, public.url) as page:
        expect(page.locator("#share")).to_be_hidden()
        name, _, value = public.session("ann")["Cookie"].partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": public.url}])
        page.reload()
        expect(page.locator("#share summary")).to_be_visible()


def test_behind_a_proxy_a_link_carries_the_number_of_its_process(store: Database):
    begun = store_run(store)
    client = TestClient(Starlette(routes=Shares(store, Access(Who.LOCAL, store), home=2).routes))
    path = client.post("/shares", json={"conversation": begun.conversation}).json()["path"]
    assert re.fullmatch(r"s/[\w-]{43}\?home=2", path)
    shown = client.get(f"/{path}")
    assert (shown.status_code, "<form" in shown.text, client.post(f"/{path}").status_code) == (200, False, 403)
