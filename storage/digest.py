"""The digest of an event's row: whether it is still as it was written, or as ``redact`` left it."""

from __future__ import annotations

import hashlib


def digest(turn: str, seq: int, time: str, payload: str) -> str:
    """32 hexadecimal digits. Stored rows carry it, so another way to compute it needs a migration."""
    parts = "\n".join((turn, str(seq), time, payload))
    return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()
