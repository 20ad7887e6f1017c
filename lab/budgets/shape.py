"""Count what makes single classes and functions hard to follow."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from lab.budgets.sources import parsed

_BRANCHES = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.comprehension, ast.match_case)


def class_in(file: Path, name: str) -> ast.ClassDef:
    """Return the class ``name`` of ``file``.

    Raises:
        LookupError: it is not there, so that whoever moved it changes the budget as well.
    """
    for node in parsed(file).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return node
    raise LookupError(f"{file.name} has no class {name!r}; lab/budgets/table.py names it")


def booleans(node: ast.ClassDef) -> int:
    """Return how many fields of a dataclass are annotated ``bool``."""
    return sum(
        isinstance(field, ast.AnnAssign) and isinstance(field.annotation, ast.Name) and field.annotation.id == "bool"
        for field in node.body
    )


def attributes(node: ast.ClassDef) -> int:
    """Return how many attributes a class has: its fields, and what its methods assign to ``self``."""
    fields = {one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)}
    assigned = {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
        if isinstance(one.value, ast.Name) and one.value.id == "self"
    }
    return len(fields | assigned)


def highest_complexity(sources: Iterable[Path]) -> tuple[int, str]:
    """Return the highest cyclomatic complexity of a function, and its name.

    It is 1, and 1 more for each branch, loop, handler, case, comprehension, and further operand of ``and`` or ``or``.
    """
    return max(
        (complexity(node), node.name)
        for file in sources
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def complexity(function: ast.AST) -> int:
    """Return the cyclomatic complexity of one function, with that of the functions inside it."""
    nodes = list(ast.walk(function))
    operands = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + operands + sum(isinstance(node, _BRANCHES) for node in nodes)
