"""Read the day on which a file was changed, as files state it."""

from __future__ import annotations

from datetime import date


def day_of(stated: str) -> str | None:
    """Return the day in a date of a PDF or of ISO 8601; ``None`` without one.

    >>> day_of("D:20240503120000+02'00'"), day_of("2024-05-03T10:00:00Z"), day_of("3 May")
    ('2024-05-03', '2024-05-03', None)
    """
    digits = stated.strip().removeprefix("D:").replace("-", "")[:8]
    try:
        return date.fromisoformat(digits).isoformat() if len(digits) == 8 else None
    except ValueError:
        return None
