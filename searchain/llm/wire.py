"""What goes to a server and what comes back: a request as it takes it, and the completion as JSON values.

A server that refuses parameters or system messages is asked without them. Its reply is read as server-sent events, or
as one whole completion where none are streamed: the ``openai`` client has its own reader, which gives up at the first
line that is not JSON.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from searchain.llm import faults
from searchain.llm.faults import LIMITS, OPTIONAL, BrokenStream

_LONGEST = 4_000_000
"""Bytes of one event, or of a whole completion; servers that send more never come to an end."""


_END = "[DONE]"
ALIVE = ""
"""The value of bytes that complete no event: comments, blank lines, halves."""


async def values(body: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    """Yield the JSON values of ``body``, up to its end or ``[DONE]``, for which ``None`` is yielded.

    ``ALIVE`` is yielded whenever something arrives.

    Raises:
        BrokenStream: an event begins like JSON and is not, or is too long.
    """
    async for data in _events(body):
        if data.startswith(_END):
            yield None
            return
        yield _parsed(data) if data.startswith("{") else ALIVE


async def _events(body: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Yield the data of each event, as the HTML standard defines them, and ``ALIVE`` as ``values`` does.

    A body that begins like JSON is one event, whatever its content type, and the end.
    """
    rest, data, was_cr = b"", list[str](), False
    is_whole: bool | None = None  # nobody knows before something came
    async for part in body:
        yield ALIVE
        if was_cr:
            part = part.removeprefix(b"\n")
        was_cr = part.endswith(b"\r")
        rest += part.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if len(rest) > _LONGEST:
            raise BrokenStream("an event without an end")
        if is_whole is None and rest.strip():
            is_whole = rest.lstrip().startswith(b"{")
        if is_whole:
            continue
        *lines, rest = rest.split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip().decode("utf-8", "replace"))
            elif not line.strip() and data:
                yield "\n".join(data)
                data = []
    if is_whole:
        yield rest.strip().decode("utf-8", "replace")
        yield _END
        return
    if rest.startswith(b"data:"):
        data.append(rest[5:].strip().decode("utf-8", "replace"))
    if data:
        yield "\n".join(data)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BrokenStream(text[:200]) from None


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

    def after(self, error: faults.Failure, sent: dict[str, Any]) -> Manner | None:
        """Return how to ask once more after the refusal of what was ``sent``; ``None`` where that is of no use."""
        if sent["messages"][0]["role"] == "system" and faults.refuses_system(error):
            return replace(self, has_system=False)
        refused = faults.refused_parameters(error, [name for name in OPTIONAL if name in sent])
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
