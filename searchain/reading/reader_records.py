"""Records of a question, a passage and its answers, on which a Reader is trained, scored and calibrated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from searchain.files.jsonl import read_jsonl
from searchain.types import Passage, Span


@dataclass(frozen=True, slots=True)
class Record:
    """A question and a passage with the spans of its answers; without spans the passage does not answer it."""

    question: str
    passage: Passage
    spans: tuple[Span, ...]
    license: str = ""

    @property
    def answers(self) -> tuple[str, ...]:
        return tuple(self.passage.text[span.start : span.end] for span in self.spans)


def read_records(path: Path) -> list[Record]:
    """Read the records of a ``.jsonl`` or ``.jsonl.gz`` file, one JSON object per line:

        {"id", "question", "title", "text", "answers": [{"text", "start"}], "license"}

    ``start`` counts characters; an empty ``answers`` says that the passage does not answer the question.

    Raises:
        UsageError: the file cannot be read, or a line has another form; the message names the line.
    """
    return read_jsonl(
        path, _record, 'reader record; wanted: {"question", "title", "text", "answers": [{"text", "start"}]}'
    )


def _record(line: dict[str, Any]) -> Record:
    text = line["text"]
    spans = tuple(Span(answer["start"], answer["start"] + len(answer["text"])) for answer in line["answers"])
    for span, answer in zip(spans, line["answers"], strict=True):
        if not answer["text"] or text[span.start : span.end] != answer["text"]:
            raise ValueError(f"answer {answer['text']!r} does not stand at {span.start}")
    passage = Passage(str(line.get("id", "")), line["title"], text)
    return Record(line["question"], passage, spans, line.get("license", ""))
