"""How often the report's 95 % intervals hold the truth, on judgements that are drawn.

    python -m lab.benchmarks.coverage [--runs 2000] [--seed 0]

A reply has 1 to 4 marks, each right with a probability of its own, which a beta distribution gives so that two marks of
one reply correlate by 0.2. SKC strict counts the reply's supported knowledge items, one for each mark. Differences are
between two systems, one of which is right by 0.1 less often, whose replies to one question correlate. AC1 and α compare
two annotators who draw their label by lot in 1 of 10 cases; of three labels one is as frequent as the truth says.
Corrected figures come from people's judgements of the replies of the row and a machine's of 1,000 more (``JUDGES``).
Ends with status 1 when an interval holds the truth in fewer than 92 of 100 runs; α's are shown, and not held to that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import click
import numpy as np
from scipy.stats import beta, norm

from searchain.annotation.agreement import Ratings, alpha, gwet
from searchain.annotation.comparing import difference
from searchain.annotation.estimates import Estimate, average, rate, share
from searchain.annotation.machines import powered_mean

GOAL = 0.92
CORRELATION = 0.2
MORE = 1_000
"""Replies that a machine alone judges, beside those of people."""
JUDGES = {"good": (0.04, 0.005), "kind": (0.2, 0.0), "poor": (0.3, 0.1)}
"""Machine → how often it calls a wrong mark right, and a right one wrong."""
MOST_MARKS = 4
TRUTHS, REPLIES = (0.80, 0.95), (12, 30, 100)
LESS = 0.1
"""How much less often the other system is right."""
ALIKE = 0.3
"""The correlation of two systems' replies to one question, before it becomes a probability."""
ERRS = 0.1
FREE = "α"
"""The figure that is not held to the goal."""
_STRENGTH = 1 / CORRELATION - 1


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure at one truth and number of replies."""

    figure: str
    truth: float
    replies: int
    covered: float
    """Share of the intervals that hold the truth."""
    width: float
    """The interval's, on average."""
    without: float
    """Share of the runs without an interval."""
    beside: float | None = None
    """The width ÷ that of people's judgements alone."""


Drawn = Iterator[tuple[Estimate, ...]]


def simulate(runs: int, seed: int) -> Iterator[Cell]:
    """Draw ``runs`` rounds of judging for every truth and number of replies."""
    random = np.random.default_rng(seed)
    for truth, replies in product(TRUTHS, REPLIES):
        skc = truth * (1 + MOST_MARKS) / 2
        yield from _cells(
            truth,
            replies,
            {"AMP": truth, "AMP per reply": truth, "SKC strict": skc},
            _alone(random, truth, replies, runs),
        )
    for truth, replies in product(TRUTHS, REPLIES):
        true = {"difference in AMP": LESS, "difference in SKC strict": LESS * (1 + MOST_MARKS) / 2}
        yield from _cells(truth, replies, true, _pairs(random, truth, replies, runs))
    for truth, replies in product(TRUTHS, REPLIES):
        [(ac1, all_alike)] = _agreement(random, truth, 50_000, 1)
        true = {"AC1": ac1.value or 0.0, FREE: all_alike.value or 0.0}
        yield from _cells(truth, replies, true, _agreement(random, truth, replies, runs))


def simulate_machines(runs: int, seed: int) -> Iterator[Cell]:
    """The same over all replies, from what a machine says, corrected by people."""
    random = np.random.default_rng(seed)
    for (judge, rates), truth, replies in product(JUDGES.items(), TRUTHS, REPLIES):
        true = {f"AMP per reply, {judge} judge": truth, f"SKC strict, {judge} judge": truth * (1 + MOST_MARKS) / 2}
        found = list(_corrected(random, truth, replies, runs, rates))
        cells = _cells(truth, replies, true, (one[:2] for one in found))
        for at, cell in enumerate(cells, 2):
            alone = _width(one[at] for one in found)
            yield Cell(cell.figure, truth, replies, cell.covered, cell.width, cell.without, cell.width / alone)


def _cells(truth: float, replies: int, true: dict[str, float], drawn: Drawn) -> Iterator[Cell]:
    for (name, is_so), found in zip(true.items(), zip(*drawn, strict=True), strict=True):
        limits = [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
        held = sum(low <= is_so <= high for low, high in limits)
        without = 1 - len(limits) / len(found)
        yield Cell(name, truth, replies, held / len(limits), _width(found), without)


def _width(found: Iterator[Estimate] | tuple[Estimate, ...]) -> float:
    return float(np.mean([one.high - one.low for one in found if one.low is not None and one.high is not None]))


def _marks(random: np.random.Generator, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the right marks and the marks of replies, each mark of which is right with the probability ``own``."""
    marks = random.integers(1, MOST_MARKS + 1, own.shape)
    return random.binomial(marks, own).astype(float), marks.astype(float)


def _alone(random: np.random.Generator, truth: float, replies: int, runs: int) -> Drawn:
    for _ in range(runs):
        hits, marks = _marks(random, random.beta(truth * _STRENGTH, (1 - truth) * _STRENGTH, replies))
        yield share(hits, marks), rate(hits / marks, marks), average(hits)


def _pairs(random: np.random.Generator, truth: float, replies: int, runs: int) -> Drawn:
    for _ in range(runs):
        question, columns = random.normal(size=replies), []
        for is_so in (truth, truth - LESS):
            drawn = norm.cdf(np.sqrt(ALIKE) * question + np.sqrt(1 - ALIKE) * random.normal(size=replies))
            columns += _marks(random, beta.ppf(drawn, is_so * _STRENGTH, (1 - is_so) * _STRENGTH))
        parts = np.column_stack(columns)
        counts = np.column_stack([columns[0], np.ones(replies), columns[2], np.ones(replies)])
        yield difference(parts, is_share=True), difference(counts, is_share=False)


def _agreement(random: np.random.Generator, truth: float, replies: int, runs: int) -> Drawn:
    shares = np.array([truth, 0.6 * (1 - truth), 0.4 * (1 - truth)])
    for _ in range(runs):
        marks = random.integers(1, MOST_MARKS + 1, replies)
        own = np.repeat(random.dirichlet(shares * _STRENGTH, replies), marks, axis=0).cumsum(axis=1)
        right = (random.random((len(own), 1)) > own).sum(axis=1).clip(0, 2)[:, None]
        said = np.where(random.random((len(own), 2)) < ERRS, random.integers(0, 3, (len(own), 2)), right)
        items = tuple(np.repeat([str(number) for number in range(replies)], marks))
        ratings = Ratings("", ("a", "b", "c"), ("one", "other"), said, items, np.full(len(own), -1))
        yield gwet(ratings), alpha(ratings)


def _corrected(random: np.random.Generator, truth: float, replies: int, runs: int, judge: tuple[float, float]) -> Drawn:
    """Yield AMP per reply and SKC strict corrected, then both from people alone."""
    kind, strict = judge
    for _ in range(runs):
        hits, marks = _marks(random, random.beta(truth * _STRENGTH, (1 - truth) * _STRENGTH, replies + MORE))
        right, of = hits.astype(int), marks.astype(int)
        says = right - random.binomial(right, strict) + random.binomial(of - right, kind)
        step = 1 / float(marks[:replies].mean())
        said, all_said = hits[:replies] / marks[:replies], says / marks
        yield (
            powered_mean(said, all_said[:replies], all_said[replies:], step=step)[0],
            powered_mean(hits[:replies], says[:replies], says[replies:], is_share=False)[0],
            rate(said, marks[:replies]),
            average(hits[:replies]),
        )


def _rows(cells: list[Cell]) -> Iterator[str]:
    """Yield a row for each figure and truth, with a cell for each number of replies."""
    for name, truth in dict.fromkeys((one.figure, one.truth) for one in cells):
        those = [one for one in cells if (one.figure, one.truth) == (name, truth)]
        beside = (f"{one.beside:.2f}" for one in those if one.beside is not None)
        shown = (name, f"{truth:.2f}", *(f"{one.covered:.3f}, {one.width:.3f}" for one in those), " ".join(beside))
        yield f"| {' | '.join(shown)} |"


@click.command(help=__doc__.partition("\n")[0])
@click.option("--runs", default=2_000, show_default=True, help="For each truth and number of replies.")
@click.option("--seed", default=0, show_default=True)
def main(runs: int, seed: int) -> None:
    print(f"{runs} runs a cell, seed {seed}")
    cells = [*simulate(runs, seed), *simulate_machines(runs, seed)]
    print(f"| figure | truth | {' | '.join(f'{number} replies' for number in REPLIES)} | width ÷ people’s |")
    print("|---|---|---|---|---|---|", *_rows(cells), sep="\n")
    worst = min(cell.covered for cell in cells if cell.figure != FREE)
    print(f"worst: {worst:.3f}; wanted: {GOAL}; of α: {min(cell.covered for cell in cells if cell.figure == FREE):.3f}")
    sys.exit(0 if worst >= GOAL else 1)


if __name__ == "__main__":
    main()
