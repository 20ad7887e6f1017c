"""The report: its tables, for the terminal and the page, and one self-contained page for screens, phones and paper.

The page has no scripts and makes no requests. Its plots are SVG: estimates with intervals, whose colours come from
plots.css, for light and dark mode.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path

from markupsafe import Markup

from searchain.annotation.agreement import Confusion
from searchain.annotation.estimates import Estimate
from searchain.annotation.measures import PAPER
from searchain.safe_text import one_line
from storage.annotation.report import Report
from ui.desk.report_table import cut, shown, tables
from ui.html import render

_STYLE = "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("report.css", "plots.css"))
_SUM = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()


def page(found: Report) -> str:
    """Return the page of a report."""
    versions = f"guidelines {', '.join(found.guidelines)} · " if found.guidelines else ""
    confusions = found.disagreement.confusions.items()
    return render(
        "desk/report.html",
        sum=Markup(_SUM),
        style=Markup(_STYLE),
        report=found,
        versions=versions,
        made=found.created[:16].replace("T", " "),
        shown=[one for one in tables(found) if found.labels or one.name == "work"],
        plots=list(plots(found)),
        matrices=[_matrix(question, one) for question, those in confusions for one in those if one.units],
    )


def _matrix(question: str, one: Confusion) -> dict[str, object]:
    names = [category.replace("_", " ") for category in one.categories]
    most = max(number for row in one.counts for number in row)
    rows = [[(number, -(-4 * number // most)) for number in row] for row in one.counts]
    cells = list(zip(names, rows, strict=True))
    return {"annotator": one.annotator, "question": question, "names": names, "rows": cells}


LETTERS = 22
"""The most letters of a row's name."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values to positions in a plot."""

    low: float
    high: float

    def at(self, value: float | None) -> str:
        """Return the position of a value; ``""`` without a value."""
        if value is None:
            return ""
        return f"{_SIDE + (_WIDTH - 2 * _SIDE) * (value - self.low) / ((self.high - self.low) or 1.0):.1f}"

    def ticks(self) -> list[float]:
        size = self.high - self.low
        step = next(step for step in (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1e9) if size / step <= 6.01)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [step * number for number in range(first, last + 1)]


_WIDTH, _SIDE, _ROW = 400, 14, 46
"""The width of a plot, its margin, and the height of a row."""


def plots(report: Report) -> Iterator[Markup]:
    """Yield the plots for which the report has data."""
    systems = report.systems
    if systems:
        yield _intervals(
            "SKC: marked knowledge items per reply",
            [(name, one.skc_marked) for name, one in systems.items()],
            [(f"{name} (paper)", one.skc_marked, f"{one.skc_marked:.3f}") for name, one in PAPER.items()],
        )
        yield _intervals(
            "AMP: marks in the right place",
            [(name, one.amp) for name, one in systems.items()],
            [(f"{name} (paper)", one.amp, f"{one.amp:.2f}") for name, one in PAPER.items()],
            top=1.0,
        )
        yield _intervals(
            "Agreement: Krippendorff’s α",
            [(one.name, one.alpha) for one in report.disagreement.agreements],
            top=1.0,
            guides=(0.667, 0.8),
        )
    if states := list(report.reliability.states.items()):
        yield _intervals("Supported completely, by the program’s state", states, top=1.0)


def _intervals(
    title: str,
    rows: Sequence[tuple[str, Estimate]],
    published: Sequence[tuple[str, float, str]] = (),
    top: float | None = None,
    guides: Sequence[float] = (),
) -> Markup:
    """Plot each estimate as a dot in its interval, and published values as diamonds.

    Name and figure stand above each, so that a phone has room for them too.
    """
    known = [value for _, one in rows for value in (one.low, one.value, one.high) if value is not None]
    values = [0.0, *known, *(value for _, value, _ in published)]
    axis = Axis(min(0.0, floor(min(values) * 5) / 5), top or ceil(max([1.0, *values])))
    drawn: list[dict[str, object]] = []
    for label, one in rows:
        ends = {"low": "" if one.low is None or one.high is None else axis.at(one.low), "high": axis.at(one.high)}
        drawn.append({**ends, "at": axis.at(one.value), "kind": "", "words": _words(label, shown(one))})
    for label, value, words in published:
        drawn.append({"low": "", "at": axis.at(value), "kind": "soft ", "words": _words(label, words)})
    bottom = 40 + _ROW * len(drawn)
    placed = [row | {"y": 50 + _ROW * number} for number, row in enumerate(drawn)]
    lines = {
        "ticks": [(axis.at(tick), f"{tick:g}") for tick in axis.ticks()],
        "guides": [axis.at(value) for value in guides],
    }
    size = {"width": _WIDTH, "height": bottom + 26, "bottom": bottom}
    return render("desk/plot.html", title=title, rows=placed, **size, **lines)


def _words(label: str, figure: str) -> list[tuple[str, str, Markup]]:
    """Return a row's name at the left and its figure at the right; what is cut can be read as a title."""
    left, right = Markup(f'x="{_SIDE}"'), Markup(f'x="{_WIDTH - _SIDE}" text-anchor="end"')
    parts = ((label, LETTERS, left), (figure, 32, right))
    return [(cut(text, most), one_line(text), place) for text, most, place in parts]
