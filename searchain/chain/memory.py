"""Give memory that nobody uses back to the system.

The C library keeps what threads freed, for each of them apart; every run has threads of its own, so that a process that
answers many questions would hold hundreds of megabytes for nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Give free memory back where the C library can: with glibc. Takes a few milliseconds."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL("libc.so.6").malloc_trim
    except (OSError, AttributeError):  # another system, or another C library
        return None
