"""What a ColBERT adapter does to retrieval: ``python -m searchain.training.colbert_scores --adapter FILE …``.

Questions (or, with ``--steps``, the gold steps) of FILE are searched through PLAID indexes of the same passages, made
with the untrained and with the trained checkpoint; wanted are the passages with the supporting titles.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from tqdm import tqdm

from searchain.console import one_line_errors
from searchain.evaluation.examples import Example, read_dataset
from searchain.evaluation.metrics import same_title
from searchain.evaluation.summary import interval
from searchain.retrieval import checkpoint, corpus, indexes
from searchain.retrieval.base import Retriever
from searchain.types import Passage

DEPTH = 10
"""Hits that are looked at."""
MEASURES = ("recall@1", "recall@5", "recall@10", "mrr@10")


@dataclass(frozen=True, slots=True)
class Case:
    """A query; of each group of ``wanted`` (ids of passages) one should be found."""

    query: str
    wanted: tuple[frozenset[str], ...]


def compare(cases: Sequence[Case], sources: Sequence[str | Path], adapter: Path) -> dict[str, Any]:
    """The mean scores over ``cases`` of the ``untrained`` and the ``trained`` checkpoint over the passages of
    ``sources``, and of their ``difference`` the 95 % bootstrap interval over the cases; all in percent."""
    untrained, trained = (
        scores(indexes.open_index(_index(sources, directory)), cases)
        for directory in (checkpoint.made(None), checkpoint.made(adapter))
    )
    differences = {name: trained[:, place] - untrained[:, place] for place, name in enumerate(MEASURES)}
    return {
        "questions": len(cases),
        "untrained": _percent(untrained),
        "trained": _percent(trained),
        "difference": {
            name: [round(100 * value, 2) for value in (float(values.mean()), *interval(values, 0))]
            for name, values in differences.items()
        },
    }


def scores(retriever: Retriever, cases: Sequence[Case]) -> np.ndarray:
    """``MEASURES`` of each case, 0 to 1: [cases, 4]. Recall@k is the share of the groups found among the first k, MRR
    the reciprocal rank of the first passage of any."""
    rows = []
    for case in tqdm(cases, desc="searching", disable=not sys.stderr.isatty()):
        ids = [hit.passage.id for hit in retriever.search(case.query, DEPTH)]
        recall = [np.mean([not group.isdisjoint(ids[:k]) for group in case.wanted]) for k in (1, 5, DEPTH)]
        first = next((rank for rank, id in enumerate(ids, 1) if any(id in group for group in case.wanted)), np.inf)
        rows.append([*recall, 1 / first])
    return np.array(rows)


def cases_of(examples: Sequence[Example], passages: Sequence[Passage], *, steps: bool) -> list[Case]:
    """The questions with their supporting titles, or each gold step (its placeholders filled) with its title, where
    ``passages`` hold them all."""
    pages: dict[str, set[str]] = {}
    for passage in passages:
        pages.setdefault(same_title(passage.title), set()).add(passage.id)
    asked = [pair for example in examples for pair in (_steps(example) if steps else _question(example))]
    found = [(query, [pages.get(same_title(title)) for title in titles]) for query, titles in asked]
    return [Case(query, tuple(map(frozenset, groups))) for query, groups in found if groups and all(groups)]


def _question(example: Example) -> Iterator[tuple[str, Sequence[str]]]:
    yield example.question, example.supporting_titles


def _steps(example: Example) -> Iterator[tuple[str, Sequence[str]]]:
    for step in example.steps:
        if step.title:
            query = re.sub(r"#(\d+)", lambda match: example.steps[int(match[1]) - 1].answer or "", step.query)
            yield query, [step.title]


def _index(sources: Sequence[str | Path], directory: Path) -> str:
    digest = hashlib.sha256(checkpoint.fingerprint(directory).encode())
    digest.update(corpus.read(sources).hash.encode())
    return indexes.build_index(f"colbert-{digest.hexdigest()[:12]}", sources, checkpoint=str(directory)).index.name


def _percent(values: np.ndarray) -> dict[str, float]:
    return {name: round(100 * float(mean), 2) for name, mean in zip(MEASURES, values.mean(axis=0), strict=True)}


@click.command(help=__doc__)
@click.option(
    "--adapter",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=checkpoint.ADAPTER,
    show_default="the committed one",
)
@click.option(
    "--questions",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="Questions in the form that eval reads.",
)
@click.option("--corpus", "source", default=corpus.DEFAULT, show_default=True, help="Passages to search.")
@click.option("--steps", is_flag=True, help="Search the gold steps instead of the questions.")
@one_line_errors()
def main(adapter: Path, questions: Path, source: str, steps: bool) -> None:
    cases = cases_of(read_dataset(questions).examples, corpus.read([source]).passages, steps=steps)
    click.echo(json.dumps(compare(cases, [source], adapter)))


if __name__ == "__main__":
    main()
