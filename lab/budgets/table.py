"""Say how large the code base is, and how large it may be when the refactoring is done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lab.budgets import arrows, patterns, shape, visits
from lab.budgets.sources import WHEEL, files, length, lines, rule_modules
from searchain.files.checkout import ROOT

STEERING = (("searchain/settings.py", "Strategy"),)
"""The dataclass whose booleans steer a run."""
ROUND = ("searchain/chain/round.py", "Round")


@dataclass(frozen=True, slots=True)
class Budget:
    """One count, and the most that it may be."""

    about: str
    now: int
    most: int
    where: str = ""
    """What has the count, where it is the largest of several."""


def budgets() -> Iterator[Budget]:
    """Count all budgets."""
    wheel, method = files(*WHEEL), files("searchain")
    complexity, function = shape.highest_complexity(wheel)
    longest = max(wheel, key=length)
    yield Budget("lines of hand-written English rules (lab/data/rule-modules.txt)", lines(rule_modules()), 3_000)
    yield Budget("calls of re in searchain/", patterns.calls(method), 250)
    yield Budget("characters of patterns and word lists in its code", patterns.characters(method), 40_000)
    yield Budget("lines of Python in the wheel", lines(wheel), 50_000)
    yield Budget("lines of tests", lines(files("tests")), 40_000)
    yield Budget("booleans that steer a run", sum(map(_booleans, STEERING)), 10)
    yield Budget("attributes of Round", shape.attributes(shape.class_in(ROOT / ROUND[0], ROUND[1])), 12)
    yield Budget("lines of the longest module", length(longest), 400, longest.relative_to(ROOT).as_posix())
    yield Budget("highest cyclomatic complexity of a function", complexity, 15, function)
    yield Budget("requirements of the wheel that are exact", _exact(), 0)
    yield Budget("imports that run up", len(arrows.upward(*WHEEL)), 0)
    yield Budget("circles of modules", len(arrows.circles(arrows.imported(*WHEEL))), 0)


def of_run(visited: Sequence[str]) -> Budget:
    """Count the files that a run ``visited``."""
    return Budget(f"files of the wheel visited by “{visits.QUESTION}”", len(visited), 80)


def rows(counted: Iterable[Budget]) -> Iterator[str]:
    """Write the table as Markdown."""
    yield "| budget | now | to reach |"
    yield "|---|---:|---:|"
    for one in counted:
        yield f"| {one.about}{f': {one.where}' if one.where else ''} | {one.now:,} | {one.most:,} |"


def _booleans(place: tuple[str, str]) -> int:
    return shape.booleans(shape.class_in(ROOT / place[0], place[1]))


def _exact() -> int:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    return sum("==" in line.partition("#")[0] for line in text.splitlines())
