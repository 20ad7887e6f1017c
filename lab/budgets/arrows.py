"""Read who imports whom."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from lab.budgets.sources import STOREYS, files, parsed
from searchain.files.checkout import ROOT


def name_of(file: Path) -> str:
    """Return the name under which ``file`` is imported."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(*storeys: str) -> dict[str, Path]:
    """Return the modules of ``storeys`` by name."""
    return {name_of(file): file for file in files(*storeys)}


def imports(file: Path, *, only_early: bool = False) -> Iterator[str]:
    """The modules that ``file`` imports when it is not run as a program; ``only_early``: when it is imported."""
    waiting: list[ast.AST] = [parsed(file)]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                continue
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                for alias in names:
                    inner = f"{module}.{alias.name}"
                    yield inner if (ROOT / inner.replace(".", "/")).with_suffix(".py").is_file() else module
            case ast.ImportFrom():
                raise AssertionError(f"{file}: relative import")
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.FunctionDef() if only_early:
                continue
        waiting.extend(ast.iter_child_nodes(node))


@cache
def imported(*storeys: str) -> dict[str, set[str]]:
    """Return what each module of ``storeys`` imports, at whatever time."""
    return {name: set(imports(file)) for name, file in modules(*storeys).items()}


def top(module: str) -> str:
    """Return the storey of a module, or the package that it is in."""
    return module.partition(".")[0]


def upward(*storeys: str) -> set[tuple[str, str]]:
    """Return the imports that lead from a storey to a higher one."""
    rank = {storey: place for place, storey in enumerate(STOREYS)}
    return {
        (name, other)
        for name, others in imported(*storeys).items()
        for other in others
        if rank.get(top(other), -1) > rank[top(name)]
    }


def circle_in(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return what is left when everything is taken away that imports nothing that is left."""
    left = dict(graph)
    while free := {name for name, needed in left.items() if not needed}:
        left = {name: needed - free for name, needed in left.items() if name not in free}
    return left


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the groups whose every member reaches every other one."""
    inside = {name: others & set(graph) - {name} for name, others in graph.items()}
    reached = {name: reached_from(name, inside) for name in circle_in(inside)}
    groups = {
        frozenset(other for other in others if name in reached.get(other, ())) for name, others in reached.items()
    }
    return [set(group) for group in groups if len(group) > 1]


def reached_from(name: str, graph: Mapping[str, Iterable[str]]) -> set[str]:
    """Return all that ``name`` leads to, at whatever distance."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        for other in graph.get(waiting.pop(), ()):
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen
