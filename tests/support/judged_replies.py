"""Judged replies: a desk with replies to judge, labels that are all the same, and a simulated round of judging.

The simulation has two systems, three annotators who err at known rates, and an adjudicator who does not err. Every
answer is also recorded as it was drawn (``SimulatedAnswer``), so that tests can count without the code they test.

    made = simulate_judging(replies=60, seed=7)
    made.judgements, made.gold, made.answers
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from searchain.annotation import protocol
from searchain.annotation.protocol import Backing, Item, ItemMark, ItemSource, Labels, Place, default_labels, marks_of
from searchain.annotation.units import Judgement
from searchain.types import Span, Support, TaskKind, Verdict
from storage.annotation import items
from storage.annotation.desk import Desk
from storage.database import Database
from storage.history import finished_turns
from tests.support.stories import nintendo
from tests.support.story_runs import database_with

ERRORS = {"ada": 0.05, "ben": 0.15, "eve": 0.30}
"""How often each annotator gives a wrong answer."""
SEARCHAIN, ENGINE = "searchain", "a search engine"
FACTS = (
    ("Nintendo", "has its headquarters in Kyoto"),
    ("Kyoto", "lies on the island of Honshu"),
    ("Disneyland", "opened its gates on July 17, 1955"),
    ("the Eiffel Tower", "was finished in 1889"),
    ("Ottawa", "is the capital of Canada"),
    ("Marie Curie", "received the Nobel Prize twice"),
    ("the Danube", "flows through ten countries"),
    ("the Moon", "takes 27.3 days for an orbit"),
    ("Mount Etna", "stands on the east coast of Sicily"),
    ("Charles Darwin", "sailed on HMS Beagle"),
    ("the Rosetta Stone", "is kept in the British Museum"),
    ("Lake Baikal", "is the deepest lake on Earth"),
)
_FILLERS = ("Here is what I found.", "I hope that this helps.")
_SUPPORTS = (Backing.COMPLETE, Backing.PARTIAL, Backing.NONE, Backing.CONTRADICTS, Backing.CANNOT_TELL)
_TRUTH = {SEARCHAIN: (70, 15, 10, 3, 2), ENGINE: (45, 20, 28, 5, 2)}
_PLACES = {SEARCHAIN: (82, 8, 10), ENGINE: (50, 25, 25)}
_MARKED = {SEARCHAIN: 0.85, ENGINE: 0.45}
_STATES = (Support.QUOTED, Support.SUPPORTED, Support.PARTLY)
_START = datetime(2026, 8, 3, 9, tzinfo=UTC)  # a Monday


@dataclass(frozen=True, slots=True)
class SimulatedAnswer:
    """One answer of an annotator: what is right, and what was given."""

    item: str
    system: str
    annotator: str
    question: str
    """support, place or need."""
    target: str
    """The knowledge item's id, or the mark's index."""
    truth: str
    given: str


@dataclass(frozen=True, slots=True)
class SimulatedJudging:
    judgements: list[Judgement]
    gold: dict[str, Labels]
    """Of the replies on which annotators disagree."""
    answers: list[SimulatedAnswer]

    @property
    def items(self) -> list[Item]:
        return list({one.item.id: one.item for one in self.judgements}.values())


def simulate_judging(replies: int = 60, seed: int = 7, judges: int = 3) -> SimulatedJudging:
    """Make ``replies`` of each of the two systems, each judged by ``judges`` of the three annotators."""
    random = Random(seed)
    judgements, gold, answers = [], {}, []
    for number in range(replies):
        for system in (SEARCHAIN, ENGINE):
            truth: dict[tuple[str, str], str] = {}
            item = _item(random, system, number)
            right = _right(random, item, truth)
            item = _with_machine(random, item, right)
            created = _START + timedelta(days=6 * 7 * number // replies, hours=number % 8)
            for annotator in sorted(random.sample(sorted(ERRORS), judges)):
                labels = _judged(random, item, annotator, truth, answers)
                seconds = round(random.lognormvariate(4.2, 0.4), 1)
                judgements.append(
                    Judgement(item, annotator, labels, created.isoformat(timespec="milliseconds"), seconds)
                )
                if labels != right:
                    gold[item.id] = right
    return SimulatedJudging(judgements, gold, answers)


def fill_desk(store: Database, made: SimulatedJudging) -> None:
    """Put everything but the gold labels on the desk of ``store``, through the desk."""
    desk = Desk(store)
    with store.writing() as db:
        for item in made.items:
            items.add(db, item, quota=len(ERRORS))
    for one in made.judgements:
        desk.open_item(one.annotator, one.item.id)
        desk.submit(one.annotator, one.item.id, one.labels, seconds=one.seconds or 0.0)


def _item(random: Random, system: str, number: int) -> Item:
    facts = random.sample(FACTS, random.randint(2, 5))
    answer, sentences, marks, sources = "", [], [], []
    for place, (subject, words) in enumerate(facts):
        is_second = place == len(facts) - 1 and place > 1 and bool(sources)  # a clause of the sentence before
        if is_second:
            answer = answer[:-1] + ", and "
        elif answer:
            answer += " "
        start = sentences.pop().start if is_second else len(answer)
        answer += (subject if is_second else subject[0].upper() + subject[1:]) + f" {words}"
        for _ in range(random.choice((1, 1, 1, 2)) if random.random() < _MARKED[system] else 0):
            source = len(sources) + 1
            answer += "" if answer[-1] == "]" else " "
            marks.append(ItemMark(len(marks), source, len(answer), len(answer) + len(f"[{source}]")))
            answer += f"[{source}]"
            title = subject.removeprefix("the ").capitalize() if subject.islower() else subject.removeprefix("the ")
            sources.append(ItemSource(source, title, f"{title} {words}, as encyclopaedias tell.", None))
        answer += "."
        sentences.append(Span(start, len(answer)))
    if random.random() < 0.3:
        sentences.append(Span(len(answer) + 1, len(answer) + 1 + len(filler := random.choice(_FILLERS))))
        answer += f" {filler}"
    origin, model, task = protocol.Origin.FOREIGN, system, None
    if system == SEARCHAIN:
        origin, model = protocol.Origin.TURN, "SmolLM2-135M"
        task = random.choice([kind.value for kind in TaskKind])
    question, parts = f"What do you know of {facts[0][0]} ({number})?", map(tuple, (sentences, marks, sources))
    item = Item("", origin, question, system, model, task, answer, *parts)
    return replace(item, id=items.digest(item, f"turn-{number}"))


def _right(random: Random, item: Item, truth: dict[tuple[str, str], str]) -> Labels:
    """Draw the right labels, and write them into ``truth``."""
    default, found = default_labels(item), []
    for one in default.knowledge_items:
        if marks_of(item, default, one.id):
            support = random.choices(_SUPPORTS, _TRUTH[item.system])[0]
            truth["support", one.id] = support.value
            found.append(replace(one, support=support))
        else:
            missing = item.answer[one.start : one.end] + "." not in _FILLERS and random.random() < 0.6
            truth["need", one.id] = "needs one" if missing else "needs none"
            found.append(replace(one, missing=missing))
    drawn = [
        random.choices((Place.RIGHT, Place.ELSEWHERE, Place.SUPERFLUOUS), _PLACES[item.system])[0] for _ in item.marks
    ]
    labels = _coherent(random, item, Labels(tuple(found), default.marks), drawn)
    truth.update({("place", str(one.mark)): one.place.value for one in labels.marks if one.place})
    return labels


def _coherent(random: Random, item: Item, labels: Labels, drawn: list[Place]) -> Labels:
    """``labels`` with the places that were drawn, changed where the support of their knowledge item forbids them."""
    for one in labels.knowledge_items:
        borne = [mark.index for mark in marks_of(item, labels, one.id)]
        if one.support in (Backing.COMPLETE, Backing.PARTIAL) and not any(drawn[at] is Place.RIGHT for at in borne):
            for at in random.sample(borne, 1):
                drawn[at] = Place.RIGHT
        is_refuted = one.support is Backing.CONTRADICTS and all(drawn[at] is Place.RIGHT for at in borne)
        for at in borne if one.support is Backing.NONE else borne[:1] if is_refuted else ():
            drawn[at] = Place.SUPERFLUOUS if drawn[at] is Place.RIGHT else drawn[at]
    return replace(labels, marks=tuple(_placed(item, labels, at, place) for at, place in enumerate(drawn)))


def _placed(item: Item, default: Labels, index: int, place: Place):
    bearer = next(one.id for one in default.knowledge_items if item.marks[index] in marks_of(item, default, one.id))
    other = next((one.id for one in default.knowledge_items if one.id != bearer), None)
    place = Place.SUPERFLUOUS if place is Place.ELSEWHERE and other is None else place
    return replace(default.marks[index], place=place, belongs_to=other if place is Place.ELSEWHERE else None)


def _judged(
    random: Random, item: Item, annotator: str, truth: dict[tuple[str, str], str], answers: list[SimulatedAnswer]
) -> Labels:
    default, found = default_labels(item), {}
    choices = {
        "support": [one.value for one in _SUPPORTS],
        "need": ["needs one", "needs none"],
        "place": [Place.RIGHT.value, Place.SUPERFLUOUS.value],
    }
    for (question, target), is_so in truth.items():
        is_wrong = random.random() < ERRORS[annotator]
        others = [one for one in choices[question] if one != is_so]
        found[question, target] = random.choice(others) if is_wrong else is_so
    drawn = [Place(found["place", str(mark.index)]) for mark in item.marks]

    def said(one: protocol.KnowledgeItem) -> protocol.KnowledgeItem:
        if support := found.get(("support", one.id)):
            return replace(one, support=Backing(support), missing=None)
        return replace(one, support=None, missing=found["need", one.id] == "needs one")

    said_items = tuple(map(said, default.knowledge_items))
    labels = _coherent(random, item, Labels(said_items, default.marks), drawn)
    found |= {("place", str(one.mark)): one.place.value for one in labels.marks if one.place}
    answers += [
        SimulatedAnswer(item.id, item.system, annotator, question, target, is_so, found[question, target])
        for (question, target), is_so in truth.items()
    ]
    return labels


def _with_machine(random: Random, item: Item, right: Labels) -> Item:
    """Add confidences that are greater where the documents support the item, and states that go with them."""
    if item.origin is protocol.Origin.FOREIGN:
        return item
    f = {}
    for one in right.knowledge_items:
        for mark in marks_of(item, right, one.id):
            f[mark.number] = round(random.gauss(3.0 if one.support is Backing.COMPLETE else 0.5, 1.5), 2)
    states = []
    for sentence in item.sentences:
        inside = [f[mark.number] for mark in item.marks if sentence.start <= mark.start < sentence.end]
        states.append(Support.OWN if not inside else Support.UNSUPPORTED if min(inside) < 1 else random.choice(_STATES))
    numbers = tuple(f[source.number] for source in item.sources)
    verdicts = tuple(Verdict.AGREED if number > 1 else Verdict.UNCONFIRMED for number in numbers)
    return replace(item, machine=protocol.Machine(tuple(states), verdicts, numbers, (None,) * len(numbers)))


def item_of(answer: str, sentences: Iterable[Span], **changes: Any) -> Item:
    """Make an item with a mark for each ``[n]`` of ``answer``, and a document for each number."""
    found = list(re.finditer(r"\[(\d)\]", answer))
    marks = tuple(ItemMark(index, int(one[1]), *one.span()) for index, one in enumerate(found))
    sources = tuple(ItemSource(number, "T", "text", None) for number in sorted({mark.number for mark in marks}))
    made = Item("i", protocol.Origin.FOREIGN, "Where?", "s", "s", None, answer, tuple(sentences), marks, sources)
    return replace(made, **changes)


class ManualClock:
    """A clock that moves only when a test sets ``now``."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def desk_database(path: Path, number: int = 1, quota: int = 2) -> Database:
    """Make a database whose desk has ``number`` replies, each to be judged by ``quota`` annotators."""
    store = database_with(path, *(nintendo(f"Where is Nintendo, asked for the time {n}?") for n in range(number)))
    found = [(items.of_record(record), record.turn) for record in finished_turns.records(store)]
    with store.writing() as db:
        for item, turn in found:
            assert items.add(db, item, turn=turn, quota=quota)
    return store


def uniform_labels(
    item: Item, support: Backing = Backing.COMPLETE, place: Place | None = None, comment: str = ""
) -> Labels:
    """Label everything in ``item`` alike; marks are right where the support says so, and no mark is missing.

    What is known beforehand stays as it is; marks at no knowledge item are superfluous.
    """
    place = place or (Place.RIGHT if support in (Backing.COMPLETE, Backing.PARTIAL) else Place.SUPERFLUOUS)
    labels = default_labels(item)
    bearers, has_marks = protocol.carriers(item, labels), protocol.bearing(item, labels)
    has_document = protocol.documented(item, labels)

    def judged(one: protocol.KnowledgeItem) -> protocol.KnowledgeItem:
        if one.id not in has_marks:
            return replace(one, missing=False)
        return replace(one, support=support) if one.id in has_document else one

    def placed(one: protocol.MarkJudgement) -> protocol.MarkJudgement:
        return one if one.place else replace(one, place=place if bearers[one.mark] else Place.SUPERFLUOUS)

    return Labels(tuple(map(judged, labels.knowledge_items)), tuple(map(placed, labels.marks)), comment)


def judge(
    store: Database, name: str, support: Backing = Backing.COMPLETE, id: str = "", comment: str = "", seconds: float = 0
) -> Item:
    """Submit labels of ``name`` that are all alike, of the item ``id`` or else of the next one; return the item."""
    desk = Desk(store)
    task = desk.open_item(name, id) if id else desk.next_item(name)
    assert task
    desk.submit(name, task.item.id, uniform_labels(task.item, support, comment=comment), seconds=seconds)
    return task.item


def right_labels(item: Item) -> Labels:
    """Return the right labels, and of several the first; marks that ``gold`` does not name are right."""
    default = default_labels(item)
    bears, gold = protocol.bearing(item, default), {one.target: one.right[0] for one in item.machine.known or ()}

    def judged(one: protocol.KnowledgeItem) -> protocol.KnowledgeItem:
        said = gold[one.id]
        return replace(one, support=Backing(said)) if one.id in bears else replace(one, missing=said == "missing")

    def placed(one: protocol.MarkJudgement) -> protocol.MarkJudgement:
        place, _, belongs_to = gold.get(f"m{one.mark + 1}", Place.RIGHT.value).partition(" ")
        return one if one.mark in item.invented else protocol.MarkJudgement(one.mark, Place(place), belongs_to or None)

    kept = tuple(judged(one) for one in default.knowledge_items if gold.get(one.id) != "removed")
    return Labels(kept, tuple(map(placed, default.marks)))
