"""Find a Reader's thresholds: the relevance logits f above which a passage is taken to answer its query.

A record holds a question, a passage and its answers; on such records a Reader is trained, scored and calibrated.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.reading.thresholds import Thresholds
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


STEP = 0.1
"""The step of the search; Xu et al. 2024, section 4.1.3: from 1.0, step 0.1, the threshold with the greatest F1."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible threshold and its scores on the calibration data, as shares between 0 and 1."""

    threshold: float
    precision: float
    """The share of the passages with f above the threshold that answer."""
    recall: float
    """The share of the passages that answer that have f above the threshold."""
    f1: float
    refusal: float
    """The share of the passages with f at or below the threshold that do not answer; 1 without such passages."""


@dataclass(frozen=True, slots=True)
class Calibration:
    candidates: tuple[Candidate, ...]
    thresholds: Thresholds


def calibrate(confidences: Sequence[float], answerable: Sequence[bool], *, start: float, refusal: float) -> Calibration:
    """Find θ as the paper does, and a floor.

    θ is the candidate (``start``, ``start`` + 0.1, … up to the greatest f) with the greatest F1 of "can this passage
    answer the query". The floor is the greatest candidate up to θ below which "no answer" is right for a share of at
    least ``refusal``; without such a candidate it is the least f in the data, so that nothing is refused.

    Raises:
        UsageError: one of the two kinds of passages is missing, or no f lies above ``start``.
    """
    f, answers = np.asarray(confidences, dtype=np.float64), np.asarray(answerable, dtype=bool)
    if not answers.any() or answers.all():
        raise UsageError("the calibration data needs passages that answer their question and passages that do not")
    if start >= f.max():
        raise UsageError(f"the search starts at {start}, but the greatest confidence is {f.max():.2f}; start lower")
    count = int(np.floor((f.max() - start) / STEP)) + 1
    candidates = tuple(_candidate(f, answers, round(start + STEP * number, 6)) for number in range(count))
    best = max(candidates, key=lambda candidate: candidate.f1)
    least = min(float(f.min()), best.threshold)
    floors = [
        candidate.threshold
        for candidate in candidates
        if least <= candidate.threshold <= best.threshold and candidate.refusal >= refusal
    ]
    return Calibration(candidates, Thresholds(best.threshold, max(floors, default=least)))


def _candidate(f: np.ndarray, answers: np.ndarray, threshold: float) -> Candidate:
    above = f > threshold
    hits = int((above & answers).sum())
    precision, recall = hits / max(1, int(above.sum())), hits / int(answers.sum())
    below = ~above
    return Candidate(
        threshold,
        precision,
        recall,
        2 * hits / max(1, int(above.sum() + answers.sum())),
        float((~answers[below]).mean()) if below.any() else 1.0,
    )


def store_thresholds(directory: Path, values: Thresholds) -> None:
    """Write ``values`` beside the Reader in ``directory``, all or nothing."""
    with write_whole(Path(directory) / "thresholds.json") as draft:
        draft.write_text(json.dumps({"theta": values.theta, "floor": values.floor}, indent=2) + "\n", encoding="utf-8")
