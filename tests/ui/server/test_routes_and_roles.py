"""Every route of the server × everybody who may ask: nobody is given another's words, and nobody changes them.

The routes are those that the server has, Gradio's included, so that a new one is tried by itself.
"""

import contextlib
import http.client
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace

import pytest
from starlette.routing import BaseRoute

from searchain.setup.index import Behind
from storage.collections import access as collections
from storage.collections import documents
from storage.collections.files import Files
from storage.database import Database
from storage.history import overview
from storage.people import shares, tokens
from tests.support.served_page import served_page
from tests.support.stories import nintendo
from tests.support.story_runs import store_run
from ui.exports.formats import FORMATS
from ui.page.careful import Careful, Health
from ui.page.sidebar import Searching
from ui.page.turn_routes import FORMS
from ui.server.access import SESSION, VISITOR, Access, Who, visitor_of
from ui.server.operating import Operating
from ui.server.people import PeoplePage
from ui.server.plain_page import SIGN_OUT

SECRET = "xyzzysecret"
VICTIM = "v" * 32
"""The cookie of a visitor whose words nobody else is to see either."""
ENDLESS = ("/gradio_api/heartbeat/", "/gradio_api/queue/data")
"""Streams that stay open."""
LEFT_OUT = ("/gradio_api/dev/", SIGN_OUT)
"""Gradio's reloading of a page under development, and what would make somebody nobody for the rest."""


@dataclass
class Site:
    port: int
    store: Database
    routes: list[tuple[str, str]]
    """Method and path, with the names of its parameters."""
    values: dict[str, list[str]]
    """What stands in the place of each parameter: the ids of what belongs to others."""
    roles: dict[str, dict[str, str]]
    """Who asks, and the headers that say so."""

    def request(self, method: str, path: str, headers: dict[str, str]) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=0.5 if path.startswith(ENDLESS) else 30)
        own = {"host": f"127.0.0.1:{self.port}", "content-type": "application/json", "x-searchain": "upload"}
        ids = {name: values[0] for name, values in self.values.items()}
        body = {**ids, "conversation": self.values["id"][0], "turn": self.values["id"][1], "data": [ids["id"]]}
        with contextlib.closing(connection):
            connection.request(method, path, None if method == "GET" else json.dumps(body), own | headers)
            answer, said = connection.getresponse(), b""
            with contextlib.suppress(TimeoutError, http.client.IncompleteRead):
                while piece := answer.read1(65_536):
                    said += piece
        return answer.status, said.decode("utf-8", "replace") + str(answer.getheaders())


def every(routes: list[BaseRoute], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Method and path of all routes, those of mounted apps included."""
    for route in routes:
        path, below = prefix + getattr(route, "path", ""), getattr(route, "routes", None)
        if below is None:
            below = getattr(getattr(route, "original_router", None), "routes", None)
        if below:
            yield from every(below, path)
        for method in getattr(route, "methods", None) or ():
            yield method, path


@pytest.fixture(scope="module", params=[Who.USERS, Who.ANYBODY], ids=lambda who: who.name)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("roles")
    store = Database(folder / "page.db")
    anns = store_run(store, nintendo(f"What is {SECRET}?"), owner="ann")
    visitors = store_run(store, nintendo(f"Who is {SECRET}?"), owner=visitor_of(VICTIM).owner)
    overview.rename(store, anns.conversation, "ann", f"About {SECRET}")
    shared = shares.make(store, anns.conversation, owner="ann", days=1)[1]
    collection, files = collections.create(store, "ann", f"Files of {SECRET}"), Files(store)
    stored = files.put(iter([f"All about {SECRET}.".encode()]), 1_000)
    document = documents.submit(store, files, collection.id, f"{SECRET}.txt", stored)[0]
    documents.set_state(store, document, documents.State.FAILED)  # nobody need work on it
    ids = [anns.conversation, anns.turn, document.id, shared.id, visitors.conversation, visitors.turn]

    access = Access(request.param, store)
    health = Health(store, lambda: None, SimpleNamespace(is_alive=True))
    parts: dict[str, object] = dict.fromkeys(("exports", "shares", "library", "api"), True)
    parts["others"] = lambda made: [health, Operating(store), PeoplePage(store, access)]
    parts["page"] = {"careful": Careful(access, fetch=lambda report: None), "searching": Searching(access, Behind())}
    people = {"ann": "chat", "bob": "chat", "carol": "annotator", "dave": "admin"}
    with served_page(folder, access=access, people=people, **parts) as served:
        roles = {"nobody": {}, "a wrong token": {"authorization": "Bearer sc-wrong"}}
        for name in ("bob", "carol", "dave"):
            roles[name] = {"cookie": f"{SESSION}={tokens.issue(store, name, 'session')}"}
            roles[f"{name}'s program"] = {"authorization": f"Bearer {tokens.issue(store, name)}"}
        if request.param is Who.ANYBODY:
            roles["a visitor"] = {"cookie": f"{VISITOR}={'w' * 32}"}
        values = {"id": ids, "collection": [collection.id], "form": list(FORMS), "format": list(FORMATS)}
        yield Site(served.port, store, sorted(set(every(served.blocks.app.routes))), values, roles)
    store.close()


def filled(site: Site, path: str) -> Iterator[str]:
    """The path with each value in the place of its parameters."""
    names = re.findall(r"{([^}:]+)(?::[^}]+)?}", path)
    for chosen in product(*(site.values.get(name, ["1"]) for name in names)):
        whole = path
        for value in chosen:
            whole = re.sub("{[^}]+}", value, whole, count=1)
        yield whole


def test_nobody_is_given_anothers_words_or_changes_them(site: Site):
    paths = {path for _, path in site.routes}
    assert len(site.routes) > 100
    assert {"/conversations/{id}", "/v1/chat/completions", "/documents/{id}/original", "/s/{token}"} <= paths
    assert "/gradio_api/queue/join" in paths
    query = "?c={0}&conversation={0}&turn={1}&session_hash=x&name=a.txt".format(*site.values["id"])
    before, asked, statuses = content(site.store), 0, set()
    for method, route in site.routes:
        if method in ("HEAD", "OPTIONS") or route.startswith(LEFT_OUT):
            continue
        for path in filled(site, route):
            for who, headers in site.roles.items():
                status, said = site.request(method, path + query, headers)
                asked += 1
                statuses.add(status)
                assert SECRET not in said, (who, method, path)
                assert status < 500, (who, method, path, said[:300])
    assert asked > 1_000
    assert {200, 401, 403, 404} <= statuses
    assert content(site.store) == before


def content(store: Database) -> list[object]:
    """What belongs to the two whose words nobody else may change."""
    return [
        store.rows(f"SELECT * FROM {table} WHERE {condition} ORDER BY 1")
        for table, condition in (
            ("conversations", "owner = 'ann' OR owner LIKE 'visitor:%' AND title LIKE '%xyzzy%'"),
            ("turns", "question LIKE '%xyzzy%'"),
            ("events", "turn IN (SELECT id FROM turns WHERE question LIKE '%xyzzy%')"),
            ("feedback", "1"),
            ("shares", "1"),
            ("collections", "owner = 'ann'"),
            ("documents", "name LIKE '%xyzzy%'"),
        )
    ]


def test_the_owner_sees_them(site: Site):
    cookie = {"cookie": f"{SESSION}={tokens.issue(site.store, 'ann', 'session')}"}
    for path in ("/conversations", "/collections", "/shares", "/export/jsonl"):
        assert SECRET in site.request("GET", path, cookie)[1], path
