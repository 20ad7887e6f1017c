"""Replays a stored run, event by event, with the pauses it had."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from storage.log.event_log import StoredEvent

LONGEST_PAUSE = 30.0
"""Seconds: a run that was interrupted ended when somebody noticed, perhaps days later."""


def paced(
    events: Iterable[StoredEvent], speed: float = 1.0, sleep: Callable[[float], object] = time.sleep
) -> Iterator[StoredEvent]:
    """``events`` one after the other, ``speed`` times as fast as they happened; 0 is without any pause."""
    before = None
    for event in events:
        if before is not None and speed:
            pause = min(max((event.time - before).total_seconds(), 0.0), LONGEST_PAUSE) / speed
            if pause:
                sleep(pause)
        before = event.time
        yield event
