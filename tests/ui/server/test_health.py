"""``/healthz`` and ``/readyz``, without a session: ready is who can answer a question, else the reason is one sentence."""

from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from searchain.errors import SetupError
from storage.database import Database
from ui.page.app import RULES
from ui.page.careful import Health
from ui.server.access import Access, Who
from ui.server.guard import Guard


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("nothing", (200, "ready")),
        ("database", (503, "The database cannot be written.")),
        ("search", (503, "The model or the search cannot be loaded.")),
        ("documents", (503, "The thread that reads documents has ended.")),
    ],
)
def test_ready_is_who_can_answer(tmp_path, broken, told):
    store = Database(tmp_path / "chat.db")

    def prepare():
        if broken == "search":
            raise SetupError(f"no index in {tmp_path}")

    if broken == "database":
        store._writer.execute("PRAGMA query_only = ON")
    health = Health(store, prepare, SimpleNamespace(is_alive=broken != "documents"))
    guard = Middleware(Guard, access=Access(Who.USERS, store), rules=RULES)
    client = TestClient(Starlette(routes=health.routes, middleware=[guard]))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == told
    assert client.get("/healthz").text == "alive"
    store.close()
