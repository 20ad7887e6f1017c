"""Any OpenAI-compatible endpoint, the embedded one included, through the ``openai`` client."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import openai

from searchain import secrecy
from searchain.cancel import CancelToken
from searchain.errors import CannotSample, ModelServerError, UsageError
from searchain.llm import bridge, faults, grammars
from searchain.llm.base import GREEDY, STEPS, Cut, CutReason, Form, Piece, Retried, Sampling, Thought
from searchain.llm.completion import TOP, Completion, chunks, likelihoods_of
from searchain.llm.endpoint import Endpoint, Timeouts
from searchain.llm.faults import Manner
from searchain.types import Abilities, Message, Usage

DEFAULT_BASE_URL = "https://api.openai.com/v1"
_LONGEST_PAUSE = 20.0  # a server that asks for more seconds is reported at once
_LOOK_AGAIN = 1.0  # seconds between two requests to a server that loads its model


class OpenAIModel:
    """A model behind the chat completions of an OpenAI-compatible server.

    A request that fails before any text was delivered is tried again where that may help (busy or broken server, lost
    connection, silence), after the pause that the server asks for, else after 0.5 s, 1 s …; once text was delivered,
    never. While the server loads its model, it is asked until the time for the first token is over. What the server
    refuses of a request is left out from then on (``Manner``); so is the limit of tokens, once the model has spent it
    on thinking and written nothing. Replies are as deterministic as the server lets them be: temperature 0 unless the
    caller samples, and always a seed.
    """

    abilities = Abilities.CAPABLE
    at_once = 8

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeouts: Timeouts | None = None,
        tries: int = 3,
        name: str | None = None,
        reasoning_effort: str | None = None,
    ) -> None:
        """``base_url`` is OpenAI's own by default, and ``reasoning_effort`` what the model does by itself.

        Raises ``UsageError`` if ``base_url`` is not an http(s) URL, the key cannot be sent, or ``model`` holds it.
        """
        self._endpoint = Endpoint(base_url or DEFAULT_BASE_URL, api_key, timeouts or Timeouts())
        if secrecy.holds_secret(model):
            raise UsageError("the name of the model holds the key; check --model or SEARCHAIN_MODEL")
        self.model = model
        self.name = name or f"{model} at {self._endpoint.host}"
        self.identity = f"{self._endpoint.service_url} {model}"
        """The model and its endpoint, without credentials."""
        self._tries = tries
        self._reasoning_effort = reasoning_effort
        self.manner = Manner()
        """How the server has to be asked, as far as it is known."""
        self.calls_search = False
        """Whether it asks for passages by calls of a tool, and not by open steps in its text or in JSON."""
        self._begins_thinking = False

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

        ``extra_body`` are fields of the request that only this server knows. Raises ``SetupError`` as
        ``Endpoint.client``, and ``CannotSample`` if a temperature is wanted, and the server takes none, or no seed.
        """
        if form is Form.INFORMED and self.calls_search:
            form = Form.SEARCHING
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": sampling.temperature,
            "seed": sampling.seed,
        }
        named = {
            "max_tokens": max_tokens,
            "reasoning_effort": self._reasoning_effort,
            "response_format": grammars.FORMATS.get(form) if form else None,
            "tools": grammars.TOOLS.get(form) if form else None,
            "extra_body": extra_body,
        }
        request |= {name: value for name, value in named.items() if value is not None}
        limits = self._endpoint.timeouts
        notice = Retried(
            f"{self.name} has written nothing for {limits.notice:g} s; it may be loading or thinking",
            f"waits for it, up to {limits.first_token:g} s",
        )
        pieces: Generator[Piece, None, None] = bridge.iterate(
            lambda: self._tried(request, has_steps=form in STEPS),
            cancel or CancelToken(),
            notice=notice,
            after=limits.notice,
        )
        return _without_secrets(pieces)

    def likelihoods(
        self, messages: Sequence[Message], words: Sequence[str], extra_body: Mapping[str, Any] | None = None
    ) -> tuple[float, ...]:
        """Return how likely the reply to ``messages`` begins with each of ``words``, 0–1. Case does not count.

        A server that gives no probabilities is asked for the word alone. ``extra_body`` is as in ``stream``. Raises
        ``ModelError`` or ``SetupError`` if the service failed.
        """
        plain = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "max_tokens": 1,
            "temperature": 0.0,
            "extra_body": extra_body,
        }
        rated = {**plain, "logprobs": True, "top_logprobs": TOP}
        try:
            said = bridge.run(self._completed(rated, may_refuse=True)) or bridge.run(self._completed(plain))
            return likelihoods_of(said.model_dump(), words)
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # a body of another shape
            raise ModelServerError(f"{self.name} gave no judgement that can be read; ask again") from error

    async def _completed(self, request: dict[str, Any], *, may_refuse: bool = False) -> Any:
        """Return a completion that is not streamed; ``None`` if the server refuses the request and may do so."""
        try:
            async with asyncio.timeout(self._endpoint.timeouts.first_token):
                return await self._endpoint.client().chat.completions.create(
                    **self.manner.applied(request), extra_headers=self._endpoint.headers
                )
        except TimeoutError:
            raise self._endpoint.explain(faults.Stalled("gave no judgement"), self.name) from None
        except faults.FAILURES as error:
            if may_refuse and faults.status_of(error) in {400, 404, 422}:
                return None
            raise self._endpoint.explain(error, self.name) from None

    def close(self) -> None:
        """Close all connections; replies that are being read break off."""
        self._endpoint.close()

    async def _tried(self, request: dict[str, Any], *, has_steps: bool) -> AsyncIterator[Piece]:
        tries = _Tries(self.manner)
        while True:
            if request["temperature"] and (unknown := tries.manner.left_out & {"temperature", "seed"}):
                raise CannotSample(f"{self.name} accepts no {min(unknown)}, so that no samples can be drawn")
            sent = tries.manner.applied(request)
            try:
                async for item in self._once(sent, has_steps=has_steps):
                    self.manner = self.manner.joined(tries.manner)  # the request was accepted
                    match item:
                        case Usage():
                            yield tries.spent + item
                            return
                        case _LimitSpent():
                            tries.spent += item.usage
                            tries.manner = replace(tries.manner, has_limit=False)
                            yield Retried(
                                f"{self.name} spent all {item.limit} tokens that it may write on thinking",
                                "asked again without that limit",
                            )
                            break
                        case str():
                            tries.has_begun = True
                    yield item
            except faults.FAILURES as error:
                if faults.is_filtered(error):
                    yield Cut(CutReason.FILTER, faults.words(error, self._endpoint.key))
                    yield tries.spent + _usage(sent, Completion())
                    return
                async for told in self._before_next(error, sent, tries):
                    yield told

    async def _before_next(self, error: faults.Failure, sent: dict[str, Any], tries: _Tries) -> AsyncIterator[Retried]:
        """Prepare the next try after ``error``, if need be with a pause. Raises ``ModelError`` if there is no other."""
        if manner := tries.manner.after(error, sent):
            if "reasoning_effort" in manner.left_out - tries.manner.left_out:
                yield Retried(f"{self.name} takes no reasoning_effort", "asked again without it")
            tries.manner = manner
            return
        limit = self._endpoint.timeouts.first_token
        if faults.is_loading(error) and time.monotonic() - tries.began < limit:
            if not tries.has_waited:
                yield Retried(f"the model is loading at {self._endpoint.host}", f"waits for it, up to {limit:g} s")
            tries.has_waited = True
            await asyncio.sleep(_LOOK_AGAIN)
            return
        tries.failures += 1
        pause = self._pause(error, tries.failures)
        if tries.has_begun or pause is None:
            # from None: what the server said may quote the key
            raise self._endpoint.explain(error, self.name, has_begun=tries.has_begun) from None
        if faults.status_of(error) == 500 and tries.failures == self._tries - 1:
            # some fail because of it, and do not say so
            tries.manner = tries.manner.without("stream_options")
        await asyncio.sleep(pause)

    def _pause(self, error: faults.Failure, failures: int) -> float | None:
        """Return how many seconds to wait before the next try; ``None`` where there should be none."""
        tries = min(self._tries, 2) if faults.is_timeout(error) else self._tries
        pause = faults.retry_after(error)
        if pause is None:
            pause = 0.5 * 2 ** (failures - 1)
        return pause if failures < tries and pause <= _LONGEST_PAUSE and faults.is_passing(error) else None

    async def _once(self, request: dict[str, Any], *, has_steps: bool) -> AsyncIterator[Piece | _LimitSpent]:
        """One request, up to its usage. Thinking counts as a sign of life, and so does whatever else arrives."""
        now = asyncio.get_running_loop().time
        limits = self._endpoint.timeouts
        started = time.monotonic()
        completion = Completion(is_thinking=self._begins_thinking, has_steps=has_steps)
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
                        clock.reschedule(now() + (limits.stall if completion.length else limits.first_token))
        except TimeoutError:
            if completion.length:
                raise faults.Stalled(f"fell silent for {limits.stall:g} s in the middle of its reply") from None
            raise faults.Stalled(f"did not begin to answer within {limits.first_token:g} s") from None
        if not completion.is_chat:
            raise faults.NotAChatServer
        completion.is_broken = completion.is_broken or not (is_done or completion.has_ended)
        self._begins_thinking = self._begins_thinking or completion.begins_thinking
        usage = replace(_usage(request, completion), llm_seconds=time.monotonic() - started)
        for piece in completion.finish():
            limit = request.get("max_tokens", request.get("max_completion_tokens"))
            if isinstance(piece, Cut) and piece.reason is CutReason.LENGTH and limit and not completion.has_text:
                yield _LimitSpent(limit, usage)
            yield piece
        yield usage

    async def _chunks(self, response: httpx2.Response, completion: Completion) -> AsyncIterator[Any]:
        """The values in the body of ``response``. Raises what ``faults.explain`` explains."""
        try:
            async for value in chunks(response.aiter_bytes()):
                if isinstance(value, dict) and (error := faults.reported(value, response.request)):
                    raise error
                yield value
        except httpx2.RequestError as error:
            raise openai.APIConnectionError(request=response.request) from error
        except faults.BrokenStream:
            if not completion.is_chat:
                raise faults.NotAChatServer from None
            if not completion.has_text:
                raise
            completion.is_broken = True


@dataclass(slots=True)
class _Tries:
    """How far the tries of one request are."""

    manner: Manner
    spent: Usage = Usage()  # what replies without text have cost
    began: float = field(default_factory=time.monotonic)
    failures: int = 0
    has_begun: bool = False  # whether any text was delivered
    has_waited: bool = False  # whether people know that the model is being loaded


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
