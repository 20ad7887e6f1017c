"""Follows a run from asynchronous code."""

import asyncio
import threading
from collections.abc import AsyncIterator

from assistant import Assistant
from searchain.events import Event

NEEDS_TOKEN = (
    "a valid token is needed, as in: Authorization: Bearer TOKEN; make one with: python assistant.py user token NAME"
)
IDLE = 15.0
"""Seconds without an event after which ``None`` is yielded as a sign of life."""


async def events(assistant: Assistant, turn: str, owner: str) -> AsyncIterator[Event | None]:
    """Yield the run's events as they come, and ``None`` after every pause of ``IDLE`` seconds.

    A separate thread reads the events, so that waiting runs do not block threads of the server.
    """
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue[Event | BaseException | None]()
    is_left = threading.Event()

    def read() -> None:
        end: BaseException | None = None
        try:
            for stored in assistant.follow(turn, owner=owner):
                if is_left.is_set():
                    return
                loop.call_soon_threadsafe(arrived.put_nowait, stored.event)
        except BaseException as error:  # handed to the request, which answers with it
            end = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(arrived.put_nowait, end)

    threading.Thread(target=read, name=f"api {turn}", daemon=True).start()
    try:
        while True:
            try:
                event = await asyncio.wait_for(arrived.get(), IDLE)
            except TimeoutError:
                yield None
                continue
            if event is None:
                return
            if isinstance(event, BaseException):
                raise event
            yield event
    finally:
        is_left.set()
