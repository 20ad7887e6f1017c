"""The limits on the resources that one file may use. A file beyond them is refused with a sentence."""

from searchain.errors import DocumentRefused

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


def too_large(size: int) -> DocumentRefused:
    """Return the refusal of a file of more than ``MAX_BYTES``."""
    return DocumentRefused(
        "too_large", f"The file has {size / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read."
    )
