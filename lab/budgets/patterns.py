"""Count regular expressions and word lists in code.

A call counts when it is written ``re.NAME(…)``. Characters count once, in string constants that are

- the pattern of such a call, or a string of the same module that a pattern names;
- a list of words: a string that is ``split()``;
- entries of a set, tuple, list or dict of eight or more strings, outside functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from lab.budgets.sources import parsed

MANY = 8
"""Strings that make a literal a list of words."""


def calls(sources: Iterable[Path]) -> int:
    """Return how many calls of ``re`` there are."""
    return sum(1 for file in sources for _ in _calls(parsed(file)))


def characters(sources: Iterable[Path]) -> int:
    """Return how many characters patterns and word lists have."""
    return sum(characters_in(parsed(file)) for file in sources)


def characters_in(tree: ast.Module) -> int:
    """Return the same of one module."""
    counted = {id(text): len(str(text.value)) for text in _texts(tree)}
    return sum(counted.values())


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"))):
                yield node


def _texts(tree: ast.Module) -> Iterator[ast.Constant]:
    patterns = [call.args[0] for call in _calls(tree) if call.args]
    named = {node.id for pattern in patterns for node in ast.walk(pattern) if isinstance(node, ast.Name)}
    for pattern in patterns:
        yield from _strings(pattern)
    for name, value in _assigned(tree):
        if name in named and isinstance(value, ast.Constant | ast.JoinedStr | ast.BinOp):
            yield from _strings(value)
        for node in ast.walk(value):
            if isinstance(node, ast.Set | ast.Tuple | ast.List | ast.Dict) and _is_long(node):
                yield from _strings(node)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=words, attr="split"), args=[]):
                yield from _strings(words) if isinstance(words, ast.Constant) else ()


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names that a module gives values to, outside functions and classes."""
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value


def _is_long(node: ast.Set | ast.Tuple | ast.List | ast.Dict) -> bool:
    entries = node.keys if isinstance(node, ast.Dict) else node.elts
    return sum(isinstance(entry, ast.Constant) and isinstance(entry.value, str) for entry in entries) >= MANY


def _strings(node: ast.AST) -> Iterator[ast.Constant]:
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part
