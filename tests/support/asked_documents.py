"""The documents that the fixed set of questions is about: of every kind that is read, and all of it invented.

Their words stand in ``tests/data/asked-documents.json``, the questions in ``lab.benchmarks/own-questions.jsonl``.
"""

from collections.abc import Iterator
from typing import Any

from tests.support.hostile_files import packed
from tests.support.json_lines import kept
from tests.support.written_files import Section, Written, web_archive


def files() -> dict[str, bytes]:
    """The files as they are dropped, by name; two of them hold others."""
    groups = kept("asked-documents.json")
    alone, letters, museum = (
        [written(one) for one in groups[name]] for name in ("files", "estate.zip", "museum.warc.gz")
    )
    found = {one.name: one.content for one in alone}
    media = "text/html; charset=utf-8"
    pages = ((f"http://salt.example/{one.name}", media, one.content, "200 OK") for one in museum)
    estate = packed({one.name: one.content for one in letters})
    return found | {"estate.zip": estate, "museum.warc.gz": web_archive(*pages)}


def written(values: dict[str, Any]) -> Written:
    """The document that these values of JSON describe."""
    sections: Iterator[dict[str, Any]] = (
        {name: value if name == "heading" else tuple(value) for name, value in section.items()}
        for section in values["sections"]
    )
    return Written(**(values | {"sections": tuple(Section(**section) for section in sections)}))
