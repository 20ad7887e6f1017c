"""The routes behind the page: whose data they show and change, and what they refuse. Real requests over real sockets."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest

from storage.database import Database
from tests.support.served_page import ServedPage, served_page
from tests.support.stories import QUESTION, nintendo
from tests.support.story_runs import store_run
from ui.server.access import VISITOR, Who, visitor_of


@dataclass
class Site:
    served: ServedPage
    store: Database

    def request(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, object]:
        status, said, text = self.served.request(path, method, body, **headers)
        return status, json.loads(text) if said.get("content-type", "").startswith("application/json") else text

    def cookie(self, name: str) -> str:
        return self.served.session(name)["Cookie"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served_page(tmp_path_factory.mktemp("routes"), Who.ANYBODY) as served:
        yield Site(served, served.store)


@pytest.fixture
def anns(site: Site):
    return store_run(site.store, nintendo(), owner="ann")


def calls(anns) -> list[tuple[str, str, object]]:
    return [
        ("PATCH", f"/conversations/{anns.conversation}", {"title": "Mine"}),
        ("GET", f"/conversations/{anns.conversation}/settings", None),
        ("GET", f"/conversations/{anns.conversation}/feedback", None),
        ("POST", f"/turns/{anns.turn}/feedback", {"value": "up"}),
        ("GET", f"/turns/{anns.turn}/copy/text", None),
        ("DELETE", f"/conversations/{anns.conversation}", None),
    ]


@pytest.mark.parametrize("who", ["bob", "visitor"])
def test_nobody_else_sees_or_changes_a_conversation(site: Site, anns, who: str):
    cookie = site.cookie("bob") if who == "bob" else f"{VISITOR}={'v' * 32}"
    for method, path, body in calls(anns):
        status, said = site.request(method, path, body, Cookie=cookie)
        assert status == 404, path
        assert said["error"].startswith("there is no "), path
        assert "assistant.py" not in said["error"], path
    nothing = {"conversations": [], "is_more": False, "documents": "", "deleted": None}
    assert site.request("GET", "/conversations", Cookie=cookie)[1] == nothing
    assert site.request("GET", "/conversations?words=nintendo", Cookie=cookie)[1]["conversations"] == []
    for method, path, body in calls(anns):  # the owner may do all of it
        assert site.request(method, path, body, Cookie=site.cookie("ann"))[0] == 200, path


def test_of_two_who_delete_at_once_one_is_told_that_it_is_gone(site: Site):
    told = []
    for _ in range(20):
        anns, cookie, both = store_run(site.store, nintendo(), owner="ann"), site.cookie("ann"), threading.Barrier(6)

        def delete(path: str, cookie: str, both: threading.Barrier) -> tuple[int, object]:
            both.wait()
            return site.request("DELETE", path, Cookie=cookie)

        with ThreadPoolExecutor(6) as threads:
            asked = [threads.submit(delete, f"/conversations/{anns.conversation}", cookie, both) for _ in range(6)]
            told.append(sorted(one.result()[0] for one in asked))
    assert told == [[200, *[404] * 5]] * 20


def test_other_sites_change_nothing(site: Site, anns):
    refused, ann = "Requests from other sites are refused.", {"Cookie": site.cookie("ann")}
    for method, path, body in calls(anns):
        if method != "GET":
            for foreign in ("cross-site", "same-site"):
                assert site.request(method, path, body, Sec_Fetch_Site=foreign, **ann) == (403, {"error": refused})
            assert site.request(method, path, body, Origin="https://evil.test", **ann) == (403, refused)
    found = site.request("GET", "/conversations?words=headquarters", **ann)[1]["conversations"]
    assert (anns.conversation, QUESTION) in [(one["id"], one["title"]) for one in found]


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        *(
            (odd, 400, "The request holds no JSON object.")
            for odd in (b"{", b"\xff", b'{"value": %s}' % (b"1" * 5_000))
        ),
        ({"value": "great"}, 400, "'great' is no judgement; say up, down or nothing"),
        ({"value": "up", "source": "1"}, 400, "'1' is no number of a citation"),
        ({"value": "up", "source": 9}, 404, "the reply of turn {} has no citation 9"),
        ({"value": "up", "comment": "x" * 3_000}, 400, "the comment has 3,000 characters; say it in 2,000 or fewer"),
    ],
)
def test_what_is_no_judgement_is_refused_in_one_line(site: Site, anns, body: object, status: int, error: str):
    answer = site.request("POST", f"/turns/{anns.turn}/feedback", body, Cookie=site.cookie("ann"))
    assert answer == (status, {"error": error.format(anns.turn)})


@pytest.mark.parametrize("half", [b'"\\ud800"', b'"a\\udfffb"'])
def test_half_a_character_is_refused_wherever_it_is(site: Site, anns, half: bytes):
    path, cookie = f"/conversations/{anns.conversation}", site.cookie("ann")
    refused = (400, {"error": "The request holds half a character, which is no text."})
    for method, where, name in (
        ("PATCH", path, b"title"),
        *(("POST", f"/turns/{anns.turn}/feedback", name) for name in (b"comment", b"value")),
        ("DELETE", "/conversations/x", b"x"),
    ):
        for body in (b'{"%s": %s}' % (name, half), b'{"x": [{%s: 1}]}' % half):
            assert site.request(method, where, body, Cookie=cookie) == refused
    whole = site.request("PATCH", path, b'{"title": "\\ud83d\\ude00"}', Cookie=cookie)
    assert whole == (200, {"title": "😀"})


def test_a_request_tells_whose_it_is_and_a_conversation_from_elsewhere_what_it_searched(site: Site):
    assert site.request("GET", "/person", Cookie=site.cookie("ann")) == (200, {"name": "ann", "annotates": False})
    assert visitor_of("v" * 32).is_visitor
    assert site.request("GET", "/person", Cookie=f"{VISITOR}={'v' * 32}") == (200, {"name": "", "annotates": False})
    assert site.request("GET", "/person")[0] == 401  # no cookie yet: the page comes first
    first, *rest = nintendo()
    own = replace(first, index="c-01hzzzzzzzzzzzzzzzzzzzzzzz")
    path = f"/conversations/{store_run(site.store, [own, *rest], owner='ann').conversation}/settings"
    assert site.request("GET", path, Cookie=site.cookie("ann"))[1]["collections"] == ["01HZZZZZZZZZZZZZZZZZZZZZZZ"]
