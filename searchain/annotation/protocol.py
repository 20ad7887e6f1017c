"""The annotation protocol: what an annotator sees of a reply, and what the labels of one are.

ui/desk/annotation-guidelines.md says the same for people. The order of judging (after Liu et al. 2023, "Evaluating
Verifiability in Generative Search Engines"): the reply's knowledge items; for each with marks, whether its marked
documents together support it; each mark's place; the items that lack a mark. All offsets are half-open and count code
points.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from searchain.annotation import clauses
from searchain.errors import UsageError
from searchain.types import Span, Support, Verdict

GUIDELINES = "2.0"
"""The version of ui/desk/annotation-guidelines.md; every label is stored with the version it was made under."""

WORD = re.compile(r"[\w█]")
"""Covered text counts: what is judged stays judged when its text is redacted."""


class Origin(StrEnum):
    """Where a judged reply is from."""

    TURN = "turn"
    FOREIGN = "foreign"
    PRACTICE = "practice"
    """A judged set: somebody's labels are known, and kept hidden."""


class Backing(StrEnum):
    """What a knowledge item's marked documents, taken together, make of it."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    NONE = "none"
    """They neither support nor contradict it."""
    CONTRADICTS = "contradicts"
    CANNOT_TELL = "cannot_tell"


class Place(StrEnum):
    """Whether a mark stands where it belongs."""

    RIGHT = "right"
    ELSEWHERE = "elsewhere"
    """Its document supports another knowledge item, which has no mark of it."""
    SUPERFLUOUS = "superfluous"
    """Its document supports nothing that the reply says and that does not bear a mark of it already."""
    INVENTED = "invented"
    """There is no such document: a fact, which nobody is asked."""


@dataclass(frozen=True, slots=True)
class ItemMark:
    """One ``[n]`` of the reply: ``answer[start:end] == f"[{number}]"``."""

    index: int
    """Its position among the reply's marks, from 0."""
    number: int
    """Of its document; without a document of this number the mark is invented."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ItemSource:
    """One numbered document."""

    number: int
    title: str
    text: str
    url: str | None


@dataclass(frozen=True, slots=True)
class Machine:
    """What the program thinks of the reply, or what is known of it: never part of the blind view."""

    supports: tuple[Support, ...] = ()
    """Of each sentence; empty for practice."""
    verdicts: tuple[Verdict, ...] = ()
    """Of each source's step; empty for practice."""
    confidences: tuple[float, ...] = ()
    """f of each source's reading; empty for practice."""
    spans: tuple[Span | None, ...] = ()
    """What the Reader found in each source; empty for practice."""
    known: Backing | None = None
    """The label of a practice item."""


@dataclass(frozen=True, slots=True)
class Item:
    """The frozen copy of a judged reply, with its documents."""

    id: str
    origin: Origin
    question: str
    system: str
    model: str
    task: str | None
    answer: str
    """With its [n] marks."""
    sentences: tuple[Span, ...]
    """Into ``answer``, marks included."""
    marks: tuple[ItemMark, ...]
    """In order of place."""
    sources: tuple[ItemSource, ...]
    machine: Machine = Machine()
    dropped: int = 0
    """Invented marks that were taken out of the reply before anybody saw it."""
    uncited: tuple[ItemSource, ...] = ()
    """Documents that were found and not cited, numbered by themselves."""

    @property
    def invented(self) -> frozenset[int]:
        """The marks, by ``ItemMark.index``, that name no document."""
        numbers = {source.number for source in self.sources}
        return frozenset(mark.index for mark in self.marks if mark.number not in numbers)

    def blind(self) -> dict[str, Any]:
        """What an annotator sees, as JSON-ready values: nothing of who wrote the reply or what the machine thinks.

        Origin, task and the Reader's spans are left out too: only replies of this program have all of them.
        """
        return {
            "id": self.id,
            "question": self.question,
            "answer": self.answer,
            "sentences": [asdict(sentence) for sentence in self.sentences],
            "marks": [asdict(mark) for mark in self.marks],
            "sources": [asdict(source) for source in self.sources],
            "uncited": [asdict(source) for source in self.uncited],
        }

    def source(self, number: int) -> ItemSource:
        """Return the source ``number``. Raises ``UsageError`` if the reply has no such source."""
        for source in self.sources:
            if source.number == number:
                return source
        raise UsageError(f"the reply has no source {number}; reload the page")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a document that decided: ``text[start:end]`` of the source ``number``."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class KnowledgeItem:
    """One stretch of the reply that says one thing that can be checked."""

    id: str
    """In its labels: ``k1`` …"""
    start: int
    end: int
    support: Backing | None = None
    """By its marked documents together; ``None`` while it is not judged, and where it has no marks."""
    evidence: tuple[Evidence, ...] = ()
    missing: bool | None = None
    """It should bear a mark and has none; ``None`` while that is not judged, and where it bears one.

    Under guidelines 1.x it was ``False`` until somebody said otherwise.
    """


@dataclass(frozen=True, slots=True)
class MarkJudgement:
    """What was said of one mark."""

    mark: int
    """Its ``ItemMark.index``."""
    place: Place | None = None
    belongs_to: str | None = None
    """The knowledge item where it belongs, exactly when ``place`` is elsewhere."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Everything that one annotator says of one reply."""

    knowledge_items: tuple[KnowledgeItem, ...] = ()
    """In order of place, without overlap."""
    marks: tuple[MarkJudgement, ...] = ()
    """One for each mark, by ``ItemMark.index``."""
    comment: str = ""


class Step(StrEnum):
    """The kinds of judgement, in the order in which they are made."""

    SUPPORT = "support"
    MARK = "mark"
    NEED = "need"


@dataclass(frozen=True, slots=True)
class Open:
    """A judgement that is still to be made."""

    step: Step
    target: str
    """The knowledge item's id, or the mark's index."""
    what: str
    """For people: ``the support of “Kyoto lies on Honshu”``."""


def default_labels(item: Item) -> Labels:
    """Return what judging begins with: nothing judged, and as knowledge items the sentences without their marks.

    A sentence whose marks end its clauses is an item for each clause, so that the chain's steps stand apart. The rule
    looks at the text alone: replies of every system are cut alike.
    """
    text, ends, invented = without_marks(item), [mark.end for mark in item.marks], item.invented
    spans = [span for sentence in item.sentences for span in clauses.split(text, sentence, ends)]
    labels = Labels(
        tuple(KnowledgeItem(f"k{number}", *span) for number, span in enumerate(spans, 1)),
        tuple(MarkJudgement(mark.index, Place.INVENTED if mark.index in invented else None) for mark in item.marks),
    )
    if not invented:
        return labels
    bare = bearing(item, labels) - documented(item, labels)
    items = (replace(one, support=Backing.NONE if one.id in bare else None) for one in labels.knowledge_items)
    return replace(labels, knowledge_items=tuple(items))


def carriers(item: Item, labels: Labels) -> dict[int, KnowledgeItem | None]:
    """Return the knowledge item that bears each mark, by ``ItemMark.index``: the last one that begins before the mark.

    ``None`` when there is none, or when a later sentence says something between the two.
    """
    text, found = without_marks(item), {}
    ordered = list({one.start: one for one in reversed(labels.knowledge_items)}.values())  # of one place: the first
    ordered.sort(key=lambda one: one.start)
    starts, ends = [one.start for one in ordered], [sentence.end for sentence in item.sentences]
    for mark in item.marks:
        last = ordered[place - 1] if (place := bisect_right(starts, mark.start)) else None
        if last is not None:
            own = bisect_left(ends, last.end)
            is_inside = own < len(ends) and item.sentences[own].start < last.end
            said = ends[own] if is_inside else last.end
            last = None if WORD.search(text, said, max(said, mark.start)) else last
        found[mark.index] = last
    return found


def bearing(item: Item, labels: Labels) -> frozenset[str]:
    """Return the knowledge items, by id, that bear a mark."""
    return frozenset(one.id for one in carriers(item, labels).values() if one is not None)


def documented(item: Item, labels: Labels) -> frozenset[str]:
    """Return the knowledge items, by id, that bear a mark of a document that exists."""
    invented = item.invented
    return frozenset(
        one.id for index, one in carriers(item, labels).items() if one is not None and index not in invented
    )


def marks_of(item: Item, labels: Labels, id: str) -> tuple[ItemMark, ...]:
    """Return the marks that the knowledge item ``id`` bears: those between its beginning and the next item's."""
    bearers = carriers(item, labels)
    return tuple(mark for mark in item.marks if (bearer := bearers[mark.index]) is not None and bearer.id == id)


def open_points(labels: Labels, item: Item) -> tuple[Open, ...]:
    """Return what is still to be judged, in the order of judging."""
    bears = bearing(item, labels)
    supports = (
        Open(Step.SUPPORT, one.id, f"the support of “{shown(item, one)}”")
        for one in labels.knowledge_items
        if one.support is None and one.id in bears
    )
    places = {judged.mark: judged.place for judged in labels.marks}
    marks = (
        Open(Step.MARK, str(mark.index), f"the place of mark {mark.index + 1}, [{mark.number}]")
        for mark in item.marks
        if places.get(mark.index) is None
    )
    needs = (
        Open(Step.NEED, one.id, f"whether “{shown(item, one)}” needs a mark")
        for one in labels.knowledge_items
        if one.missing is None and one.id not in bears
    )
    return (*supports, *marks, *needs)


def shown(item: Item, one: KnowledgeItem, length: int = 60) -> str:
    """Return the knowledge item's words in one line of at most ``length`` characters."""
    text = " ".join(item.answer[one.start : one.end].split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def without_marks(item: Item) -> str:
    """Return the answer with every mark made blank: offsets stay."""
    text = list(item.answer)
    for mark in item.marks:
        text[mark.start : mark.end] = " " * (mark.end - mark.start)
    return "".join(text)
