"""The files of a folder, a zip or a web archive, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from searchain.errors import DocumentRefused


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file to parse."""

    name: str
    """The name with the folders that it stands in, for people and for ``parse_file``; never a path to open."""
    path: Path
    """Where its bytes are. Of a file in a zip or a web archive: until the next one is asked for."""
    url: str | None = None
    """Where a web archive got it."""
    refused: DocumentRefused | None = None
    """Why it is not to be parsed; ``path`` is then the archive."""


def files_in(path: Path, name: str | None = None) -> Iterator[FoundFile]:
    """Find the files of a folder, a zip or a web archive, in order of their names; any other file is the only one.

    Hidden files and links are left out. What no parser can read comes with ``refused``.

    Args:
        name: what people call the file at ``path``; default: its own name.

    Raises:
        DocumentRefused: the zip or web archive as a whole cannot be opened.
    """
    raise NotImplementedError
