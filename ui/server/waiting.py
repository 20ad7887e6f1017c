"""Long work in threads of its own: few at a time, the others wait in async code, and more than a few are refused."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

import anyio
from starlette.requests import Request

from ui.server.limits import LimitReached

Result = TypeVar("Result")
_AGAIN = 5.0
"""Seconds after which a refused request may be sent again."""


class Line:
    """The line of those who wait for the same few threads.

    Args:
        at_once: the work done at a time.
        longest: the requests at work or waiting, of all together.
        each: those of one owner.
    """

    def __init__(self, at_once: int = 2, longest: int = 16, each: int = 4) -> None:
        self._threads = anyio.CapacityLimiter(at_once)
        self._longest, self._each = longest, each
        self._waiting: Counter[str] = Counter()

    async def run(self, request: Request, owner: str, work: Callable[[threading.Event], Result]) -> Result | None:
        """Return ``work(stop)``; ``None`` if the client left, at which ``stop`` is set.

        Raises:
            LimitReached: too many are waiting.
        """
        if self._waiting.total() >= self._longest or self._waiting[owner] >= self._each:
            raise LimitReached("Too many pages are being shown; try again in a few seconds.", _AGAIN)
        stop, results = threading.Event(), list[Result]()

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            stop.set()
            group.cancel_scope.cancel()

        self._waiting[owner] += 1
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                results.append(await anyio.to_thread.run_sync(work, stop, limiter=self._threads))
                group.cancel_scope.cancel()
        finally:
            stop.set()
            self._waiting[owner] -= 1
            self._waiting = +self._waiting
        return results[0] if results else None
