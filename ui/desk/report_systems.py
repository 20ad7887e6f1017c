"""Tables of the report about systems: their figures, their comparisons, and the study."""

from collections.abc import Iterator, Mapping, Sequence

from searchain.annotation.comparing import Comparison
from searchain.annotation.estimates import FEWEST_REPLIES
from searchain.annotation.measures import FORMULAS, PAPER
from storage.annotation.report import Report
from ui.desk.report_table import NONE, Table, number, row, shown

_FIGURES = {
    "replies": "replies",
    "annotators": "annotators",
    "SKC": "skc_marked",
    "SKC strict": "skc_strict",
    "SKC lenient": "skc_lenient",
    "SKC ÷ items": "coverage",
    "AMP": "amp",
    "AMP strict": "amp_strict",
    "AMP per reply": "amp_per_reply",
    "without marks": "without_marks",
}
"""Heading → attribute of ``Measures``."""
_SHORT = {"replies": "replies", "SKC": "skc_marked", "SKC strict": "skc_strict", "AMP": "amp", "marks": "amp.n"}
_CITATIONS = {
    "recall": "citation_recall",
    "precision": "citation_precision",
    "ALCE recall": "alce_recall",
    "ALCE precision": "alce_precision",
    "missing marks per reply": "missing",
    "invented per reply": "invented",
}
_AUTOMATIC = {
    "replies": "replies",
    "SKC": "skc",
    "knowledge items": "knowledge_items",
    "SKC ÷ items": "coverage",
    "marks": "marks",
    "invented per reply": "invented",
    "invented ÷ marks": "invented_share",
}
"""Heading → attribute of ``Automatic``."""


def study_tables(report: Report) -> Iterator[Table]:
    """Yield a table of the study's hypotheses, changes and exclusions."""
    if (study := report.study) is None:
        return
    rows = [("hash", study.hash), ("frozen", study.frozen or "never: its rules can change without a trace in the plan")]
    rows += [("hypothesis", text) for text in study.hypotheses]
    rows.append(("primary measure", study.primary.replace("_", " ") or "none was named beforehand"))
    rows += [("changed after the freeze", text) for text in study.changes]
    rows += [("left out", text) for text in study.excluded]
    rows += [("not left out", text) for text in study.kept]
    yield Table("study", f"Study: {study.title}" if study.title else "Study", ("", ""), tuple(rows))


def _by_system(report: Report) -> Table:
    """Return the table of SKC and AMP of each system, followed by the paper's figures."""
    published = tuple(
        (f"{name} (paper)", NONE, "3", f"{one.skc_marked:.3f}", *[NONE] * 3, f"{one.amp:.2f}", *[NONE] * 3)
        for name, one in PAPER.items()
    )
    rows = _rows(report.systems, _FIGURES)
    return Table(
        "systems",
        "SKC and AMP by system",
        ("system", *_FIGURES),
        (*rows, *published) if rows else (),
        f"SKC: {FORMULAS['skc_marked']}, per reply; strict: {FORMULAS['skc_strict']}; lenient: completely or partly. "
        f"SKC grows with a reply’s length: SKC ÷ items is {FORMULAS['coverage']}. AMP: {FORMULAS['amp']}, over all "
        "marks; that a mark is right where its document supports the knowledge item, completely or partly, is a "
        f"choice of ours: the paper’s words can also mean the position alone. Strict: {FORMULAS['amp_strict']}. "
        "Invented marks count, and are never right. Means over annotators, then over replies, with 95 % intervals: "
        "Wilson’s for shares, Student’s for SKC. Replies are the sample and annotators are taken as they are; below "
        f"{FEWEST_REPLIES} replies there is no interval. Paper: Xu et al., WWW ’24, section 4.3.4: other questions "
        "and other replies, SKC counted, AMP judged by three people; only these two are defined like ours.",
    )


def system_tables(report: Report) -> Iterator[Table]:
    """Yield tables of each system's figures, as a whole and in parts."""
    yield _by_system(report)
    yield Table(
        "citations",
        "Citation recall and precision by system",
        ("system", *_CITATIONS),
        _rows(report.systems, _CITATIONS),
        f"Recall: {FORMULAS['citation_recall']}. Precision: {FORMULAS['citation_precision']}. After Liu et al. 2023, "
        "judged by people; means over replies, without those that have no such item or mark. ALCE’s columns count as "
        "its script does (Gao et al. 2023): every statement needs support, and a reply without marks has precision "
        "0. Invented: marks that name no document, also those that a system’s own program took out.",
    )
    yield Table(
        "automatic",
        "Without people: all replies on the desk",
        ("system", *_AUTOMATIC),
        _rows(report.automatic, _AUTOMATIC),
        "Over the division that annotators start from: each sentence, cut behind marks that end a clause. The paper "
        "calls SKC a statistic, so that this is its nearest match; no judgement is in it.",
    )
    yield Table(
        "withdrawn",
        "Replies that were removed",
        ("system", *_SHORT),
        _rows(report.withdrawn, _SHORT),
        "Judged before their text was removed; they count nowhere else in this report.",
    )
    yield Table(
        "adjudicated",
        "After adjudication",
        ("system", *_SHORT),
        _rows(report.adjudicated, _SHORT),
        "The gold labels alone, over the replies that have one: often the disputed ones.",
    )
    yield Table("tasks", "By kind of task", ("task", *_SHORT), _rows(report.tasks, _SHORT))
    yield Table(
        "states",
        "By the program’s support state",
        ("state", *_SHORT),
        _rows(report.states, _SHORT),
        "What stands in sentences of each state; SKC adds up to that of the program’s replies.",
    )


def _rows(groups: Mapping[str, object], columns: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    return tuple((name, *row(one, columns)) for name, one in groups.items())


def comparison_tables(found: Sequence[Comparison]) -> Iterator[Table]:
    """Yield a table that compares systems by their figures."""
    yield Table(
        "compared",
        "Systems compared on the same questions",
        ("measure", "systems", "questions", "figures", "difference", "p", "Holm", "win / tie / loss"),
        tuple(
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
        ),
        "Paired intervals over questions: Student’s, for shares with one question won and one lost added. p: two-sided "
        "sign-flip permutation, the two replies of a question swapped by lot. Holm: corrected for all pairs of systems "
        "in one measure; several measures are not corrected for: name the one that counts beforehand. Annotators are "
        "taken as they are. The report compares the six systems with the most replies at most, `annotate compare` any.",
    )
