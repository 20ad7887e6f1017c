"""Files of JSON lines, and the JSON below ``tests/data``."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"


def write_lines(path: Path, records: Iterable[object]) -> Path:
    """Write each record as a line, packed where the name says so; a text is a line as it stands."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def kept(name: str) -> Any:
    """Read the file of JSON ``name`` below ``tests/data``."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))
