"""The body of a chat completion as JSON values: server-sent events, or one whole completion where none are streamed.

The ``openai`` client has its own reader, which gives up at the first line that is not JSON.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

_LONGEST = 4_000_000
"""Bytes of one event, or of a whole completion; servers that send more never come to an end."""


class BrokenStream(Exception):
    """What came is not an event; what follows it cannot be trusted to be whole."""


async def values(body: AsyncIterator[bytes], content_type: str) -> AsyncIterator[Any]:
    """Yield the JSON values of ``body``, up to its end or ``[DONE]``, for which ``None`` is yielded.

    Raises:
        BrokenStream: an event begins like JSON and is not, or is too long.
    """
    if "json" in content_type and "event-stream" not in content_type:
        whole = b""
        async for part in body:
            whole = _bounded(whole + part)
        yield _parsed(whole.decode("utf-8", "replace"))
        yield None
        return
    async for data in _events(body):
        if data.startswith("[DONE]"):
            yield None
            return
        if data.startswith("{"):  # anything else is a sign of life
            yield _parsed(data)


async def _events(body: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Yield the data of each event, as the HTML standard defines them."""
    rest, data = b"", list[str]()
    async for part in body:
        *lines, rest = (rest + part).replace(b"\r\n", b"\n").split(b"\n")
        _bounded(rest)
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip().decode("utf-8", "replace"))
            elif not line.strip() and data:
                yield "\n".join(data)
                data = []
    if rest.startswith(b"data:"):
        data.append(rest[5:].strip().decode("utf-8", "replace"))
    if data:
        yield "\n".join(data)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BrokenStream(text[:200]) from None


def _bounded(text: bytes) -> bytes:
    if len(text) > _LONGEST:
        raise BrokenStream("an event without an end")
    return text
