"""The annotation report: SKC and AMP, agreement, reliability and time, computed from the labels of a database."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import Any

from searchain.annotation.annotators import Blinding, OneAnnotator, Reliability, by_annotator, reliability
from searchain.annotation.comparing import Comparison, compare
from searchain.annotation.machines import Powered
from searchain.annotation.measures import Automatic, Measures, breakdown, by_system
from searchain.annotation.protocol import Item, Labels, Origin
from searchain.annotation.study import Study, differences
from searchain.annotation.units import Judgement
from storage.annotation import gold as golds
from storage.annotation import guided, history, machines, studies
from storage.annotation import items as every
from storage.annotation import progress as progresses
from storage.annotation import pseudonyms as people
from storage.annotation.gold import Disagreement, disagreement
from storage.annotation.machines import AgainstPeople
from storage.annotation.progress import Work, work_of
from storage.annotation.studies import Entry
from storage.database import Database, now

COMPARED = ("skc_strict", "coverage", "amp", "citation_recall")
"""Measures in which the report compares systems."""
MOST_COMPARED = 6
"""The most systems that the report compares pairwise: those with the most replies."""


@dataclass(frozen=True, slots=True)
class StudyNote:
    """The study that the labels were made under."""

    title: str
    hash: str
    frozen: str | None
    """When the study was frozen; ``None``: never."""
    hypotheses: tuple[str, ...]
    changes: tuple[str, ...]
    """Changes after the freeze, one line each."""
    excluded: tuple[str, ...]
    """Exclusions by the study's rules, one line each."""
    kept: tuple[str, ...]
    """Annotators below the least share of right checks who are not excluded, one line each."""
    primary: str
    """The measure that counts, named beforehand; empty: none is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All figures of the report. Practice items count only in ``work``."""

    created: str
    """When the report was made; UTC, ISO 8601."""
    guidelines: tuple[str, ...] = ()
    """The versions of the guidelines that annotators used."""
    systems: dict[str, Measures]
    adjudicated: dict[str, Measures]
    """Measures computed from the gold labels, over the replies that have one."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Why annotators differed, as adjudicators say → how many decisions; those without a reason do not count."""
    withdrawn: dict[str, Measures]
    """Measures of judged replies that were removed; they count nowhere else."""
    automatic: dict[str, Automatic]
    """Measures without people, over all replies on the desk."""
    disagreement: Disagreement
    reliability: Reliability
    annotators: tuple[OneAnnotator, ...]
    comparisons: tuple[Comparison, ...]
    """Comparisons of two systems each, on the questions that both answered."""
    machines: tuple[AgainstPeople, ...]
    """Agreement of machines with people."""
    powered: tuple[Powered, ...]
    """Figures from machines over all replies, corrected by people's labels."""
    blinding: Blinding | None = None
    """``None`` if nobody was asked who wrote the replies."""
    study: StudyNote | None = None
    """``None`` if the desk has no study."""
    work: tuple[Work, ...]

    @property
    def replies(self) -> int:
        return sum(one.replies for one in self.systems.values())

    @property
    def labels(self) -> int:
        return sum(one.labels for one in self.systems.values())


def report(store: Database, *, pseudonyms: bool = False) -> Report:
    """Compute the report from the newest labels."""
    names, rules = people.names(store, are_hidden=pseudonyms), studies.current(store)
    stored, out = _stored(store, rules)
    named = [replace(one, annotator=names(one.annotator)) for one in stored]
    judgements, withdrawn = ([one for one in named if one.is_withdrawn == is_gone] for is_gone in (False, True))
    gone = {one.item.id for one in withdrawn}
    decided = [one for one in golds.gold(store) if one.item.id not in gone]
    return report_on(
        judgements,
        [Judgement(one.item, "gold", one.labels, one.created) for one in decided],
        skipped={names(one["name"]): one["skipped"] for one in progresses.annotators(store)},
        guidelines=tuple(sorted({one.guidelines for one in stored})),
        seed=rules.seed,
        asks_uncited=rules.show_uncited,
        reasons=dict(sorted(Counter(one.reason for one in decided if one.reason).items())),
        withdrawn=withdrawn,
        items=[
            one
            for one in every.items(store)
            if one.origin is not Origin.PRACTICE and not out.leaves_out_item(one.id, one.system)
        ],
        blinding=guided.result(store, names),
        said_by_machines=machines.labelled(store),
        study=_note(rules, studies.history(store), tuple(out.lines(names)), out.kept_lines(names)),
    )


def _note(rules: Study, entries: Sequence[Entry], left_out: tuple[str, ...], kept: tuple[str, ...]) -> StudyNote | None:
    if not entries and not left_out:
        return None
    return StudyNote(
        rules.title,
        entries[-1].hash if entries else rules.hash,
        next((one.created for one in entries if one.action == "frozen"), None),
        rules.hypotheses,
        tuple(
            f"{one.created[:16]} {', '.join(differences(before.study, one.study))}: {one.reason}"
            for before, one in pairwise(entries)
            if one.action == "changed"
        ),
        left_out,
        kept,
        rules.primary,
    )


def counted(store: Database) -> tuple[Sequence[Judgement], int]:
    """Return the judgements of replies that count in the report, and the study's seed."""
    rules = studies.current(store)
    stored, _ = _stored(store, rules)
    return [one for one in stored if not one.is_withdrawn and one.item.origin is not Origin.PRACTICE], rules.seed


def _stored(store: Database, rules: Study) -> tuple[list[history.Judgement], studies.Excluded]:
    """Return the labels that the study does not exclude, and its exclusions."""
    found = history.labels(store)
    out = studies.excluded(found, rules.exclusions, people.pseudonyms_of(store))
    return [one for one in found if not out.leaves_out(one)], out


def report_on(
    judgements: Sequence[Judgement],
    adjudicated: Sequence[Judgement] = (),
    *,
    skipped: Mapping[str, int] | None = None,
    seed: int = 0,
    withdrawn: Sequence[Judgement] = (),
    items: Sequence[Item] = (),
    said_by_machines: dict[str, list[tuple[Item, Labels]]] | None = None,
    asks_uncited: bool = True,
    **given: Any,
) -> Report:
    """Compute the report on given labels: one judgement per annotator and item, and at most one decision per item.

    ``skipped`` counts the skipped replies of each annotator. ``withdrawn`` are judgements of removed replies; ``items``
    are all replies on the desk, judged or not. ``said_by_machines`` maps each judge to its labels. ``asks_uncited`` is
    as for ``disagreement``. Other fields of the report are as ``given``.
    """
    replies = [one for one in judgements if one.item.origin is not Origin.PRACTICE]
    decisions = [one for one in adjudicated if one.item.origin is not Origin.PRACTICE]
    gold = {one.item.id: one.labels for one in decisions}
    systems = breakdown(replies)
    most = sorted(sorted(systems, key=lambda name: -systems[name].replies)[:MOST_COMPARED])
    return Report(
        created=now(),
        systems=systems,
        adjudicated=breakdown(decisions),
        withdrawn=breakdown([one for one in withdrawn if one.item.origin is not Origin.PRACTICE]),
        automatic=by_system(items),
        disagreement=disagreement(replies, gold, asks_uncited=asks_uncited),
        reliability=reliability(replies, gold),
        annotators=by_annotator(replies),
        comparisons=tuple(compare(replies, most, COMPARED, seed)) if len(most) > 1 else (),
        machines=machines.against_people(said_by_machines or {}, replies, gold),
        powered=machines.powered(said_by_machines or {}, replies),
        work=tuple(work_of(judgements, skipped or {})),
        **given,
    )


def as_json(value: Report | Disagreement) -> dict[str, Any]:
    """Convert the report to JSON values, adding the figures that are computed from stored counts."""
    values = asdict(value)
    return {"replies": value.replies, "labels": value.labels, **values} if isinstance(value, Report) else values
