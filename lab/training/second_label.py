"""Fit how yes/no questions are decided: ``python -m lab.training.second_label --rows FILE [--out FILE]``.

The rows come from runs with the careful model: ``lab.benchmarks.yes_no --own --rows FILE``, for each part of its files,
or ``--typed --rows FILE`` for articles, whose rule goes ``--out`` to another file. The figures are cross-fitted: each
ten questions in a row, of own files most of them about one, are decided by a rule that was fitted on all others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path

import click
import numpy as np

from lab.training.probability import PRECISION, digest
from lab.training.probability_chains import fit
from searchain.console import one_line_errors
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.verification.probability import Logistic
from searchain.verification.second_label import AFFIRMED, ANSWERED, FEATURES, WEIGHTS, SecondLabel

GIVEN, LEAST = 0.6, 0.8
"""The least probability of a label that is given, and the lowest threshold of the tick to choose. Over the files of the
part "report", which are the harder ones, few labels below 0.6 are right."""
FEWEST = 10
"""The fewest labels above a threshold that show how many of them are right."""
BLOCK = 10
"""Questions that are decided together by a rule that has seen none of them."""
PARTS = ("tune", "report")


@dataclass(frozen=True, slots=True)
class Row:
    """A question, its right answer ("" where the files have none), that of the fast reply, and the features."""

    part: str
    question: str
    wanted: str
    fast: str
    values: Sequence[float]


def fitted(rows: Sequence[Row], least: float = 1.0) -> SecondLabel:
    """Fit both regressions: to all rows, and to those whose files answer."""
    answerable = [row for row in rows if row.wanted]
    answered = _fit(rows, ANSWERED, [bool(row.wanted) for row in rows])
    affirmed = _fit(answerable, AFFIRMED, [row.wanted == "yes" for row in answerable])
    return SecondLabel(answered, affirmed, GIVEN, least)


def _fit(rows: Sequence[Row], names: Sequence[str], right: Sequence[bool]) -> Logistic:
    known = [dict(zip(FEATURES, row.values, strict=True)) for row in rows]
    values = [[abs(one["stance"]) if name == "decided" else one[name] for name in names] for one in known]
    return fit(np.array(values), np.array(right))


def said(row: Row, rule: SecondLabel) -> tuple[str, float]:
    """Return the likelier label and its probability."""
    weights = rule.weigh(row.values)
    best = max(weights, key=lambda label: weights[label])
    return best, weights[best]


def cross_fitted(rows: Sequence[Row]) -> list[tuple[str, float]]:
    """Return what a rule says of each row that has seen no row of its block."""
    blocks = [place // BLOCK for place in range(len(rows))]
    rules = {
        block: fitted([row for row, other in zip(rows, blocks, strict=True) if other != block]) for block in set(blocks)
    }
    return [said(row, rules[block]) for row, block in zip(rows, blocks, strict=True)]


def threshold_of(rows: Sequence[Row], found: Sequence[tuple[str, float]]) -> float:
    """Return the lowest threshold, from ``LEAST`` on, above which nine of ten labels are right; 1 without one."""
    for least in sorted({probability for _, probability in found if probability >= LEAST}):
        above = [
            label == row.wanted for row, (label, probability) in zip(rows, found, strict=True) if probability >= least
        ]
        if len(above) >= FEWEST and np.mean(above) >= PRECISION:
            return least
    return 1.0


def told(name: str, rows: Sequence[Row], found: Sequence[tuple[str, float]], least: float) -> str:
    """Return a line with what was decided, how much of it rightly, and the ticks."""
    pairs = [(row, label, sure) for row, (label, sure) in zip(rows, found, strict=True)]
    given = [label == row.wanted for row, label, sure in pairs if sure >= GIVEN]
    ticked = [label == row.wanted for row, label, sure in pairs if sure >= least]
    fast = [row.fast == row.wanted for row in rows if row.fast]
    return (
        f"{name}: {len(rows)} questions, {sum(bool(row.wanted) for row in rows)} of them answered there; "
        f"right of those decided: fast {sum(fast)} of {len(fast)}, now {sum(given)} of {len(given)}, "
        f"at the threshold {sum(ticked)} of {len(ticked)}"
    )


@click.command(help=__doc__)
@click.option("--rows", required=True, type=click.Path(path_type=Path), help="The rows, a line each.")
@click.option("--out", default=WEIGHTS, show_default=True, type=click.Path(path_type=Path), help="The file to write.")
@one_line_errors()
def main(rows: Path, out: Path) -> None:
    every = [Row(**line) for line in read_jsonl(rows, dict, "row")]
    found = cross_fitted(every)
    least = threshold_of(every, found)
    for part in PARTS:
        is_of = [row.part == part for row in every]
        click.echo(told(part, [*compress(every, is_of)], [*compress(found, is_of)], least))
    store(out, fitted(every, least), digest(rows))
    click.echo(f"stored in {out}, with a threshold of {least:.3f}")


def store(file: Path, rule: SecondLabel, data: str) -> None:
    """Write the rule."""
    pairs = {"answered": (rule.answered, ANSWERED), "affirmed": (rule.affirmed, AFFIRMED)}
    values = {
        name: {"bias": round(one.bias, 5), "weights": dict(zip(names, (round(w, 5) for w in one.weights), strict=True))}
        for name, (one, names) in pairs.items()
    }
    with write_whole(file) as draft:
        stored = values | {"given": rule.given, "least": round(rule.least, 4), "data": [data]}
        draft.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
