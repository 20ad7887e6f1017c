"""Tables of the report about annotators, machines and the program's own ratings."""

from collections.abc import Iterable, Iterator, Sequence

from storage.annotation.disputes import Disagreement
from storage.annotation.report import Report
from ui.desk.report_table import NONE, Table, number, row, shown

MOST_PAIRS = 30
"""The most rows in the table of pairs."""
PARADOX = 0.2
"""How much greater AC1 must be than α for the report to say why."""
_POWERED = {
    "system": "system",
    "judge": "judge",
    "people judged": "judged",
    "machine alone": "others",
    "people’s": "people",
    "machine’s own": "machine",
    "corrected": "powered",
    "weight": "weight",
}
"""Heading → attribute of ``Powered``."""
_OWN = {
    "annotator": "annotator",
    "replies": "measures.replies",
    "SKC": "measures.skc_marked",
    "SKC strict": "measures.skc_strict",
    "AMP": "measures.amp",
    "AMP strict": "measures.amp_strict",
    "contradictory labels": "contradictory",
}
"""Heading → attribute of ``OneAnnotator``."""


def agreement_tables(found: Disagreement) -> Iterator[Table]:
    """Yield tables of agreement coefficients, pairs, annotators, and the most disputed items."""
    both = [(one.name, one.ac1.value, one.alpha.value) for one in found.agreements]
    apart = [name for name, ac1, alpha in both if ac1 is not None and alpha is not None and ac1 - alpha >= PARADOX]
    yield Table(
        "agreement",
        "Agreement",
        ("question", "units", "raw", "Krippendorff’s α", "Gwet’s AC1", "Fleiss’ κ"),
        tuple(
            (
                one.name,
                str(one.raw.n),
                shown(one.raw),
                f"{shown(one.alpha)} {one.level if one.alpha.value is not None else ''}".strip(),
                shown(one.ac1),
                shown(one.fleiss) + (f" of {one.raters}" if one.raters else ""),
            )
            for one in found.agreements
        ),
        "Units are default knowledge items, marks, words (of the division) and replies (of SKC) that two or more "
        "annotators judged; α of SKC takes it as a number. Intervals are over replies. Fleiss’ κ is over those with "
        "as many judgements as most. Krippendorff calls α from 0.8 on reliable, from 0.667 on good for tentative "
        "conclusions."
        + (
            f" α and AC1 differ much on {', '.join(apart)}: nearly all judgements there are of one kind, so that α "
            "takes agreement on it for chance (the paradox of κ; Feinstein & Cicchetti 1990), and AC1 does not: report "
            "both. With few replies α’s interval is then too narrow."
            if apart
            else ""
        ),
    )
    yield _pairs(found)
    yield _errors(found)
    yield Table(
        "worst",
        "Where annotators disagree most",
        ("item", "system", "question", "pairs that differ"),
        tuple((one.item, one.system, one.question, f"{one.disagreeing} of {one.pairs}") for one in found.worst),
        f"{found.disputed} replies with any disagreement, {found.divided} of them about what the knowledge items are; "
        "adjudicate these first.",
    )


def _pairs(found: Disagreement) -> Table:
    pairs = [
        (kappa, f"{one} – {other}", question.name)
        for question in found.agreements
        for one, other, kappa in question.cohen
        if kappa.n
    ]
    lowest = sorted(pairs, key=lambda pair: (pair[0].value is None, pair[0].value or 0.0))[:MOST_PAIRS]
    return Table(
        "pairs",
        "Agreement of pairs (Cohen’s κ)",
        ("annotators", "question", "units", "κ"),
        tuple((pair, question, str(kappa.n), shown(kappa)) for kappa, pair, question in lowest),
        "The lowest first" + (f", {MOST_PAIRS} of {len(pairs)}." if len(pairs) > MOST_PAIRS else "."),
    )


def _errors(found: Disagreement) -> Table:
    return Table(
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


def program_tables(report: Report) -> Iterator[Table]:
    """Yield a table that compares the program's support states with people's labels."""
    found = report.reliability
    yield Table(
        "reliability",
        "The program’s support states, and what people say",
        ("state", "knowledge items", "supported completely"),
        tuple((state, str(share.n), shown(share)) for state, share in found.states.items()),
        f"{found.units} knowledge items with marks, {found.gold} by their gold label, the others by most "
        f"annotators; {found.undecided} more are tied. Intervals: Wilson, for as many items as they are worth, "
        "because those of one reply hang together. Cohen’s κ of “quoted or supported” with "
        f"“supported completely”: {shown(found.kappa)}.",
    )


def machine_tables(report: Report) -> Iterator[Table]:
    """Yield tables that compare machines with people, and estimate figures over all replies."""
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
        ("measure", *_POWERED),
        tuple((f"{one.measure.replace('_', ' ')} per reply", *row(one, _POWERED)) for one in report.powered),
        "Means per reply, prediction-powered (Angelopoulos et al. 2023), with 95 % intervals; the weight of the "
        "machine is chosen from the data. They hold when the replies that people judged are a random part of all.",
    )


def annotator_tables(report: Report) -> Iterator[Table]:
    """Yield tables of each annotator's own figures and their drift."""
    yield Table(
        "annotators",
        "Each annotator’s own figures",
        tuple(_OWN),
        tuple(row(one, _OWN) for one in report.annotators),
        "Over the replies that each judged, which are not the same for all. Contradictory: judgements that cannot be "
        "true together; labels made under guidelines 1.x could be, and “needs none” was then preselected.",
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
                    f"{number(getattr(one.first, name), digits)} → {number(getattr(one.second, name), digits)}"
                    for name, digits in (("skc_strict", 2), ("amp", 2), ("seconds", 0), ("agreeing", 2))
                ),
            )
            for one in report.annotators
            if one.first.replies
        ),
        "In the order of judging. Agreeing: share of pairs with another annotator’s judgement of support or place "
        "that are the same.",
    )


def blinding_tables(report: Report) -> Iterator[Table]:
    """Yield a table of how well annotators guessed who wrote the replies."""
    if (found := report.blinding) is None:
        return
    yield Table(
        "blinding",
        "Could annotators tell who wrote the replies?",
        ("", "guessed right", "wrong", "did not know", "Bang’s index"),
        tuple(
            (f"{kind}: {one.name}", str(one.right), str(one.wrong), str(one.unknown), number(one.index, 2))
            for kind, those in (("system", found.systems), ("annotator", found.annotators))
            for one in those
        ),
        "Asked when all was judged. 0: no better than chance; 1: everybody knew; below 0: taken for another one "
        "(Bang, Ni & Davis 2004).",
    )


def work_table(report: Report) -> Table:
    """Return the table of each annotator's work."""
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
    head = ("annotator", "replies", "skipped", "seconds per reply", "hours", "hidden checks right")
    return Table("work", "Annotators", head, tuple(rows), "Seconds: the median.")


def _wrong(categories: Sequence[str], counts: Sequence[Sequence[int]]) -> str:
    wrong: Iterable[tuple[int, str]] = (
        (number, f"{_plain(categories[said])} for {_plain(categories[right])} ({number})")
        for right, row in enumerate(counts)
        for said, number in enumerate(row)
        if said != right and number
    )
    return max(wrong, default=(0, NONE))[1]


def _plain(category: str) -> str:
    return category.replace("_", " ")
