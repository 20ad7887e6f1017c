"""Search the web: SearXNG finds pages, their main text is cut into passages, and the best of these are the hits.

    GET URL/search?q=…&format=json   →   {"results": [{"url", "title", "content", …}, …]}

Pages are read like own documents: in a child process with limits, the main part by trafilatura. Of a page only the
passages are kept that a run quotes; they are stored with its reply.
"""

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
"""How many results of a query have their pages read."""
AT_ONCE = 5
SECONDS = 20.0
"""Seconds after which a search continues with the pages fetched so far."""
REMEMBERED = 100
"""How many pages have their passages kept for later queries."""
FRESH = 600.0
"""How many seconds these passages are kept."""
TIMEOUT = httpx.Timeout(15.0, connect=5.0)
_NAME = "page"

Score = Callable[[str, Sequence[Passage]], Sequence[float]]
"""(query, passages) → the score of each passage."""


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
        """Return the ``k`` best passages of the pages found, best first; no passages for an empty query.

        Raises:
            RetrieverUnreachable: SearXNG does not answer, or not in JSON. A page that cannot be read is skipped.
        """
        if k < 1 or not query.strip():
            return []
        passages = self._passages(self._found(query))
        if not passages:
            return []
        ranked = sorted(zip(self._score(query, passages), passages, strict=True), key=lambda pair: -pair[0])
        return [Hit(passage, float(score), rank) for rank, (score, passage) in enumerate(ranked[:k], 1)]

    def _found(self, query: str) -> dict[str, str]:
        """Return URL → title of the first results."""
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
        """Return the passages of all pages that were read in time."""
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
    """Return the page's title with its headings; without a title of its own, the search engine's title."""
    first, *headings = own.split(HEADING_STEP)
    return HEADING_STEP.join([found if first == _NAME and found else first, *headings])


def _id(url: str, text: str) -> str:
    """Return a passage id, a hash of URL and text, so that a changed page gives new passages."""
    return f"web-{hashlib.sha256(f'{url} {text}'.encode()).hexdigest()[:16]}"
