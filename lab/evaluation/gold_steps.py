"""Measure retrieval and reading on gold steps: ``python -m lab.evaluation.gold_steps --data FILE CORPUS …``.

The ceiling for a planner: every step of FILE that names the page which answers it is looked up as a run looks it up.
``recall@k``: a passage of that page is among the first k. ``reading``: the answer that was read covers the gold one.
``auc``: the area under the ROC curve of the Reader's f for telling, among the first ten passages of a step, those that
hold its gold answer. Steps whose page the corpus lacks, or whose ``#k`` no answer fills, are left out and counted.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from tqdm import tqdm

from lab.evaluation.corpora import index_of
from lab.evaluation.metrics import area, cover_em, covers, same_title
from lab.evaluation.summary import interval
from searchain.console import one_line_errors
from searchain.embedded.minilm import embedded_reader
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.reading.lookup import look_up
from searchain.reading.reader import DprReader, Reader
from searchain.retrieval import corpus
from searchain.retrieval.base import Retriever
from searchain.retrieval.indexes import open_index

DEPTH = 10
"""Passages that are read for ``auc``."""
WHAT = 'question; wanted: {"question", "steps": [{"query", "answer", "title"}]}'


@dataclass(frozen=True, slots=True)
class AskedStep:
    """A step that can be searched for: its placeholders are filled."""

    query: str
    answer: str | None
    title: str


def steps_of(record: dict[str, Any]) -> list[AskedStep]:
    """The steps of a record in the form of ``eval``'s questions that name their page and can be asked as they stand."""
    steps = record.get("steps") or []
    asked = []
    for step in steps:
        query = re.sub(r"#(\d+)", lambda found: _answer(steps, int(found[1])), step["query"])
        if step.get("title") and "#" not in query and step.get("search", True):
            asked.append(AskedStep(query, step.get("answer"), step["title"]))
    return asked


def _answer(steps: Sequence[dict[str, Any]], number: int) -> str:
    known = steps[number - 1].get("answer") if 0 < number <= len(steps) else None
    return known or f"#{number}"


@dataclass(frozen=True, slots=True)
class FoundStep:
    """What was found for one step."""

    rank: float
    """Of the first passage of its page; infinite when none is among ``DEPTH``."""
    is_read: bool | None
    """Whether the gold answer was read; ``None`` where there is none."""
    passages: tuple[tuple[float, bool], ...]
    """f of each of the first ``DEPTH`` passages, and whether it holds the gold answer."""


def find(step: AskedStep, retriever: Retriever, reader: Reader, k: int = 5) -> FoundStep:
    """Search and read as a run does, with ``k`` passages; rank and f with ``DEPTH``."""
    hits = retriever.search(step.query, DEPTH)
    ranks = [hit.rank for hit in hits if same_title(hit.passage.title) == same_title(step.title)]
    rank = min(ranks, default=math.inf)
    if not step.answer:
        return FoundStep(rank, None, ())
    reading = look_up(step.query, retriever, reader, k).reading
    readings = reader.read(step.query, [hit.passage for hit in hits])
    return FoundStep(
        rank,
        bool(cover_em(reading.answer if reading else "", [step.answer])),
        tuple(
            (one.confidence, covers(f"{hit.passage.title} {hit.passage.text}", step.answer))
            for hit, one in zip(hits, readings, strict=True)
        ),
    )


def scores(found: Sequence[FoundStep]) -> dict[str, Any]:
    """Means in percent with their 95 % bootstrap intervals over steps; ``auc`` between 0 and 1."""
    columns = {f"recall@{k}": [float(one.rank <= k) for one in found] for k in (1, 5, DEPTH)}
    columns["reading"] = [float(one.is_read) for one in found if one.is_read is not None]
    table: dict[str, Any] = {
        name: {
            "mean": round(100 * float(np.mean(values)), 1),
            "interval": [round(100 * end, 1) for end in interval(values, 0)],
            "n": len(values),
        }
        for name, values in columns.items()
        if values
    }
    passages = [pair for one in found for pair in one.passages]
    holds = [does for _, does in passages]
    if any(holds) and not all(holds):
        table["auc"] = {"value": round(area([f for f, _ in passages], holds), 3), "passages": len(holds)}
    return table


@click.command(help=__doc__)
@click.option(
    "--data",
    type=(click.Path(exists=True, dir_okay=False, path_type=Path), str),
    multiple=True,
    required=True,
    metavar="FILE CORPUS",
    help="Questions with gold steps (.jsonl or .jsonl.gz), and a file of passages or 'default'; may be given "
    "several times.",
)
@one_line_errors()
def main(data: Sequence[tuple[Path, str]]) -> None:
    reader, together = DprReader(embedded_reader()), []
    for file, source in data:
        asked = [step for steps in read_jsonl(file, steps_of, WHAT) for step in steps]
        titles = {same_title(passage.title) for passage in corpus.Reading([source])}
        steps = [step for step in asked if same_title(step.title) in titles]
        if not steps:
            raise UsageError(f"no step of {file.name!r} names a page of {source!r}; name its passages after it")
        retriever = open_index(index_of(source))
        found = [find(step, retriever, reader) for step in tqdm(steps, desc="steps", disable=not sys.stderr.isatty())]
        click.echo(
            json.dumps({"data": file.name, "steps": len(steps), "left out": len(asked) - len(steps), **scores(found)})
        )
        together += found
    if len(data) > 1:
        click.echo(json.dumps({"data": "all", "steps": len(together), **scores(together)}))


if __name__ == "__main__":
    main()
