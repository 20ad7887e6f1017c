"""The body of a chat completion as JSON values: server-sent events, or one whole completion where none are streamed.

The ``openai`` client has its own reader, which gives up at the first line that is not JSON.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from searchain.llm.faults import BrokenStream

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
