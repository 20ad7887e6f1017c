"""Labels by machines: stored apart from people's labels, hidden from annotators, and compared with people's labels."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from searchain.annotation.agreement import Agreement, agreement
from searchain.annotation.comparing import pair
from searchain.annotation.estimates import Estimate, absent, average, rate
from searchain.annotation.labels import labels_from_json, to_json
from searchain.annotation.machines import Judge, Powered, labels, powered_mean
from searchain.annotation.measures import counts
from searchain.annotation.protocol import Item, Labels, Origin
from searchain.annotation.study import SHARES
from searchain.annotation.units import PLACE, SUPPORT, Judgement, ratings
from storage.annotation import items
from storage.database import Database, insert_row, now

PEOPLE = "people"
ESTIMATED = ("skc_strict", "coverage", "amp", "citation_recall")
"""Measures that are estimated over all replies, as means per reply."""


@dataclass(frozen=True, slots=True)
class AgainstPeople:
    """Agreement of a machine with people: with the gold label of a reply, else with its first annotator by name."""

    judge: str
    support: Agreement
    place: Agreement


def judge_all(
    store: Database,
    name: str,
    judge: Judge,
    *,
    limit: int | None = None,
    told: Callable[[int, int], None] | None = None,
) -> int:
    """Let ``judge`` label every reply that ``name`` has not labelled, storing each at once; return their number."""
    done = {item for (item,) in store.rows("SELECT item FROM annotation_machines WHERE judge = ?", (name,))}
    waiting = [one for one in items.items(store) if one.id not in done and one.origin is not Origin.PRACTICE][:limit]
    for number, item in enumerate(waiting, 1):
        said = json.dumps(to_json(labels(item, judge)), ensure_ascii=False)
        row = {"item": item.id, "judge": name, "labels": said, "created": now()}
        with store.writing() as db:
            insert_row(db, "annotation_machines", row, or_ignore=True)
        if told is not None:
            told(number, len(waiting))
    return len(waiting)


def labelled(store: Database) -> dict[str, list[tuple[Item, Labels]]]:
    """Return each machine's labels of the replies that are still on the desk, by the machine's name."""
    found: dict[str, list[tuple[Item, Labels]]] = {}
    query = """SELECT m.judge, i.content, m.labels FROM annotation_machines m JOIN annotation_items i ON i.id = m.item
        WHERE i.withdrawn IS NULL ORDER BY m.judge, i.number"""
    for judge, content, said in store.rows(query):
        found.setdefault(judge, []).append((items.decoded(content), labels_from_json(json.loads(said))))
    return found


def against_people(
    machines: dict[str, list[tuple[Item, Labels]]], judgements: Sequence[Judgement], gold: dict[str, Labels]
) -> tuple[AgainstPeople, ...]:
    """Compute the agreement of every machine with people, over the replies that both judged."""
    first = sorted(judgements, key=lambda one: (one.annotator, one.created), reverse=True)
    people = {one.item.id: one for one in first}  # the last one of an item counts
    found = []
    for judge, said in machines.items():
        both = []
        for item, machine in said:
            if item.id in people:
                human = gold.get(item.id, people[item.id].labels)
                both += [Judgement(item, PEOPLE, human, ""), Judgement(item, judge, machine, "")]
        questions = ratings(both, names=(SUPPORT, PLACE))
        found.append(AgainstPeople(judge, *(agreement(questions[name]) for name in (SUPPORT, PLACE))))
    return tuple(found)


def powered(machines: dict[str, list[tuple[Item, Labels]]], judgements: Sequence[Judgement]) -> tuple[Powered, ...]:
    """Estimate figures over all replies of each system, for each machine."""
    human: dict[str, list[Judgement]] = {}
    for one in judgements:
        human.setdefault(one.item.id, []).append(one)
    found = []
    for judge, said in machines.items():
        for system in sorted({item.system for item, _ in said}):
            for measure in ESTIMATED:
                own = [(item, machine) for item, machine in said if item.system == system]
                found.append(_powered(judge, system, measure, own, human))
    return tuple(found)


def _powered(
    judge: str, system: str, measure: str, own: list[tuple[Item, Labels]], human: dict[str, list[Judgement]]
) -> Powered:
    both, others = [], []
    for item, machine in own:
        predicted = _value(item, machine, measure)
        values = [value for one in human.get(item.id, ()) if (value := _value(item, one.labels, measure)) is not None]
        if predicted is None:
            continue
        if values:
            both.append((float(np.mean(values)), predicted))
        elif item.id not in human:
            others.append(predicted)
    pairs, rest = np.array(both).reshape(-1, 2), np.array(others)
    is_share = measure in SHARES
    sizes = [len(item.marks) if measure == "amp" else len(machine.knowledge_items) for item, machine in own]
    step = 1 / max(float(np.mean(sizes)), 1.0) if is_share and sizes else 1.0
    estimate, weight = powered_mean(pairs[:, 0], pairs[:, 1], rest, step=step, is_share=is_share)
    people: Estimate = absent("people judged no such reply")
    if len(pairs):
        people = rate(pairs[:, 0], np.ones(len(pairs))) if is_share else average(pairs[:, 0])
    said = np.concatenate([pairs[:, 1], rest])
    mean = float(said.mean()) if len(said) else None
    return Powered(measure, system, judge, len(pairs), len(rest), people, mean, estimate, weight)


def _value(item: Item, labels: Labels, measure: str) -> float | None:
    """Return the figure of one reply; ``None`` if the measure is not defined for it."""
    found = pair(counts(item, labels), measure)
    return found[0] / found[1] if found else None
