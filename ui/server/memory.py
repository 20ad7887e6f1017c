"""How much memory the server's process keeps for threads that are gone."""

from __future__ import annotations

import ctypes
import platform

_M_ARENA_MAX = -8  # of glibc's <malloc.h>
_ARENAS = 2


def share_arenas() -> bool:
    """Let all threads take memory from two arenas; returns whether the C library knows of arenas at all.

    Every run has threads of its own. glibc gives new threads arenas of their own, eight for each core, and each keeps
    what the largest search or reading in it took.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS))
