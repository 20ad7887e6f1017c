"""What a model service's failure means, in words for the user; the only reader of the ``openai`` client's errors."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import openai

from searchain.errors import (
    ContextTooLong,
    MissingKey,
    ModelError,
    ModelServerError,
    ModelTimeout,
    RateLimited,
    UnknownModel,
    Unreachable,
    WrongKey,
)
from searchain.secrecy import without_key

_CONTEXT = re.compile(
    r"context[ _-]?(length|size|window)|maximum context|too many (input )?tokens|prompt is too long|"
    r"exceeds the maximum number of tokens",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model.{0,120}(not found|not exist|not a valid|unknown|not available)|model_not_found|"
    r"(unknown|invalid|no such) model",
    re.IGNORECASE | re.DOTALL,
)
_REJECTED = re.compile(
    r"not supported|unsupported|not support|unknown|unrecognized|unexpected|extra|not permitted", re.IGNORECASE
)
_QUOTA = re.compile(
    r"insufficient[ _](quota|balance|funds|credit)|billing|\bcredits?\b|exceeded your current quota|payment required",
    re.IGNORECASE,
)
_WAIT = re.compile(
    r"(?:try again|retry) (?:in|after) (?P<number>\d+(?:\.\d+)?) ?(?P<unit>ms|s|seconds?)\b", re.IGNORECASE
)
_LONGEST_BODY = 4_000
"""Characters of an error's body that are looked at."""
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_KEY = re.compile(r"api[ _-]?key|authenti|credential|unauthori[sz]ed|access token|bearer", re.IGNORECASE)
_BAD_KEY = re.compile(r"api[ _-]?key (is )?(not valid|invalid)|invalid (x-)?api[ _-]?key", re.IGNORECASE)


class Stalled(Exception):
    """No text came for too long; the message says what was waited for."""


class NotAChatServer(Exception):
    """Something answered, but not with chat completions."""


class BrokenStream(Exception):
    """What came in the place of text cannot be read."""


FAILURES = (openai.APIError, Stalled, NotAChatServer, BrokenStream)
Failure = openai.APIError | Stalled | NotAChatServer | BrokenStream


@dataclass(frozen=True, slots=True)
class Service:
    """Who failed: what a message has to name, and the key that it must not."""

    name: str
    """Model and host."""
    url: str
    """Without credentials."""
    key: str | None


def is_timeout(error: Failure) -> bool:
    return isinstance(error, Stalled | openai.APITimeoutError)


def is_no_connection_in_time(error: Failure) -> bool:
    return isinstance(error, openai.APITimeoutError)  # a client of ours times connecting alone


def is_passing(error: Failure) -> bool:
    """The same request may succeed a moment later."""
    match error:
        case NotAChatServer():
            return False
        case BrokenStream():
            return True
        case openai.RateLimitError():
            return not _QUOTA.search(_text(error))
        case openai.APIStatusError():
            return error.status_code in (408, 409) or error.status_code >= 500
        case openai.APIConnectionError() | Stalled():
            return True
        case _:  # an error event within a stream has no status
            return not _CONTEXT.search(_text(error))


def retry_after(error: Failure) -> float | None:
    """Return the pause in seconds that the server asks for: in a header (seconds, milliseconds, a date) or in words."""
    if not isinstance(error, openai.APIStatusError):
        return None
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if _SECONDS.fullmatch(headers.get(name, "").strip()):
            return float(headers[name]) * unit
    with suppress(ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    if wait := _WAIT.search(_text(error)):
        return float(wait["number"]) * (0.001 if wait["unit"].lower() == "ms" else 1.0)
    return None


def in_stream(value: dict[str, Any]) -> Any:
    """The error that an event of a stream reports: under ``error``, or the event itself, as older vLLM writes it."""
    return value.get("error") or (value if value.get("object") == "error" else None)


def reported(error: Any, request: httpx2.Request) -> openai.APIError:
    """The error that a server reports within a stream."""
    body = error if isinstance(error, dict) else {"message": str(error)}
    return openai.APIError(str(body.get("message") or body), request, body=body)


def rejected_parameter(error: Failure, sent: Iterable[str]) -> str | None:
    """The one of the ``sent`` parameters that the server does not take."""
    if isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
        text = _text(error)
        if _REJECTED.search(text) and not _CONTEXT.search(text):
            return next((name for name in sent if name in text), None)
    return None


def explain(error: Failure, service: Service, *, has_begun: bool) -> ModelError:
    """``error`` as one line for the user; ``has_begun``: a part of the reply was already delivered."""
    who = service.name
    match error:
        case Stalled():
            return ModelTimeout(f"{who} {error}; try again, or choose another model")
        case NotAChatServer():
            return ModelServerError(
                f"{service.url} answers, but not as an OpenAI-compatible chat server; check the base "
                "URL (it usually ends in /v1)"
            )
        case BrokenStream():
            return ModelServerError(f"{who} sent a stream that cannot be read; ask again, or look at the server's log")
        case openai.APIConnectionError() if has_begun:
            return ModelServerError(f"{who} closed the connection in the middle of its reply; ask again")
        case openai.APIConnectionError():
            cause = without_key(_cause(error), service.key)
            return Unreachable(
                f"cannot reach {service.url} for {who} ({cause}); check the base URL and that the server is running"
            )
    said = _said(error, service)
    if _CONTEXT.search(_text(error)):
        return ContextTooLong(
            f"the conversation is longer than {who} can read{said}; ask a shorter question, start a "
            "new conversation or choose a model with a longer context"
        )
    status = getattr(error, "status_code", None)
    if status is not None:
        return _explain_key(error, status, service) or _explain_status(error, status, service)
    broke = "broke off its reply" if has_begun else "reported an error"
    return ModelServerError(f"{who} {broke}{said}; ask again, or look at the server's log")


def _explain_key(error: openai.APIError, status: int, service: Service) -> ModelError | None:
    """The line for a key that is missing, refused or not paid for; ``None`` where the key is not the reason."""
    who, text, said = service.name, _text(error), _said(error, service)
    if status == 402 or (status in (400, 403) and _QUOTA.search(text)):
        return RateLimited(f"the account of the key for {who} cannot pay{said}; check its balance and billing")
    is_bad = status == 401 or (status == 400 and _BAD_KEY.search(text))
    if service.key is None and (is_bad or (status == 403 and _KEY.search(text))):
        return MissingKey(f"{who} asks for a key and none is set; set OPENAI_API_KEY")
    if is_bad:  # what the server says is left out: it may quote the key
        return WrongKey(f"{who} refused the key (status {status}); check OPENAI_API_KEY and that it may use this model")
    if status == 403:
        return WrongKey(
            f"{who} does not allow this request (status {status}){said}; check that the key may use this model, "
            "or choose another"
        )
    return None


def _explain_status(error: openai.APIError, status: int, service: Service) -> ModelError:
    who, text, said = service.name, _text(error), _said(error, service)
    match status:
        case 429 if _QUOTA.search(text):
            return RateLimited(f"the quota of the key for {who} is used up{said}; check plan and billing")
        case 429:
            pause = retry_after(error)
            wait = f"{pause:g} s" if pause else "a little"
            return RateLimited(f"{who} limits the rate of requests{said}; wait {wait} and ask again")
        case 400 | 404 if _NO_MODEL.search(text):
            return UnknownModel(f"{who}: the server does not know this model; check --model or SEARCHAIN_MODEL")
        case 404:
            return Unreachable(
                f"{service.url} has no chat completions (status 404); check the base URL (it usually ends in /v1)"
            )
        case _ if status < 500:
            return ModelServerError(f"{who} rejected the request (status {status}){said}; choose another model")
        case _:
            return ModelServerError(f"{who} failed (status {status}){said}; try again, or look at the server's log")


def _text(error: openai.APIError) -> str:
    return f"{error.message} {error.code or ''} {error.type or ''} {str(error.body or '')[:_LONGEST_BODY]}"


def _words(body: Any) -> str:
    """The message in the body of an error: an object, a list of such (Gemini), or a text (LM Studio)."""
    if isinstance(body, list) and body:
        body = body[0].get("error") if isinstance(body[0], dict) else body[0]
    found = body.get("message") if isinstance(body, dict) else body
    return " ".join(found.split()) if isinstance(found, str) else ""


def _said(error: openai.APIError, service: Service) -> str:
    """The server's own words as a clause: one short line, without the key."""
    words = without_key(_words(error.body), service.key)
    return f": {words[:200].rstrip('.')}" if words else ""


def _cause(error: BaseException) -> str:
    """The innermost reason of a failed connection."""
    if isinstance(error, openai.APITimeoutError):
        return "no connection in time"
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return (error.strerror if isinstance(error, OSError) and error.strerror else str(error)) or type(error).__name__
