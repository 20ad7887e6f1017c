"""The annotation report: SKC and AMP, agreement, reliability and time, computed from the labels of a database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from statistics import median
from typing import Any

from searchain.annotation.agreement import Agreement, Confusion, Ratings, agreement, confusions, disputes
from searchain.annotation.measures import Measures, breakdown, by_state
from searchain.annotation.protocol import Labels, Origin
from searchain.annotation.reliability import Reliability, Threshold, reliability
from searchain.annotation.units import NEED, PLACE, SCALE, SUPPORT, Judgement, ratings
from storage.annotation import gold as golds
from storage.annotation import history
from storage.annotation import progress as progresses
from storage.annotation import pseudonyms as people
from storage.database import Database, now

WORST = 20
"""Items of the list of disagreements."""


@dataclass(frozen=True, slots=True)
class Worst:
    """An item on which annotators disagree."""

    item: str
    system: str
    question: str
    disagreeing: int
    """Pairs of judgements that differ."""
    pairs: int


@dataclass(frozen=True, slots=True)
class Work:
    """What one annotator did."""

    annotator: str
    submitted: int
    """Replies, practice apart."""
    skipped: int
    """Practice included."""
    median_seconds: float | None
    """For a reply; ``None`` where no time was measured."""
    seconds: float
    """In all."""
    practice: int
    """Practice items with a judgement of support."""
    practice_right: int
    """… that is the known label."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far annotators agree, question by question."""

    agreements: tuple[Agreement, ...]
    confusions: dict[str, tuple[Confusion, ...]]
    """By question: support of knowledge items, and places of marks."""
    worst: tuple[Worst, ...]
    disputed: int
    """How many items have any disagreement."""


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that is reported. Practice items count for ``work`` alone."""

    created: str
    """UTC, ISO 8601."""
    guidelines: tuple[str, ...]
    """The versions under which the labels were made."""
    systems: dict[str, Measures]
    adjudicated: dict[str, Measures]
    """The same from the gold labels, over the replies that have one."""
    models: dict[str, Measures]
    tasks: dict[str, Measures]
    states: dict[str, Measures]
    """By the program's own support states, over its own replies."""
    weeks: dict[str, dict[str, Measures]]
    """System → ISO week of the label → measures."""
    disagreement: Disagreement
    reliability: Reliability
    work: tuple[Work, ...]

    @property
    def replies(self) -> int:
        return sum(one.replies for one in self.systems.values())

    @property
    def labels(self) -> int:
        return sum(one.labels for one in self.systems.values())


def report(store: Database, *, pseudonyms: bool = False, seed: int = 0) -> Report:
    """The report on the labels that count now.

    Raises:
        StorageError: the database cannot be read.
    """
    names, stored = people.names(store, are_hidden=pseudonyms), history.labels(store)
    judgements = [Judgement(one.item, names(one.annotator), one.labels, one.created, one.seconds) for one in stored]
    shares = [replace(share, name=names(share.name)) for share in progresses.annotators(store)]
    adjudicated = [Judgement(one.item, "gold", one.labels, one.created) for one in golds.gold(store)]
    return report_on(judgements, adjudicated, shares, sorted({one.guidelines for one in stored}), seed)


def report_on(
    judgements: Sequence[Judgement],
    adjudicated: Sequence[Judgement] = (),
    shares: Sequence[progresses.Share] = (),
    guidelines: Sequence[str] = (),
    seed: int = 0,
) -> Report:
    """The report on given labels: one judgement for each annotator and item, and at most one decision for an item."""
    replies = [one for one in judgements if one.item.origin is not Origin.PRACTICE]
    decisions = [one for one in adjudicated if one.item.origin is not Origin.PRACTICE]
    gold = {one.item.id: one.labels for one in decisions}
    systems = breakdown(replies, _system, seed)
    return Report(
        created=now(),
        guidelines=tuple(guidelines),
        systems=systems,
        adjudicated=breakdown(decisions, _system, seed),
        models=breakdown(
            replies,
            lambda one: f"{one.item.system} · {one.item.model}" if one.item.origin is Origin.TURN else None,
            seed,
        ),
        tasks=breakdown(replies, lambda one: one.item.task, seed),
        states=by_state(replies, seed),
        weeks={
            system: breakdown([one for one in replies if one.item.system == system], _week, seed) for system in systems
        },
        disagreement=disagreement(replies, gold, seed),
        reliability=reliability(replies, gold, seed),
        work=tuple(_work(judgements, shares)),
    )


def disagreement(judgements: Iterable[Judgement], gold: Mapping[str, Labels], seed: int = 0) -> Disagreement:
    """Agreement, confusion and the worst items of these labels."""
    judgements = list(judgements)
    items = {one.item.id: one.item for one in judgements}
    questions: dict[str, Ratings] = ratings(judgements, gold)
    found = disputes([questions[SUPPORT], questions[PLACE], questions[NEED]])
    return Disagreement(
        agreements=tuple(
            agreement(one, "ordinal" if name == SCALE else "nominal", seed) for name, one in questions.items()
        ),
        confusions={name: confusions(questions[name]) for name in (SUPPORT, PLACE)},
        worst=tuple(
            Worst(one.item, items[one.item].system, items[one.item].question, one.disagreeing, one.pairs)
            for one in found[:WORST]
        ),
        disputed=len(found),
    )


def as_json(value: Report | Disagreement) -> dict[str, Any]:
    """JSON-ready values; what is computed from stored counts is written out too."""
    values = asdict(value)
    if isinstance(value, Report):
        for name in ("best", "precise"):
            threshold: Threshold | None = getattr(value.reliability, name)
            if threshold is not None:
                values["reliability"][name] |= {
                    "precision": threshold.precision,
                    "recall": threshold.recall,
                    "f1": threshold.f1,
                }
        values = {"replies": value.replies, "labels": value.labels, **values}
    return values


def _system(one: Judgement) -> str:
    return one.item.system


def _week(one: Judgement) -> str:
    year, week, _ = datetime.fromisoformat(one.created).isocalendar()
    return f"{year}-W{week:02}"


def _work(judgements: Sequence[Judgement], shares: Sequence[progresses.Share]) -> Iterable[Work]:
    skipped = {share.name: share.skipped for share in shares}
    for annotator in sorted({one.annotator for one in judgements} | {name for name in skipped if skipped[name]}):
        own = [one for one in judgements if one.annotator == annotator]
        replies = [one for one in own if one.item.origin is not Origin.PRACTICE]
        times = [one.seconds for one in replies if one.seconds]
        tried = [
            (said, one.item.machine.known)
            for one in own
            if one.item.origin is Origin.PRACTICE
            for said in [next((item.support for item in one.labels.knowledge_items if item.support), None)]
            if said is not None
        ]
        yield Work(
            annotator,
            len(replies),
            skipped.get(annotator, 0),
            median(times) if times else None,
            sum(one.seconds or 0.0 for one in own),
            len(tried),
            sum(said == known for said, known in tried),
        )
