"""Find the files that a budget counts, and read each once."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from searchain.files.checkout import ROOT

STOREYS = ("searchain", "storage", "assistant", "ui", "lab")
"""From the lowest to the highest: each imports what lies below it."""
WHEEL = STOREYS[:-1]
RULE_MODULES = Path(__file__).parents[1] / "data" / "rule-modules.txt"


@cache
def files(*storeys: str) -> tuple[Path, ...]:
    """Return the Python files of ``storeys``, in order; a storey is a folder or one file."""
    found: list[Path] = []
    for storey in storeys:
        folder = ROOT / storey
        found += sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    return tuple(found)


@cache
def parsed(file: Path) -> ast.Module:
    """Return the syntax tree of ``file``."""
    return ast.parse(file.read_text(encoding="utf-8"))


def lines(sources: Iterable[Path]) -> int:
    """Return how many lines ``sources`` have together."""
    return sum(length(file) for file in sources)


def length(file: Path) -> int:
    """Return how many lines ``file`` has."""
    return len(file.read_text(encoding="utf-8").splitlines())


def rule_modules() -> list[Path]:
    """Return the listed modules of hand-written English rules that are still there."""
    named = RULE_MODULES.read_text(encoding="utf-8").splitlines()
    return [ROOT / name for name in named if not name.startswith("#") and (ROOT / name).is_file()]
