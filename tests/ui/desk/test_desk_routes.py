"""The desk's server: who may do what, what is told of a reply, and what is refused in one line. Real requests."""

import json
import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from searchain.annotation.guided_practice import examples
from searchain.annotation.labels import to_json
from searchain.annotation.protocol import Backing
from searchain.annotation.study import Study
from storage.annotation import guided as asking
from storage.annotation import history, progress
from storage.annotation.desk import Desk
from storage.annotation.gold import gold
from storage.annotation.report import report
from tests.support.desk_site import FOUR, Site, site
from tests.support.judged_replies import judge, right_labels, uniform_labels
from tests.support.story_runs import store_run
from ui.desk.managing import Managing
from ui.server.access import Access, Who

SECOND = {**FOUR, "question": "And what of Kyoto?", "system": "another engine"}
UNJUDGED = {"knowledge_items": [], "marks": [], "comment": ""}
GETS = ("me", "mine", "guidelines", "items/x/history")
POSTS = ("next", "undo", "items/x/open", "items/x/draft", "items/x/submit", "items/x/skip")
FOR_ADMINS = ("/annotate/manage", "/annotate/report", "/annotate/export/jsonl")
ADMIN_GETS = ("adjudicate", "adjudicate/x", "manage")
ADMIN_POSTS = ("adjudicate/x", "manage/turns", "manage/import")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    people = {"ann": "annotator", "bob": "annotator", "eve": "annotator", "ada": "admin", "cat": "chat"}
    with site(tmp_path_factory.mktemp("shared"), Who.USERS, **people) as made:
        made.put(FOUR, SECOND, quota=2)
        yield made


def labels_of(task: dict) -> dict:
    """Labels with everything complete and right, as the page would send them."""
    items = [{**one, "support": "complete"} for one in task["labels"]["knowledge_items"]]
    marks = [{**one, "place": "right"} for one in task["labels"]["marks"]]
    return {**task["labels"], "knowledge_items": items, "marks": marks, "comment": f"{len(marks)} marks"}


def taken(shared: Site, who: str) -> dict:
    """The next task of ``who``."""
    status, answer = shared.call("next", {}, who)
    assert status == 200
    return answer["task"]


NOBODY, NO_ROLE = (401, {"error": "Sign in first."}), (403, {"text": "Your role does not allow this."})


@pytest.mark.parametrize(("who", "refusal"), [(None, NOBODY), ("cat", NO_ROLE), ("ann", NO_ROLE)])
def test_paths_refuse_whoever_has_no_role_for_them(shared: Site, who: str | None, refusal: tuple):
    for path in (*ADMIN_GETS, *ADMIN_POSTS, *(() if who == "ann" else (*GETS, *POSTS))):
        assert shared.call(path, None if path in (*GETS, *ADMIN_GETS) else {}, who) == refusal


@pytest.mark.parametrize(
    ("who", "status", "paths"),
    [
        ("cat", 403, ["/annotate"]),
        ("ann", 200, ["/annotate", "/annotate/static/desk.js"]),
        ("ann", 403, ["/annotate/adjudicate", *FOR_ADMINS]),
        ("ada", 200, ["/annotate/adjudicate", *FOR_ADMINS]),
        ("ada", 404, ["/annotate/export/xml"]),
        ("ann", 404, [f"/annotate/{path}" for path in ("static/..%2fpages.py", "static/judge.html", "nothing")]),
    ],
)
def test_pages_and_files_by_role(shared: Site, who: str, status: int, paths: list[str]):
    assert {path: shared.request(path, **shared.session(who))[0] for path in paths} == dict.fromkeys(paths, status)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/annotate", ""),
        ("/annotate/adjudicate", ""),
        ("/annotate/api/me", ""),
        ("/annotate/static/desk.js", ""),
        ("/annotate/report", "What people say of the citations"),
        ("/annotate/manage", "Manage the desk"),
    ],
)
def test_the_policy_is_strict_and_two_pages_have_no_scripts(shared: Site, path: str, shown: str):
    status, headers, text = shared.request(path, **shared.session("ada"))
    policy = headers["content-security-policy"]
    assert (status, shown in text, "default-src 'none'" in policy) == (200, True, True)
    if shown:
        assert ("script-src" in policy, "<script" in text) == (False, False)
        return
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert ("unsafe" in policy, "frame-ancestors 'none'" in policy) == (False, True)
    assert headers["x-content-type-options"] == "nosniff"
    assert not re.search(r"<script(?![^>]* src=)|<style|style=|onclick|https?://", text) or path.endswith(".js")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_taken(shared: Site, kind: str):
    refused = (400, {"error": "send JSON, as the desk's own pages do"})
    assert shared.call("next", {}, "ann", Content_Type=kind) == refused
    assert shared.call("manage/import", {}, "ada", Content_Type=kind)[0] == 403


def test_a_task_is_blind_and_who_judges_is_the_session_and_not_what_is_sent(shared: Site):
    task = taken(shared, "ann")
    assert set(task) == {"item", "labels", "state", "version", "seconds", "lease", "is_assigned"}
    assert set(task["item"]) == {"id", "question", "answer", "sentences", "marks", "sources", "uncited"}
    assert "engine" not in json.dumps(task)
    assert 890 < task["lease"] <= 900
    id = task["item"]["id"]
    body = {"labels": labels_of(task), "seconds": 12, "version": 0, "annotator": "bob", "owner": "bob"}
    refused = {"error": "this reply was never given to you; take the next one of the queue"}
    assert shared.call(f"items/{id}/draft", body, "bob") == (400, refused)
    assert shared.call(f"items/{id}/submit", body, "ann")[0] == 200
    [stored] = history.labels(shared.store, id)
    assert (stored.annotator, stored.version, stored.labels.comment) == ("ann", 1, "5 marks")
    assert shared.call(f"items/{id}/history", who="bob") == (200, {"entries": []})
    [entry] = shared.call(f"items/{id}/history", who="ann")[1]["entries"]
    assert (entry["action"], entry["version"], entry["seconds"]) == ("submitted", 1, 12.0)
    assert entry["labels"]["marks"][0]["place"] == "right"
    [mine] = [one for one in shared.call("mine", who="ann")[1]["items"] if one["item"] == id]
    assert (mine["state"], mine["question"], mine["is_begun"]) == ("submitted", task["item"]["question"], False)
    assert shared.call("mine", who="eve") == (200, {"items": []})


def test_a_draft_tells_the_lease_and_no_figures(shared: Site):
    task = taken(shared, "bob")
    path, draft = f"items/{task['item']['id']}", {"labels": labels_of(task), "seconds": 3.5}
    status, answer = shared.call(f"{path}/draft", draft, "bob")
    assert (status, set(answer), answer["state"]) == (200, {"lease", "state"}, "open")
    assert 890 < answer["lease"] <= 900
    again = shared.call(f"{path}/open", {}, "bob")[1]["task"]
    assert (again["labels"]["comment"], again["seconds"]) == ("5 marks", 3.5)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("next", {"without": "x"}),
        ("next", {"without": ["x"] * 1001}),
        ("items/ID/draft", {"labels": {"knowledge_items": 1}}),
        *(("items/ID/draft", {"labels": UNJUDGED, "seconds": seconds}) for seconds in ("x", True)),
        *(("items/ID/submit", {"labels": UNJUDGED} | version) for version in ({}, {"version": 0})),
        ("items/ID/skip", {"reason": "half a \ud83d"}),
        ("items/ID/draft", {"labels": UNJUDGED | {"comment": "half a \ud83d"}}),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(shared: Site, path: str, values: dict):
    id = taken(shared, "bob")["item"]["id"]
    status, answer = shared.call(path.replace("ID", id), values, "bob")
    assert (status, set(answer), "\n" in answer["error"], len(answer["error"]) < 300) == (400, {"error"}, False, True)


def test_files_look_at_the_role_themselves(shared: Site):
    """Without the guard in front of them."""
    client = TestClient(Starlette(routes=Managing(shared.store, Access(Who.USERS, shared.store)).routes))
    for path, status in {"export/jsonl": 200, "export/nothing": 404, "report": 200}.items():
        for headers in ({}, shared.session("cat"), shared.session("ann")):
            answer = client.get(f"/annotate/{path}", headers=headers)
            assert (answer.status_code, "\n" in answer.text, len(answer.text) < 100) == (403, False, True)
        assert client.get(f"/annotate/{path}", headers=shared.session("ada")).status_code == status


# decisions


def test_columns_have_no_names_and_decisions_have_a_basis(shared: Site):
    shared.put({**FOUR, "question": "Who decides?"})
    id = next(one["id"] for one in shared.call("manage", who="ada")[1]["items"] if one["question"] == "Who decides?")

    def listed() -> dict:
        return next(one for one in shared.call("adjudicate", who="ada")[1]["items"] if one["item"] == id)

    for name, support in (("ann", Backing.COMPLETE), ("bob", Backing.NONE)):
        item = judge(shared.store, name, support, id, f"said {support.value}")
    assert (listed()["question"], listed()["disagreeing"], listed()["state"]) == ("Who decides?", 9, "open")
    view = shared.call(f"adjudicate/{id}", who="ada")[1]
    assert [one["letter"] for one in view["columns"]] == ["A", "B"]
    assert view["gold"] is None
    assert sorted(one["labels"]["comment"] for one in view["columns"]) == ["said complete", "said none"]
    assert not re.search("ann|bob|engine", json.dumps(view).replace("annotat", ""))
    decision = {"labels": to_json(uniform_labels(item, comment="so it is")), "state": view["state"], "reason": "whim"}
    assert "'whim' is no reason of a decision" in shared.call(f"adjudicate/{id}", decision, "ada")[1]["error"]
    decision["reason"] = "guideline gap"
    judge(shared.store, "ann", id=id, comment="on second thoughts")
    status, answer = shared.call(f"adjudicate/{id}", decision, "ada")
    assert (status, "changed meanwhile" in answer["error"]) == (400, True)
    decision["state"] = shared.call(f"adjudicate/{id}", who="ada")[1]["state"]
    assert shared.call(f"adjudicate/{id}", decision, "ada") == (200, {})
    [found] = [one for one in gold(shared.store) if one.item.id == id]
    assert (found.adjudicator, sorted(found.based_on)) == ("ada", [("ann", 2), ("bob", 1)])
    assert (found.labels.comment, found.reason) == ("so it is", "guideline gap")
    assert report(shared.store).reasons == {"guideline gap": 1}
    assert listed()["state"] == "decided"
    judge(shared.store, "bob", Backing.NONE, id, "still")
    assert listed()["state"] == "outdated"


# management


def imported(shared: Site, text: str, quota: str = "2") -> tuple[int, dict]:
    path, ada = f"/annotate/api/manage/import?quota={quota}", shared.session("ada")
    status, _, answer = shared.request(path, "POST", text.encode(), Content_Type="application/x-ndjson", **ada)
    return status, json.loads(answer)


def test_answers_of_other_systems_are_imported_once_and_judged_sets_in_their_form(shared: Site):
    line = json.dumps({**FOUR, "question": "Imported by the page?"})
    assert imported(shared, f"{line}\n\n") == (200, {"added": 1, "skipped": 0})
    assert imported(shared, line) == (200, {"added": 0, "skipped": 1})
    line = json.dumps({"dataset": "m", "doc": "Kyoto is old.", "claim": "It is new.", "label": 0})
    assert imported(shared, line, "2&from=acme")[0] == imported(shared, line, "2&labels=all")[0] == 400
    status, said = imported(shared, line, "2&from=llm-aggrefact&labels=gold&trial=1")
    assert (status, "judged by: llm-aggrefact (1)" in said["understood"]) == (200, True)


def test_an_admin_puts_their_latest_replies_on_the_desk(shared: Site):
    store_run(shared.store, owner="cat")
    assert shared.call("manage/turns", {"latest": 1}, "ada") == (200, {"added": 0, "skipped": 0})
    store_run(shared.store, owner="ada")
    assert shared.call("manage/turns", {"latest": 1}, "ada") == (200, {"added": 1, "skipped": 0})
    for wrong in ({}, {"latest": 0}, {"latest": "1"}, {"latest": True}):
        assert shared.call("manage/turns", wrong, "ada")[1]["error"].startswith("'latest' is no number")
    store_run(shared.store, owner="bob")  # and those of others by the page
    status, said = manage(shared, do="turns", text="Nintendo", quota="3")
    assert (status, bool(re.fullmatch(r"[1-3] put on the desk(, \d there already)?\.", said))) == (200, True)


def manage(shared: Site, **values: str) -> tuple[int, str]:
    """What the managing page says above all else after a form of it is sent."""
    status, text = shared.send(urlencode(values), "ada")
    return status, unescape(text.partition('role="alert">')[2].partition("<")[0])


def test_assignments_are_given_and_taken_back(shared: Site):
    shared.put({**FOUR, "question": "For eve alone?"}, quota=1)
    item = next(one["id"] for one in progress.items(shared.store) if one["question"] == "For eve alone?")
    assert manage(shared, do="assign", item=item, person="eve") == (200, "1 assigned")
    task = taken(shared, "eve")
    assert (task["item"]["id"], task["is_assigned"], task["lease"]) == (item, True, None)
    status, said = manage(shared, do="assign", item=item, person="bob")
    assert (status, "as many annotators as wanted" in said) == (400, True)
    assert manage(shared, do="place", item=item) == (200, "2 annotators may judge it now.")
    assert manage(shared, do="assign", item=item, quota="3") == (200, "The number is set")
    assert manage(shared, do="assign", item=item, person="bob") == (200, "1 assigned")
    for name in ("eve", "bob"):
        assert manage(shared, do="release", item=item, person=name) == (200, "1 taken back; what was begun stays.")
    assert manage(shared, do="assign", item=item, person="cat")[0] == 400


@pytest.mark.parametrize(("format", "kind"), [("jsonl", "application/x-ndjson"), ("csv", "text/csv")])
def test_exports(shared: Site, format: str, kind: str):
    ada = shared.session("ada")
    status, headers, text = shared.request(f"/annotate/export/{format}", **ada)
    assert (status, headers["content-type"]) == (200, f"{kind}; charset=utf-8")
    assert headers["content-disposition"] == f'attachment; filename="annotation.{format}"'
    hidden = shared.request(f"/annotate/export/{format}?pseudonyms=1", **ada)[2]
    named = re.compile(r'"ann"|,ann,')
    assert (bool(named.search(text)), named.search(hidden), "annotator-" in hidden) == (True, None, True)


# before the first reply


@pytest.fixture(scope="module")
def guided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    study = Study(hide_addresses=True, ask_for_systems=True)
    people = {"ann": "annotator", "bob": "annotator", "jud": "adjudicator", "ada": "admin"}
    with site(tmp_path_factory.mktemp("guided"), Who.USERS, study, **people) as made:
        made.put(FOUR, {**FOUR, "system": "another"}, quota=3)
        yield made


def test_guidelines_and_examples_come_before_the_first_reply(guided: Site):
    state = guided.call("next", {}, "ann")[1]["practice"]
    assert (state["is_due"], state["has_read"], state["task"]["item"]["id"]) == (True, False, "example-1")
    item = next(one["id"] for one in progress.items(guided.store))
    assert guided.call(f"items/{item}/open", {}, "ann")[0] == 400
    assert guided.call("practice", {"action": "leave out"}, "ann")[0] == 400
    assert guided.call("practice", {"action": "read", "seconds": 200}, "ann")[1]["practice"]["has_read"]
    answer = guided.call("practice/1", {"labels": UNJUDGED, "seconds": 5}, "ann")[1]
    assert not any(point["is_right"] for point in answer["points"])
    assert all(point["why"] for point in answer["points"] if point["right"] == "no support")
    for number, example in enumerate(examples(), 1):
        right = {"labels": to_json(right_labels(example)), "seconds": 5}
        state = guided.call(f"practice/{number}", right, "ann")[1]["practice"]
    assert (state["is_due"], state["right"] == state["points"] > 10) == (False, True)
    task = guided.call("next", {}, "ann")[1]["task"]
    assert {source["url"] for source in task["item"]["sources"]} == {None}
    assert guided.call("practice", {"action": "leave out"}, "ada")[1]["practice"]["is_due"] is False


def test_somebody_who_judged_does_not_decide(guided: Site):
    item = next(one["id"] for one in progress.items(guided.store))
    for name, support in (("jud", Backing.COMPLETE), ("bob", Backing.NONE)):
        judge(guided.store, name, support, item)
    assert [one["item"] for one in guided.call("adjudicate", who="ada")[1]["items"]] == [item]
    assert guided.call("adjudicate", who="jud")[1]["items"] == []
    status, answer = guided.call(f"adjudicate/{item}", who="jud")
    assert (status, "somebody else must decide" in answer["error"]) == (400, True)
    assert guided.call("manage", who="jud")[0] == 403
    assert guided.call("adjudicate", who="bob")[0] == 403


def test_at_the_end_annotators_guess_who_wrote_the_replies(guided: Site):
    asked = guided.call("next", {"without": []}, "bob")[1]
    assert "practice" not in asked or not asked["practice"]  # bob judged before
    desk = Desk(guided.store)
    while task := desk.next_item("bob"):
        desk.submit("bob", task.item.id, uniform_labels(task.item))
    asked = guided.call("next", {}, "bob")[1]["guesses"]
    assert (asked["systems"], len(asked["replies"])) == (["an engine", "another"], 2)
    said = {one["item"]: "an engine" for one in asked["replies"]}
    assert guided.call("guesses", {"guesses": said}, "bob") == (200, {"kept": 2})
    assert guided.call("next", {}, "bob")[1]["guesses"] is None
    found = {one.name: one for one in asking.result(guided.store).systems}
    assert (found["an engine"].index, found["another"].index) == (1.0, -1.0)
