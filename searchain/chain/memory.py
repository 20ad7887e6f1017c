"""Return unused memory to the operating system, and leave alone what stays.

The C library keeps the memory that a thread freed. Each run has threads of its own, so a process that answers many
questions would keep hundreds of megabytes that it does not use.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager

ARENAS = 2
"""The number of malloc arenas, from which threads get memory. The default is 8 per core, and each keeps unused memory.
With two a process that had answered 20 questions held 1,006 instead of 1,123 MB."""
_M_ARENA_MAX = -8  # of <malloc.h>


def share_arenas() -> None:
    """Limit the malloc arenas of all threads, if the C library is glibc. Call it before threads begin."""
    try:
        ctypes.CDLL("libc.so.6").mallopt(_M_ARENA_MAX, ARENAS)
    except (OSError, AttributeError):  # another system, or another C library
        return


def give_back() -> None:
    """Return free memory to the system, if the C library is glibc. Takes a few milliseconds."""
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):  # another system, or another C library
        return


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn garbage collection off in the block, in all threads.

    Else it takes a seventh of the time in which libraries are imported.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def keep_loaded() -> None:
    """Collect garbage once, and leave what stays, such as modules and models, out of later collections.

    A full collection that looks at all that was loaded stops every thread for half a second.
    """
    gc.collect()
    gc.freeze()
