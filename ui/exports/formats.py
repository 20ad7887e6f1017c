"""Exports: finished turns → the text of a file, piece by piece, so that any number of turns takes little memory.

Each format is a function ``write(records) -> Iterator[str]`` in a module of its own, over records that come by
conversation and position. Questions, model text and passages are untrusted: each format escapes for its target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module

from storage.history.finished_turns import Record

Write = Callable[[Iterable[Record]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Format:
    module: str
    suffix: str
    media_type: str
    about: str

    def write(self, records: Iterable[Record]) -> Iterator[str]:
        """The pieces of the file. Raises ``StorageError`` when a turn cannot be read."""
        return import_module(f"ui.exports.{self.module}").write(records)


FORMATS = {
    "jsonl": Format("jsonl", ".jsonl", "application/x-ndjson", "lossless, every event of every turn; can be imported"),
    "openai": Format("chat", ".openai.jsonl", "application/x-ndjson", "one conversation per line, as OpenAI messages"),
    "csv": Format("table", ".csv", "text/csv", "one row per sentence and citation"),
    "markdown": Format("markdown", ".md", "text/markdown", "replies with footnotes and quoted passages"),
    "html": Format("page", ".html", "text/html", "one self-contained page to read"),
    "alce": Format("alce", ".alce.json", "application/json", "what the ALCE evaluation reads"),
    "label-studio": Format("label_studio", ".label-studio.json", "application/json", "tasks for blind annotation"),
}
