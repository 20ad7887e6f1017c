"""The tables of the report as text, LaTeX and figures; their titles, headings and notes are in report_table.toml."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from textwrap import wrap
from typing import Any

from searchain.annotation.agreement import Agreement, Confusion
from searchain.annotation.comparing import Comparison
from searchain.annotation.estimates import FEWEST_REPLIES, Estimate
from searchain.annotation.measures import FORMULAS, PAPER
from searchain.safe_text import one_line
from storage.annotation.gold import Disagreement
from storage.annotation.report import Report

NONE = "–"
WIDTH = 120
_LONGEST = 60  # the most characters of a line, and of a cell, in a terminal


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its heading. Cells are untrusted text; the first column names the row."""

    name: str
    """The anchor of a link to the table, such as ``systems``."""
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def shown(estimate: Estimate) -> str:
    """Format an estimate as ``0.80 [0.71, 0.88]``; without a value, give the reason."""
    if estimate.value is None:
        return f"{NONE} ({estimate.reason})"
    has_interval = estimate.low is not None and estimate.high is not None
    return f"{estimate.value:.2f}" + (f" [{estimate.low:.2f}, {estimate.high:.2f}]" if has_interval else "")


def number(value: float | None, digits: int) -> str:
    """Format a value as ``0.80``; without a value return a dash."""
    return NONE if value is None else f"{value:.{digits}f}"


def _figure(value: Estimate | float | str | None) -> str:
    match value:
        case Estimate():
            return shown(value)
        case float() | None:
            return number(value, 2)
    return str(value)


def text_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Lay out ``tables`` for a terminal, each with its heading and note, an empty line between two."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield table.title
        rows = [tuple(map(cut, row)) for row in (table.head, *table.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        yield from wrap(table.note, WIDTH)


def cut(text: str, length: int = _LONGEST) -> str:
    """Return one line of at most ``length`` characters."""
    text = one_line(text)
    return text if len(text) <= length else text[: length - 1] + "…"


_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
        **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
        **{"α": r"$\alpha$", "κ": r"$\kappa$", "÷": r"$\div$", "−": "$-$", "≥": r"$\ge$", "→": r"$\to$"},
        **{"–": "--", "’": "'", "“": "``", "”": "''", "…": r"\dots{}", "·": r"$\cdot$", "§": r"\S{}"},
    }
)


def latex_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Write ``tables`` as LaTeX, which needs no packages; names in other scripts need XeLaTeX or LuaLaTeX."""
    for table in tables:
        yield f"\\begin{{table}}\n\\caption{{{_latex(table.title)}}}\\label{{tab:{table.name}}}"
        yield f"\\begin{{tabular}}{{{'l' * len(table.head)}}}\n\\hline"
        for number, cells in enumerate((table.head, *table.rows)):
            yield "{}" + " & ".join(map(_latex, cells)) + r" \\" + ("" if number else "\n\\hline")
        yield "\\hline\n\\end{tabular}"
        yield from [f"\\par\\footnotesize {_latex(table.note)}"] * bool(table.note)
        yield "\\end{table}\n"


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)


FIGURES = ("section", "row", "figure", "value", "low", "high", "n")
"""The columns of ``figure_rows``."""
_NAMING = ("measure", "name", "annotator", "judge", "system", "one", "other", "item")


def figure_rows(values: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[object, ...]]:
    """Yield a row for each number and estimate of a report as JSON; rows of lists are named by their names."""
    match values:
        case {"value": value, "low": low, "high": high, "n": n}:
            yield (path[0], " ".join(path[1:-1]), path[-1], value, low, high, n)
        case dict():
            for name, inner in values.items():
                yield from figure_rows(inner, (*path, str(name)))
        case list():
            for one in values:
                names = one if isinstance(one, list) else []
                if isinstance(one, dict):
                    names = [one.get(name) for name in _NAMING]
                inner = next((part for part in one if isinstance(part, dict)), None) if isinstance(one, list) else one
                yield from figure_rows(inner, (*path, *(name for name in names if isinstance(name, str))))
        case bool():
            return
        case int() | float() if path:
            yield (path[0], " ".join(path[1:-1]), path[-1], values, None, None, None)


MOST_PAIRS = 30
PARADOX = 0.2
"""How much greater AC1 must be than α for the report to say why."""


@cache
def _texts() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _table(name: str, rows: Iterable[Sequence[str]], **values: object) -> Table:
    """Return the table ``name`` with these rows; ``values`` fill in its texts."""
    text = _texts()[name]
    head = text["head"] if "head" in text else [text["first"], *text["columns"]]
    title, note = (text.get(part, "").format(**values) for part in ("title", "note"))
    return Table(name, title, tuple(head), tuple(map(tuple, rows)), note)


def _figures(name: str, groups: Mapping[str, object] | Iterable[tuple[str, object]]) -> list[tuple[str, ...]]:
    """Return a row for each group: its name, then its figures in the columns of the table ``name``."""
    named, paths = groups.items() if isinstance(groups, Mapping) else groups, _texts()[name]["columns"].values()
    return [(group, *(_figure(attrgetter(path)(one)) for path in paths)) for group, one in named]


def tables(report: Report) -> Iterator[Table]:
    """Yield all tables of the report in order, without empty ones."""
    for table in (
        *_study(report),
        *_systems(report),
        *comparison_tables(report.comparisons),
        *agreement_tables(report.disagreement),
        *_program(report),
        *_machines(report),
        *_annotators(report),
    ):
        if table.rows:
            yield table


def _study(report: Report) -> Iterator[Table]:
    if (study := report.study) is None:
        return
    rows = [("hash", study.hash), ("frozen", study.frozen or "never: its rules can change without a trace in the plan")]
    rows += [("hypothesis", text) for text in study.hypotheses]
    rows.append(("primary measure", study.primary.replace("_", " ") or "none was named beforehand"))
    rows += [("changed after the freeze", text) for text in study.changes]
    rows += [("left out", text) for text in study.excluded]
    rows += [("not left out", text) for text in study.kept]
    yield _table("study", rows, title=f"Study: {study.title}" if study.title else "Study")


def _systems(report: Report) -> Iterator[Table]:
    published = [
        (f"{name} (paper)", NONE, "3", f"{one.skc_marked:.3f}", *[NONE] * 3, f"{one.amp:.2f}", *[NONE] * 3)
        for name, one in PAPER.items()
    ]
    rows = _figures("systems", report.systems)
    yield _table("systems", [*rows, *published] if rows else (), fewest=FEWEST_REPLIES, **FORMULAS)
    yield _table("citations", _figures("citations", report.systems), **FORMULAS)
    asked = {name: one for name, one in report.systems.items() if one.citable.n}
    yield _table("uncited", _figures("uncited", asked), **FORMULAS)
    for name in ("automatic", "withdrawn", "adjudicated"):
        yield _table(name, _figures(name, getattr(report, name)))
    yield _table("reasons", [(reason, str(number)) for reason, number in report.reasons.items()])


def comparison_tables(found: Sequence[Comparison]) -> Iterator[Table]:
    """Yield a table that compares systems by their figures."""
    rows = []
    for one in found:
        what = (one.measure.replace("_", " "), f"{one.one} − {one.other}", str(one.questions))
        figures = (f"{number(one.first, 2)}, {number(one.second, 2)}", shown(one.difference))
        rows.append((*what, *figures, number(one.p, 3), number(one.holm, 3), f"{one.wins} / {one.ties} / {one.losses}"))
    yield _table("compared", rows)


def agreement_tables(found: Disagreement) -> Iterator[Table]:
    """Yield tables of agreement coefficients, pairs, annotators, and the most disputed items."""
    both = [(one.name, one.ac1.value, one.alpha.value) for one in found.agreements]
    apart = [name for name, ac1, alpha in both if ac1 is not None and alpha is not None and ac1 - alpha >= PARADOX]
    paradox = _texts()["agreement"]["paradox"].format(apart=", ".join(apart)) if apart else ""
    yield _table("agreement", [_coefficients(one) for one in found.agreements], paradox=paradox)
    yield _pairs(found)
    yield _table("confusion", [_errors(name, one) for name, those in found.confusions.items() for one in those])
    worst = [(one.item, one.system, one.question, f"{one.disagreeing} of {one.pairs}") for one in found.worst]
    yield _table("worst", worst, disputed=found.disputed, divided=found.divided)


def _coefficients(one: Agreement) -> tuple[str, ...]:
    level = one.level if one.alpha.value is not None else ""
    raters = f" of {one.raters}" if one.raters else ""
    alpha, fleiss = f"{shown(one.alpha)} {level}".strip(), f"{shown(one.fleiss)}{raters}"
    return one.name, str(one.raw.n), shown(one.raw), alpha, shown(one.ac1), fleiss


def _pairs(found: Disagreement) -> Table:
    """Return the table of pairs of annotators, those that agree least first."""
    pairs = [
        (kappa, f"{one} – {other}", question.name)
        for question in found.agreements
        for one, other, kappa in question.cohen
        if kappa.n
    ]
    lowest = sorted(pairs, key=lambda pair: (pair[0].value is None, pair[0].value or 0.0))[:MOST_PAIRS]
    more = f", {MOST_PAIRS} of {len(pairs)}" if len(pairs) > MOST_PAIRS else ""
    return _table("pairs", [(pair, name, str(kappa.n), shown(kappa)) for kappa, pair, name in lowest], more=more)


def _errors(name: str, one: Confusion) -> tuple[str, ...]:
    right = f"{one.right / one.units:.0%}" if one.units else NONE
    return one.annotator, name, str(one.units), str(one.against_gold), right, _wrong(one.categories, one.counts)


def _program(report: Report) -> Iterator[Table]:
    found = report.reliability
    rows = [(state, str(share.n), shown(share)) for state, share in found.states.items()]
    counts = {name: getattr(found, name) for name in ("units", "gold", "undecided")}
    yield _table("reliability", rows, **counts, kappa=shown(found.kappa))


def _machines(report: Report) -> Iterator[Table]:
    rows = []
    for one in report.machines:
        for found in (one.support, one.place):
            kappa = shown(found.cohen[0][2]) if found.cohen else NONE
            rows.append((one.judge, found.name, str(found.raw.n), shown(found.raw), kappa, shown(found.alpha)))
    yield _table("machines", rows)
    powered = [(f"{one.measure.replace('_', ' ')} per reply", one) for one in report.powered]
    yield _table("powered", _figures("powered", powered))


def _annotators(report: Report) -> Iterator[Table]:
    yield _table("annotators", _figures("annotators", [(one.annotator, one) for one in report.annotators]))
    compared = (("skc_strict", 2), ("amp", 2), ("seconds", 0), ("agreeing", 2))
    drift = []
    for half in (one for one in report.annotators if one.first.replies):
        pairs = ((getattr(half.first, name), getattr(half.second, name), digits) for name, digits in compared)
        figures = (f"{number(first, digits)} → {number(second, digits)}" for first, second, digits in pairs)
        drift.append((half.annotator, f"{half.first.replies} → {half.second.replies}", *figures))
    yield _table("drift", drift)
    if found := report.blinding:
        guesses = [
            (f"{kind}: {one.name}", str(one.right), str(one.wrong), str(one.unknown), number(one.index, 2))
            for kind, those in (("system", found.systems), ("annotator", found.annotators))
            for one in those
        ]
        yield _table("blinding", guesses)
    work = []
    for each in report.work:
        done = (str(each.submitted), str(each.skipped), number(each.median_seconds, 0), f"{each.seconds / 3600:.1f}")
        practice = f"{each.practice_right} of {each.practice}" if each.practice else NONE
        work.append((each.annotator, *done, practice))
    yield _table("work", work)


def _wrong(categories: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    plain = [category.replace("_", " ") for category in categories]
    wrong = (
        (number, f"{plain[said]} for {plain[right]} ({number})")
        for right, row in enumerate(counts)
        for said, number in enumerate(row)
        if said != right and number
    )
    return max(wrong, default=(0, NONE))[1]
