"""What a model service's failure means: in words for the user, and for how the service is asked from then on.

Nothing else reads the errors of the ``openai`` client.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
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
    r"(unknown|invalid|no such) model|no endpoints found for",
    re.IGNORECASE | re.DOTALL,
)
OPTIONAL = {
    "response_format": ("response_format", "json_schema", "structured output"),
    "tools": ("tools", "tool use", "tool call", "tool_choice", "function call"),
    "stream_options": ("stream_options", "include_usage"),
    "temperature": ("temperature", "温度"),
    "seed": ("seed", "种子"),
    "reasoning_effort": ("reasoning_effort", "reasoning effort", "reasoning.effort"),
    "max_completion_tokens": ("max_completion_tokens", "max_tokens", "max_new_tokens", "output limit"),
    "max_tokens": ("max_tokens", "max_new_tokens", "output limit"),
}
"""The parameters that a request can do without, each with the words by which servers name it."""
LIMITS = frozenset({"max_tokens", "max_completion_tokens"})
_NO_PROVIDER = "no endpoints found"  # OpenRouter: none of the providers of a model takes the parameters, or may be used
# of a model that takes no system message; some servers call that an error of their own
_NO_SYSTEM = ("system role", "developer instruction", "messages[0].role", "roles must alternate", "only user and")
_FILTERED = (
    "content_filter",
    "content management",
    "content policy",
    "exists risk",
    "inappropriate",
    "flagged",
    "敏感",
)
_LOADING = ("loading", "being loaded", "warming up", "starting up", "not ready", "not yet ready")
_QUOTA = re.compile(
    r"insufficient[ _](quota|balance|funds|credit)|billing|\bcredits?\b|exceeded your current quota|payment required",
    re.IGNORECASE,
)
_WAIT = re.compile(r"(?i)(?:try again|retry) (?:in|after) (?P<number>\d+(?:\.\d+)?) ?(?P<unit>ms|s|seconds?)\b")
_LONGEST_BODY = 4_000  # characters of an error's body that are looked at
_SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
_KEY = re.compile(r"api[ _-]?key|authenti|credential|unauthori[sz]ed|access token|bearer", re.IGNORECASE)
_BAD_KEY = re.compile(r"api[ _-]?key (is )?(not valid|invalid)|invalid (x-)?api[ _-]?key", re.IGNORECASE)


class Stalled(Exception):
    """No text came for too long; the message says what was waited for."""


class NotAChatServer(Exception):
    """Something answered, but not with chat completions."""


class BrokenStream(Exception):
    """What came in the place of text cannot be read; what follows it cannot be trusted to be whole."""


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


def reported(value: dict[str, Any], request: httpx2.Request) -> openai.APIError | None:
    """The error that an event of a stream reports: under ``error``, or the event itself, as older vLLM writes it."""
    error = value.get("error") or (value if value.get("object") == "error" else None)
    body = error if isinstance(error, dict) else {"message": str(error)}
    return openai.APIError(str(body.get("message") or body), request, body=body) if error else None


def refused_parameters(error: Failure, sent: Sequence[str]) -> set[str]:
    """Return which of the ``sent`` parameters to leave out: those that the server names, else all.

    None are, where it refuses something else.
    """
    status, text = status_of(error), _text(error).lower()
    named = {name for name in sent if any(word in text for word in OPTIONAL[name])}
    if status not in (400, 404, 422, 500):
        return set()
    if _CONTEXT.search(text):
        return named & LIMITS  # it may have been the limit that left no room for the conversation
    if status == 404:
        is_of_another_kind = _NO_PROVIDER not in text or _NO_MODEL.search(text) is not None
    elif named or status == 500 or is_filtered(error):
        return named
    else:
        is_of_another_kind = any(kind.search(text) for kind in (_NO_MODEL, _KEY, _QUOTA))
    return {*sent, *LIMITS} if sent and not is_of_another_kind else set()


@dataclass(frozen=True, slots=True)
class Manner:
    """What is changed in each request to one server for one model."""

    left_out: frozenset[str] = frozenset()
    """Parameters that it refuses."""
    has_limit: bool = True
    """Whether a limit of tokens is sent; else the model spends it on thinking."""
    has_system: bool = True
    """Whether the model takes system messages; else the first user message holds them."""

    def applied(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the ``request`` as the server takes it."""
        unwanted = self.left_out if self.has_limit else self.left_out | LIMITS
        sent = {name: value for name, value in request.items() if name not in unwanted}
        if "max_tokens" in request and "max_tokens" in unwanted and "max_completion_tokens" not in unwanted:
            sent["max_completion_tokens"] = request["max_tokens"]
        if not self.has_system:
            sent["messages"] = _without_system(request["messages"])
        return sent

    def after(self, error: Failure, sent: dict[str, Any]) -> Manner | None:
        """Return how to ask once more after the refusal of what was ``sent``; ``None`` where that is of no use."""
        if sent["messages"][0]["role"] == "system" and _says(error, (400, 422, 500), _NO_SYSTEM):
            return replace(self, has_system=False)
        refused = refused_parameters(error, [name for name in OPTIONAL if name in sent])
        return replace(self, left_out=self.left_out | refused) if refused else None

    def without(self, name: str) -> Manner:
        """Return the manner that also leaves out the parameter ``name``."""
        return replace(self, left_out=self.left_out | {name})

    def joined(self, other: Manner) -> Manner:
        """Return the manner that changes what either of the two changes."""
        return Manner(
            self.left_out | other.left_out, self.has_limit and other.has_limit, self.has_system and other.has_system
        )


def _without_system(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return ``messages`` with the text of the system's at the beginning of the first one of the user."""
    told = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    if others and others[0]["role"] == "user":
        told.append(others.pop(0)["content"])
    return [{"role": "user", "content": "\n\n".join(told)}, *others]


def is_filtered(error: Failure) -> bool:
    """Whether the service's filter stopped the request because of what it says."""
    return _says(error, (None, 400, 403, 422), _FILTERED)


def is_loading(error: Failure) -> bool:
    """Whether the server has yet to load the model."""
    return _says(error, (425, 500, 502, 503), _LOADING)


def _says(error: Failure, statuses: Collection[int | None], words: Collection[str]) -> bool:
    text = _text(error).lower()
    return status_of(error) in statuses and any(word in text for word in words)


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
    if (status := status_of(error)) is not None:
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
        case 404 if _NO_PROVIDER not in text.lower():
            return Unreachable(
                f"{service.url} has no chat completions (status 404); check the base URL (it usually ends in /v1)"
            )
        case _ if status < 500:
            return ModelServerError(f"{who} rejected the request (status {status}){said}; choose another model")
        case _:
            return ModelServerError(f"{who} failed (status {status}){said}; try again, or look at the server's log")


def status_of(error: Failure) -> int | None:
    return error.status_code if isinstance(error, openai.APIStatusError) else None


def _text(error: Failure) -> str:
    if not isinstance(error, openai.APIError):
        return ""
    return f"{error.message} {error.code or ''} {error.type or ''} {str(error.body or '')[:_LONGEST_BODY]}"


def words(error: Failure, key: str | None) -> str:
    """Return what the server says, as one short line without the ``key``.

    The body of an error is an object, a list of such (Gemini), or a text (LM Studio).
    """
    body = getattr(error, "body", None)
    if isinstance(body, list) and body:
        body = body[0].get("error") if isinstance(body[0], dict) else body[0]
    found = body.get("message") if isinstance(body, dict) else body
    return without_key(" ".join(found.split()), key)[:200].rstrip(".") if isinstance(found, str) else ""


def _said(error: openai.APIError, service: Service) -> str:
    """The server's own words as a clause."""
    said = words(error, service.key)
    return f": {said}" if said else ""


def _cause(error: BaseException) -> str:
    """The innermost reason of a failed connection."""
    if isinstance(error, openai.APITimeoutError):
        return "no connection in time"
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return (error.strerror if isinstance(error, OSError) and error.strerror else str(error)) or type(error).__name__
