"""The routes of own documents: what each person may add, see and remove, over real requests and a toy parser."""

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from assistant import Assistant
from searchain import documents as parsing
from searchain.documents import FoundFile
from searchain.settings import Settings
from storage.collections import access as collections
from storage.collections import adding, documents, lacking, removing
from storage.collections.access import Elsewhere
from storage.collections.access import Role as Part
from storage.collections.documents import State
from storage.collections.files import Files
from storage.people.users import Role
from tests.storage.collections.test_lacking import over
from tests.support.own_documents import collection_of, store, submit, toy_parser  # noqa: F401
from tests.support.stories import not_found
from tests.support.story_runs import StoryPlayer, store_run
from tests.support.waiting import until
from ui.page import quotas
from ui.page.choices import Offers
from ui.page.lacking import Lacking
from ui.page.own_documents import RULES, Library, Worker
from ui.page.quotas import Quota
from ui.server.access import Access, Person, Who
from ui.server.guard import Guard

UPLOAD = {"x-searchain": "upload"}
HOST = "model.example"
SECRET = "The secret recipe has seven herbs."


class Named(Access):
    """Everybody is who they say they are."""

    def person(self, headers):
        name = headers.get("x-person", "")
        if name.startswith("visitor:"):
            return Person(name, None)
        return Person(name, Role.CHAT) if name else None


@pytest.fixture
def site(store, monkeypatch):
    monkeypatch.setattr(parsing, "files_in", lambda path, name=None: iter([FoundFile(name, path)]))
    access = Named(Who.USERS, store, answers_to_any_host=True)
    made = Library(store, Assistant(store, None, Settings(), elsewhere=lambda settings: HOST), access)
    lacks = Lacking(store, made._assistant, access, Offers())
    app = Starlette(routes=[*made.routes, *lacks.routes], middleware=[Middleware(Guard, access=access, rules=RULES)])
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
    made.close()


def as_(person, **more):
    return {"headers": {"x-person": person} | more}


def send(site, person, collection, name, content, **headers):
    return site.post(f"/uploads/{collection}?name={name}", content=content, **as_(person, **(UPLOAD | headers)))


def state(site, person, name):
    def ready():
        collections = site.get("/collections", **as_(person)).json()
        return [d for c in collections for d in c["documents"] if d["name"] == name and not d["is_under_way"]]

    (found,) = until(ready)
    return found


def test_a_dropped_file_becomes_ready_and_is_removed(site, store):
    made = site.post("/collections", json={}, **as_("ann")).json()
    assert (made["name"], made["documents"]) == ("My documents", [])
    assert site.post("/collections", json={}, **as_("ann")).json()["id"] == made["id"]
    answer = send(site, "ann", made["id"], "notes/herbs.txt", SECRET.encode())
    assert answer.json() == [{"name": "notes/herbs.txt", "state": "queued", "is_new": True}]
    found = state(site, "ann", "notes/herbs.txt")
    assert (found["state"], found["reason"]) == ("ready", None)
    original = site.get(f"/documents/{found['id']}/original", **as_("ann"))
    assert original.text == SECRET
    assert original.headers["content-disposition"] == "attachment; filename=\"herbs.txt\"; filename*=utf-8''herbs.txt"
    assert original.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert original.headers["x-content-type-options"] == "nosniff"
    gone = site.request("DELETE", f"/documents/{found['id']}", json={}, **as_("ann"))
    assert gone.status_code == 200
    assert site.get(f"/documents/{found['id']}/original", **as_("ann")).status_code == 404
    assert Files(store).stored() == set()


@pytest.mark.parametrize("person", ["", "eve", "visitor:eve", "bob"])
def test_nobody_sees_or_changes_what_is_not_theirs(site, store, person):
    secret = collection_of(store, owner="ann")
    document, _ = submit(store, secret, "herbs.txt", SECRET)
    if person == "bob":
        collections.share(store, secret, "bob", Part.READER)
    answers = [
        site.get("/collections", **as_(person)),
        site.get(f"/documents/{document.id}/original", **as_(person)),
        site.get(f"/documents/{document.id}/pages/1", **as_(person)),
        send(site, person, secret.id, "herbs.txt", b"other words"),
        site.request("DELETE", f"/documents/{document.id}", json={"erase": True}, **as_(person)),
    ]
    can_read = person == "bob"
    assert [SECRET in answer.text for answer in answers] == [False, can_read, False, False, False]
    assert [("herbs" in answer.text) for answer in answers] == [can_read, can_read, False, False, False]
    assert all(answer.status_code >= 400 for answer in answers[2:])
    left = documents.get(store, document.id)
    assert (left.sha256, left.removed) == (document.sha256, None)
    if not can_read and person:
        unknown = site.get("/documents/01J00000000000000000000000/original", **as_(person))
        assert (answers[1].status_code, answers[1].text) == (unknown.status_code, unknown.text)


def test_who_may_change_a_collection_decides_whether_its_passages_leave_the_machine(site, store):
    notes = collection_of(store, owner="ann", name="notes")
    collections.share(store, notes, "bob", Part.READER)
    [shown] = site.get("/collections", **as_("ann")).json()
    assert (shown["host"], shown["elsewhere"]) == (HOST, "unknown")
    for is_allowed, elsewhere in ((True, "allowed"), (False, "refused")):
        answer = site.patch(f"/collections/{notes.id}", json={"is_allowed": is_allowed}, **as_("ann"))
        assert (answer.status_code, answer.json()["elsewhere"]) == (200, elsewhere)
    answers = [
        site.patch(f"/collections/{notes.id}", json={"is_allowed": True}, **as_(person)).status_code
        for person in ("bob", "eve", "visitor:eve", "")
    ]
    wrong = site.patch(f"/collections/{notes.id}", json={"is_allowed": "yes"}, **as_("ann"))
    assert (answers, wrong.status_code) == ([400, 404, 404, 401], 400)
    assert collections.named(store, "ann", "notes").elsewhere is Elsewhere.REFUSED


def test_other_sites_can_send_nothing_and_too_much_is_refused(site, store, monkeypatch):
    made = site.post("/collections", json={}, **as_("ann")).json()
    for headers in ({"x-searchain": ""}, {"sec-fetch-site": "cross-site"}, {"origin": "https://evil.test"}):
        assert send(site, "ann", made["id"], "a.txt", b"x", **headers).status_code == 403
    assert Files(store).stored() == set()
    monkeypatch.setattr(quotas, "VISITORS", Quota(files=2, bytes=1_500_000, days=1))
    mine = site.post("/collections", json={}, **as_("visitor:v")).json()
    too_large = send(site, "visitor:v", mine["id"], "a.txt", b"x" * 1_600_000)
    assert (too_large.status_code, "larger than" in too_large.text) == (400, True)
    assert site.post("/collections", content=b"{" + b" " * 1_000_001, **as_("visitor:v")).status_code == 413
    assert Files(store).stored() == set()
    assert [add_as(site, "visitor:v", number).status_code for number in range(2)] == [200, 200]
    assert "2 with 2 MB are allowed; remove some first" in add_as(site, "visitor:v", 3).text


def test_a_disk_that_is_nearly_full_takes_no_documents(site, store, monkeypatch):
    monkeypatch.setattr(quotas.shutil, "disk_usage", lambda path: SimpleNamespace(free=900_000_000))
    said = "the disk of this server has less than 1.0 GB left, so no documents are taken; ask whoever runs it"
    for person in ("ann", "visitor:v"):
        refused = add_as(site, person, 1)
        assert (refused.status_code, refused.json()["error"]) == (507, said)
    assert documents.usage(store, "ann") == {}


def add_as(site, visitor, number):
    mine = site.post("/collections", json={}, **as_(visitor)).json()
    return send(site, visitor, mine["id"], f"{number}.txt", f"Text {number}.".encode())


def test_a_visitor_who_drops_the_cookie_has_the_same_quota(site, store, monkeypatch):
    monkeypatch.setattr(quotas, "VISITORS", Quota(2, 1_500_000))
    assert [add_as(site, f"visitor:{number}", number).status_code for number in range(2)] == [200, 200]
    assert "from this address there are 2 documents" in add_as(site, "visitor:3", 3).text
    removing.remove_collection(store, collections.every(store, "visitor:0")[0], with_quotes=True)
    assert add_as(site, "visitor:3", 3).status_code == 200
    assert add_as(site, "ann", 3).status_code == 200


def test_files_of_one_visitor_sent_at_once_keep_to_the_quota_and_all_together_have_one(site, store, monkeypatch):
    monkeypatch.setattr(quotas, "VISITORS", Quota(2, 1_500_000))
    site.post("/collections", json={}, **as_("visitor:v"))
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda number: add_as(site, "visitor:v", number).status_code, range(6)))
    assert sorted(found) == [200, 200, 400, 400, 400, 400]
    monkeypatch.setattr(quotas, "VISITORS", Quota(9, 1_500_000))
    monkeypatch.setattr(quotas, "ALL_VISITORS", Quota(3, 1_500_000))
    submit(store, collection_of(store, owner="visitor:elsewhere"), "a.txt", "From another address.")
    assert "all visitors together have 3 documents" in add_as(site, "visitor:v", 7).text
    assert add_as(site, "ann", 1).status_code == 200


def test_what_visitors_left_and_old_conversations_go_by_themselves_while_documents_are_read(store, monkeypatch):
    assistant = Assistant(store, StoryPlayer(), Settings())
    old, new = (store_run(store, owner="ann") for _ in range(2))
    collection_of(store, owner="visitor:v")
    kept = collection_of(store, owner="ann", name="kept")
    store.write("UPDATE collections SET created = '2020-01-01T00:00:00.000+00:00'")
    store.write("UPDATE conversations SET updated = '2020-01-01' WHERE id = ?", (old.conversation,))
    monkeypatch.setattr(adding, "step", lambda store, collection: time.sleep(0.01) or True)
    submit(store, collection_of(store), "endless.txt", "Text.")
    library = Library(store, assistant, Access(Who.USERS, store), keep_days=30)
    until(lambda: old.conversation not in [one.id for one in assistant.overview(owner="ann")])
    until(lambda: not collections.allowed(store, "visitor:v"))
    library.close()
    assert [one.id for one in assistant.overview(owner="ann")] == [new.conversation]
    assert (collections.allowed(store, "visitor:v"), collections.allowed(store, "ann")) == (frozenset(), {kept.index})


def test_owners_take_turns_whoever_came_first(store, monkeypatch):
    taken = []
    for owner, count in (("ann", 4), ("bob", 2)):
        collection = collections.create(store, owner, "manuals")
        for number in range(count):
            submit(store, collection, f"{number}.txt", f"{owner} {number}")

    def step(store, collection):
        queued = [one for one in documents.under_way(store, collection) if one.state is State.QUEUED]
        document = min(queued, key=lambda one: one.id)
        taken.append(collections.owners(store)[collection])
        documents.set_state(store, document, State.READY)
        return True

    monkeypatch.setattr(adding, "step", step)
    worker = Worker(store, 0)
    until(lambda: len(taken) >= 6)
    worker.close()
    assert taken == ["ann", "bob", "ann", "bob", "ann", "ann"]


def test_a_collection_whose_encoding_fails_waits_until_it_is_woken(store, monkeypatch):
    tried = []
    collection = collections.create(store, "ann", "manuals")
    submit(store, collection, "pump.txt", "A pump.")
    monkeypatch.setattr(adding, "step", lambda store, collection: tried.append(collection))
    worker = Worker(store, 0)
    for times in (1, 2):
        until(lambda: len(tried) >= times)  # noqa: B023
        time.sleep(0.1)
        assert len(tried) == times
        worker.wake(collection.id)
    worker.close()


def test_nobody_learns_what_somebody_else_asked_and_did_not_find(site, store, monkeypatch):
    flat = collections.create(store, "ann", "flat")
    collections.share(store, flat, "bob", Part.READER)
    asked = {
        who: store_run(store, over(flat.index, not_found(f"What does {who} want?")), owner=who)
        for who in ("ann", "bob")
    }
    shown = {who: site.get(f"/collections/{flat.id}/lacking", **as_(who)) for who in ("ann", "bob", "eve")}
    assert shown["eve"].status_code == 404
    for who, other in (("ann", "bob"), ("bob", "ann")):
        html = shown[who].json()["html"]
        assert f"What does {who} want?" in html
        assert f"What does {other} want?" not in html
    assert "1 question of somebody else" in shown["ann"].json()["html"]
    assert "somebody else" not in shown["bob"].json()["html"]  # a reader does not learn how many there are
    monkeypatch.setattr(lacking, "unanswered", None)  # a count reads no passages
    counts = {who: site.get("/collections", **as_(who)).json()[0]["lacking"] for who in ("ann", "bob")}
    assert counts == {"ann": 2, "bob": 1}
    assert site.post(f"/turns/{asked['ann'].turn}/again", json={}, **as_("bob")).status_code == 404
