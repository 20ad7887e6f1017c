"""What operators ask of the server: ``/metrics`` in Prometheus' text format, and the audit trail at ``/audit``."""

import logging
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from searchain.errors import StorageError
from storage.database import LOG_ENDS, Database
from storage.people import audit
from storage.people.users import Role
from ui.html import render
from ui.server.access import Rule
from ui.server.plain_page import AUDIT, sheet
from ui.translation import _

METRICS = "/metrics"
RULES = (Rule(METRICS, Role.ADMIN), Rule(AUDIT, Role.ADMIN, is_page=True))
"""For admins in a browser, and for programs with the API token of one."""
_SHOWN = 200  # the latest entries of the audit trail that the page shows
_COUNTS = (
    ("searchain_turns", "Stored questions by status.", "status", "coalesce(status, 'running'), count(*) FROM turns"),
    ("searchain_documents", "Own documents by state.", "state", "state, count(*) FROM documents WHERE removed IS NULL"),
    ("searchain_users", "Users by role.", "role", "role, count(*) FROM users WHERE disabled IS NULL"),
    ("searchain_tokens_today", "Model tokens of users today.", "user", "user, tokens FROM spending WHERE day = date()"),
)
"""Name, help, label, and the values of the label with their figures."""
_SUMS = (
    ("searchain_runs", "Questions that are being answered or wait.", "count(*) FROM runs"),
    ("searchain_tokens", "Tokens of stored questions.", "total(prompt_tokens + completion_tokens) FROM turns"),
    ("searchain_run_seconds", "Seconds that stored questions took.", "total(seconds) FROM turns"),
    ("searchain_documents_bytes", "Bytes of own documents.", "total(bytes) FROM documents WHERE removed IS NULL"),
)
_RESPONSES = Histogram(
    "searchain_response_seconds",
    "Seconds until a response begins.",
    ["path", "status"],
    buckets=(0.02, 0.1, 0.5, 2, 10),
)
_EXPORTS = ("/export/", "/annotate/export/")
log = logging.getLogger(__name__)


class Operating:
    """The routes ``GET /metrics`` and ``GET /audit``, as CSV with ``?as=csv``."""

    def __init__(self, store: Database, fault: Callable[[], str | None] = lambda: None) -> None:
        """``fault`` tells in one sentence why no question can be answered; ``None`` if one can."""
        self._store, self._fault = store, fault
        self._registry = CollectorRegistry()
        self._registry.register(self)
        self.routes = [Route(METRICS, self._measure), Route(AUDIT, self._show)]

    def describe(self) -> list[Metric]:
        """Return no names in advance, so that nothing is counted before a request."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield what the database and the disk hold now."""
        yield GaugeMetricFamily("searchain_ready", "Whether a question can be answered.", not self._fault())
        path = self._store.path
        free = shutil.disk_usage(path.parent).free
        yield GaugeMetricFamily("searchain_disk_free_bytes", "Free bytes beside the database.", free)
        size = sum(_bytes(path.with_name(path.name + end)) for end in ("", *LOG_ENDS))
        yield GaugeMetricFamily("searchain_database_bytes", "Bytes of the database and its log.", size)
        for name, about, label, of in _COUNTS:
            family = GaugeMetricFamily(name, about, labels=[label])
            for value, count in self._store.rows(f"SELECT {of} GROUP BY 1"):
                family.add_metric([str(value)], count)
            yield family
        for name, about, of in _SUMS:
            yield GaugeMetricFamily(name, about, self._store.row(f"SELECT {of}")[0])

    async def _measure(self, request: Request) -> Response:
        text = await run_in_threadpool(lambda: generate_latest(REGISTRY) + generate_latest(self._registry))
        return Response(text, headers={"content-type": CONTENT_TYPE_LATEST, "cache-control": "no-store"})

    async def _show(self, request: Request) -> Response:
        if request.query_params.get("as") == "csv":
            named = {"content-disposition": 'attachment; filename="audit.csv"', "cache-control": "no-store"}
            return Response(await run_in_threadpool(audit.table, self._store), media_type="text/csv", headers=named)
        found = await run_in_threadpool(lambda: list(audit.entries(self._store, _SHOWN)))
        return sheet(_("Audit trail"), render("server/audit.html", entries=found, shown=_SHOWN, path=AUDIT))


def _bytes(path: Path) -> int:
    """Return the size of a file; 0 if it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


async def answered(store: Database | None, method: str, rule: str, path: str, status: int, seconds: float) -> None:
    """Count, log and, if it is an export, note in the audit trail a response that begins now.

    Args:
        rule: the part of the path by which it is counted; it holds no secret of a link.
    """
    _RESPONSES.labels(rule, status).observe(seconds)
    log.info("%s %s %d %.3f s", method, rule, status, seconds)
    if store is not None and status == 200 and path.startswith(_EXPORTS):
        await run_in_threadpool(_note_export, store, path)


def _note_export(store: Database, path: str) -> None:
    try:
        with store.writing() as db:
            audit.note(db, "exported", path)
    except StorageError as error:
        log.warning("an export is not in the audit trail: %s", error)
