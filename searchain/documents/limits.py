"""The limits on the resources that one file may use. A file beyond them is refused with a sentence."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

MAX_BYTES = 50_000_000
"""Most bytes of one file."""
MEMORY = 1 << 30
"""Bytes of address space of a child process."""
CPU_SECONDS = 60
WALL_SECONDS = 300
"""Most seconds of wall time: longer than the CPU limit, since the machine may be busy."""
IDLE_SECONDS = 60
"""Seconds after which a process that waits for the next file ends."""
MAX_OUTPUT = 64_000_000
"""Bytes that a child process may write into one file."""
MAX_UNPACKED = 200_000_000
"""Bytes that all entries of a zip may have together."""
MAX_ENTRIES = 10_000
MAX_RATIO = 200
"""The greatest compression ratio of a zip with more than ``RATIO_FROM`` unpacked bytes."""
RATIO_FROM = 10_000_000
_PR_SET_PDEATHSIG = 1  # prctl(2)


def die_with_parent(parent: int) -> None:
    """Let the system end this process when its parent, the process ``parent``, ends. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before this call
            os._exit(1)
