"""Return unused memory to the operating system, and leave alone what stays.

The C library keeps the memory that a thread freed. Each run has threads of its own, so a process that answers many
questions would keep hundreds of megabytes that it does not use.
"""

import ctypes
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

ARENAS = 2
"""The number of malloc arenas, from which threads get memory. The default is 8 per core, and each keeps unused memory.
With two a process that had answered 20 questions held 1,006 instead of 1,123 MB."""
_M_ARENA_MAX = -8  # of <malloc.h>


def share_arenas() -> None:
    """Limit the malloc arenas of all threads, if the C library is glibc. Call it before threads begin."""
    if limit := _of_glibc("mallopt"):
        limit(_M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Return free memory to the system, if the C library is glibc. Takes a few milliseconds."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


@cache
def _of_glibc(name: str) -> Callable[..., int] | None:
    """Return a function of the C library; ``None`` if it is another library, or another system."""
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL("libc.so.6"), name)
    except (OSError, AttributeError):
        return None
    return found


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
