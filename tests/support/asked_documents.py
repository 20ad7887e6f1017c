"""The documents that the fixed set of questions is about: of every kind that is read, and all of it invented.

Their words stand in ``tests/data/asked-documents.json``, the questions in ``lab.benchmarks/own-questions.jsonl``.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.written_files import Section, Written, web_archive_of, zip_of

DATA = Path(__file__).parents[1] / "data" / "asked-documents.json"


def files() -> dict[str, bytes]:
    """The files as they are dropped, by name; two of them hold others."""
    groups = json.loads(DATA.read_text(encoding="utf-8"))
    alone, letters, museum = (
        [written(one) for one in groups[name]] for name in ("files", "estate.zip", "museum.warc.gz")
    )
    found = {one.name: one.content for one in alone}
    return found | {"estate.zip": zip_of(letters), "museum.warc.gz": web_archive_of("salt.example", museum)}


def written(values: dict[str, Any]) -> Written:
    """The document that these values of JSON describe."""
    sections: Iterator[dict[str, Any]] = (
        {name: value if name == "heading" else tuple(value) for name, value in section.items()}
        for section in values["sections"]
    )
    return Written(**(values | {"sections": tuple(Section(**section) for section in sections)}))
