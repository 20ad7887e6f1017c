"""Signing in with an OpenID Connect provider, over real requests to a real page and a small real provider."""

import html
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from searchain.errors import SetupError, UsageError
from storage.database import Database
from storage.people import audit, users
from tests.support.oidc_provider import CLIENT, SECRET, SmallProvider, small_provider
from tests.support.served_page import PASSWORD, ServedPage, served_page
from ui.server.access import SESSION, Access, Who
from ui.server.guard import Guard
from ui.server.oidc import Provider, Settings
from ui.server.plain_page import SignIn

HOST = "chat.example.org"
ACCESS = Access(Who.USERS, public_url=f"https://{HOST}")


@dataclass
class Site:
    store: Database
    provider: SmallProvider
    browser: TestClient

    def leave(self, query: str = "") -> str:
        """Press the button; return where it leads."""
        answer = self.browser.get(f"/sign-in/oidc{query}")
        assert answer.status_code == 302
        kept = "; path=/sign-in/oidc; Max-Age=600; httponly; samesite=lax; secure"
        assert re.match("searchain_oidc_[0-9a-f]{16}=", answer.headers["set-cookie"])
        assert answer.headers["set-cookie"].endswith(kept)
        return answer.headers["location"]

    def sign_in(self, query: str = "", **changes: str) -> Any:
        return self.browser.get(self.provider.consent(self.leave(query), **changes))

    def trail(self) -> list[tuple[str, str, str]]:
        return [(one.actor, one.action, one.subject) for one in audit.entries(self.store)]


@pytest.fixture
def settings() -> dict[str, Any]:
    """What a test changes of the settings."""
    return {}


@pytest.fixture
def site(tmp_path: Path, settings: dict[str, Any]) -> Iterator[Site]:
    store = Database(tmp_path / "page.db")
    users.add(store, users.new("ann", "annotator", PASSWORD))
    with small_provider() as provider:
        access = Access(Who.USERS, store, public_url=f"https://{HOST}")
        named = {"claim": "preferred_username"} | settings
        made = Provider(Settings(provider.issuer, CLIENT, SECRET, "Corp", **named), access)
        routes = SignIn(access, store, ("/annotate",), made).routes
        app = Starlette(routes=routes, middleware=[Middleware(Guard, access=access, rules=())])
        yield Site(store, provider, TestClient(app, f"https://{HOST}", follow_redirects=False))
    store.close()


def told(answer: Any) -> tuple[int, str]:
    assert SESSION not in answer.headers.get("set-cookie", "")
    assert SECRET not in answer.text
    return answer.status_code, html.unescape(re.search('role="alert">(.*?)</p>', answer.text)[1])


def test_a_user_signs_in_with_a_browser_and_signs_out(tmp_path: Path):
    with small_provider() as provider:
        made = Provider(Settings(provider.issuer, CLIENT, SECRET, "Corp", "preferred_username"), ACCESS)
        rules = {"public_url": ACCESS.public_url, "page": {"provider": made}, "people": {"ann": "annotator"}}
        with served_page(tmp_path, Who.USERS, **rules) as page:
            ask = partial(page.request, Host=HOST)
            assert f'href="https://{HOST}/sign-in/oidc?c=01ABC">Sign in with Corp<' in ask("/sign-in?c=01ABC")[2]
            _, headers, _ = ask("/sign-in/oidc?c=01ABC")
            begun = headers["set-cookie"].partition(";")[0]
            status, headers, _ = ask(provider.consent(headers["location"]), Cookie=begun)
            assert (status, headers["location"]) == (303, "/?c=01ABC")
            assert re.search("searchain_oidc_[0-9a-f]+=null; path=/sign-in/oidc; expires=Thu", headers["set-cookie"])
            mine = re.search(rf"{SESSION}=[\w-]{{43}}(?=; HttpOnly; .*; Secure)", headers["set-cookie"])[0]
            assert "signed in as ann" in ask("/sign-in", Cookie=mine)[2]
            assert ask("/annotate", Cookie=mine)[0] == 200  # the role is that of the user here
            entry = next(audit.entries(page.store))
            assert (entry.actor, entry.action, entry.subject) == ("ann", "signed in", "with Corp")
            assert ask("/sign-out", body="", Cookie=mine)[0] == 303
            assert ask("/config", Cookie=mine)[0] == 401


def test_one_goes_on_to_the_page_one_wanted_unless_its_name_is_too_long(site: Site, caplog):
    site.browser.get(f"/sign-in/oidc/back?error={'a' * 60_000}")
    assert len(caplog.text) < 1_000
    assert site.sign_in(f"?c={'a' * 6_000}").headers["location"] == "/"
    assert site.sign_in("?to=%2Fannotate%3Fx%3D1").headers["location"] == "/annotate?x=1"
    assert site.sign_in("?to=https%3A%2F%2Fevil.test").headers["location"] == "/"
    answer = site.browser.get("http://127.0.0.1/sign-in/oidc?c=1")  # the button leads to the public name
    assert (answer.status_code, answer.headers["location"]) == (303, f"https://{HOST}/sign-in/oidc?c=1")


def test_two_tabs_of_a_browser_sign_in_at_the_same_time(site: Site):
    ways = [site.leave("?to=%2Fannotate%3Ftab%3D1"), site.leave("?to=%2Fannotate%3Ftab%3D2")]
    backs = [site.browser.get(site.provider.consent(way)) for way in ways]
    assert [back.headers.get("location") for back in backs] == ["/annotate?tab=1", "/annotate?tab=2"]
    assert told(site.browser.get(site.provider.consent(ways[0])))[0] == 403  # each way back holds once
    for _ in range(30):  # the cookies of many attempts are few
        site.browser.get("/sign-in/oidc")
    assert len(site.browser.cookies) <= 9
    strange = "; ".join(f"searchain_oidc_{place}/[x]=1" for place in range(20))
    assert site.browser.get("/sign-in/oidc", headers={"cookie": strange}).status_code < 500
    assert site.sign_in().status_code == 303


REFUSED = (403, "Corp did not sign you in. Try again, or sign in with a password.")


def test_a_token_that_is_not_for_this_browser_and_page_or_has_another_signature_signs_nobody_in(site: Site, caplog):
    for changes in (
        *({"nonce": nonce} for nonce in ("another", None)),
        *({"aud": "another-page"} | azp for azp in ({}, {"azp": CLIENT})),
        {"aud": None},
        {"iss": "https://elsewhere.test"},
        *({"exp": moment} for moment in (int(time.time()) - 600, None)),
    ):
        caplog.clear()
        site.provider.changes = changes
        assert told(site.sign_in()) == REFUSED
        assert [one.message for one in caplog.records if one.name == "ui.server.oidc"]
        assert SECRET not in caplog.text
        site.provider.changes = {}
        assert site.sign_in().status_code == 303
    site.provider.signed_with = RSAKey.generate_key(2048, parameters={"kid": "one"})
    for algorithm in ("RS256", "none"):  # by another key, or by none
        site.provider.algorithm = algorithm
        assert told(site.sign_in())[0] in (403, 503)


def test_who_did_not_begin_here_is_not_signed_in(site: Site):
    assert told(site.sign_in(state="another")) == REFUSED
    back, browser = site.provider.consent(site.leave()), site.browser
    kept = dict(browser.cookies)
    browser.cookies.clear()
    assert told(browser.get(back)) == REFUSED  # in another browser
    assert told(browser.get("/sign-in/oidc/back?error=access_denied&error_description=<b>")) == REFUSED
    assert "/token" not in site.provider.asked
    assert browser.get(back, cookies=kept).status_code == 303
    assert told(browser.get(back, cookies=kept)) == REFUSED  # a code works once
    assert [one for one in site.trail() if one[1] == audit.FAILED] == []  # nobody was named


UNKNOWN = "You are not a user here yet; ask an administrator to add you."
UNNAMED = "Corp does not say who you are, or has not verified your mail address."
STRANGE = "Your mail address is not of the domain that may sign in."
APART = "You are not in the group that may sign in."
MAIL = {"email": "ann@example.org"}
VERIFIED, MADE = MAIL | {"email_verified": True}, {"makes_users": True}
BY_MAIL = {"claim": "email"}


@pytest.mark.parametrize(
    ("settings", "claims", "said", "name"),
    [
        ({}, {"preferred_username": "eve"}, UNKNOWN, "eve"),
        ({}, {"preferred_username": "eve, with blanks"}, UNKNOWN, "nobody"),
        ({}, {"preferred_username": "boss@example.org"} | VERIFIED, UNNAMED, None),
        (BY_MAIL, MAIL, UNNAMED, None),
        (BY_MAIL, MAIL | {"email_verified": "true"}, UNNAMED, None),
        (BY_MAIL, {"email": "ann", "email_verified": False}, UNNAMED, None),
        ({"claim": "upn"}, {}, UNNAMED, None),
        ({"domain": "example.org"}, MAIL, STRANGE, "ann"),
        ({"domain": "example.org"}, VERIFIED | {"email": "ann@evil-example.org"}, STRANGE, "ann"),
        *(({"group": "staff"}, {"groups": groups}, APART, "ann") for groups in (["guests"], "staffers")),
        (MADE, {"preferred_username": "gone"}, UNKNOWN, "gone"),
        (MADE, {"preferred_username": "local"}, UNKNOWN, "nobody"),
    ],
)
def test_who_is_not_let_in_is_told_why_and_stands_in_the_trail(
    site: Site, claims: dict[str, Any], said: str, name: str | None
):
    users.add(site.store, users.new("gone", "chat", PASSWORD))
    users.remove(site.store, "gone")
    site.provider.claims |= claims
    assert told(site.sign_in()) == (403, said)
    failed = [("nobody" if name is None else name, audit.FAILED, "with Corp")] if name else []
    assert [one for one in site.trail() if one[1] == audit.FAILED] == failed
    assert len(users.every(site.store)) == 2


@pytest.mark.parametrize(
    ("settings", "claims", "name"),
    [
        (MADE | BY_MAIL, VERIFIED | {"email": "eve@example.org"}, "eve@example.org"),
        (MADE | BY_MAIL, VERIFIED, "ann@example.org"),
        (
            MADE | {"domain": "Example.org", "group": "staff"},
            VERIFIED | {"preferred_username": "eve", "email": "e@example.ORG", "groups": ["staff", "x"]},
            "eve",
        ),
    ],
)
def test_people_who_are_let_in_become_users_that_may_chat(site: Site, claims: dict[str, Any], name: str):
    site.provider.claims |= claims
    assert [site.sign_in().status_code, site.sign_in().status_code] == [303, 303]
    assert users.get(site.store, name).role == "chat"
    assert [one for one in site.trail() if one[1] == "added the user"][0] == (name, "added the user", name)
    assert users.verify(site.store, name, "") is None


def test_a_provider_that_is_away_leaves_passwords(site: Site, caplog):
    site.provider.server.shutdown()
    site.provider.server.server_close()
    away = (503, "Corp cannot be reached now. Try again later, or sign in with a password.")
    assert told(site.browser.get("/sign-in/oidc")) == away
    assert SECRET not in caplog.text
    assert site.browser.post("/sign-in", data={"name": "ann", "password": PASSWORD}).status_code == 303


def test_a_provider_of_another_name_is_not_believed_and_names_at_the_userinfo_endpoint_alone_are_read(site: Site):
    site.provider.calls_itself = "https://elsewhere.test"
    assert told(site.browser.get("/sign-in/oidc"))[0] == 503
    site.provider.calls_itself = site.provider.issuer  # that is mended
    site.provider.claims, site.provider.userinfo = {"sub": "1"}, {"preferred_username": "Ann"}
    assert site.sign_in().status_code == 303
    site.provider.userinfo["sub"] = "2"
    assert told(site.sign_in())[0] == 403


@pytest.mark.parametrize("settings", [{"domain": "example.org"}])
def test_a_mail_address_and_its_check_come_from_one_source(site: Site):
    site.provider.claims = {"sub": "1", "email": "ann@example.org", "preferred_username": "ann"}
    site.provider.userinfo = {"email": "eve@evil.test", "email_verified": True}
    assert told(site.sign_in())[0] == 403
    site.provider.userinfo["email"] = "ann@example.org"
    assert site.sign_in().status_code == 303


def test_without_a_provider_its_addresses_are_not_there(closed: ServedPage):
    assert [closed.request(path)[0] for path in ("/sign-in/oidc", "/sign-in/oidc/back")] == [404, 404]
    assert "Sign in with" not in closed.request("/sign-in")[2]


def test_an_address_without_tls_is_refused_and_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    for issuer in ("http://sso.example.org", "sso.example.org", "", "ftp://127.0.0.1", "https://"):
        with pytest.raises(UsageError, match="begins with https://"):
            Provider(Settings(issuer, CLIENT, SECRET), ACCESS)
    monkeypatch.setitem(sys.modules, "authlib.integrations.starlette_client", None)
    with pytest.raises(SetupError, match="pip install -r requirements-oidc.txt"):
        Provider(Settings("https://sso.example.org", CLIENT, SECRET), ACCESS)
