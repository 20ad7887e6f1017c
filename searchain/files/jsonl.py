"""Read files that hold one JSON value per line."""

import gzip
import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from searchain.errors import UsageError

T = TypeVar("T")
MAX_TEXT = 1_000_000_000
"""Most bytes of an unpacked file, which is read into memory at once."""


def read_jsonl(path: Path, parse: Callable[[Any], T], what: str) -> list[T]:
    """Read a ``.jsonl`` or ``.jsonl.gz`` file, and ``parse`` the value of every line that is not blank.

    ``what``: a name of what a line holds, then the form that it has, as in ``claim; wanted: {"text"}``. Raises
    ``UsageError`` if the file cannot be read, or ``parse`` fails; the message names the line.
    """
    return parse_jsonl(read_text(path), path.name, parse, what)


def read_text(path: Path) -> str:
    """Read a whole text file, compressed if its name ends with ``.gz``. Raises ``UsageError`` if it cannot be read."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            content = file.read(MAX_TEXT + 1)
        if len(content) > MAX_TEXT:
            raise UsageError(f"{str(path)!r} unpacks to more than {MAX_TEXT:,} bytes; split it")
        return content.decode("utf-8-sig")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UsageError(f"{str(path)!r} cannot be read ({error}); give a .jsonl or .jsonl.gz file") from error


def parse_jsonl(text: str, name: str, parse: Callable[[Any], T], what: str) -> list[T]:
    """Do as ``read_jsonl`` with the ``text`` of the file ``name``."""
    noun, _, form = what.partition("; ")
    found = []
    for number, line in enumerate(io.StringIO(text), 1):  # U+2028 and its like end no line
        if not line.strip():
            continue
        try:
            found.append(parse(json.loads(line)))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            reason = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
            raise UsageError(f"line {number} of {name!r} is no {noun} ({reason}); {form}") from error
    return found
