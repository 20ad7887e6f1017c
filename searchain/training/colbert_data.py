"""Training data for late interaction: questions with the passages that answer them, and near misses from a search."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from searchain.errors import UsageError
from searchain.records import Record
from searchain.retrieval.base import Retriever
from searchain.types import Passage

OWN = Path(__file__).parent / "data" / "questions.jsonl.gz"
"""Questions over passages, in the reader format."""
PLANS = Path(__file__).parent / "data" / "plans.jsonl.gz"
"""Whole questions with their steps; a step of the embedded corpus names its page."""
DEPTH = 10
"""Hits among which near misses are looked for."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question; ``positives`` answer it, each a step at least; ``negatives`` are near and hold no answer."""

    question: str
    positives: tuple[Passage, ...]
    answers: tuple[str, ...]
    negatives: tuple[Passage, ...] = ()

    def is_answered_by(self, passage: Passage) -> bool:
        """Whether ``passage`` may not count as a negative: it holds an answer, or has the title of a positive."""
        text = f"{passage.title} {passage.text}".casefold()
        return any(answer.casefold() in text for answer in self.answers) or any(
            passage.title == positive.title for positive in self.positives
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """``questions`` [Q] against ``passages`` [P]. ``positive`` [Q, P]: the passage answers the question;
    ``negative`` [Q, P]: it does not. What is neither (it may answer it) takes no part."""

    questions: tuple[str, ...]
    passages: tuple[Passage, ...]
    positive: np.ndarray
    negative: np.ndarray


def from_records(records: Iterable[Record]) -> list[Example]:
    """The answerable ones of ``records``."""
    return [Example(record.question, (record.passage,), record.answers) for record in records if record.spans]


def from_plans(file: Path, pages: Mapping[str, Passage]) -> list[Example]:
    """The whole questions of ``file`` whose steps all name one of ``pages`` (by title), with the steps' answers."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        plans = [json.loads(line) for line in lines]
    found = []
    for plan in plans:
        titles = dict.fromkeys(step.get("title") for step in plan["steps"])
        if titles and all(title in pages for title in titles):
            found.append(
                Example(
                    plan["question"],
                    tuple(pages[title] for title in titles),
                    tuple(step["answer"] for step in plan["steps"] if step["answer"]),
                )
            )
    return found


def hold_back(examples: Sequence[Example], count: int, rng: random.Random) -> tuple[list[Example], list[Example]]:
    """(``count`` of them, one of a page each; those of other pages); both in random order."""
    mixed = rng.sample(examples, len(examples))
    held = list({example.positives[0].title: example for example in mixed}.values())[:count]
    return held, without(mixed, held)


def without(examples: Iterable[Example], held: Sequence[Example]) -> list[Example]:
    """Those of other pages than ``held``."""
    titles = {passage.title for example in held for passage in example.positives}
    return [example for example in examples if not any(passage.title in titles for passage in example.positives)]


def with_negatives(example: Example, retriever: Retriever, count: int) -> Example:
    """The example with the ``count`` nearest passages that do not answer it."""
    hits = retriever.search(example.question, DEPTH)
    misses = [hit.passage for hit in hits if not example.is_answered_by(hit.passage)]
    return replace(example, negatives=tuple(misses[:count]))


def batches(examples: Sequence[Example], *, size: int, negatives: int, seed: int) -> Iterator[Batch]:
    """All examples once, in random order, ``size`` a batch, each with ``negatives`` of its near misses. The same seed
    gives the same batches."""
    rng = random.Random(seed)
    order = rng.sample(examples, len(examples))
    for start in range(0, len(order), size):
        yield _batch(order[start : start + size], negatives, rng)


def _batch(examples: Sequence[Example], negatives: int, rng: random.Random) -> Batch:
    passages = list(
        dict.fromkeys(
            passage
            for example in examples
            for passage in (*example.positives, *rng.sample(example.negatives, min(negatives, len(example.negatives))))
        )
    )
    positive = np.array([[passage in example.positives for passage in passages] for example in examples])
    negative = np.array([[not example.is_answered_by(passage) for passage in passages] for example in examples])
    return Batch(tuple(example.question for example in examples), tuple(passages), positive, negative & ~positive)


def stored(file: Path, settings: Mapping[str, Any], make: Callable[[], list[Example]]) -> list[Example]:
    """The examples in ``file``; it is written first, with ``settings``, unless it is there.

    Raises:
        UsageError: it was made with other settings.
    """
    if not file.is_file():
        draft = file.with_suffix(".draft")
        with gzip.open(draft, "wt", encoding="utf-8") as lines:
            for line in (dict(settings), *map(asdict, make())):
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        draft.replace(file)
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        if json.loads(next(lines)) != settings:
            raise UsageError(f"{str(file)!r} belongs to other settings; give another --out or remove it")
        return [_example(json.loads(line)) for line in lines]


def _example(line: dict[str, Any]) -> Example:
    positives, negatives = (tuple(Passage(**passage) for passage in line[name]) for name in ("positives", "negatives"))
    return Example(line["question"], positives, tuple(line["answers"]), negatives)
