"""Parts of the report's plots: axes, points with their intervals, and names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from searchain.annotation.estimates import Estimate
from searchain.safe_text import escape, one_line

LEFT = 180
"""The left edge of the plotted rows; their names stand to the left of it."""
LETTERS = 22
"""The most letters of a row's name."""
MOST_SERIES = 4
"""The most series of a plot: as many as there are shapes."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values to positions in a plot."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / ((self.high - self.low) or 1.0)

    def ticks(self) -> list[float]:
        size = self.high - self.low
        step = next(step for step in (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1e9) if size / step <= 6.01)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [step * number for number in range(first, last + 1)]


def rows_grid(axis: Axis, top: float, bottom: float) -> Iterator[str]:
    """Draw vertical lines at the axis’ ticks, with their values below."""
    for tick in axis.ticks():
        yield (
            f'<line class="grid" x1="{axis(tick):.1f}" x2="{axis(tick):.1f}" y1="{top}" y2="{bottom}"/>'
            f'<text class="soft" x="{axis(tick):.1f}" y="{bottom + 18}" text-anchor="middle">{tick:g}</text>'
        )


def values_up(axis: Axis, left: float, right: float) -> Iterator[str]:
    """Draw horizontal lines at the ticks, from ``left`` to ``right``, with their values beside."""
    for tick in axis.ticks():
        yield (
            f'<line class="grid" x1="{left}" x2="{right}" y1="{axis(tick):.1f}" y2="{axis(tick):.1f}"/>'
            f'<text class="soft" x="{left - 8}" y="{axis(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
        )


def values_across(axis: Axis, up: Axis) -> Iterator[str]:
    """Draw the grid of a curve: values of ``up`` beside it, those of ``axis`` below."""
    yield from values_up(up, axis.start, axis.end)
    for tick in axis.ticks():
        yield (f'<text class="soft" x="{axis(tick):.1f}" y="{up.start + 20}" text-anchor="middle">{tick:g}</text>')


def series(number: int, points: Sequence[tuple[float, Estimate]], up: Axis) -> Iterator[str]:
    """Draw points with their intervals, joined by a line."""
    there = [(x, one.value, one) for x, one in points if one.value is not None]
    path = " ".join(f"{x:.1f},{up(value):.1f}" for x, value, _ in there)
    yield f'<polyline class="line s{number}" points="{path}"/>'
    for x, value, one in there:
        if one.low is not None and one.high is not None:
            yield (
                f'<line class="whisker s{number}" x1="{x:.1f}" x2="{x:.1f}" y1="{up(one.low):.1f}" '
                f'y2="{up(one.high):.1f}"/>'
            )
        yield point(number, x, up(value))


def point(number: int, x: float, y: float) -> str:
    """Draw the symbol of the series at a place."""
    return f'<g class="s{number}">{shape(number, x, y)}</g>'


def shape(number: int, x: float, y: float) -> str:
    """Draw the shape of a series (circle, square, diamond or triangle), so that colour is not needed."""
    match number % MOST_SERIES:
        case 0:
            return f'<circle class="point" cx="{x:.1f}" cy="{y:.1f}" r="5.5"/>'
        case 1:
            return f'<rect class="point" x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"/>'
        case 2:
            return f'<path class="point" d="{diamond(x, y, 7)}"/>'
        case _:
            return f'<path class="point" d="M{x:.1f} {y - 7:.1f}l7 12h-14z"/>'


def diamond(x: float, y: float, size: float) -> str:
    """Return the path of a diamond around a place."""
    return f"M{x:.1f} {y - size:.1f}l{size} {size}l-{size} {size}l-{size} -{size}z"


def row_label(text: str, y: float, kind: str = "label") -> str:
    """Write the name of a row at its left, cut to ``LETTERS``."""
    shown = one_line(text)
    return (
        f'<text class="{kind}" x="{LEFT - 12}" y="{y + 4}" text-anchor="end">'
        f"<title>{escape(shown)}</title>{escape(cut(shown, LETTERS))}</text>"
    )


def cut(text: str, length: int) -> str:
    """Return one line of at most ``length`` characters."""
    text = one_line(text)
    return text if len(text) <= length else text[: length - 1] + "…"
