"""From asynchronous iterators to synchronous ones: the only place that knows both worlds.

A blocking read cannot be ended from another thread; a task can, in each of its phases (resolving, connecting, waiting
for the head, reading, pausing before a retry). So network streams run in one background event loop, and readers take
from a queue.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from typing import Any, TypeVar

from searchain.cancel import CancelToken

T = TypeVar("T")


_TICK = 0.25
_LATE = 0.5
"""Seconds that the loop comes too late to a timer, from which on the process is called busy."""


class _Background:
    """An event loop in a thread of its own, which notices when the process leaves it no time."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.last_late = float("-inf")
        """When the loop last came late, on the monotonic clock."""
        threading.Thread(target=self.loop.run_forever, name="searchain-llm", daemon=True).start()
        self._watching = asyncio.run_coroutine_threadsafe(self._watch(), self.loop)

    async def _watch(self) -> None:
        while True:
            due = time.monotonic() + _TICK
            await asyncio.sleep(_TICK)
            if time.monotonic() - due > _LATE:
                self.last_late = time.monotonic()


_lock = threading.Lock()
_background: _Background | None = None


def _made() -> _Background:
    """The process's one background loop. Two would share connections, which belong to the loop that opened them."""
    global _background
    with _lock:
        if _background is None:
            _background = _Background()
        return _background


def loop() -> asyncio.AbstractEventLoop:
    """The process's background event loop, started at first use."""
    return _made().loop


def was_busy(since: float) -> bool:
    """Whether the loop came late after the moment ``since`` of the monotonic clock: timers may have fired in vain."""
    background = _made()
    return background.last_late >= since


def iterate(stream: Callable[[], AsyncIterator[T]], cancel: CancelToken) -> Generator[T, None, None]:
    """The items of ``stream()`` as they come. Closing the iterator or setting ``cancel`` cancels the stream at once.

    Raises:
        Cancelled: ``cancel`` was set.
        Exception: whatever the stream raises.
    """
    inbox: queue.SimpleQueue[list[T]] = queue.SimpleQueue()

    async def fill() -> None:
        async for item in stream():
            inbox.put([item])

    cancel.check()
    future = _submit(fill())
    future.add_done_callback(lambda _: inbox.put([]))
    with cancel.on_set(future.cancel):
        try:
            while items := inbox.get():
                cancel.check()
                yield from items
        finally:
            future.cancel()
    cancel.check()
    future.result()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """The coroutine's result."""
    return _submit(coroutine).result()


def _submit(coroutine: Coroutine[Any, Any, T]) -> Any:
    return asyncio.run_coroutine_threadsafe(coroutine, loop())
