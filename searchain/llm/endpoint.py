"""A base URL of an OpenAI-compatible server with its key, and the one client that talks to it."""

import asyncio
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import openai

from searchain import secrecy
from searchain.errors import SetupError, UsageError
from searchain.llm import bridge, faults
from searchain.llm.base import FIRST_TOKEN_SECONDS
from searchain.safe_text import is_loopback

_CREDENTIALS = re.compile(r"/[^/]*@")
_LISTING = 30.0  # seconds in which a server must have listed its models
_AZURE = "api-version"  # the part of a query by which the classic API of Azure is known
_UNUSABLE: dict[type[Exception], str] = {
    ImportError: "ALL_PROXY or another variable names a SOCKS proxy, and the package for it is missing; "
    "install it with: pip install socksio, or unset the variable",
    OSError: "the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read; "
    "set it to a file of certificates in PEM form, or unset it",
    ValueError: "the proxy that the environment names cannot be used; "
    "HTTPS_PROXY, HTTP_PROXY and ALL_PROXY must look like http://host:port",
}
"""What the client raises where the environment cannot be used, and what that means."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds of silence until a request is given up, or a notice appears. A comment in the stream ends the silence."""

    connect: float = 15.0
    """Long enough for a busy process."""
    first_token: float = FIRST_TOKEN_SECONDS
    """Silence before the first text."""
    stall: float = 30.0
    """Silence between two pieces of text."""
    notice: float = 20.0
    """Time without any text after which a notice says that the program waits."""


class Endpoint:
    """A base URL with its key and the client that talks to it."""

    def __init__(self, base_url: str, key: str | None = None, timeouts: Timeouts = Timeouts()) -> None:
        """Raises ``UsageError`` if ``base_url`` is not an http(s) URL, or the key cannot be sent."""
        key = secrecy.readable_key(key)
        secrecy.keep(key)
        try:
            parts = urlsplit(base_url.strip())
            self.host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
        except ValueError:
            parts, self.host = urlsplit(""), ""
        if parts.scheme not in ("http", "https") or not parts.hostname:
            shown = secrecy.without_key(_CREDENTIALS.sub("/…@", base_url), key)
            raise UsageError(f"{shown!r} is no base URL; it must look like http://127.0.0.1:8000/v1")
        self._query = dict(parse_qsl(parts.query, keep_blank_values=True))
        for secret in (parts.password, *(value for name, value in self._query.items() if name != _AZURE)):
            secrecy.keep(secret)
        self.timeouts = timeouts
        self._url = parts._replace(path=parts.path.rstrip("/"), query="", fragment="").geturl()
        self.service_url = f"{parts.scheme}://{self.host}{parts.path.rstrip('/')}"  # without credentials
        self.key = key
        self.is_local = is_loopback(parts.hostname)
        self._client: openai.AsyncOpenAI | None = None
        self.headers: dict[str, Any] = {}
        """To be sent with each request."""
        if not key or _AZURE in self._query:  # the client would make up a header when there is no key
            self.headers["Authorization"] = openai.Omit()
        if key and _AZURE in self._query:
            self.headers["api-key"] = key

    def client(self) -> openai.AsyncOpenAI:
        """The one client; called in the background loop only.

        Raises ``SetupError`` if the environment names a proxy or certificates that cannot be used.
        """
        if self._client is None:
            timeout = openai.Timeout(None, connect=self.timeouts.connect)  # the rest is timed by text, not by bytes
            self._client = openai.AsyncOpenAI(
                base_url=self._url,
                api_key=self.key or "none",
                max_retries=0,
                timeout=timeout,
                default_query=self._query,
                http_client=self._transport(timeout),
            )
        return self._client

    def _transport(self, timeout: openai.Timeout) -> httpx2.AsyncClient:
        try:
            return openai.DefaultAsyncHttpxClient(
                timeout=timeout,
                trust_env=not self.is_local,  # a proxy of the environment is no way to this machine
                event_hooks={"response": [_redirect]},
            )
        except tuple(_UNUSABLE) as error:  # not quoted: the address of a proxy may hold a password
            raise SetupError(next(text for kind, text in _UNUSABLE.items() if isinstance(error, kind))) from None

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            bridge.run(client.close())

    def explain(self, error: faults.Failure, who: str, *, has_begun: bool = False) -> Exception:
        return faults.explain(error, faults.Service(who, self.service_url, self.key), has_begun=has_begun)

    def models(self) -> list[str]:
        """Return the models on offer. Raises ``ModelError`` if the service failed, and ``SetupError`` as ``client``."""

        async def ask() -> list[str]:
            try:
                async with asyncio.timeout(min(self.timeouts.first_token, _LISTING)):
                    return [model.id async for model in self.client().models.list(extra_headers=self.headers)]
            except faults.FAILURES as error:
                raise self.explain(error, f"the server at {self.host}") from None
            except TimeoutError:
                raise self.explain(faults.Stalled("does not list its models"), f"the server at {self.host}") from None

        return bridge.run(ask())


async def _redirect(response: httpx2.Response) -> None:
    """Have a redirect ask again with the same body, and not with none, as browsers do; never at another server.

    Raises ``httpx2.RequestError`` if it leads elsewhere, where neither the key nor the passages should go.
    """
    if response.has_redirect_location:
        asked, there = response.url, response.url.join(response.headers["location"])
        if there.host != asked.host or there.scheme not in (asked.scheme, "https"):
            raise httpx2.RequestError(f"it redirects to another server: {there.scheme}://{there.host}{there.path}")
        response.status_code = httpx2.codes.PERMANENT_REDIRECT
