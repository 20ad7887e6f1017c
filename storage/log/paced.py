"""Replay of a stored run with its original pauses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from storage.log.event_log import StoredEvent

LONGEST_PAUSE = 30.0
"""The longest pause in seconds. An interrupted run may have been ended days later, when another process noticed it."""


def paced(
    events: Iterable[StoredEvent], speed: float = 1.0, sleep: Callable[[float], object] = time.sleep
) -> Iterator[StoredEvent]:
    """Yield ``events`` one after the other, ``speed`` times as fast as they happened; with 0 without pauses."""
    before = None
    for event in events:
        if before is not None and speed:
            pause = min(max((event.time - before).total_seconds(), 0.0), LONGEST_PAUSE) / speed
            if pause:
                sleep(pause)
        before = event.time
        yield event
