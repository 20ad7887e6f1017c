"""The annotation protocol: what an annotator sees of a reply, and what the labels of one are.

docs/annotation-guidelines.md says the same for people. The order of judging (after Liu et al. 2023, "Evaluating
Verifiability in Generative Search Engines"): the reply's knowledge items; for each with marks, whether its marked
documents together support it; each mark's place; the items that lack a mark. All offsets are half-open and count code points.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from searchain.errors import UsageError
from searchain.types import Span, Support, Verdict

GUIDELINES = "1.0"
"""The version of docs/annotation-guidelines.md; every label is stored with the version it was made under."""
MAX_COMMENT = 4_000
"""Characters."""

Value = TypeVar("Value")
_WORD = re.compile(r"\w")


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
    """Its document supports another knowledge item."""
    SUPERFLUOUS = "superfluous"
    """Its document supports nothing that the reply says."""


@dataclass(frozen=True, slots=True)
class ItemMark:
    """One ``[n]`` of the reply: ``answer[start:end] == f"[{number}]"``."""

    index: int
    """Its position among the reply's marks, from 0."""
    number: int
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

    def blind(self) -> dict[str, Any]:
        """What an annotator sees, as JSON-ready values: nothing of who wrote the reply or what the machine thinks.

        Origin, task and the Reader's spans are left out too: only replies of this program have all of them.
        """
        return {"id": self.id, "question": self.question, "answer": self.answer,
                "sentences": [asdict(sentence) for sentence in self.sentences],
                "marks": [asdict(mark) for mark in self.marks],
                "sources": [asdict(source) for source in self.sources]}

    def source(self, number: int) -> ItemSource:
        """Raises ``UsageError`` when the reply has no such source."""
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
    missing: bool = False
    """It should bear a mark and has none."""


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
    """What is judged, in the order of judging."""

    SUPPORT = "support"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Open:
    """A judgement that is still to be made."""

    step: Step
    target: str
    """The knowledge item's id, or the mark's index."""
    what: str
    """For people: ``the support of “Kyoto lies on Honshu”``."""


def default_labels(item: Item) -> Labels:
    """What judging begins with: nothing judged, and as knowledge items the sentences without their marks.

    A sentence whose marks end its clauses is an item for each clause, so that the chain's steps stand apart. The rule looks
    at the text alone: replies of every system are cut alike.
    """
    text = _without_marks(item)
    spans = [span for sentence in item.sentences for span in _clauses(item, text, sentence)]
    return Labels(tuple(KnowledgeItem(f"k{number}", *span) for number, span in enumerate(spans, 1)),
                  tuple(MarkJudgement(mark.index) for mark in item.marks))


def carrier(item: Item, labels: Labels, mark: ItemMark) -> KnowledgeItem | None:
    """The knowledge item that bears ``mark``: the last one that begins before it. ``None`` when there is none, or
    when a later sentence says something between the two."""
    before = [one for one in labels.knowledge_items if one.start <= mark.start]
    if not before:
        return None
    last = max(before, key=lambda one: one.start)
    own = next((sentence.end for sentence in item.sentences if sentence.start < last.end <= sentence.end), last.end)
    return None if _WORD.search(_without_marks(item), max(own, last.end), max(own, last.end, mark.start)) else last


def marks_of(item: Item, labels: Labels, id: str) -> tuple[ItemMark, ...]:
    """The marks that the knowledge item ``id`` bears: those between its beginning and the next item's."""
    bearers = ((mark, carrier(item, labels, mark)) for mark in item.marks)
    return tuple(mark for mark, bearer in bearers if bearer is not None and bearer.id == id)


def open_points(labels: Labels, item: Item) -> tuple[Open, ...]:
    """What is still to be judged, in the order of judging."""
    supports = (Open(Step.SUPPORT, one.id, f"the support of “{shown(item, one)}”") for one in labels.knowledge_items
                if one.support is None and marks_of(item, labels, one.id))
    places = {judged.mark: judged.place for judged in labels.marks}
    marks = (Open(Step.MARK, str(mark.index), f"the place of mark {mark.index + 1}, [{mark.number}]")
             for mark in item.marks if places.get(mark.index) is None)
    return (*supports, *marks)


def is_complete(labels: Labels, item: Item) -> bool:
    """Whether everything is judged."""
    return not open_points(labels, item)


def check(labels: Labels, item: Item) -> None:
    """Whether complete labels fit the reply and hold together.

    Raises:
        UsageError: something is not judged yet, or does not fit; the message names it.
    """
    if len(labels.comment) > MAX_COMMENT:
        raise UsageError(f"the comment has {len(labels.comment):,} characters; write {MAX_COMMENT:,} or fewer")
    _check_items(labels, item)
    _check_marks(labels, item)
    if missing := open_points(labels, item):
        raise UsageError(f"{missing[0].what} is not judged yet" + (f", nor {len(missing) - 1} more"
                                                                   if len(missing) > 1 else ""))


def shown(item: Item, one: KnowledgeItem, length: int = 60) -> str:
    """The knowledge item's words in one line of at most ``length`` characters."""
    text = " ".join(item.answer[one.start:one.end].split())
    return text if len(text) <= length else text[:length - 1].rstrip() + "…"


def to_json(value: Item | Labels) -> dict[str, Any]:
    """JSON-ready values that ``item_from_json`` or ``labels_from_json`` reads."""
    return _adapter(type(value)).dump_python(value, mode="json")


def labels_from_json(values: Any) -> Labels:
    """The labels of ``to_json``, put in order of place; whether they fit a reply is for ``check``.

    Raises:
        UsageError: something is missing or of another kind; the message names it.
    """
    labels = _read(Labels, values, "labels")
    return Labels(tuple(sorted(labels.knowledge_items, key=lambda one: (one.start, one.end))),
                  tuple(sorted(labels.marks, key=lambda judged: judged.mark)), labels.comment)


def item_from_json(values: Any) -> Item:
    """The item of ``to_json``, believed only when its offsets hold together.

    Raises:
        UsageError: something is missing, of another kind or wrong; the message names it.
    """
    item = _read(Item, values, "item")
    numbers = [source.number for source in item.sources]
    if len(set(numbers)) != len(numbers):
        raise UsageError("two sources of the item have the same number")
    for at, mark in enumerate(item.marks):
        if mark.index != at or item.answer[mark.start:mark.end] != f"[{mark.number}]" or mark.number not in numbers:
            raise UsageError(f"mark {at + 1} of the item does not stand in its answer, or has no source")
    ends = [0, *(end for sentence in item.sentences for end in (sentence.start, sentence.end)), len(item.answer)]
    if ends != sorted(ends):
        raise UsageError("the sentences of the item do not lie in its answer one after the other")
    for name in ("verdicts", "confidences", "spans"):
        if len(getattr(item.machine, name)) not in (0, len(numbers)):
            raise UsageError(f"the item has not one of machine.{name} for each source")
    if len(item.machine.supports) not in (0, len(item.sentences)):
        raise UsageError("the item has not one of machine.supports for each sentence")
    return item


def _check_items(labels: Labels, item: Item) -> None:
    end, ids, text = 0, set(), _without_marks(item)
    for one in labels.knowledge_items:
        if not 0 <= one.start < one.end <= len(item.answer) or not _WORD.search(text, one.start, one.end):
            raise UsageError(f"knowledge item {one.id!r} ({one.start}–{one.end}) is no stretch of the reply with words "
                             "in it; choose it anew")
        if one.id in ids or not one.id:
            raise UsageError(f"two knowledge items have the name {one.id!r}; choose one of them anew")
        if one.start < end:
            raise UsageError(f"the knowledge item “{shown(item, one)}” overlaps the one before it; shorten or join them")
        end = one.end
        ids.add(one.id)
        bears = bool(marks_of(item, labels, one.id))
        if one.missing and bears:
            raise UsageError(f"“{shown(item, one)}” has a mark, so that none is missing there")
        if one.support is not None and not bears:
            raise UsageError(f"“{shown(item, one)}” has no mark, so that no marked document can support it")
        for words in one.evidence:
            if not 0 <= words.start < words.end <= len(item.source(words.number).text):
                raise UsageError(f"the evidence of “{shown(item, one)}” is not in source {words.number}; choose it anew")


def _check_marks(labels: Labels, item: Item) -> None:
    seen, ids = set(), {one.id for one in labels.knowledge_items}
    for judged in labels.marks:
        if not 0 <= judged.mark < len(item.marks) or judged.mark in seen:
            raise UsageError(f"mark {judged.mark + 1} is not in the reply, or judged twice; reload the page")
        seen.add(judged.mark)
        mark = item.marks[judged.mark]
        bearer = carrier(item, labels, mark)
        name = f"mark {judged.mark + 1}, [{mark.number}],"
        if (judged.place is Place.ELSEWHERE) != (judged.belongs_to is not None):
            raise UsageError(f"{name} belongs elsewhere: say to which knowledge item"
                             if judged.belongs_to is None else f"{name} belongs to another item only when it is judged "
                             "to belong elsewhere")
        if judged.belongs_to is not None and judged.belongs_to not in ids:
            raise UsageError(f"{name} cannot belong to {judged.belongs_to!r}: there is no such knowledge item")
        if bearer is not None and judged.belongs_to == bearer.id:
            raise UsageError(f"{name} stands at that knowledge item already; judge it right, or choose another")
        if bearer is None and judged.place is Place.RIGHT:
            raise UsageError(f"{name} stands at no knowledge item and cannot be right; add one, or judge it otherwise")


_CLAUSE = re.compile(r"\s*(?:[,;:–—]|(?:and|but|or|which|who|where|while|whereas)\b)")
"""What follows a clause that ended in marks."""
_FEWEST = 3
"""Words: less is no clause of its own."""


def _clauses(item: Item, text: str, sentence: Span) -> list[tuple[int, int]]:
    """The sentence cut behind the marks that end a clause; each piece trimmed."""
    cuts, begun = [sentence.start], sentence.start
    for mark in item.marks:
        if (sentence.start <= mark.start < sentence.end and _CLAUSE.match(text, mark.end, sentence.end)
                and min(_words(text[begun:mark.end]), _words(text[mark.end:sentence.end])) >= _FEWEST):
            begun = mark.end
            cuts.append(begun)
    pieces = zip(cuts, [*cuts[1:], sentence.end], strict=True)
    return [_trimmed(text, *piece) for piece in pieces if _WORD.search(text, *piece)]


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without white space, the sign that ends it, and the sign that parts it from what came before."""
    piece = text[start:end].rstrip()
    piece = (piece[:-1] if piece[-1] in ".!?…,;:。！？" else piece).rstrip()
    return start + len(piece) - len(piece.lstrip(" \t\n,;:–—")), start + len(piece)


def _without_marks(item: Item) -> str:
    """The answer with every mark made blank: offsets stay."""
    text = item.answer
    for mark in item.marks:
        text = text[:mark.start] + " " * (mark.end - mark.start) + text[mark.end:]
    return text


@cache
def _adapter(kind: type) -> Any:
    from pydantic import TypeAdapter  # here, because it takes 0.1 s that `--help` need not pay

    return TypeAdapter(kind)


def _read(kind: type[Value], values: Any, what: str) -> Value:
    try:
        return _adapter(kind).validate_json(json.dumps(values), strict=True)
    except (ValueError, TypeError, RecursionError) as error:
        first = error.errors()[0] if hasattr(error, "errors") else {"loc": (), "msg": str(error)}
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise UsageError(f"the {what} cannot be read: {where}: {first['msg']}") from None
