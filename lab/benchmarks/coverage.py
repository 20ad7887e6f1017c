"""How often the report's 95 % intervals hold the truth, on judgements that are drawn.

    python -m lab.benchmarks.coverage [--runs 2000] [--seed 0]

A reply has 1 to 4 marks, each right with a probability of its own, which a beta distribution gives so that two marks of
one reply correlate by 0.2; one annotator judges each. SKC strict counts the reply's knowledge items that are supported,
one for each mark. Ends with status 1 when an interval holds the truth in fewer than 92 of 100 runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import click
import numpy as np

from searchain.annotation.estimates import Estimate, average, rate, share
from searchain.annotation.machines import powered_mean

GOAL = 0.92
CORRELATION = 0.2
MORE = 1_000
"""Replies that a machine alone judges, beside those of people."""
AGREES = 0.8
"""How often the machine says of a mark what people say; else it calls it right."""
MOST_MARKS = 4
TRUTHS, REPLIES = (0.80, 0.95), (12, 30, 100)
FIGURES: dict[str, tuple[Callable[[np.ndarray, np.ndarray], Estimate], Callable[[float], float]]] = {
    "AMP": (share, lambda truth: truth),
    "AMP per reply": (lambda hits, marks: rate(hits / marks, marks), lambda truth: truth),
    "SKC strict": (lambda hits, marks: average(hits), lambda truth: truth * (1 + MOST_MARKS) / 2),
}
"""Figure → how it is estimated from right marks and marks, and its true value where a mark is right with ``truth``."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure at one truth and number of replies."""

    figure: str
    truth: float
    replies: int
    covered: float
    """Share of the runs whose interval holds the truth."""
    width: float
    """The interval's, on average."""


def simulate(runs: int, seed: int) -> Iterator[Cell]:
    """Draw ``runs`` rounds of judging for every truth and number of replies."""
    random = np.random.default_rng(seed)
    strength = 1 / CORRELATION - 1
    for truth in TRUTHS:
        for replies in REPLIES:
            marks = random.integers(1, MOST_MARKS + 1, (runs, replies)).astype(float)
            own = random.beta(truth * strength, (1 - truth) * strength, (runs, replies))
            hits = random.binomial(marks.astype(int), own).astype(float)
            for name, (estimate, true) in FIGURES.items():
                found = [estimate(*one) for one in zip(hits, marks, strict=True)]
                spans = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
                held = sum(low <= true(truth) <= high for low, high in spans)
                width = float(np.mean([high - low for low, high in spans]))
                yield Cell(name, truth, replies, held / len(found), width)


def simulate_machines(runs: int, seed: int) -> Iterator[Cell]:
    """The same for AMP per reply over all replies, from a machine that is too kind, corrected by people."""
    random = np.random.default_rng(seed)
    strength = 1 / CORRELATION - 1
    for truth in TRUTHS:
        for replies in REPLIES:
            held, widths = 0, []
            for _ in range(runs):
                marks = random.integers(1, MOST_MARKS + 1, replies + MORE)
                own = random.beta(truth * strength, (1 - truth) * strength, replies + MORE)
                hits = random.binomial(marks, own)
                said, predicted = hits / marks, (hits + random.binomial(marks - hits, 1 - AGREES)) / marks
                found, _ = powered_mean(
                    said[:replies], predicted[:replies], predicted[replies:], units=float(marks[:replies].mean())
                )
                if found.low is not None and found.high is not None:
                    held += found.low <= truth <= found.high
                    widths.append(found.high - found.low)
            yield Cell("AMP per reply, corrected", truth, replies, held / runs, float(np.mean(widths)))


@click.command(help=__doc__.partition("\n")[0])
@click.option("--runs", default=2_000, show_default=True, help="For each truth and number of replies.")
@click.option("--seed", default=0, show_default=True)
def main(runs: int, seed: int) -> None:
    print(f"{runs} runs a cell, seed {seed}")
    print("| figure | truth | replies | interval holds the truth | mean width |\n|---|---|---|---|---|")
    cells = []
    for cell in (*simulate(runs, seed), *simulate_machines(runs, seed)):
        cells.append(cell)
        print(f"| {cell.figure} | {cell.truth:.2f} | {cell.replies} | {cell.covered:.3f} | {cell.width:.3f} |")
    worst = min(cell.covered for cell in cells)
    print(f"worst: {worst:.3f}; wanted: {GOAL}")
    sys.exit(0 if worst >= GOAL else 1)


if __name__ == "__main__":
    main()
