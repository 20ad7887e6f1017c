"""Any OpenAI-compatible endpoint, the embedded one included, through the ``openai`` client."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import re
import time
from collections.abc import AsyncIterator, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import openai

from searchain import secrecy
from searchain.cancel import CancelToken
from searchain.errors import CannotSample, UsageError
from searchain.llm import bridge, faults, wire
from searchain.llm.base import GREEDY, Cut, CutReason, Form, Piece, Retried, Sampling, Thought
from searchain.llm.completion import Completion
from searchain.types import Abilities, Message, Usage

DEFAULT_BASE_URL = "https://api.openai.com/v1"
_LONGEST_PAUSE = 20.0  # a server that asks for more seconds is reported at once
_CREDENTIALS = re.compile(r"/[^/]*@")
_DISPENSABLE = ("stream_options", "temperature", "seed", "max_completion_tokens", "max_tokens")


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds until a request is given up."""

    connect: float = 5.0
    first_token: float = 60.0
    """From the request to the first text."""
    stall: float = 30.0
    """Between two pieces of text."""


class OpenAIModel:
    """A model behind the chat completions of an OpenAI-compatible server.

    A request that fails before any text was delivered is tried again where that may help (busy or broken server, lost
    connection, silence), after the pause that the server asks for, else after 0.5 s, 1 s …; once text was delivered,
    never. Parameters that the server rejects are left out from then on; so is the limit of tokens, once the model has
    spent it on thinking and written nothing. Replies are as deterministic as the server lets them be: temperature 0
    unless the caller samples, and always a seed.
    """

    abilities = Abilities.CAPABLE
    at_once = 8

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeouts: Timeouts = Timeouts(),
        tries: int = 3,
        name: str | None = None,
    ) -> None:
        """``base_url`` is OpenAI's own by default.

        Raises:
            UsageError: ``base_url`` is not an http(s) URL, the key cannot be sent, or ``model`` holds it.
        """
        self._endpoint = Endpoint(base_url or DEFAULT_BASE_URL, api_key, timeouts)
        if secrecy.holds_secret(model):
            raise UsageError("the name of the model holds the key; check --model or SEARCHAIN_MODEL")
        self.model = model
        self.name = name or f"{model} at {self._endpoint.host}"
        self._tries = tries
        self._rejected: set[str] = set()
        self._has_limit = True
        self._begins_thinking = False
        self.counts_tokens: bool | None = None
        """Whether the server counted the tokens of the last reply; ``None`` before there was one."""

    @property
    def left_out(self) -> list[str]:
        """The parameters that the server rejected, in order."""
        return sorted(self._rejected)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
        extra_body: Mapping[str, Any] | None = None,
    ) -> Iterator[Piece]:
        """See ``LanguageModel.stream``. Where the server counts no tokens they are estimated: four characters each.

        ``extra_body`` are fields of the request that only this server knows.

        Raises:
            MissingKey, WrongKey, UnknownModel, Unreachable, ModelTimeout, ContextTooLong, RateLimited,
            ModelServerError: the service failed.
            CannotSample: a temperature is wanted, and the server takes none, or no seed.
            Cancelled: ``cancel`` was set.
        """
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": sampling.temperature,
            "seed": sampling.seed,
        }
        if max_tokens is not None:
            request["max_tokens"] = max_tokens
        if extra_body:
            request["extra_body"] = dict(extra_body)
        return _without_secrets(bridge.iterate(lambda: self._tried(request), cancel or CancelToken()))

    def close(self) -> None:
        """Close all connections; replies that are being read break off."""
        self._endpoint.close()

    async def _tried(self, request: dict[str, Any]) -> AsyncIterator[Piece]:
        has_begun, failures, spent = False, 0, Usage()
        began = time.monotonic()
        while True:
            if request["temperature"] and (unknown := self._rejected & {"temperature", "seed"}):
                raise CannotSample(f"{self.name} accepts no {min(unknown)}, so that no samples can be drawn")
            accepted, started = self._accepted(request), time.monotonic()
            try:
                async for item in self._once(accepted):
                    match item:
                        case Usage():
                            yield spent + item
                            return
                        case _LimitSpent():
                            spent += item.usage
                            self._has_limit = False
                            yield Retried(
                                f"{self.name} spent all {item.limit} tokens that it may write on thinking",
                                "asked again without that limit",
                            )
                            break
                        case str():
                            has_begun = True
                    yield item
            except faults.FAILURES as error:
                if rejected := faults.rejected_parameter(error, (n for n in _DISPENSABLE if n in accepted)):
                    self._rejected.add(rejected)
                    continue
                is_in_time = time.monotonic() - began < self._endpoint.timeouts.first_token
                if is_in_time and faults.is_no_connection_in_time(error) and bridge.was_busy(started):
                    continue  # nobody looked whether the connection was there
                failures += 1
                pause = self._pause(error, failures)
                if has_begun or pause is None:
                    # from None: what the server said may quote the key
                    raise self._endpoint.explain(error, self.name, has_begun=has_begun) from None
                await asyncio.sleep(pause)

    def _pause(self, error: faults.Failure, failures: int) -> float | None:
        """Return how many seconds to wait before the next try; ``None`` where there should be none."""
        tries = min(self._tries, 2) if faults.is_timeout(error) else self._tries
        pause = faults.retry_after(error)
        if pause is None:
            pause = 0.5 * 2 ** (failures - 1)
        return pause if failures < tries and pause <= _LONGEST_PAUSE and faults.is_passing(error) else None

    def _accepted(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request as this server and this model take it."""
        unwanted = self._rejected if self._has_limit else self._rejected | {"max_tokens", "max_completion_tokens"}
        accepted = {name: value for name, value in request.items() if name not in unwanted}
        if "max_tokens" in request and "max_tokens" in unwanted and "max_completion_tokens" not in unwanted:
            accepted["max_completion_tokens"] = request["max_tokens"]
        return accepted

    async def _once(self, request: dict[str, Any]) -> AsyncIterator[Piece | _LimitSpent]:
        """One request, up to its usage. Thinking counts as a sign of life."""
        now = asyncio.get_running_loop().time
        limits = self._endpoint.timeouts
        started = time.monotonic()
        completion = Completion(is_thinking=self._begins_thinking)
        is_done = False
        try:
            async with asyncio.timeout(limits.first_token) as clock:
                async with await self._endpoint.client().chat.completions.create(
                    **request, extra_headers=self._endpoint.headers
                ) as stream:
                    async for chunk in self._chunks(stream.response, completion):
                        is_done = is_done or chunk is None
                        for piece in completion.feed(chunk):
                            yield piece
                            clock.reschedule(now() + limits.stall)
        except TimeoutError:
            raise faults.Stalled(
                f"fell silent for {limits.stall:g} s in the middle of its reply"
                if completion.length
                else f"did not begin to answer within {limits.first_token:g} s"
            ) from None
        if not completion.is_chat:
            raise faults.NotAChatServer
        completion.is_broken = completion.is_broken or not (is_done or completion.has_ended)
        self._begins_thinking = self._begins_thinking or completion.begins_thinking
        self.counts_tokens = None not in (completion.prompt_tokens, completion.completion_tokens)
        usage = replace(_usage(request, completion), llm_seconds=time.monotonic() - started)
        for piece in completion.finish():
            limit = request.get("max_tokens", request.get("max_completion_tokens"))
            if isinstance(piece, Cut) and piece.reason is CutReason.LENGTH and limit and not completion.has_text:
                yield _LimitSpent(limit, usage)
            yield piece
        yield usage

    async def _chunks(self, response: httpx2.Response, completion: Completion) -> AsyncIterator[Any]:
        """The values in the body of ``response``.

        Raises:
            openai.APIError: the server reports an error, or the connection broke.
            faults.NotAChatServer, faults.BrokenStream: what came cannot be read, before there was any text.
        """
        try:
            async for value in wire.values(response.aiter_bytes(), response.headers.get("content-type", "")):
                if isinstance(value, dict) and (error := faults.in_stream(value)):
                    raise faults.reported(error, response.request)
                yield value
        except httpx2.RequestError as error:
            raise openai.APIConnectionError(request=response.request) from error
        except wire.BrokenStream:
            if not completion.is_chat:
                raise faults.NotAChatServer from None
            if not completion.has_text:
                raise faults.BrokenStream from None
            completion.is_broken = True


@dataclass(frozen=True, slots=True)
class _LimitSpent:
    """The reply reached its limit of tokens before any text was written."""

    limit: int
    usage: Usage


def _usage(request: dict[str, Any], completion: Completion) -> Usage:
    """Return the tokens that the server counted, or else a fourth of the characters."""
    asked, written = completion.prompt_tokens, completion.completion_tokens
    characters = sum(len(message["content"]) for message in request["messages"])
    return Usage(
        llm_calls=1,
        prompt_tokens=math.ceil(characters / 4) if asked is None else asked,
        completion_tokens=math.ceil(completion.length / 4) if written is None else written,
    )


def _without_secrets(pieces: Generator[Piece, None, None]) -> Generator[Piece, None, None]:
    """What the model writes and thinks, without a secret of this process; a server knows its key and may write it."""
    text, thoughts = secrecy.Outflow(), secrecy.Outflow()
    with closing(pieces):
        for piece in pieces:
            if not isinstance(piece, str) and (rest := text.finish()):
                yield rest
            if not isinstance(piece, Thought) and (rest := thoughts.finish()):
                yield Thought(rest)
            match piece:
                case str():
                    piece = text.feed(piece)
                case Thought():
                    piece = Thought(thoughts.feed(piece.text))
            if piece not in ("", Thought("")):
                yield piece
        if rest := text.finish():
            yield rest


class Endpoint:
    """A base URL with its key and the client that talks to it."""

    def __init__(self, base_url: str, key: str | None = None, timeouts: Timeouts = Timeouts()) -> None:
        """
        Raises:
            UsageError: ``base_url`` is not an http(s) URL, or the key cannot be sent.
        """
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
        for secret in (parts.password, *(value for _, value in parse_qsl(parts.query))):
            secrecy.keep(secret)
        self.timeouts = timeouts
        self._url = base_url.strip().rstrip("/")
        self._service_url = f"{parts.scheme}://{self.host}{parts.path.rstrip('/')}"  # without credentials
        self._key = key
        self._is_local = parts.hostname == "localhost" or _is_loopback(parts.hostname)
        self._client: openai.AsyncOpenAI | None = None
        self.headers: dict[str, Any] = {} if self._key else {"Authorization": openai.Omit()}
        """To be sent with each request: the client would make up a header when there is no key."""

    def client(self) -> openai.AsyncOpenAI:
        """The one client; called in the background loop only."""
        if self._client is None:
            timeout = openai.Timeout(None, connect=self.timeouts.connect)  # the rest is timed by text, not by bytes
            self._client = openai.AsyncOpenAI(
                base_url=self._url,
                api_key=self._key or "none",
                max_retries=0,
                timeout=timeout,
                # a proxy of the environment is no way to this machine
                http_client=openai.DefaultAsyncHttpxClient(timeout=timeout, trust_env=not self._is_local),
            )
        return self._client

    def close(self) -> None:
        async def close() -> None:
            if self._client is not None:
                await self._client.close()
                self._client = None

        bridge.run(close())

    def explain(self, error: faults.Failure, who: str, *, has_begun: bool = False) -> Exception:
        return faults.explain(error, faults.Service(who, self._service_url, self._key), has_begun=has_begun)

    def models(self) -> list[str]:
        """The models that the server offers.

        Raises:
            ModelError: the service failed.
        """

        async def ask() -> list[str]:
            try:
                async with asyncio.timeout(self.timeouts.first_token):
                    return [model.id async for model in self.client().models.list(extra_headers=self.headers)]
            except faults.FAILURES as error:
                raise self.explain(error, f"the server at {self.host}") from None
            except TimeoutError:
                raise self.explain(faults.Stalled("does not list its models"), f"the server at {self.host}") from None

        return bridge.run(ask())


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
