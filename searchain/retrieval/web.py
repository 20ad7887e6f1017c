"""Search the web: SearXNG finds pages, their main text is cut into passages, and the best of these are the hits.

    GET URL/search?q=…&format=json   →   {"results": [{"url", "title", "content", …}, …]}

Pages are read like own documents: in a child process with limits, the main part by trafilatura. Of a page only the
passages are kept that a run quotes; they are stored with its reply.
"""

import asyncio
import hashlib
import ipaddress
import logging
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import httpx

from searchain.documents import DocumentRefused, parse_file, passages_of
from searchain.errors import UsageError
from searchain.retrieval.remote import server_of, told
from searchain.types import HEADING_STEP, WEB, Hit, Passage

AGENT = "SearChain/0.1"
"""The name sent as ``User-Agent`` and looked up in ``robots.txt``."""
MAX_BYTES = 2_000_000
"""Most bytes of one page."""
MAX_ROBOTS = 500_000
"""Most bytes of ``robots.txt`` that are read; RFC 9309 asks for at least this many."""
SECONDS = 8.0
"""Most seconds from the first connection for a page to its last byte."""
REDIRECTS, _MOVED = 5, (301, 302, 303, 307, 308)
ROBOTS_SECONDS = 3_600.0
"""How many seconds the rules of a ``robots.txt`` are kept."""
KINDS = {"text/html": "html", "application/xhtml+xml": "html", "text/plain": "txt"}
"""Content types that are read → their file name endings."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class PageRefused(Exception):
    """A page that is not read; the message says why."""


@dataclass(frozen=True, slots=True)
class Page:
    """A fetched page."""

    url: str
    """The URL after redirects."""
    content: bytes
    kind: str
    """``html`` or ``txt``."""


class Fetcher:
    """Fetches pages; thread-safe. ``allowed``: networks that may be connected to although they are not public."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = tuple(allowed)
        self._tls = httpx.create_ssl_context(trust_env=False)
        self._lock = threading.Lock()
        self._robots: dict[str, tuple[float, RobotFileParser]] = {}

    def get(self, url: str) -> Page:
        """Fetch the page at ``url``, following redirects.

        Raises ``PageRefused`` if the page may not or cannot be fetched, or its content type is not read.
        """
        try:
            return asyncio.run(self._in_time(url))
        except TimeoutError:
            raise PageRefused(f"it did not come within {SECONDS:.0f} seconds") from None
        except (ValueError, httpx.InvalidURL):
            raise PageRefused("it has no address") from None

    async def _in_time(self, url: str) -> Page:
        # connections are made to addresses, which several hosts may share: none is used again, and no cookie is kept
        client = httpx.AsyncClient(
            verify=self._tls,
            trust_env=False,
            headers={"User-Agent": AGENT},
            limits=httpx.Limits(max_keepalive_connections=0),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        )
        # httpx only limits each read, of which a dripping server may send thousands
        async with asyncio.timeout(SECONDS), client:
            return await self._get(client, url)

    async def _get(self, client: httpx.AsyncClient, url: str) -> Page:
        for _ in range(REDIRECTS + 1):
            if not await self._is_allowed_by_robots(client, url):
                raise PageRefused("robots.txt of its server asks not to read it")
            status, headers, content = await self._exchange(client, url, MAX_BYTES)
            if status in _MOVED and "location" in headers:
                url = urljoin(url, headers["location"])
                continue
            if status != 200:
                raise PageRefused(f"its server answered with status {status}")
            kind = KINDS.get(headers.get("content-type", "").partition(";")[0].strip().lower())
            if kind is None:
                raise PageRefused("it is no web page")
            return Page(url, content, kind)
        raise PageRefused(f"it leads on more than {REDIRECTS} times")

    async def _is_allowed_by_robots(self, client: httpx.AsyncClient, url: str) -> bool:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            known = self._robots.get(origin)
        if known is None or time.monotonic() - known[0] > ROBOTS_SECONDS:
            known = time.monotonic(), await self._rules(client, origin)
            with self._lock:
                self._robots[origin] = known
                while len(self._robots) > 1_000:
                    del self._robots[next(iter(self._robots))]
        return known[1].can_fetch(AGENT, url)

    async def _rules(self, client: httpx.AsyncClient, origin: str) -> RobotFileParser:
        """Return the server's ``robots.txt``: all is allowed without the file, nothing at an error 5xx (RFC 9309)."""
        rules = RobotFileParser()
        url = f"{origin}/robots.txt"
        for _ in range(REDIRECTS + 1):
            status, headers, content = await self._exchange(client, url, MAX_ROBOTS, is_cut=True)
            if status not in _MOVED or "location" not in headers:
                break
            url = urljoin(url, headers["location"])
        if status == 200:
            rules.parse(content.decode(errors="replace").splitlines())
        elif status < 500:
            rules.parse([])
        else:
            rules.parse(["User-agent: *", "Disallow: /"])
        return rules

    async def _exchange(
        self, client: httpx.AsyncClient, url: str, limit: int, *, is_cut: bool = False
    ) -> tuple[int, httpx.Headers, bytes]:
        """Return (status, headers, content) of one request; with ``is_cut`` long content is cut, not refused.
        Raises ``PageRefused``."""
        host, address = self._checked(url)
        target = httpx.URL(url)
        request = client.build_request(
            "GET",
            target.copy_with(host=str(address)),
            # what is unpacked here could be a thousand times as long as what came
            headers={"Host": target.netloc.decode(), "Accept-Encoding": "identity"},
            extensions={"sni_hostname": host},
        )
        try:
            response = await client.send(request, stream=True)
            try:
                return response.status_code, response.headers, await self._content(response, limit, is_cut)
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise PageRefused(f"its server cannot be reached ({type(error).__name__})") from None

    async def _content(self, response: httpx.Response, limit: int, is_cut: bool) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise PageRefused("its server sends it packed although that was not asked for")
        content = bytearray()
        async for chunk in response.aiter_raw():
            content += chunk
            if len(content) > limit:
                if is_cut:
                    break
                raise PageRefused(f"it is larger than {limit:,} bytes")
        return bytes(content[:limit])

    def _checked(self, url: str) -> tuple[str, Address]:
        """Return the host of ``url`` and its address, after checking it. Raises ``PageRefused``."""
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        if parts.scheme not in ("http", "https") or not host or parts.username is not None:
            raise PageRefused("it has no plain http or https address")
        try:
            found = socket.getaddrinfo(host, port or parts.scheme, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise PageRefused("the name of its server is not known") from None
        addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
        is_trusted = all(self._is_allowed(address) for address in addresses)
        if not addresses or not all(self._is_allowed(address) or is_public(address) for address in addresses):
            raise PageRefused("its server is not on the public internet")
        if not is_trusted and port not in (None, 80, 443):
            raise PageRefused("it is served at an unusual port")
        return host, addresses[0]

    def _is_allowed(self, address: Address) -> bool:
        return any(address in network for network in self._allowed)


def is_public(address: Address) -> bool:
    """Return whether ``address`` belongs to one machine on the public internet.

    >>> [is_public(ipaddress.ip_address(one)) for one in ("8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1", "224.0.0.1")]
    [True, False, False, False]
    """
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address.sixtofour is not None or address.teredo is not None or address in _NAT64:
            return False  # they stand for an address of the older kind, which may be a private one
    return address.is_global and not address.is_multicast and not address.is_reserved


def networks(text: str) -> list[Network]:
    """Parse ``text``, networks separated by commas. Raises ``ValueError`` for anything else.

    >>> networks("127.0.0.1, 10.0.0.0/8")
    [IPv4Network('127.0.0.1/32'), IPv4Network('10.0.0.0/8')]
    """
    return [ipaddress.ip_network(one.strip()) for one in text.split(",") if one.strip()]


log = logging.getLogger(__name__)
PAGES = 5
"""How many results of a query have their pages read."""
AT_ONCE = 5
SEARCH_SECONDS = 20.0
"""Seconds after which a search continues with the pages fetched so far."""
REMEMBERED = 100
"""How many pages have their passages kept for later queries."""
FRESH = 600.0
"""How many seconds these passages are kept."""
TIMEOUT = httpx.Timeout(15.0, connect=5.0)
FORBIDDEN = {403: "allow JSON in its settings.yml: search: formats: [html, json]"}
_NAME = "page"

Score = Callable[[str, Sequence[Passage]], Sequence[float]]
"""(query, passages) → the score of each passage."""


class WebRetriever:
    """Searches the web through a SearXNG server; thread-safe.

    ``name`` is ``searxng=URL``, the server's address; ``score`` ranks the passages of all pages. Raises ``UsageError``
    if ``name`` holds no http(s) address.
    """

    def __init__(self, name: str, score: Score, fetcher: Fetcher) -> None:
        self.url = name.removeprefix(WEB).rstrip("/")
        if server_of(self.url) is None:
            raise UsageError(f"{self.url!r} is no address of SearXNG; give one like searxng=http://127.0.0.1:8888")
        self._score, self._fetcher = score, fetcher
        self._client = httpx.Client(timeout=TIMEOUT, trust_env=False)
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, list[Passage]]] = {}

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best passages of the pages found, best first; no passages for an empty query.

        A page that cannot be read is skipped. Raises ``RetrieverUnreachable`` if SearXNG does not answer in JSON.
        """
        if k < 1 or not query.strip():
            return []
        passages = self._passages(self._found(query))
        if not passages:
            return []
        ranked = sorted(zip(self._score(query, passages), passages, strict=True), key=lambda pair: -pair[0])
        return [Hit(passage, float(score), rank) for rank, (score, passage) in enumerate(ranked[:k], 1)]

    def _found(self, query: str) -> dict[str, str]:
        with told(f"SearXNG at {self.url}", stranger=f"what answers at {self.url} is no SearXNG", step=FORBIDDEN):
            response = self._client.get(f"{self.url}/search", params={"q": query[:500], "format": "json"})
            response.raise_for_status()
            found = {str(one["url"]): str(one.get("title") or "") for one in response.json()["results"]}
        return dict(list(found.items())[:PAGES])

    def _passages(self, found: dict[str, str]) -> list[Passage]:
        """Return the passages of all pages that were read in time."""
        pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="searchain-page")
        try:
            reading = [pool.submit(self._read, url, title) for url, title in found.items()]
            done, _ = wait(reading, timeout=SEARCH_SECONDS)
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
        found = passages_of(parsed, _NAME, parsed.version)
        passages = [Passage(_id(page.url, one.text), _title(one.title, title), one.text, page.url) for one in found]
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
