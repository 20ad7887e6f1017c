"""A page with users: closed until one signs in, on every route; each sees only their own. Real requests."""

import html
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from storage.database import Database
from storage.people import tokens, users
from storage.people.users import Role
from tests.support.served_page import PASSWORD, Answer, ServedPage, served_page
from ui.server.access import SESSION, Rule, Who, rule_of
from ui.server.plain_page import PROXY


@dataclass
class Site(ServedPage):
    """A served page to which forms are sent."""

    def request(self, path: str = "/", method: str = "", body: dict | str | None = None, **headers: str) -> Answer:
        if isinstance(body, dict) and "Content_Type" not in headers:
            headers["Content_Type"], body = "application/x-www-form-urlencoded", urlencode(body)
        return super().request(path, method, body, **headers)

    def sign_in(self, name: str, password: str = PASSWORD, path: str = "/sign-in", **headers: str) -> Answer:
        return self.request(path, body={"name": name, "password": password}, **headers)

    def session(self, name: str) -> str:
        return super().session(name)["Cookie"]


def made(folder: Path) -> Iterator[Site]:
    with served_page(folder, Who.USERS, people={"ann": "chat", "bob": "annotator", "gone": "admin"}) as served:
        yield Site(**vars(served))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from made(tmp_path_factory.mktemp("users"))


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Site]:
    """One where nobody has tried to sign in."""
    yield from made(tmp_path)


GRADIO = "info queue/data?session_hash=x file=/etc/passwd heartbeat/x startup-events/".split()
ASKED = ["/config", "/nowhere", "/theme.css", "//", "/logout", *(f"/gradio_api/{path}" for path in GRADIO)]
POSTED = ["/", "/sign-in/", "/login", *(f"/gradio_api/{path}" for path in ("queue/join", "cancel", "run/predict"))]


@pytest.mark.parametrize(("path", "body"), [*((path, None) for path in ASKED), *((path, "{}") for path in POSTED)])
def test_nothing_is_open_to_strangers(site: Site, path: str, body: str | None):
    forged = f"{SESSION}={'x' * 43}; searchain_visitor={'x' * 32}"
    of_a_program = f"{SESSION}={tokens.issue(site.store, 'ann')}"
    for headers in ({}, *({"Cookie": cookie} for cookie in (forged, f"{SESSION}=", "=;[=", of_a_program))):
        assert site.request(path, body=body, **headers)[0] == 401


def test_strangers_are_sent_to_sign_in_and_then_where_they_wanted_to_go(site: Site):
    status, headers, _ = site.request("/?c=01ABC")
    assert (status, headers["location"]) == (303, "/sign-in?c=01ABC")
    status, headers, _ = site.sign_in("ann", path="/sign-in?c=01ABC%0d%0aX:%201//evil.test")
    assert (status, headers["location"]) == (303, "/?c=01ABC%0D%0AX%3A%201%2F%2Fevil.test")
    set_ = rf", ({SESSION}=[\w-]{{43}}); HttpOnly; Max-Age=1209600; Path=/; SameSite=lax$"
    cookie = re.search(set_, headers["set-cookie"])[1]
    assert site.request(Cookie=cookie)[0] == 200
    assert "signed in as ann" in site.request("/sign-in", Cookie=cookie)[2]
    status, headers, _ = site.request("/sign-out", body={}, Cookie=cookie)
    assert (status, headers["location"], f'{SESSION}=""' in headers["set-cookie"]) == (303, "/sign-in", True)
    assert site.request("/config", Cookie=cookie)[0] == 401


def test_a_removed_user_is_out_at_once_and_other_sites_cannot_sign_anybody_in(site: Site):
    cookie = site.session("gone")
    assert site.request("/config", Cookie=cookie)[0] == 200
    users.remove(site.store, "gone")
    assert site.request("/config", Cookie=cookie)[0] == 401
    assert site.sign_in("gone")[0] == 401
    for headers in ({"Origin": "http://evil.test"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
        assert site.sign_in("ann", **headers)[0] == 403, headers
    assert site.sign_in("ann", Sec_Fetch_Site="same-origin", Origin="https://elsewhere.test")[0] == 303


def test_failed_tries_are_slowed_and_told_without_saying_what_was_wrong_and_leave_the_name(fresh: Site):
    told = [fresh.sign_in(name, "wrong") for name in ("ann", "nobody", "<b>'\x00")]
    told = [(status, re.search('role="alert">(.*?)</p>', text)[1]) for status, _, text in told]
    assert told == [(401, "The name or the password is wrong.")] * 3
    for _ in range(12):  # each wait is twice as long, so one outlasts the check of a password on the slowest machine
        status, headers, text = fresh.sign_in("ann", "wrong")
        if status == 429:
            break
    assert (status, "Too many failed tries; wait" in text) == (429, True)
    assert fresh.sign_in("ann")[0] == 429
    time.sleep(int(headers["retry-after"]))
    assert fresh.sign_in("ann")[0] == 303
    assert fresh.sign_in("ann", "x" * 30_000)[0] == 413
    assert fresh.sign_in("ann")[0] == 303
    text = fresh.sign_in("ann", "wrong")[2]
    assert ('value="ann"' in text, 'value="wrong"' in text) == (True, False)
    kept = re.search('name="name" value="([^"<>]*)" ', fresh.sign_in('"><b>', "wrong")[2])[1]
    assert html.unescape(kept) == '"><b>'


@pytest.mark.parametrize("named", ["", "192.0.2.7"])
def test_behind_a_proxy_that_is_not_named_guesses_keep_nobody_else_out(named: str, caplog, request, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", named)
    fresh: Site = request.getfixturevalue("fresh")
    _, headers, _ = fresh.sign_in("ann")
    assert re.findall(
        "searchain_browser=[^;]*; HttpOnly; Max-Age=31536000; Path=/sign-in; SameSite=lax", headers["set-cookie"]
    )
    mine = re.search("searchain_browser=[^;]*", headers["set-cookie"])[0]
    told = [fresh.sign_in(name, "wrong", X_Forwarded_For="203.0.113.1")[0] for name in [*"abcdefgh", *["ann"] * 9]]
    assert 429 in told
    assert fresh.sign_in("ann", X_Forwarded_For="203.0.113.2")[0] == 429
    assert fresh.sign_in("ann", X_Forwarded_For="203.0.113.2", Cookie=mine)[0] == 303
    assert fresh.sign_in("bob", X_Forwarded_For="203.0.113.2")[0] == 303
    assert [record.message for record in caplog.records if "FORWARDED_ALLOW_IPS" in record.message] == [PROXY]


@pytest.mark.parametrize("end", ["", ":5000"])
def test_a_proxy_that_is_named_gives_each_person_an_address(end: str, caplog, request, monkeypatch):
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    fresh: Site = request.getfixturevalue("fresh")
    told = [fresh.sign_in(name, "wrong", X_Forwarded_For=f"203.0.113.1{end}")[0] for name in "abcdefgh"]
    assert 429 in told
    assert fresh.sign_in("ann", "wrong", X_Forwarded_For=f"203.0.113.1{end}")[0] == 429
    assert fresh.sign_in("ann", X_Forwarded_For=f"203.0.113.2{end}")[0] == 303
    assert PROXY not in caplog.text


def test_a_database_that_is_busy_keeps_nobody_else_waiting(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
):
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 5.0)
    busy = request.getfixturevalue("fresh")
    cookie = busy.session("ann")
    with ThreadPoolExecutor() as threads, Database(busy.store.path).writing():
        out = threads.submit(busy.request, "/sign-out", body={}, Cookie=cookie)
        waiting = [threads.submit(busy.sign_in, "ann"), out]
        time.sleep(1.5)
        begun = time.monotonic()
        assert busy.request("/sign-in")[0] == 200
        assert time.monotonic() - begun < 3  # seconds; they wait for five
        assert not any(told.done() for told in waiting)
        signed_in, signed_out = (told.result() for told in waiting)
    reason = f"database '{busy.store.path}' stayed locked by another program for 5 s; try again."
    alert = html.unescape(re.search('role="alert">(.*?)</p>', signed_in[2])[1])
    assert (signed_in[0], alert) == (503, f"You could not be signed in: {reason}")
    assert signed_out[::2] == (503, f"You are still signed in: {reason}")
    assert "set-cookie" not in signed_in[1] | signed_out[1]
    assert (busy.sign_in("ann")[0], busy.request("/sign-out", body={}, Cookie=cookie)[0]) == (303, 303)


def test_the_longest_beginning_of_a_path_says_which_role_it_needs_and_a_role_may_what_those_before_may():
    rules = (Rule("/", Role.CHAT), Rule("/annotate", Role.ANNOTATOR), Rule("/annotate/assign", Role.ADMIN))
    paths = {"/": Role.CHAT, "/gradio_api/queue/join": Role.CHAT, "/annotat": Role.CHAT}
    paths |= {"/annotate": Role.ANNOTATOR, "/annotate/x/y": Role.ANNOTATOR, "/annotate/assign": Role.ADMIN}
    assert {path: rule_of(path, rules).role for path in paths} == paths
    assert rule_of("*", rules) == Rule("*")
    order = "chat annotator adjudicator admin".split()
    assert [*Role] == order
    for place, has in enumerate(order):
        assert [Role(has).includes(role) for role in Role] == [number <= place for number in range(4)]


def test_a_person_whose_role_does_not_suffice_is_led_on(site: Site):
    status, headers, text = site.request("/annotate", Cookie=site.session("ann"), Accept="text/html,*/*;q=0.8")
    assert (status, "Your role does not allow this." in text) == (403, True)
    assert "style-src 'unsafe-inline'" in headers["content-security-policy"]
    ways = [("/", "Go to the chat"), ("/sign-in", "Sign in as somebody else")]
    assert re.findall('<a href="(.*?)">(.*?)</a>', text) == ways


@pytest.mark.parametrize(
    ("to", "home"),
    [
        ("/annotate?x=1&y=%C3%A4", "/annotate?x=1&y=%C3%A4"),
        ("/annotate/manage", "/annotate/manage"),
        ("//evil.test", "/"),
        ("/annotat?/annotate", "/"),
        ("https://evil.test/annotate", "/"),
        ("/annotate?a\r\nX: y", "/annotate?a%0D%0AX:%20y"),
    ],
)
def test_one_goes_on_to_the_page_one_wanted_with_its_conditions(site: Site, to: str, home: str):
    status, headers, _ = site.sign_in("bob", path=f"/sign-in?to={quote(to, safe='')}")
    assert (status, headers["location"]) == (303, home)
    assert site.request("/annotate?x=1&y=2")[1]["location"] == "/sign-in?to=%2Fannotate%3Fx%3D1%26y%3D2"


def change(site: Site, session: str, old: str, new: str, again: str | None = None, **headers: str):
    form = {"old": old, "new": new, "again": new if again is None else again}
    return site.request("/sign-in/password", body=form, Cookie=session, **headers)


def test_one_changes_ones_own_password_and_other_browsers_are_signed_out(fresh: Site):
    here, elsewhere = fresh.session("ann"), fresh.session("ann")
    token = tokens.issue(fresh.store, "ann")
    status, headers, _ = change(fresh, here, PASSWORD, "a new horse 7")
    assert (status, headers["location"]) == (303, "/sign-in")
    now = re.search(rf"{SESSION}=[^;]+", headers["set-cookie"])[0]
    asked = [fresh.request("/conversations", Cookie=cookie)[0] for cookie in (here, elsewhere, now)]
    assert asked == [401, 401, 200]
    assert fresh.request("/conversations", Authorization=f"Bearer {token}")[0] == 200
    assert [fresh.sign_in("ann", word)[0] for word in (PASSWORD, "a new horse 7")] == [401, 303]


def test_a_password_that_cannot_be_changed_stays(fresh: Site):
    for old, new, again, said in (
        ("wrong", "a new horse 7", None, "The present password is wrong."),
        (PASSWORD, "a new horse 7", "another", "The new passwords differ."),
        (PASSWORD, "short", None, "Choose a password of 8 characters or more."),
        (PASSWORD, "x" * 1001, None, "Choose a password of 1000 characters or fewer."),
    ):
        status, _, page = change(fresh, fresh.session("ann"), old, new, again)
        assert (status, said in html.unescape(page), "You are signed in as ann" in page) == (400, True, True)
        assert fresh.sign_in("ann")[0] == 303


def test_nobody_else_changes_a_password(fresh: Site):
    assert change(fresh, "", PASSWORD, "a new horse 7")[0] == 401
    mine = fresh.session("ann")
    assert change(fresh, mine, PASSWORD, "a new horse 7", Sec_Fetch_Site="cross-site")[0] == 403
    tries = [change(fresh, mine, "wrong", "a new horse 7")[0] for _ in range(5)]
    assert tries == [400, 400, 400, 429, 429]
    assert users.verify(fresh.store, "ann", PASSWORD)
