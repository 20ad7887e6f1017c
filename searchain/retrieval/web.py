"""Searching the web: SearXNG finds pages, their main text is cut into passages, and the best of those are the hits.

    GET URL/search?q=…&format=json   →   {"results": [{"url", "title", "content", …}, …]}

Pages are read as own documents are: in a child process with limits, their main part by trafilatura. Nothing of a page
is kept but the passages that a run quotes, which are frozen with its reply.
"""

from __future__ import annotations

import hashlib
import logging
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from searchain.documents import DocumentRefused, parse_file, passages_of
from searchain.errors import RetrieverUnreachable, UsageError
from searchain.retrieval.fetching import Fetcher, PageRefused
from searchain.types import HEADING_STEP, WEB, Hit, Passage

log = logging.getLogger(__name__)
PAGES = 5
"""Results whose pages are read for a query."""
AT_ONCE = 5
SECONDS = 20.0
"""After which a search goes on with the pages that came."""
REMEMBERED = 100
"""Pages whose passages are kept for the next query."""
FRESH = 600.0
"""Seconds for which they are."""
TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_NAME = "page"

Score = Callable[[str, Sequence[Passage]], Sequence[float]]
"""How well each passage answers a query."""


class WebRetriever:
    """Searches the web through a SearXNG server; thread-safe.

    Args:
        name: ``searxng=URL``, the server's address.
        score: ranks the passages of all pages.
        fetcher: fetches pages.

    Raises:
        UsageError: ``name`` holds no http(s) address.
    """

    def __init__(self, name: str, score: Score, fetcher: Fetcher) -> None:
        self.url = name.removeprefix(WEB).rstrip("/")
        try:
            parts = urlsplit(self.url)
            is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_usable = False
        if not is_usable:
            raise UsageError(f"{self.url!r} is no address of SearXNG; give one like searxng=http://127.0.0.1:8888")
        self._score, self._fetcher = score, fetcher
        self._client = httpx.Client(timeout=TIMEOUT, trust_env=False)
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, list[Passage]]] = {}

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best passages of the pages that were found, best first; none for an empty query.

        Raises:
            RetrieverUnreachable: SearXNG does not answer, or not in JSON. A page that cannot be read is passed over.
        """
        if k < 1 or not query.strip():
            return []
        passages = self._passages(self._found(query))
        if not passages:
            return []
        ranked = sorted(zip(self._score(query, passages), passages, strict=True), key=lambda pair: -pair[0])
        return [Hit(passage, float(score), rank) for rank, (score, passage) in enumerate(ranked[:k], 1)]

    def _found(self, query: str) -> dict[str, str]:
        """Address → title of the first results."""
        where = f"SearXNG at {self.url}"
        try:
            response = self._client.get(f"{self.url}/search", params={"q": query[:500], "format": "json"})
            response.raise_for_status()
            results = response.json()["results"]
            found = {str(one["url"]): str(one.get("title") or "") for one in results}
        except httpx.TimeoutException:
            raise RetrieverUnreachable(f"{where} did not answer in time; is it busy?") from None
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            next_step = "; allow JSON in its settings.yml: search: formats: [html, json]" if status == 403 else ""
            raise RetrieverUnreachable(f"{where} answered with status {status}{next_step}") from None
        except httpx.HTTPError as error:
            raise RetrieverUnreachable(f"cannot reach {where} ({error}); is it running?") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise RetrieverUnreachable(f"what answers at {self.url} is no SearXNG; check the address") from None
        return dict(list(found.items())[:PAGES])

    def _passages(self, found: dict[str, str]) -> list[Passage]:
        """Return the passages of all pages that came in time."""
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="searchain-page")
        try:
            reading = [pool.submit(self._read, url, title) for url, title in found.items()]
            done, _ = wait(reading, timeout=SECONDS)
            return [passage for future in reading if future in done for passage in future.result()]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _read(self, url: str, title: str) -> list[Passage]:
        with self._lock:
            known = self._known.get(url)
        if known is not None and time.monotonic() - known[0] < FRESH:
            return known[1]
        try:
            page = self._fetcher.get(url)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / _NAME
                path.write_bytes(page.content)
                parsed = parse_file(path, f"{_NAME}.{page.kind}")
        except (PageRefused, DocumentRefused) as refusal:
            log.info("not read: %s: %s", url, refusal)
            return []
        passages = [
            Passage(_id(page.url, one.text), _title(one.title, title), one.text, page.url)
            for one in passages_of(parsed, _NAME, parsed.version)
        ]
        with self._lock:
            self._known[url] = time.monotonic(), passages
            while len(self._known) > REMEMBERED:
                del self._known[next(iter(self._known))]
        return passages


def _title(own: str, found: str) -> str:
    """Return the page's own title with its headings, else what the search engine calls it."""
    first, *headings = own.split(HEADING_STEP)
    return HEADING_STEP.join([found if first == _NAME and found else first, *headings])


def _id(url: str, text: str) -> str:
    """Return the same for the same words at the same address, so that a page that changes gives other passages."""
    return f"web-{hashlib.sha256(f'{url} {text}'.encode()).hexdigest()[:16]}"
