"""Plots of the report as SVG: estimates with intervals. Colours come from plots.css, for light and dark mode."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path

from searchain.annotation.estimates import Estimate
from searchain.annotation.measures import PAPER
from searchain.safe_text import escape, one_line
from storage.annotation.report import Report
from ui.desk.report_table import shown

LETTERS = 22
"""The most letters of a row's name."""


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


def cut(text: str, length: int) -> str:
    """Return one line of at most ``length`` characters."""
    text = one_line(text)
    return text if len(text) <= length else text[: length - 1] + "…"


STYLE = Path(__file__).with_name("plots.css").read_text(encoding="utf-8")
_WIDTH, _SIDE, _ROW = 400, 14, 46
"""The width of a plot, its margin, and the height of a row."""


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
    axis = Axis(min(0.0, floor(min(values) * 5) / 5), high, _SIDE, _WIDTH - _SIDE)
    bottom = 40 + _ROW * (len(rows) + len(published))
    parts = [*rows_grid(axis, 32, bottom)]
    parts += [f'<line class="guide" x1="{axis(at):.1f}" x2="{axis(at):.1f}" y1="32" y2="{bottom}"/>' for at in guides]
    for number, (label, one) in enumerate(rows):
        y = 50 + _ROW * number
        if one.low is not None and one.high is not None:
            ends = f'x1="{axis(one.low):.1f}" x2="{axis(one.high):.1f}" y1="{y + 14}" y2="{y + 14}"'
            parts.append(f'<line class="whisker" {ends}/>')
        if one.value is not None:
            parts.append(f'<circle class="point" cx="{axis(one.value):.1f}" cy="{y + 14}" r="5.5"/>')
        parts += _words(label, shown(one), y)
    for number, (label, value, words) in enumerate(published, len(rows)):
        y = 50 + _ROW * number
        parts.append(f'<path class="published" d="M{axis(value):.1f} {y + 8}l6 6l-6 6l-6 -6z"/>')
        parts += _words(label, words, y, "soft ")
    return _plot(name, title, bottom + 26, parts)


def _words(label: str, figure: str, y: float, kind: str = "") -> Iterator[str]:
    """Write a row's name at the left and its figure at the right; what is cut can be read as a title."""
    left, right = f'x="{_SIDE}"', f'x="{_WIDTH - _SIDE}" text-anchor="end"'
    for text, most, place in ((label, LETTERS, left), (figure, 32, right)):
        whole, text = one_line(text), cut(text, most)
        title = f"<title>{escape(whole)}</title>" if text != whole else ""
        yield f'<text class="{kind}over" {place} y="{y}">{title}{escape(text)}</text>'


def _plot(name: str, title: str, height: float, parts: Sequence[str]) -> Plot:
    return Plot(
        name,
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f'<rect class="ground" width="{_WIDTH}" height="{height}"/>'
        f'<text class="title" x="12" y="22">{escape(title)}</text>{"".join(parts)}</svg>',
    )
