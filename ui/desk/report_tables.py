"""The report as tables of plain text: what the terminal and the page both show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from searchain.annotation.comparing import Comparison
from searchain.annotation.estimates import FEWEST_REPLIES, Estimate
from searchain.annotation.measures import FORMULAS, PAPER, Measures
from searchain.annotation.preferring import Preferred
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
    for table in (
        *_study(report),
        *_measured(report),
        *comparison_tables(report.comparisons, report.preferences),
        *agreement_tables(report.disagreement),
        *_reliable(report),
        *_machines(report),
        *_annotators(report),
        *_blinding(report),
        _work(report),
    ):
        if table.rows:
            yield table


def comparison_tables(found: Sequence[Comparison], preferences: Sequence[Preferred]) -> Iterator[Table]:
    """Systems against one another: by their figures, and by preference."""
    yield Table(
        "compared",
        "Systems compared on the same questions",
        ("measure", "systems", "questions", "figures", "difference", "p", "Holm", "win / tie / loss"),
        tuple(
            (
                one.measure.replace("_", " "),
                f"{one.one} − {one.other}",
                str(one.questions),
                f"{_number(one.first, 2)}, {_number(one.second, 2)}",
                shown(one.difference),
                _number(one.p, 3),
                _number(one.holm, 3),
                f"{one.wins} / {one.ties} / {one.losses}",
            )
            for one in found
        ),
        "Paired bootstrap intervals over questions. p: two-sided sign-flip permutation, the two replies of a question "
        "swapped "
        "by lot. Holm: corrected for all pairs of systems in one measure; several measures are not corrected for: "
        "name the "
        "one that counts beforehand. Annotators are taken as they are.",
    )
    yield Table(
        "preferred",
        "Which reply people prefer, side by side",
        ("systems", "pairs", "win / tie / loss", "preferred", "p"),
        tuple(
            (
                f"{one.one} against {one.other}",
                str(one.pairs),
                f"{one.wins} / {one.ties} / {one.losses}",
                shown(one.share),
                _number(one.p, 3),
            )
            for one in preferences
        ),
        "Preferred: the mean over pairs, a tie counts half; sides were drawn by lot. p as above.",
    )


def _study(report: Report) -> Iterator[Table]:
    if (study := report.study) is None:
        return
    rows = [("hash", study.hash), ("frozen", study.frozen or "never: its rules can change without a trace in the plan")]
    rows += [("hypothesis", text) for text in study.hypotheses]
    rows += [("changed after the freeze", text) for text in study.changes]
    rows += [("left out", text) for text in study.excluded]
    yield Table("study", f"Study: {study.title}" if study.title else "Study", ("", ""), tuple(rows))


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
        "Units are default knowledge items, marks, words (of the division) and replies (of SKC) that two or more "
        "annotators "
        "judged; α of SKC takes it as a number. Intervals resample replies. Fleiss’ κ is over those with "
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
        f"{found.disputed} replies with any disagreement, {found.divided} of them about what the knowledge items are; "
        "adjudicate these first.",
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
        "SKC ÷ items",
        "AMP",
        "AMP strict",
        "AMP per reply",
        "without marks",
    )
    published = tuple(
        (f"{name} (paper)", NONE, "3", f"{one.skc_marked:.3f}", *[NONE] * 3, f"{one.amp:.2f}", *[NONE] * 3)
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
            shown(one.coverage),
            shown(one.amp),
            shown(one.amp_strict),
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
        f"SKC: {FORMULAS['skc_marked']}, per reply; strict: {FORMULAS['skc_strict']}; lenient: completely or partly. "
        "SKC "
        f"grows with a reply’s length: SKC ÷ items is {FORMULAS['coverage']}. AMP: {FORMULAS['amp']}, over all marks; "
        "that "
        "a mark is right where its document supports the knowledge item, completely or partly, is a choice of ours: "
        "the "
        f"paper’s words can also mean the position alone. Strict: {FORMULAS['amp_strict']}. Invented marks count, and "
        "are "
        "never right. Means over annotators, then over replies, with 95 % intervals: Wilson’s for shares, Student’s "
        "for "
        f"SKC. Replies are the sample and annotators are taken as they are; below {FEWEST_REPLIES} replies there is no "
        "interval. Paper: Xu et al., WWW ’24, section 4.3.4: other questions and other replies, SKC counted, AMP "
        "judged by "
        "three people; only these two are defined like ours.",
    )


def _measured(report: Report) -> Iterator[Table]:
    yield _by_system(report)
    yield Table(
        "citations",
        "Citation recall and precision by system",
        (
            "system",
            "recall",
            "precision",
            "ALCE recall",
            "ALCE precision",
            "missing marks per reply",
            "invented per reply",
        ),
        tuple(
            (
                name,
                shown(one.citation_recall),
                shown(one.citation_precision),
                shown(one.alce_recall),
                shown(one.alce_precision),
                shown(one.missing),
                shown(one.invented),
            )
            for name, one in report.systems.items()
        ),
        f"Recall: {FORMULAS['citation_recall']}. Precision: {FORMULAS['citation_precision']}. After Liu et al. 2023, "
        "judged "
        "by people; means over replies, without those that have no such item or mark. ALCE’s columns count as its "
        "script "
        "does (Gao et al. 2023): every statement needs support, and a reply without marks has precision 0. Invented: "
        "marks "
        "that name no document, also those that a system’s own program took out.",
    )
    yield Table(
        "automatic",
        "Without people: all replies on the desk",
        (
            "system",
            "replies",
            "SKC",
            "knowledge items",
            "SKC ÷ items",
            "marks",
            "invented per reply",
            "invented ÷ marks",
        ),
        tuple(
            (
                name,
                str(one.replies),
                shown(one.skc),
                shown(one.knowledge_items),
                shown(one.coverage),
                shown(one.marks),
                shown(one.invented),
                shown(one.invented_share),
            )
            for name, one in report.automatic.items()
        ),
        "Over the division that annotators start from: each sentence, cut behind marks that end a clause. The paper "
        "calls "
        "SKC a statistic, so that this is its nearest match; no judgement is in it.",
    )
    yield Table(
        "withdrawn",
        "Replies that were removed",
        ("system", *_SHORT),
        _short(report.withdrawn),
        "Judged before their text was removed; they count nowhere else in this report.",
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


def _machines(report: Report) -> Iterator[Table]:
    yield Table(
        "machines",
        "Machines beside people",
        ("judge", "question", "units", "raw", "Cohen’s κ", "Krippendorff’s α"),
        tuple(
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
        ),
        "Against the gold label, or one annotator’s where there is none. Annotators never see what machines say.",
    )
    yield Table(
        "powered",
        "All replies: machines corrected by people",
        (
            "measure",
            "system",
            "judge",
            "people judged",
            "machine alone",
            "people’s",
            "machine’s own",
            "corrected",
            "weight",
        ),
        tuple(
            (
                one.measure.replace("_", " "),
                one.system,
                one.judge,
                str(one.judged),
                str(one.others),
                shown(one.people),
                _number(one.machine, 2),
                shown(one.powered),
                _number(one.weight, 2),
            )
            for one in report.powered
        ),
        "Prediction-powered means over replies (Angelopoulos et al. 2023), with 95 % intervals; the weight of the "
        "machine is "
        "chosen from the data. They hold when the replies that people judged are a random part of all.",
    )


def _annotators(report: Report) -> Iterator[Table]:
    yield Table(
        "annotators",
        "Each annotator’s own figures",
        ("annotator", "replies", "SKC", "SKC strict", "AMP", "AMP strict", "contradictory labels"),
        tuple(
            (
                one.annotator,
                str(one.measures.replies),
                shown(one.measures.skc_marked),
                shown(one.measures.skc_strict),
                shown(one.measures.amp),
                shown(one.measures.amp_strict),
                str(one.contradictory),
            )
            for one in report.annotators
        ),
        "Over the replies that each judged, which are not the same for all. Contradictory: judgements that cannot be "
        "true "
        "together; labels made under guidelines 1.x could be, and “needs none” was then preselected.",
    )
    yield Table(
        "drift",
        "Drift: first half → second half of each annotator’s replies",
        ("annotator", "replies", "SKC strict", "AMP", "seconds per reply", "agreeing with others"),
        tuple(
            (
                one.annotator,
                f"{one.first.replies} → {one.second.replies}",
                *(
                    f"{_number(getattr(one.first, name), digits)} → {_number(getattr(one.second, name), digits)}"
                    for name, digits in (("skc_strict", 2), ("amp", 2), ("seconds", 0), ("agreeing", 2))
                ),
            )
            for one in report.annotators
            if one.first.replies
        ),
        "In the order of judging. Agreeing: share of pairs with another annotator’s judgement of support or place "
        "that are "
        "the same.",
    )


def _blinding(report: Report) -> Iterator[Table]:
    if (found := report.blinding) is None:
        return
    yield Table(
        "blinding",
        "Could annotators tell who wrote the replies?",
        ("", "guessed right", "wrong", "did not know", "Bang’s index"),
        tuple(
            (f"{kind}: {one.name}", str(one.right), str(one.wrong), str(one.unknown), _number(one.index, 2))
            for kind, those in (("system", found.systems), ("annotator", found.annotators))
            for one in those
        ),
        "Asked when all was judged. 0: no better than chance; 1: everybody knew; below 0: taken for another one "
        "(Bang, Ni & "
        "Davis 2004).",
    )


def _number(value: float | None, digits: int) -> str:
    return NONE if value is None else f"{value:.{digits}f}"


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
