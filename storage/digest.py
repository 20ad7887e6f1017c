"""The digest of an event's row. It differs if the row was changed in any other way than by ``redact``."""

import hashlib


def digest(turn: str, seq: int, time: str, payload: str) -> str:
    """Hash the row to 32 hexadecimal digits. Stored rows carry this hash, so changing it needs a migration."""
    parts = "\n".join((turn, str(seq), time, payload))
    return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()
