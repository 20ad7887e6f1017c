"""Receive the bodies of requests in async code, before any route runs: a slow sender holds a file, never a thread."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from tempfile import SpooledTemporaryFile
from typing import IO

import anyio
from starlette.types import Message, Receive

from ui.server.limits import Streams

_IN_MEMORY = 64_000  # bytes; a longer body is written to a file
_CHUNK = 1 << 18
LONG = 1_000_000
"""Bytes. Where a body may be longer than this, few are received at once of one owner or address."""
GRACE = 15.0
"""Seconds that every body may take."""
_RATE = 20_000  # bytes a second that must arrive beyond these seconds
_LONGEST = 900.0  # seconds that no body may exceed
_AT_ONCE = 6  # long bodies of one owner or address that are received at the same time


class BodyRefused(Exception):
    """A body that is not received to its end; the message is for the sender."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Left(Exception):
    """The client closed the connection before its body was complete."""


class Receiving:
    """Receives bodies under limits of size, time and number."""

    def __init__(self) -> None:
        self._long = Streams(
            _AT_ONCE, "{number} files {whose} are being received, and no more are allowed at once; send this one later"
        )

    def counted(self, limit: int, keys: Sequence[str]) -> AbstractContextManager[None]:
        """Count a body of at most ``limit`` bytes in the block. Raises ``LimitReached`` if there are too many."""
        return self._long.one(keys) if limit > LONG else nullcontext()

    async def whole(self, receive: Receive, limit: int) -> Receive:
        """Receive a body; return a ``receive`` that repeats it, and then goes on with the connection's messages.

        Raises:
            BodyRefused: the body is too long, or comes too slowly.
            Left: the client closed the connection.
        """
        file: IO[bytes] = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  (closed with its last reader)
        start, size, is_more = anyio.current_time(), 0, True
        while is_more:
            message: Message = {}
            with anyio.move_on_at(start + min(_LONGEST, GRACE + size / _RATE)):
                message = await receive()
            if not message:
                raise BodyRefused("The request came too slowly; send it again over a faster connection.", 408)
            if message["type"] == "http.disconnect":
                raise Left
            is_more, piece = message.get("more_body", False), message.get("body", b"")
            size += len(piece)
            if size > limit:
                raise BodyRefused("The request is too large.", 413)
            try:
                file.write(piece)
            except OSError:
                raise BodyRefused("There is no space left to receive this; try again later.", 507) from None
        file.seek(0)
        return repeated(file, receive)


def repeated(file: IO[bytes], receive: Receive) -> Receive:
    """Return a ``receive`` that gives the body in ``file``, and then the connection's further messages."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        piece = file.read(_CHUNK)
        is_given = len(piece) < _CHUNK
        if is_given:
            file.close()
        return {"type": "http.request", "body": piece, "more_body": not is_given}

    return again
