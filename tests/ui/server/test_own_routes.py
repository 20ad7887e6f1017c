"""The routes behind the page: whose data they show and change, and what they refuse. Real requests over real sockets."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from storage.log.runs import Started
from tests.support.served_page import ServedPage
from tests.support.stories import QUESTION, nintendo
from tests.support.story_runs import store_run
from ui.server.access import VISITOR, visitor_of


@pytest.fixture
def anns(public: ServedPage) -> Started:
    return store_run(public.store, nintendo(), owner="ann")


def ask(site: ServedPage, method: str, path: str, body: object = None, **headers: str) -> tuple[int, object]:
    """Return status and what was answered, as values where it is JSON."""
    status, said, text = site.request(path, method, body, **headers)
    return status, json.loads(text) if said.get("content-type", "").startswith("application/json") else text


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
def test_nobody_else_sees_or_changes_a_conversation(public: ServedPage, anns, who: str):
    them = public.session("bob") if who == "bob" else {"Cookie": f"{VISITOR}={'v' * 32}"}
    for method, path, body in calls(anns):
        status, said = ask(public, method, path, body, **them)
        assert status == 404, path
        assert said["error"].startswith("there is no "), path
        assert "assistant.py" not in said["error"], path
    nothing = {"conversations": [], "is_more": False, "documents": "", "deleted": None}
    assert ask(public, "GET", "/conversations", **them)[1] == nothing
    assert ask(public, "GET", "/conversations?words=nintendo", **them)[1]["conversations"] == []
    for method, path, body in calls(anns):  # the owner may do all of it
        assert ask(public, method, path, body, **public.session("ann"))[0] == 200, path


def test_of_two_who_delete_at_once_one_is_told_that_it_is_gone(public: ServedPage):
    told = []
    for _ in range(20):
        anns, both, ann = store_run(public.store, owner="ann"), threading.Barrier(6), public.session("ann")

        def delete(path: str, both: threading.Barrier, ann: dict[str, str]) -> tuple[int, object]:
            both.wait()
            return ask(public, "DELETE", path, **ann)

        with ThreadPoolExecutor(6) as threads:
            asked = [threads.submit(delete, f"/conversations/{anns.conversation}", both, ann) for _ in range(6)]
            told.append(sorted(one.result()[0] for one in asked))
    assert told == [[200, *[404] * 5]] * 20


def test_other_sites_change_nothing(public: ServedPage, anns):
    refused, ann = "Requests from other sites are refused.", public.session("ann")
    for method, path, body in calls(anns):
        if method != "GET":
            for foreign in ("cross-site", "same-site"):
                assert ask(public, method, path, body, Sec_Fetch_Site=foreign, **ann) == (403, {"error": refused})
            assert ask(public, method, path, body, Origin="https://evil.test", **ann) == (403, refused)
    found = ask(public, "GET", "/conversations?words=headquarters", **ann)[1]["conversations"]
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
    ],
)
def test_what_is_no_judgement_is_refused_in_one_line(public: ServedPage, anns, body: object, status: int, error: str):
    answer = ask(public, "POST", f"/turns/{anns.turn}/feedback", body, **public.session("ann"))
    assert answer == (status, {"error": error.format(anns.turn)})


@pytest.mark.parametrize("half", [b'"\\ud800"', b'"a\\udfffb"'])
def test_half_a_character_is_refused_wherever_it_is(public: ServedPage, anns, half: bytes):
    path, ann = f"/conversations/{anns.conversation}", public.session("ann")
    refused = (400, {"error": "The request holds half a character, which is no text."})
    for method, where, name in (
        ("PATCH", path, b"title"),
        *(("POST", f"/turns/{anns.turn}/feedback", name) for name in (b"comment", b"value")),
        ("DELETE", "/conversations/x", b"x"),
    ):
        for body in (b'{"%s": %s}' % (name, half), b'{"x": [{%s: 1}]}' % half):
            assert ask(public, method, where, body, **ann) == refused
    whole = ask(public, "PATCH", path, b'{"title": "\\ud83d\\ude00"}', **ann)
    assert whole == (200, {"title": "😀"})


def test_a_request_tells_whose_it_is_and_a_conversation_from_elsewhere_what_it_searched(public: ServedPage):
    assert ask(public, "GET", "/person", **public.session("ann")) == (200, {"name": "ann", "annotates": False})
    assert visitor_of("v" * 32).is_visitor
    assert ask(public, "GET", "/person", Cookie=f"{VISITOR}={'v' * 32}") == (200, {"name": "", "annotates": False})
    assert ask(public, "GET", "/person")[0] == 401  # no cookie yet: the page comes first
    first, *rest = nintendo()
    own = replace(first, index="c-01hzzzzzzzzzzzzzzzzzzzzzzz")
    path = f"/conversations/{store_run(public.store, [own, *rest], owner='ann').conversation}/settings"
    assert ask(public, "GET", path, **public.session("ann"))[1]["collections"] == ["01HZZZZZZZZZZZZZZZZZZZZZZZ"]
