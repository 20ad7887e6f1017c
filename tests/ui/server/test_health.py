"""``/healthz`` and ``/readyz``, without a session: ready is who can answer a question, else the reason is one sentence."""

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


class Parts:
    """A server's parts, of which one may be broken."""

    is_alive = True

    def prepare(self):
        pass


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
    store, parts = Database(tmp_path / "chat.db"), Parts()

    def fail():
        raise SetupError(f"no index in {tmp_path}")

    match broken:
        case "database":
            store._writer.execute("PRAGMA query_only = ON")
        case "search":
            parts.prepare = fail
        case "documents":
            parts.is_alive = False
    health = Health(store, lambda: parts.prepare(), parts)
    guard = Middleware(Guard, access=Access(Who.USERS, store), rules=RULES)
    client = TestClient(Starlette(routes=health.routes, middleware=[guard]))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.text) == told
    assert client.get("/healthz").text == "alive"
    store.close()
