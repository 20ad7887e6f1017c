"""The report as tables of plain text: what the terminal and the page both show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from searchain.annotation.estimates import Estimate
from searchain.annotation.measures import FORMULAS, PAPER, Measures
from searchain.annotation.reliability import WANTED_PRECISION, Threshold
from searchain.safe_text import one_line
from storage.annotation.report import Disagreement, Report

NONE = "–"
MOST_PAIRS = 30
"""Rows of the table of pairs."""
WIDTH = 120
_LONGEST = 60
"""Characters of a line, and of a cell, in a terminal."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its heading. Cells are untrusted text; the first column names the row."""

    name: str
    """For a link: ``systems``."""
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(report: Report) -> Iterator[Table]:
    """All tables of the report, in order; those without rows are left out."""
    for table in (*_measured(report), *agreement_tables(report.disagreement), *_reliable(report), _work(report)):
        if table.rows:
            yield table


def agreement_tables(found: Disagreement) -> Iterator[Table]:
    """Coefficients, pairs, annotators, and the worst items."""
    yield Table(
        "agreement",
        "Agreement",
        ("question", "units", "raw", "Fleiss’ κ", "Krippendorff’s α"),
        tuple(
            (
                one.name,
                str(one.raw.n),
                shown(one.raw),
                shown(one.fleiss) + (f" of {one.raters}" if one.raters else ""),
                f"{shown(one.alpha)} {one.level if one.alpha.value is not None else ''}".strip(),
            )
            for one in found.agreements
        ),
        "Units are default knowledge items and marks that two or more annotators judged; Fleiss’ κ is over those with "
        "as many judgements as most. Krippendorff calls α from 0.8 on reliable, from 0.667 on good for tentative "
        "conclusions.",
    )
    pairs = [
        (kappa, f"{one} – {other}", question.name)
        for question in found.agreements
        for one, other, kappa in question.cohen
        if kappa.n
    ]
    lowest = sorted(pairs, key=lambda pair: (pair[0].value is None, pair[0].value or 0.0))[:MOST_PAIRS]
    yield Table(
        "pairs",
        "Agreement of pairs (Cohen’s κ)",
        ("annotators", "question", "units", "κ"),
        tuple((pair, question, str(kappa.n), shown(kappa)) for kappa, pair, question in lowest),
        "The lowest first" + (f", {MOST_PAIRS} of {len(pairs)}." if len(pairs) > MOST_PAIRS else "."),
    )
    yield Table(
        "confusion",
        "Annotators’ errors",
        ("annotator", "question", "units", "of them gold", "right", "most often wrong"),
        tuple(
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
        ),
        "Against the gold label, or what most of the others say where there is none; ties do not count.",
    )
    yield Table(
        "worst",
        "Where annotators disagree most",
        ("item", "system", "question", "pairs that differ"),
        tuple((one.item, one.system, one.question, f"{one.disagreeing} of {one.pairs}") for one in found.worst),
        f"{found.disputed} replies with any disagreement; adjudicate these first.",
    )


def shown(estimate: Estimate, digits: int = 2) -> str:
    """``0.80 [0.71, 0.88]``; without a figure the reason."""
    if estimate.value is None:
        return f"{NONE} ({estimate.reason})"
    interval = (
        f" [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"
        if estimate.low is not None and estimate.high is not None
        else ""
    )
    return f"{estimate.value:.{digits}f}{interval}"


def _by_system(report: Report) -> Table:
    """SKC and AMP of each system, above the paper's figures."""
    head = (
        "system",
        "replies",
        "annotators",
        "SKC",
        "SKC strict",
        "SKC lenient",
        "AMP",
        "AMP per reply",
        "without marks",
    )
    published = tuple(
        (f"{name} (paper)", NONE, "3", f"{one.skc_marked:.3f}", NONE, NONE, f"{one.amp:.2f}", NONE, NONE)
        for name, one in PAPER.items()
    )
    rows = tuple(
        (
            name,
            str(one.replies),
            str(one.annotators),
            shown(one.skc_marked),
            shown(one.skc_strict),
            shown(one.skc_lenient),
            shown(one.amp),
            shown(one.amp_per_reply),
            str(one.without_marks),
        )
        for name, one in report.systems.items()
    )
    return Table(
        "systems",
        "SKC and AMP by system",
        head,
        (*rows, *published) if rows else (),
        f"SKC: {FORMULAS['skc_marked']}, per reply; strict: {FORMULAS['skc_strict']}; lenient: completely or "
        f"partly. AMP: {FORMULAS['amp']}, over all marks. Means over annotators, then over replies, with 95 % "
        "bootstrap intervals over replies. Paper: Xu et al., WWW ’24, section 4.3.4: other questions and other "
        "replies, SKC counted, AMP judged by three people; only these two are defined like ours.",
    )


def _measured(report: Report) -> Iterator[Table]:
    yield _by_system(report)
    yield Table(
        "citations",
        "Citation recall and precision by system",
        ("system", "recall", "precision", "missing marks per reply"),
        tuple(
            (name, shown(one.citation_recall), shown(one.citation_precision), shown(one.missing))
            for name, one in report.systems.items()
        ),
        f"Recall: {FORMULAS['citation_recall']}. Precision: {FORMULAS['citation_precision']}. After Gao et al. "
        "2023 (ALCE), judged by people; means over replies, without those that have no such item or mark.",
    )
    yield Table(
        "adjudicated",
        "After adjudication",
        ("system", *_SHORT),
        _short(report.adjudicated),
        "The gold labels alone, over the replies that have one: often the disputed ones.",
    )
    yield Table("models", "By model", ("system and model", *_SHORT), _short(report.models))
    yield Table("tasks", "By kind of task", ("task", *_SHORT), _short(report.tasks))
    yield Table(
        "states",
        "By the program’s support state",
        ("state", *_SHORT),
        _short(report.states),
        "What stands in sentences of each state; SKC adds up to that of the program’s replies.",
    )
    yield Table(
        "weeks",
        "By week",
        ("system and week", *_SHORT),
        tuple(
            row
            for system, weeks in report.weeks.items()
            for row in _short({f"{system} {week}": one for week, one in weeks.items()})
        ),
    )


_SHORT = ("replies", "SKC", "SKC strict", "AMP", "marks")


def _short(groups: Mapping[str, Measures]) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (name, str(one.replies), shown(one.skc_marked), shown(one.skc_strict), shown(one.amp), str(one.amp.n))
        for name, one in groups.items()
    )


def _reliable(report: Report) -> Iterator[Table]:
    found = report.reliability
    yield Table(
        "reliability",
        "The program’s support states, and what people say",
        ("state", "knowledge items", "supported completely"),
        tuple((state, str(share.n), shown(share)) for state, share in found.states.items()),
        f"{found.units} knowledge items with marks, {found.gold} by their gold label, the others by most "
        f"annotators; {found.undecided} more are tied. Intervals: Wilson, for as many items as they are worth, "
        "because those of one reply hang together. Cohen’s κ of “verified, corrected or completed” with "
        f"“supported completely”: {shown(found.kappa)}.",
    )
    yield Table(
        "thresholds",
        "The Reader’s confidence f",
        ("suggested", "f above", "precision", "recall", "F1"),
        ((found.reason, *[NONE] * 4),)
        if found.reason
        else (_threshold("greatest F1", found.best), _threshold(f"precision ≥ {WANTED_PRECISION}", found.precise)),
        f"AUC of f for “supported completely”: {shown(found.auc)}. Thresholds are chosen on these items: try "
        "them on others.",
    )


def _threshold(name: str, one: Threshold | None) -> tuple[str, ...]:
    if one is None:
        return (name, *[NONE] * 4)
    return (
        name,
        f"{one.value:.2f}",
        f"{one.precision:.2f} ({one.right} of {one.selected})",
        f"{one.recall:.2f} ({one.right} of {one.wanted})",
        f"{one.f1:.2f}",
    )


def _work(report: Report) -> Table:
    rows = (
        (
            one.annotator,
            str(one.submitted),
            str(one.skipped),
            NONE if one.median_seconds is None else f"{one.median_seconds:.0f}",
            f"{one.seconds / 3600:.1f}",
            f"{one.practice_right} of {one.practice}" if one.practice else NONE,
        )
        for one in report.work
    )
    head = ("annotator", "replies", "skipped", "seconds per reply", "hours", "practice right")
    return Table("work", "Annotators", head, tuple(rows), "Seconds: the median.")


def _wrong(categories: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    """The most frequent confusion."""
    wrong: Iterable[tuple[int, str]] = (
        (number, f"{_plain(categories[said])} for {_plain(categories[right])} ({number})")
        for right, row in enumerate(counts)
        for said, number in enumerate(row)
        if said != right and number
    )
    return max(wrong, default=(0, NONE))[1]


def _plain(category: str) -> str:
    return category.replace("_", " ")


def text_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Lay out ``tables`` for a terminal, each with its heading and note, an empty line between two."""
    for number, table in enumerate(tables):
        if number:
            yield ""
        yield table.title
        rows = [tuple(_cell(cell) for cell in row) for row in (table.head, *table.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        yield from wrap(table.note, WIDTH)


def _cell(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
