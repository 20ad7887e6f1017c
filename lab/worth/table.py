"""The comparison as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lab.worth.figures import SHORT, TURNS, Figure, Line, Value, difference, value_of
from lab.worth.questions import CONVERSATIONS, KINDS

BASE = "rag"
"""The system that the others are compared with, question by question."""
RIGHT = SHORT[0]


def table(systems: Mapping[str, Sequence[Line]]) -> str:
    """Write the tables of all systems, each with the lines that it has."""
    short = {name: [line for line in lines if line["kind"] != CONVERSATIONS] for name, lines in systems.items()}
    turns = {name: [line for line in lines if line["kind"] == CONVERSATIONS] for name, lines in systems.items()}
    parts = [*_part("Questions with short answers", SHORT, short)]
    if any(short.values()):
        parts += [*_kinds(short), *_differences(SHORT, short)]
    if any(turns.values()):
        parts += [*_part("Turns of conversations (MTRAG)", TURNS, turns), *_differences(TURNS, turns)]
    return "\n".join(parts).rstrip() + "\n"


def _part(title: str, figures: Sequence[Figure], systems: Mapping[str, Sequence[Line]]) -> Iterator[str]:
    yield f"## {title}\n"
    yield from _head(["", *systems])
    yield _row(["questions", *(str(len(lines)) for lines in systems.values())])
    for figure in figures:
        yield _row([figure.name, *(shown(figure, value_of(figure, lines)) for lines in systems.values())])
    failed = [sum(bool(line["failure"]) for line in lines) for lines in systems.values()]
    if any(failed):
        yield _row(["failed runs", *map(str, failed)])
    yield ""


def _kinds(systems: Mapping[str, Sequence[Line]]) -> Iterator[str]:
    yield "Right, of the answerable, by kind:\n"
    yield from _head(["", *systems])
    for kind in KINDS:
        of_kind = {name: [line for line in lines if line["kind"] == kind] for name, lines in systems.items()}
        if any(of_kind.values()):
            yield _row([kind, *(shown(RIGHT, value_of(RIGHT, lines)) for lines in of_kind.values())])
    yield ""


def _differences(figures: Sequence[Figure], systems: Mapping[str, Sequence[Line]]) -> Iterator[str]:
    """Write the paired differences to plain RAG, of every other system that has questions in common with it."""
    others = [name for name in systems if name != BASE]
    rows = []
    for figure in figures:
        values = [difference(figure, systems[name], systems.get(BASE, ())) for name in others]
        if figure.statistic == "mean" and any(values):
            rows.append(_row([figure.name, *(shown(figure, value, is_signed=True) for value in values)]))
    if rows:
        yield "Differences to plain RAG, over the questions that both have a value for:\n"
        yield from _head(["", *(f"{name} − {BASE}" for name in others)])
        yield from rows
        yield ""


def shown(figure: Figure, value: Value | None, *, is_signed: bool = False) -> str:
    """Write a value with its interval and the number of its questions; a dash without one."""
    if value is None:
        return "–"
    scale, sign = 100 if figure.is_share else 1, "+" if is_signed else ""
    at, low, high = (scale * one for one in (value.value, value.low, value.high))
    digits = 0 if not figure.is_share and abs(at) >= 100 else 1
    if figure.statistic != "mean":
        return f"{at:.{digits}f}"
    return f"{at:{sign}.{digits}f} [{low:{sign}.{digits}f}, {high:{sign}.{digits}f}] ({value.count})"


def _head(cells: Sequence[str]) -> Iterator[str]:
    yield _row(cells)
    yield _row(["---"] * len(cells))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
