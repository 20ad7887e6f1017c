"""Give the tables of the paper their parts: runs, cells, and figures over the lines of answers.

A cell holds the paper's figure and ours with its 95 % interval; what is missing on a side is ``None``, never 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from lab.evaluation.summary import Line, interval
from lab.systems.base import SYSTEMS

MULTIHOP = ("hotpotqa", "musique", "2wiki", "strategyqa")
DATASETS = (*MULTIHOP, "zsre", "trex", "fever", "eli5", "vital")
"""The columns; ``vital`` are our own questions, which the paper does not have."""
LABELLED = ("strategyqa", "fever")


@dataclass(frozen=True, slots=True)
class Ran:
    """One run that a table needs: a system on a data set, with settings that differ from its own."""

    system: str
    dataset: str
    changes: tuple[tuple[str, Any], ...] = ()
    form: str = ""
    """``steps``: the gold steps of the questions are asked in their place."""

    @property
    def name(self) -> str:
        """Of its out file."""
        extra = [f"{name}-{value}" for name, value in self.changes]
        return "-".join([self.system, self.dataset, *filter(None, [self.form]), *extra])


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of ours. ``low`` and ``high`` are the ends of its 95 % interval, where it is a mean of questions."""

    value: float
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    paper: float | None = None
    ours: Figure | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table; ``rows`` by name, each with a cell for every column."""

    title: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[Cell, ...]]
    note: str = ""


Runs = Mapping[Ran, Sequence[Line]]


@cache
def paper() -> dict[str, Any]:
    """The paper's figures."""
    text = (resources.files("lab") / "tables" / "paper.json").read_text(encoding="utf-8")
    values: dict[str, Any] = json.loads(text)
    return values


def metric_of(dataset: str) -> str:
    """The score that the paper gives for a data set."""
    return "rouge_l" if dataset == "eli5" else "cover_em_paper"


def figure(values: Sequence[float], seed: int, scale: float = 100.0) -> Figure | None:
    """The mean of ``values`` over questions, in percent; ``None`` without any."""
    if not values:
        return None
    low, high = interval(values, seed)
    return Figure(round(scale * float(np.mean(values)), 2), len(values), round(scale * low, 2), round(scale * high, 2))


def mean(values: Sequence[float]) -> Figure | None:
    """Average ``values``, without an interval; ``None`` without any."""
    return Figure(round(float(np.mean(values)), 2), len(values)) if values else None


def scored(lines: Sequence[Line], name: str, seed: int) -> Figure | None:
    """Average the score ``name`` of ``lines``, in percent."""
    return figure([line[name] for line in lines], seed)


def of_paper(table: str, row: str, column: str) -> float | None:
    """Look up a figure of the paper; ``None`` where it gives none."""
    rows = paper()[table]["rows"].get(row, {})
    found = rows.get(column) if isinstance(rows, dict) else None
    return float(found) if isinstance(found, int | float) else None


def grid(
    table: str, rows: Sequence[str], columns: Sequence[str], ours: Callable[[str, str], Figure | None]
) -> dict[str, tuple[Cell, ...]]:
    """Put the paper's figures of a table beside ``ours``, row by row."""
    return {row: tuple(Cell(of_paper(table, row, one), ours(row, one)) for one in columns) for row in rows}


def ours_alone(
    rows: Sequence[str], columns: Sequence[str], ours: Callable[[str, str], Figure | None]
) -> dict[str, tuple[Cell, ...]]:
    """Make rows of figures that the paper does not have."""
    return {row: tuple(Cell(None, ours(row, one)) for one in columns) for row in rows}


def crossed(systems: Sequence[str], datasets: Sequence[str]) -> list[Ran]:
    """List a run of every system on every data set."""
    return [Ran(system, dataset) for system in systems for dataset in datasets]


def wanted(systems: Sequence[str], all_of: Sequence[str]) -> list[str]:
    """List those of ``all_of`` that are among ``systems``."""
    return [one for one in all_of if one in systems]


def lines_of(runs: Runs, system: str, dataset: str) -> Sequence[Line]:
    """Find the lines of a run with a system's own settings; none where it was not run."""
    return runs.get(Ran(system, dataset), ())


def datasets_of(runs: Runs) -> list[str]:
    """The columns: the data sets that were asked, or without any run those of the paper."""
    there = [one for one in DATASETS if any(run.dataset == one and not run.form for run in runs)]
    return there if runs else list(DATASETS[:-1])


def systems_of(runs: Runs) -> list[str]:
    """The rows: the systems that were asked, or without any run all."""
    return [one for one in SYSTEMS if not runs or any(run.system == one for run in runs)]


def multihop_of(runs: Runs, *systems: str) -> list[str]:
    """The multi-hop sets that all ``systems`` were asked, or without any run those of the paper."""
    return [one for one in MULTIHOP if not runs or all(lines_of(runs, system, one) for system in systems)]


def difference(lines: Sequence[Line], first: Sequence[Line], name: str, seed: int) -> Figure | None:
    """By how much ``lines`` are above or below ``first``, question by question."""
    before = {line["id"]: line[name] for line in first}
    return figure([line[name] - before[line["id"]] for line in lines if line["id"] in before], seed)


def short_note(datasets: Sequence[str]) -> str:
    """Word the note below a table of short answers."""
    labelled = " and ".join(one for one in LABELLED if one in datasets)
    read = f" Read {labelled} here: a label is a substring of many replies." if labelled else ""
    return f"The short answer alone; labels must be equal.{read}"
