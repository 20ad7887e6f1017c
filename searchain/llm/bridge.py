"""From asynchronous iterators to synchronous ones: the only place that knows both worlds.

A blocking read cannot be ended from another thread; a task can, in each of its phases (resolving, connecting, waiting
for the head, reading, pausing before a retry). So network streams run in one background event loop, and readers take
from a queue.
"""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from typing import Any, TypeVar

from searchain.cancel import CancelToken

T = TypeVar("T")


_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def loop() -> asyncio.AbstractEventLoop:
    """The process's one background event loop, started at first use.

    Two would share connections, which belong to the loop that opened them.
    """
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="searchain-llm", daemon=True).start()
        return _loop


def iterate(
    stream: Callable[[], AsyncIterator[T]], cancel: CancelToken, *, notice: T, after: float
) -> Generator[T, None, None]:
    """The items of ``stream()`` as they come. Closing the iterator or setting ``cancel`` cancels the stream at once.

    Where none comes for ``after`` seconds, ``notice`` does. Raises ``Cancelled`` if ``cancel`` was set, and whatever
    the stream raises.
    """
    inbox: queue.SimpleQueue[list[T]] = queue.SimpleQueue()

    async def fill() -> None:
        late = loop().call_later(after, inbox.put, [notice])
        try:
            async for item in stream():
                late.cancel()
                inbox.put([item])
        finally:
            late.cancel()

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
