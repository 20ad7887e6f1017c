"""A Reader on another machine: the routes that ``serve --ray`` answers.

    GET  /api/reader   →   {"theta", "floor"}
    POST /api/read {"query", "passages": [{"title", "text"}]}   →   {"readings": [{"answer", "span", "confidence", …}]}

Numbers arrive exactly as the Reader computed them.
"""

from collections.abc import Sequence
from dataclasses import asdict
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx

from searchain.errors import ReaderError, UsageError
from searchain.reading.thresholds import Thresholds
from searchain.safe_text import is_loopback, one_line
from searchain.types import Passage, Reading, Span

READ = "/api/read"
THRESHOLDS = "/api/reader"
MAX_PASSAGES = 100
"""Most passages in one request."""
TIMEOUT = httpx.Timeout(30.0, connect=5.0)
MAX_REASON = 300
"""Most characters of a server's reason that are shown."""


class RemoteReader:
    """A Reader on a server; thread-safe.

    ``url``: the server, as in ``http://host:8893``. Raises ``UsageError`` if it is not an http(s) URL.
    """

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_usable = False
        if not is_usable:
            raise UsageError(f"{url!r} is no address of a Reader; give one like http://127.0.0.1:8893")
        self.url = url.rstrip("/")
        # A proxy for the outside world does not know this machine's own servers.
        self._client = httpx.Client(timeout=TIMEOUT, trust_env=not is_loopback(parts.hostname or ""))

    def thresholds(self) -> Thresholds:
        """Return the thresholds of the server's Reader.

        Raises ``ReaderError`` if there is no connection, no answer in time, an error, or an answer of another form.
        """
        found = self._asked("GET", THRESHOLDS)
        try:
            return Thresholds(theta=float(found["theta"]), floor=float(found["floor"]))
        except (ValueError, KeyError, TypeError):
            raise self._stranger() from None

    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        """Return one reading per passage, in order. Raises as ``thresholds``."""
        if not passages:
            return []
        sent = [{"title": _sendable(one.title), "text": _sendable(one.text)} for one in passages]
        found = self._asked("POST", READ, {"query": _sendable(query), "passages": sent})
        try:
            readings = [from_json(one) for one in found["readings"]]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._stranger() from None
        if len(readings) != len(passages) or not all(map(_fits, readings, passages)):
            raise self._stranger()
        return readings

    def _asked(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        try:
            answer = self._client.request(method, self.url + path, json=body)
            if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
                reason = one_line(str(answer.json()["detail"]))[:MAX_REASON]
                raise ReaderError(f"the Reader at {self.url} cannot read now: {reason}")
            answer.raise_for_status()
            return answer.json()
        except httpx.TimeoutException:
            raise ReaderError(f"the Reader at {self.url} did not answer in time; is it busy?") from None
        except httpx.HTTPStatusError as error:
            raise ReaderError(
                f"the Reader at {self.url} answered with status {error.response.status_code}; its own log says why"
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ReaderError(
                f"cannot reach the Reader at {self.url} ({error}); is it running?",
                hint="start it with: python assistant.py serve --ray",
            ) from None
        except (ValueError, KeyError, TypeError):
            raise self._stranger() from None

    def _stranger(self) -> ReaderError:
        return ReaderError(f"what answers at {self.url} is no Reader of this program; check the address")


def to_json(reading: Reading) -> dict[str, Any]:
    """Return ``reading`` as JSON-ready values."""
    return asdict(reading)


def from_json(record: dict[str, Any]) -> Reading:
    """Return the reading that ``to_json`` turned into ``record``.

    Raises ``ValueError``, ``KeyError`` or ``TypeError`` if ``record`` has another form.
    """
    span = record["span"]
    likelihood, lead, probability = (
        None if record[name] is None else float(record[name]) for name in ("likelihood", "lead", "probability")
    )
    return Reading(
        str(record["answer"]),
        None if span is None else Span(int(span["start"]), int(span["end"])),
        float(record["confidence"]),
        likelihood,
        lead,
        probability,
        tuple(map(from_json, record["others"])),
    )


def _fits(reading: Reading, passage: Passage) -> bool:
    """Tell whether the answers equal the text at their spans."""
    if reading.span is None:
        return not reading.answer
    start, end = reading.span.start, reading.span.end
    is_there = 0 <= start < end and _sendable(passage.text[start:end]) == reading.answer
    return is_there and all(_fits(other, passage) for other in reading.others)


def _sendable(text: str) -> str:
    """Replace each character that UTF-8 cannot encode by ``?``."""
    return text.encode(errors="replace").decode()
