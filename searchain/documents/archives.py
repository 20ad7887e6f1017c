"""Find the files of a folder, a zip or a web archive, one after the other."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from searchain.documents.kinds import ARCHIVES, kind_of_name, unknown
from searchain.documents.sandbox import run_child
from searchain.errors import DocumentRefused


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file to parse."""

    name: str
    """The name with its folders, for people and for ``parse_file``; never a path to open."""
    path: Path
    """The file with its bytes. A file from a zip or a web archive exists until the next one is requested."""
    url: str | None = None
    """The URL from which a web archive got it."""
    refused: DocumentRefused | None = None
    """The reason not to parse it; ``path`` is then the archive."""


def files_in(path: Path, name: str | None = None) -> Iterator[FoundFile]:
    """Find the files of a folder, a zip or a web archive, in order of their names; any other file is the only one.

    Hidden files and links are left out. A file that no parser can read comes with ``refused``. An archive in a folder
    is opened; its name comes before the names of its files.

    Args:
        name: the name of the file for people; default: that of ``path``.

    Yields:
        Files as they are found. An archive that cannot be opened as a whole comes as one refused file.
    """
    name = name or path.name
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            relative = inner.relative_to(path)
            if any(part.startswith(".") for part in relative.parts) or inner.is_symlink() or not inner.is_file():
                continue
            yield from files_in(inner, relative.as_posix())
        return
    kind = kind_of_name(name)
    if kind in ARCHIVES:
        try:
            yield from _packed(path, name, kind)
        except DocumentRefused as refusal:
            yield FoundFile(name, path, refused=refusal)
    else:
        yield FoundFile(name, path, refused=None if kind else unknown(name))


def _packed(path: Path, name: str, kind: str) -> Iterator[FoundFile]:
    with tempfile.TemporaryDirectory(prefix="searchain-unpacked-") as folder:
        for entry in json.loads(run_child(path, {"do": "unpack", "kind": kind}, folder=Path(folder))):
            inner = entry["name"] if kind == "warc" else f"{name}/{entry['name']}"
            if entry["number"] is None:
                yield FoundFile(inner, path, entry["url"], DocumentRefused(entry["state"], entry["reason"]))
            else:
                file = Path(folder) / str(entry["number"])
                yield FoundFile(inner, file, entry["url"])
                file.unlink(missing_ok=True)
