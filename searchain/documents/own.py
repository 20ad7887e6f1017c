"""An own document as a file, for questions about the whole of it."""

from collections.abc import Callable
from dataclasses import dataclass

from searchain.documents.parsed import ParsedDocument


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What is known of a searched document beyond its passages."""

    id: str
    name: str
    pages: int | None
    added: str
    """The day (YYYY-MM-DD) on which this version was added."""
    read: Callable[[], ParsedDocument | None]
    """Reads its text; ``None`` if that is not there."""
