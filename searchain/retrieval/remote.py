"""Search on another machine by the protocol of ColBERT's own server, which the paper's code and DSPy use too.

    GET /api/search?query=…&k=…   →   {"query", "topk": [{"text", "pid", "rank", "score", "prob"}]}

``text`` is ``Title | text``. Our server adds ``title``, ``passage`` (the text without the title) and ``url``. A server
of several shards answers with status 503 if one of them is missing.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

import httpx

from searchain.errors import RetrieverUnreachable, UsageError
from searchain.safe_text import is_loopback, one_line
from searchain.types import Hit, Passage

PATH = "/api/search"
DEPLOYMENTS = "/api/deployments"
"""The path at which a server of several shards lists its processes."""
MISSING = "shards_missing"
"""The field of an answer that names its missing shards."""
SEPARATOR = " | "
MAX_K = 100
"""Most passages that servers of this protocol return."""
MAX_QUERY_CHARACTERS = 2_000
"""Most characters of a query that are sent: longer URLs fail on some servers, and ColBERT reads far less."""
MAX_REASON = 300
"""Most characters of a server's reason that are shown."""
START = "start it with: python assistant.py serve --retriever"
OWN_LOG = "its own log says why"
NO_STEP: Mapping[int, str] = {}
TIMEOUT = httpx.Timeout(20.0, connect=5.0)


def server_of(url: str) -> SplitResult | None:
    """Return the parts of a server's address; ``None`` if it is not an http(s) URL."""
    try:
        parts = urlsplit(url)
        return parts if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


@contextmanager
def told(who: str, *, stranger: str, hint: str = "", step: Mapping[int, str] = NO_STEP) -> Iterator[None]:
    """Turn the failures of a request to ``who`` into ``RetrieverUnreachable``.

    ``stranger``: what is said of an answer in another form. ``hint``: how a server that cannot be reached is started.
    ``step``: the next step by the status of the answer; else the server's own log says why.
    """
    try:
        yield
    except httpx.TimeoutException:
        raise RetrieverUnreachable(f"{who} did not answer in time; is it busy?") from None
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        raise RetrieverUnreachable(f"{who} answered with status {status}; {step.get(status, OWN_LOG)}") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise RetrieverUnreachable(f"cannot reach {who} ({error}); is it running?", hint=hint) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RetrieverUnreachable(f"{stranger}; check the address") from None


class RemoteRetriever:
    """Searches through a server of the remote ColBERT protocol; thread-safe.

    ``url``: the server (``http://host:8893``), or the whole address of its search. Raises ``UsageError`` if it is not
    an http(s) URL.
    """

    def __init__(self, url: str) -> None:
        if (parts := server_of(url)) is None:
            raise UsageError(f"{url!r} is no address of a retriever; give one like http://127.0.0.1:8893")
        path = parts.path.rstrip("/")
        self.url = parts._replace(path=path if path.endswith(PATH) else path + PATH, query="", fragment="").geturl()
        # A proxy for the outside world does not know this machine's own servers.
        self._client = httpx.Client(timeout=TIMEOUT, trust_env=not is_loopback(parts.hostname or ""))

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best passages (at most 100), best first; none for an empty query.

        Raises ``RetrieverUnreachable``: no connection, no answer in time, an error, or an answer of another form.
        """
        if k < 1 or not query.strip():
            return []
        asked = query[:MAX_QUERY_CHARACTERS].encode(errors="replace").decode()
        who = f"the retriever at {self.url}"
        with told(who, stranger=f"what answers at {self.url} is no ColBERT retriever", hint=START):
            response = self._client.get(self.url, params={"query": asked, "k": min(k, MAX_K)})
            if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE and (reason := _reason(response)):
                raise RetrieverUnreachable(f"{who} cannot search now: {reason}")
            response.raise_for_status()
            answer = response.json()
            if missing := answer.get(MISSING):
                names = one_line(", ".join(map(str, missing)))[:MAX_REASON]
                raise RetrieverUnreachable(f"{who} searched only a part, without {names}")
            found = [_hit(record) for record in answer["topk"]]
        found.sort(key=lambda hit: (hit.rank, -hit.score))
        return [Hit(hit.passage, hit.score, rank) for rank, hit in enumerate(found[:k], 1)]

    def deployments(self) -> list[tuple[str, str, int]]:
        """Return name, status and running processes of each deployment; empty if the server is not a cluster."""
        try:
            response = self._client.get(self.url.removesuffix(PATH) + DEPLOYMENTS)
            listed = response.json()["deployments"] if response.status_code == HTTPStatus.OK else []
            return [(one_line(str(one["name"])), one_line(str(one["status"])), int(one["running"])) for one in listed]
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
            return []


def _reason(response: httpx.Response) -> str:
    """Return the reason for the failure in the response; ``""`` if it gives no reason in the expected form."""
    try:
        return one_line(str(response.json()["detail"]))[:MAX_REASON]
    except (ValueError, KeyError, TypeError):
        return ""


def _hit(record: dict[str, Any]) -> Hit:
    text, title, url = str(record["text"]), record.get("title"), record.get("url")
    if isinstance(record.get("passage"), str) and isinstance(title, str):
        text = record["passage"]
    else:
        head, separator, rest = text.partition(SEPARATOR)
        title, text = (head, rest) if separator else ("", text)
    link = url if isinstance(url, str) and url.startswith(("http://", "https://")) else None
    return Hit(Passage(str(record["pid"]), title, text, link), float(record["score"]), int(record.get("rank", 0)))
