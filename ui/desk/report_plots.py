"""Plots of the report as SVG: estimates with intervals, the curve of f, and changes from week to week.

Colours come from plots.css, for light and dark mode; every series also has its own shape.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path

from searchain.annotation.estimates import Estimate
from searchain.annotation.measures import PAPER, Measures
from searchain.annotation.reliability import Reliability
from searchain.safe_text import escape, one_line
from storage.annotation.report import Report
from ui.desk.report_table import shown

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


def cut(text: str, length: int) -> str:
    """Return one line of at most ``length`` characters."""
    text = one_line(text)
    return text if len(text) <= length else text[: length - 1] + "…"


STYLE = Path(__file__).with_name("plots.css").read_text(encoding="utf-8")
WIDTH, _TOP = 640, 44
_NARROW, _SIDE, _ROW = 400, 14, 46
"""The width of a plot of intervals, its margin, and the height of a row."""


@dataclass(frozen=True, slots=True)
class Plot:
    """One picture of the report."""

    name: str
    """The file's name without its suffix."""
    svg: str
    """The ``<svg>`` element, which takes its colours from the page."""

    def file(self) -> str:
        """Return the picture as a separate file with its own colours."""
        head, inner = self.svg.split(">", 1)
        return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{STYLE}</style>{inner}\n'


def plots(report: Report) -> Iterator[Plot]:
    """Yield the plots for which the report has data."""
    systems = report.systems
    if systems:
        yield _intervals(
            "skc",
            "SKC: marked knowledge items per reply",
            [(name, one.skc_marked) for name, one in systems.items()],
            [(f"{name} (paper)", one.skc_marked, f"{one.skc_marked:.3f}") for name, one in PAPER.items()],
        )
        yield _intervals(
            "amp",
            "AMP: marks in the right place",
            [(name, one.amp) for name, one in systems.items()],
            [(f"{name} (paper)", one.amp, f"{one.amp:.2f}") for name, one in PAPER.items()],
            top=1.0,
        )
        yield _intervals(
            "agreement",
            "Agreement: Krippendorff’s α",
            [(one.name, one.alpha) for one in report.disagreement.agreements],
            top=1.0,
            guides=(0.667, 0.8),
        )
    if report.reliability.states:
        yield _intervals(
            "states", "Supported completely, by the program’s state", list(report.reliability.states.items()), top=1.0
        )
    if report.reliability.curve:
        yield _curve(report.reliability)
    if any(len(weeks) > 1 for weeks in report.weeks.values()):
        yield _weeks("weeks-skc", "SKC by week", report.weeks, "skc_marked")
        yield _weeks("weeks-amp", "AMP by week", report.weeks, "amp", top=1.0)


def _intervals(
    name: str,
    title: str,
    rows: Sequence[tuple[str, Estimate]],
    published: Sequence[tuple[str, float, str]] = (),
    top: float | None = None,
    guides: Sequence[float] = (),
) -> Plot:
    """Plot each estimate as a dot in its interval, and published values as diamonds.

    Name and figure stand above each, so that a phone has room for them too.
    """
    known = [value for _, one in rows for value in (one.low, one.value, one.high) if value is not None]
    values = [0.0, *known, *(value for _, value, _ in published)]
    high = top or ceil(max([1.0, *values]))
    axis = Axis(min(0.0, floor(min(values) * 5) / 5), high, _SIDE, _NARROW - _SIDE)
    bottom = 40 + _ROW * (len(rows) + len(published))
    parts = [*rows_grid(axis, 32, bottom)]
    parts += [f'<line class="guide" x1="{axis(at):.1f}" x2="{axis(at):.1f}" y1="32" y2="{bottom}"/>' for at in guides]
    for number, (label, one) in enumerate(rows):
        y = 50 + _ROW * number
        if one.low is not None and one.high is not None:
            ends = f'x1="{axis(one.low):.1f}" x2="{axis(one.high):.1f}" y1="{y + 14}" y2="{y + 14}"'
            parts.append(f'<line class="whisker s0" {ends}/>')
        if one.value is not None:
            parts.append(point(0, axis(one.value), y + 14))
        parts += _words(label, shown(one), y)
    for number, (label, value, words) in enumerate(published, len(rows)):
        y = 50 + _ROW * number
        parts.append(f'<path class="published" d="{diamond(axis(value), y + 14, 6)}"/>')
        parts += _words(label, words, y, "soft ")
    return _plot(name, title, bottom + 26, parts, _NARROW)


def _words(label: str, figure: str, y: float, kind: str = "") -> Iterator[str]:
    """Write a row's name at the left and its figure at the right; what is cut can be read as a title."""
    left, right = f'x="{_SIDE}"', f'x="{_NARROW - _SIDE}" text-anchor="end"'
    for text, most, place in ((label, LETTERS, left), (figure, 32, right)):
        whole, text = one_line(text), cut(text, most)
        title = f"<title>{escape(whole)}</title>" if text != whole else ""
        yield f'<text class="{kind}over" {place} y="{y}">{title}{escape(text)}</text>'


def _curve(found: Reliability) -> Plot:
    bins, height, bottom = found.curve, 320, 266
    across = Axis(floor(min(one.mean for one in bins)), ceil(max(one.mean for one in bins)), 60, WIDTH - 20)
    up = Axis(0.0, 1.0, bottom, _TOP + 26)
    parts = [
        *values_across(across, up),
        f'<text class="soft" x="{(60 + WIDTH - 20) / 2}" y="{height - 8}" '
        f'text-anchor="middle">f, the Reader’s confidence (a point: the mean of {bins[0].share.n} or so)</text>',
    ]
    for row, (one, words) in enumerate(((found.best, "greatest F1"), (found.precise, "precision ≥ 0.9"))):
        if one is not None and across.low <= one.value <= across.high:
            x = across(one.value)
            at, anchor = (x + 5, "start") if x < WIDTH - 200 else (x - 5, "end")
            y = _TOP + 14 * row  # one below the other: the two may be near
            parts.append(
                f'<line class="guide" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 10 + 14 * row}" y2="{bottom}"/>'
                f'<text class="soft" x="{at:.1f}" y="{y}" text-anchor="{anchor}">{words}: f &gt; '
                f"{one.value:.2f}</text>"
            )
    points = [(across(one.mean), one.share) for one in bins]
    parts += series(0, [(x, share) for x, share in points], up)
    return _plot("confidence", "Supported completely, by the Reader’s confidence", height, parts)


def _weeks(
    name: str, title: str, systems: Mapping[str, Mapping[str, Measures]], measure: str, top: float | None = None
) -> Plot:
    """Plot one series per system, for the systems with the most replies."""
    first = sorted(systems, key=lambda name: -sum(one.replies for one in systems[name].values()))[:MOST_SERIES]
    weeks = sorted({week for name in first for week in systems[name]})
    found = {name: {week: getattr(one, measure) for week, one in systems[name].items()} for name in first}
    highest = max(
        (
            value
            for those in found.values()
            for one in those.values()
            for value in (one.value, one.high)
            if value is not None
        ),
        default=1.0,
    )
    height, bottom = 300, 256
    up = Axis(0.0, top or max(1, ceil(highest)), bottom, _TOP + 24)
    step = (WIDTH - 80) / len(weeks)
    parts = list(values_up(up, 60, WIDTH - 20))
    every = ceil(len(weeks) / 8)
    parts += [
        f'<text class="soft" x="{60 + step * (place + 0.5):.1f}" y="{bottom + 20}" text-anchor="middle">{week}</text>'
        for place, week in enumerate(weeks)
        if place % every == 0
    ]
    for number, name_ in enumerate(first):
        shift = 7 * (number - (len(first) - 1) / 2)
        parts += [
            f'<g class="s{number}">{shape(number, 66 + 145 * number, _TOP + 2)}</g>',
            f'<text x="{76 + 145 * number}" y="{_TOP + 6}">{escape(cut(name_, 17))}</text>',
        ]
        parts += series(
            number,
            [
                (60 + step * (place + 0.5) + shift, found[name_][week])
                for place, week in enumerate(weeks)
                if week in found[name_]
            ],
            up,
        )
    return _plot(name, title, height, parts)


def _plot(name: str, title: str, height: float, parts: Sequence[str], width: int = WIDTH) -> Plot:
    return Plot(
        name,
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">'
        f'<rect class="ground" width="{width}" height="{height}"/>'
        f'<text class="title" x="12" y="22">{escape(title)}</text>{"".join(parts)}</svg>',
    )
