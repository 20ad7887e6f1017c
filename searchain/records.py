"""Questions with a passage and its answers: the data that a Reader is trained, scored and calibrated on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from searchain.errors import UsageError
from searchain.types import Passage, Span


@dataclass(frozen=True, slots=True)
class Record:
    """``passage.text[span.start:span.end]`` of every span answers ``question``; without spans the passage does not."""

    question: str
    passage: Passage
    spans: tuple[Span, ...]
    license: str = ""

    @property
    def answers(self) -> tuple[str, ...]:
        return tuple(self.passage.text[span.start : span.end] for span in self.spans)


def read_records(path: Path) -> list[Record]:
    """The records of a ``.jsonl`` or ``.jsonl.gz`` file, one JSON object a line:

        {"id", "question", "title", "text", "answers": [{"text", "start"}], "license"}

    ``start`` counts characters; an empty ``answers`` says that the passage does not answer the question.

    Raises:
        UsageError: the file cannot be read, or a line has another form; the message names the line.
    """
    records = []
    for number, line in _lines(path):
        try:
            records.append(_record(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"line {number} of {path.name!r} is no reader record ({type(error).__name__}: {error}); "
                'wanted: {"question", "title", "text", "answers": [{"text", "start"}]}'
            ) from error
    return records


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(f"{str(path)!r} cannot be read ({error}); give a .jsonl or .jsonl.gz file") from error


def _record(line: dict[str, Any]) -> Record:
    text = line["text"]
    spans = tuple(Span(answer["start"], answer["start"] + len(answer["text"])) for answer in line["answers"])
    for span, answer in zip(spans, line["answers"], strict=True):
        if not answer["text"] or text[span.start : span.end] != answer["text"]:
            raise ValueError(f"answer {answer['text']!r} does not stand at {span.start}")
    passage = Passage(str(line.get("id", "")), line["title"], text)
    return Record(line["question"], passage, spans, line.get("license", ""))
