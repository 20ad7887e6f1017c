"""Questions with their answers: what ``eval --data`` reads.

    {"id", "question", "answers": [str], "type"?, "steps"?: [{"query", "answer", "title"}], "supporting_titles"?: [str],
     "answerable"?: bool}
    {"id", "question", "answers": [{"text"}], "title"}                the form of the Reader's training data

One JSON object a line, also .gz. Any of ``answers`` is right; further fields are ignored. Questions with ``answerable``
are asked as a user asks them: the task is chosen from the question. Those in the Reader's form are answerable: the
passage that they were made from states the answer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from searchain.errors import UsageError
from searchain.files.jsonl import parse_jsonl, read_text
from searchain.safe_text import without_surrogates
from searchain.types import TaskKind

TASKS = {
    "yesno": TaskKind.YESNO,
    "claim": TaskKind.FACTCHECK,
    "factcheck": TaskKind.FACTCHECK,
    "slots": TaskKind.SLOTS,
    "longform": TaskKind.LONGFORM,
    "long-form": TaskKind.LONGFORM,
}
"""Types of questions that are not multi-hop questions."""
_FORM = 'wanted: {"id", "question", "answers": [str, …]}'


@dataclass(frozen=True, slots=True)
class GoldStep:
    """One step of a gold chain; ``#k`` in a query stands for the answer of step k."""

    query: str
    answer: str | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """One question with everything that is known to be right about it."""

    id: str
    question: str
    answers: tuple[str, ...]
    """Any of them is right; without one, as to a greeting, no short answer is."""
    type: str = ""
    steps: tuple[GoldStep, ...] = ()
    supporting_titles: tuple[str, ...] = ()
    license: str = ""
    answerable: bool | None = None
    """Whether the corpus states an answer; ``None`` where nobody checked."""
    is_left_out: bool = False
    """Whether the search leaves ``supporting_titles`` out, which makes the question unanswerable."""
    has_spans: bool = False
    """Whether its answers are spans of a passage, which may be longer than an answer: "northern Syria"."""

    def __post_init__(self) -> None:
        of_steps = [text or "" for step in self.steps for text in (step.query, step.answer, step.title)]
        check_characters(self.id, self.question, *self.answers, self.type, *of_steps, *self.supporting_titles)

    @property
    def task(self) -> TaskKind | None:
        """What its type says that it asks for; ``None`` where the question decides, as for a user's."""
        return None if self.answerable is not None else TASKS.get(self.type, TaskKind.MULTIHOP)


@dataclass(frozen=True, slots=True)
class Dataset:
    """The examples of one file."""

    name: str
    """Folder and name of the file, then the beginning of its content's SHA-256, as in ``yesno/dev 354810f866bd``."""
    examples: tuple[Example, ...]
    form: str = ""
    """Which official file it is, as ``evaluation.datasets.FORMS`` names it; ``""``: one of ours."""


def read_dataset(path: Path) -> Dataset:
    """The examples of a ``.jsonl`` or ``.jsonl.gz`` file, in order.

    Raises:
        UsageError: the file cannot be read, or a line is not an example; the message names the line.
    """
    text = read_text(path)
    examples: dict[str, Example] = {}

    def add(record: Any) -> None:
        example = _example(record)
        if example.id in examples:
            raise ValueError(f"the id {example.id!r} was there before")
        examples[example.id] = example

    parse_jsonl(text, path.name, add, f"example; {_FORM}")
    if not examples:
        raise UsageError(f"{path.name!r} holds no example; {_FORM}")
    return Dataset(name_of(path, text), tuple(examples.values()))


def check_characters(*texts: str) -> None:
    """Refuse texts that cannot be written to a file.

    Raises:
        ValueError: a text has half of a character, a lone surrogate.
    """
    for text in texts:
        if without_surrogates(text) != text:
            raise ValueError(f"half a character in {text!r}")


def name_of(path: Path, text: str) -> str:
    """Folder and name of a file, and the beginning of the SHA-256 of its ``text``."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{path.resolve().parent.name}/{path.name.partition('.')[0]} {digest}"


def choose(examples: Sequence[Example], limit: int | None, sample: int | None) -> tuple[Example, ...]:
    """The first ``limit`` of them; with a seed ``sample``, so many drawn by it, in their order."""
    if limit is None or limit >= len(examples):
        return tuple(examples)
    if sample is None:
        return tuple(examples[:limit])
    return tuple(examples[place] for place in sorted(Random(sample).sample(range(len(examples)), limit)))


def leave_out(examples: Sequence[Example]) -> tuple[Example, ...]:
    """Make every example that names supporting titles unanswerable: its search is to leave them out.

    Raises:
        UsageError: no example names any.
    """
    if not any(example.supporting_titles for example in examples):
        raise UsageError("no question names supporting titles that could be left out; give data with them")
    return tuple(
        replace(example, answerable=False, is_left_out=True) if example.supporting_titles else example
        for example in examples
    )


def as_steps(examples: Sequence[Example]) -> tuple[Example, ...]:
    """The gold steps of the examples as questions, ``#k`` filled with the answer of step k."""
    asked = []
    for example in examples:
        for number, step in enumerate(example.steps, 1):
            query = step.query
            for place, earlier in enumerate(example.steps[: number - 1], 1):
                query = query.replace(f"#{place}", earlier.answer or f"#{place}")
            if step.answer:
                asked.append(Example(f"{example.id}#{number}", query, (step.answer,), example.type))
    return tuple(asked)


def _example(record: Any) -> Example:
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    id = record.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int) or id == "":
        raise ValueError("no id")
    is_reader_form = isinstance(record.get("title"), str) and "supporting_titles" not in record
    if is_reader_form:
        record = _from_reader_form(record)
    question, answers = record.get("question"), record.get("answers")
    if not isinstance(question, str) or not question.strip():
        raise ValueError("no question")
    if (
        not isinstance(answers, list)
        or (is_reader_form and not answers)
        or not all(isinstance(a, str) and a.strip() for a in answers)
    ):
        raise ValueError("answers must be a list of texts")
    titles, steps = record.get("supporting_titles") or [], record.get("steps") or []
    if not isinstance(titles, list) or not all(isinstance(title, str) for title in titles):
        raise ValueError("supporting_titles must be a list of texts")
    if not isinstance(steps, list) or not all(isinstance(s, dict) and isinstance(s.get("query"), str) for s in steps):
        raise ValueError('steps must be a list of {"query", "answer", "title"}')
    if not all(isinstance(step.get(key), str | None) for step in steps for key in ("answer", "title")):
        raise ValueError("answer and title of a step must be texts")
    answerable = record.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise ValueError("answerable must be true or false")
    return Example(
        id=str(id),
        question=question.strip(),
        answers=tuple(answers),
        type=str(record.get("type") or ""),
        steps=tuple(GoldStep(step["query"], step.get("answer"), step.get("title")) for step in steps),
        supporting_titles=tuple(titles),
        license=str(record.get("license") or ""),
        answerable=answerable,
        has_spans=is_reader_form,
    )


def _from_reader_form(record: dict[str, Any]) -> dict[str, Any]:
    """The record with plain answers, its title as the supporting one."""
    answers = [answer["text"] if isinstance(answer, dict) else answer for answer in record.get("answers") or []]
    return {"answerable": True, **record, "answers": answers, "supporting_titles": [record["title"]]}
