"""The tables of the report; their titles, headings and notes are in report_tables.toml."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from searchain.annotation.comparing import Comparison
from searchain.annotation.estimates import FEWEST_REPLIES
from searchain.annotation.measures import FORMULAS, PAPER
from storage.annotation.disputes import Disagreement
from storage.annotation.report import Report
from ui.desk.report_table import NONE, Table, number, row, shown

MOST_PAIRS = 30
"""The most rows in the table of pairs."""
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
    named = groups.items() if isinstance(groups, Mapping) else groups
    return [(group, *row(one, _texts()[name]["columns"])) for group, one in named]


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
    """Yield each system's figures, as a whole and in parts; the paper's stand below those of the systems."""
    published = [
        (f"{name} (paper)", NONE, "3", f"{one.skc_marked:.3f}", *[NONE] * 3, f"{one.amp:.2f}", *[NONE] * 3)
        for name, one in PAPER.items()
    ]
    rows = _figures("systems", report.systems)
    yield _table("systems", [*rows, *published] if rows else (), fewest=FEWEST_REPLIES, **FORMULAS)
    yield _table("citations", _figures("citations", report.systems), **FORMULAS)
    for name in ("automatic", "withdrawn", "adjudicated", "tasks", "states"):
        yield _table(name, _figures(name, getattr(report, name)))


def comparison_tables(found: Sequence[Comparison]) -> Iterator[Table]:
    """Yield a table that compares systems by their figures."""
    rows = [
        (
            one.measure.replace("_", " "),
            f"{one.one} − {one.other}",
            str(one.questions),
            f"{number(one.first, 2)}, {number(one.second, 2)}",
            shown(one.difference),
            number(one.p, 3),
            number(one.holm, 3),
            f"{one.wins} / {one.ties} / {one.losses}",
        )
        for one in found
    ]
    yield _table("compared", rows)


def agreement_tables(found: Disagreement) -> Iterator[Table]:
    """Yield tables of agreement coefficients, pairs, annotators, and the most disputed items."""
    both = [(one.name, one.ac1.value, one.alpha.value) for one in found.agreements]
    apart = [name for name, ac1, alpha in both if ac1 is not None and alpha is not None and ac1 - alpha >= PARADOX]
    rows = [
        (
            one.name,
            str(one.raw.n),
            shown(one.raw),
            f"{shown(one.alpha)} {one.level if one.alpha.value is not None else ''}".strip(),
            shown(one.ac1),
            shown(one.fleiss) + (f" of {one.raters}" if one.raters else ""),
        )
        for one in found.agreements
    ]
    paradox = _texts()["agreement"]["paradox"].format(apart=", ".join(apart)) if apart else ""
    yield _table("agreement", rows, paradox=paradox)
    pairs = [
        (kappa, f"{one} – {other}", question.name)
        for question in found.agreements
        for one, other, kappa in question.cohen
        if kappa.n
    ]
    lowest = sorted(pairs, key=lambda pair: (pair[0].value is None, pair[0].value or 0.0))[:MOST_PAIRS]
    more = f", {MOST_PAIRS} of {len(pairs)}" if len(pairs) > MOST_PAIRS else ""
    yield _table("pairs", [(pair, name, str(kappa.n), shown(kappa)) for kappa, pair, name in lowest], more=more)
    errors = [
        (
            one.annotator,
            name,
            str(one.units),
            str(one.against_gold),
            f"{one.right / one.units:.0%}" if one.units else NONE,
            _wrong(one.categories, one.counts),
        )
        for name, those in found.confusions.items()
        for one in those
    ]
    yield _table("confusion", errors)
    worst = [(one.item, one.system, one.question, f"{one.disagreeing} of {one.pairs}") for one in found.worst]
    yield _table("worst", worst, disputed=found.disputed, divided=found.divided)


def _program(report: Report) -> Iterator[Table]:
    """Yield a table that compares the program's support states with people's labels."""
    found = report.reliability
    rows = [(state, str(share.n), shown(share)) for state, share in found.states.items()]
    counts = {name: getattr(found, name) for name in ("units", "gold", "undecided")}
    yield _table("reliability", rows, **counts, kappa=shown(found.kappa))


def _machines(report: Report) -> Iterator[Table]:
    """Yield tables that compare machines with people, and estimate figures over all replies."""
    rows = [
        (
            one.judge,
            found.name,
            str(found.raw.n),
            shown(found.raw),
            shown(found.cohen[0][2]) if found.cohen else NONE,
            shown(found.alpha),
        )
        for one in report.machines
        for found in (one.support, one.place)
    ]
    yield _table("machines", rows)
    powered = [(f"{one.measure.replace('_', ' ')} per reply", one) for one in report.powered]
    yield _table("powered", _figures("powered", powered))


def _annotators(report: Report) -> Iterator[Table]:
    """Yield tables of each annotator's own figures, their drift, their guesses of systems, and their work."""
    yield _table("annotators", _figures("annotators", [(one.annotator, one) for one in report.annotators]))
    compared = (("skc_strict", 2), ("amp", 2), ("seconds", 0), ("agreeing", 2))
    drift = [
        (
            one.annotator,
            f"{one.first.replies} → {one.second.replies}",
            *(
                f"{number(getattr(one.first, name), digits)} → {number(getattr(one.second, name), digits)}"
                for name, digits in compared
            ),
        )
        for one in report.annotators
        if one.first.replies
    ]
    yield _table("drift", drift)
    if found := report.blinding:
        guesses = [
            (f"{kind}: {one.name}", str(one.right), str(one.wrong), str(one.unknown), number(one.index, 2))
            for kind, those in (("system", found.systems), ("annotator", found.annotators))
            for one in those
        ]
        yield _table("blinding", guesses)
    work = [
        (
            one.annotator,
            str(one.submitted),
            str(one.skipped),
            number(one.median_seconds, 0),
            f"{one.seconds / 3600:.1f}",
            f"{one.practice_right} of {one.practice}" if one.practice else NONE,
        )
        for one in report.work
    ]
    yield _table("work", work)


def _wrong(categories: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """Describe the most frequent confusion."""
    plain = [category.replace("_", " ") for category in categories]
    wrong = (
        (number, f"{plain[said]} for {plain[right]} ({number})")
        for right, row in enumerate(counts)
        for said, number in enumerate(row)
        if said != right and number
    )
    return max(wrong, default=(0, NONE))[1]
