"""What operators see of a served page: metrics, the audit trail, who may read them, and whether it is ready."""

import csv
import json
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from searchain.errors import SetupError
from storage.database import Database
from storage.people import audit, tokens, users
from tests.support.served_page import PASSWORD, ServedPage, served_page
from tests.support.story_runs import store_run
from tests.support.waiting import until
from ui.page.app import RULES
from ui.page.careful import Health
from ui.server.access import Access, Who
from ui.server.guard import Guard
from ui.server.operating import Operating


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ServedPage]:
    def operating(made: ServedPage) -> list[Operating]:
        return [Operating(made.store, lambda: "The database cannot be written.")]

    people = {"ann": "chat", "root": "admin"}
    with served_page(tmp_path, Who.ANYBODY, people=people, exports=True, shares=True, others=operating) as served:
        yield served


def metrics(site: ServedPage) -> dict[str, float]:
    token = tokens.issue(site.store, "root")
    status, headers, text = site.request("/metrics", Authorization=f"Bearer {token}")
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/plain")
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join([one.name, *one.labels.values()]): one.value for one in samples}


def test_metrics_say_what_is_stored_and_how_requests_went_to_admins_alone(site: ServedPage):
    tried = ({}, site.session("ann"), {"Authorization": f"Bearer {tokens.issue(site.store, 'ann')}"})
    for path in ("/metrics", "/audit", "/audit?as=csv"):
        assert [site.request(path, **headers)[0] for headers in tried] == [403, 403, 403]
        status, headers, _ = site.request(path, **site.session("root"))
        assert (status, headers["cache-control"]) == (200, "no-store")
    store_run(site.store, owner="ann")
    before = metrics(site).get("searchain_response_seconds_count /shares 200", 0)
    assert site.request("/shares", **site.session("ann"))[0] == 200
    found = metrics(site)
    assert found["searchain_response_seconds_count /shares 200"] == before + 1
    assert found["searchain_turns answered"] + found.get("searchain_turns partial", 0) == 1
    assert (found["searchain_users admin"], found["searchain_ready"]) == (1, 0)
    assert found["process_resident_memory_bytes"] > 1e7
    assert found["searchain_disk_free_bytes"] > 0
    size = found["searchain_database_bytes"]
    path = site.store.path
    path.with_name(f"{path.name}.tar").write_bytes(bytes(10_000_000))
    assert size <= metrics(site)["searchain_database_bytes"] < size + 5_000_000
    site.request("/s/secret-of-a-link")
    site.request("/sign-in")
    assert metrics(site)["searchain_response_seconds_count /sign-in 200"] >= 1
    assert not any("secret-of-a-link" in name for name in metrics(site))


def test_the_trail_names_who_did_what(site: ServedPage):
    started = store_run(site.store, owner="ann")
    mine = site.session("ann")
    site.request("/sign-in", "POST", f"name=ann&password={PASSWORD.replace(' ', '+')}")
    share = json.loads(site.request("/shares", body={"conversation": started.conversation}, **mine)[2])
    site.request(f"/shares/{share['id']}", "DELETE", **mine)
    site.request("/export/jsonl", **mine)
    site.assistant.deletions.seconds = 0  # nobody takes it back
    site.request(f"/conversations/{started.conversation}", "DELETE", **mine)
    until(lambda: site.store.row("SELECT 1 FROM turns WHERE id = ?", (started.turn,)) is None)
    users.change(site.store, "ann", password="another horse")
    rows = list(csv.DictReader(site.request("/audit?as=csv", **site.session("root"))[2].splitlines()))
    done = [(row["actor"], row["action"], row["subject"]) for row in reversed(rows)][3:-1]
    assert done == [
        ("ann", "signed in", ""),
        ("ann", "shared", f"{started.conversation} by link {share['id']}"),
        ("ann", "ended the link", share["id"]),
        ("ann", "exported", "/export/jsonl"),
        ("ann", "deleted the turn", started.turn),
        ("local", "changed the password of", "ann"),
    ]
    assert time.strftime("%Y-%m-%d", time.gmtime()) in rows[0]["time"]
    page = site.request("/audit", **site.session("root"))[2]
    assert "signed in" in page


def test_failed_sign_ins_stand_in_the_trail_without_passwords(site: ServedPage, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(audit, "MOST_FAILED", 3)
    for name in ("ANN", "my-pass-phrase", "local"):
        assert site.request("/sign-in", "POST", f"name={name.replace(' ', '+')}&password=a+secret+word")[0] == 401
    failed = [(one.actor, one.subject) for one in audit.entries(site.store) if one.action == audit.FAILED]
    assert failed == [("nobody", ""), ("nobody", ""), ("ANN", "")]
    assert "secret" not in (trail := audit.table(site.store))
    assert "phrase" not in trail
    audit.failed(site.store, "bob", "with Corp")
    failed = [one.actor for one in audit.entries(site.store) if one.action == audit.FAILED]
    assert failed == ["bob", "nobody", "nobody"]
    assert [one.action for one in audit.entries(site.store)].count("added the user") == 2  # all others stay


def test_old_entries_of_the_trail_go_with_the_conversations_and_names_with_erased_users(site: ServedPage):
    site.session("ann")
    site.store.write("UPDATE audit SET time = '2020-01-01T00:00:00.000+00:00' WHERE action != 'signed in'")
    site.assistant.deletions.older(30)
    assert [one.action for one in audit.entries(site.store)] == ["signed in"]
    with site.store.writing() as db:
        users.forget(db, "ann")
    assert [entry.action for entry in audit.entries(site.store) if "ann" in (entry.actor, entry.subject)] == []
    assert next(audit.entries(site.store)).action == "erased a user"


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("nothing", (200, "ready")),
        ("database", (503, "The database cannot be written.")),
        ("search", (503, "The model or the search cannot be loaded.")),
        ("documents", (503, "The thread that reads documents has ended.")),
    ],
)
def test_ready_is_who_can_answer_a_question_else_the_reason_is_one_sentence(store: Database, broken: str, told: tuple):
    def prepare():
        if broken == "search":
            raise SetupError(f"no index in {store.path}")

    if broken == "database":
        store._writer.execute("PRAGMA query_only = ON")
    health = Health(store, prepare, SimpleNamespace(is_alive=broken != "documents"))
    guard = Middleware(Guard, access=Access(Who.USERS, store), rules=RULES)
    client = TestClient(Starlette(routes=health.routes, middleware=[guard]))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == told
    assert client.get("/healthz").text == "alive"
