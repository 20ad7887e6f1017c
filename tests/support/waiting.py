"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(look: Callable[[], Found], seconds: float = 60.0) -> Found:
    """Look until something is found, or the time is over; return what was found last."""
    end = time.monotonic() + seconds
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return found
