"""The annotation protocol: the parts of a reply that annotators see, and the labels that they give.

ui/desk/annotation-guidelines.md says the same for people. The order of judging (after Liu et al. 2023, "Evaluating
Verifiability in Generative Search Engines"): the reply's knowledge items; for each with marks, whether its marked
documents together support it; each mark's place; the items that lack a mark; and if the study shows uncited documents,
whether one of them would support an item that lacks support. All offsets are half-open and count code points.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from searchain.errors import UsageError
from searchain.types import Span, Support, Verdict

_WORDS = re.compile(r"[\w█]+")
GOES_ON = re.compile(r"\s*(?:[,;:–—]|(?:and|but|or|which|who|where|while|whereas)\b)")
"""Matches the text that continues a sentence after a clause with marks."""
_FEWEST = 3  # fewest words of a clause


def clauses(text: str, sentence: Span, ends: Sequence[int]) -> list[tuple[int, int]]:
    """Cut the sentence after each mark that ends a clause. Marks end at ``ends`` and are blank in ``text``.

    Pieces come as half-open offsets, without white space and punctuation around them; those without words are left out.

    >>> clauses("Nintendo sits in Kyoto    , which lies on Honshu    .", Span(0, 53), [26, 51])
    [(0, 22), (28, 48)]
    """
    cuts = [sentence.start]
    for end in ends:
        if (
            cuts[-1] < end < sentence.end
            and GOES_ON.match(text, end, sentence.end)
            and all(len(_WORDS.findall(text, *part)) >= _FEWEST for part in ((cuts[-1], end), (end, sentence.end)))
        ):
            cuts.append(end)
    pieces = zip(cuts, [*cuts[1:], sentence.end], strict=True)
    return [_trimmed(text, *piece) for piece in pieces if _WORDS.search(text, *piece)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end].rstrip()
    piece = piece.removesuffix(piece[-1] if piece[-1] in ".!?…,;:。！？" else "").rstrip()
    return start + len(piece) - len(piece.lstrip(" \t\n,;:–—")), start + len(piece)


GUIDELINES = "2.1"
"""The version of ui/desk/annotation-guidelines.md; every label is stored with the version it was made under."""

WORD = re.compile(r"[\w█]")
"""Matches text with words, also redacted text (█), whose judgements stay valid."""


class Origin(StrEnum):
    TURN = "turn"
    FOREIGN = "foreign"
    PRACTICE = "practice"
    """A reply whose labels are known: a hidden check, or an example."""


class Backing(StrEnum):
    """How far a knowledge item's marked documents together support it."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    NONE = "none"
    """The documents neither support nor contradict it."""
    CONTRADICTS = "contradicts"
    CANNOT_TELL = "cannot_tell"


class Place(StrEnum):
    """Whether a mark stands where it belongs."""

    RIGHT = "right"
    ELSEWHERE = "elsewhere"
    """Its document supports another knowledge item, which has no mark of it."""
    SUPERFLUOUS = "superfluous"
    """Its document supports no knowledge item that lacks a mark of it."""
    INVENTED = "invented"
    """Its document does not exist. The program sets this; annotators are not asked."""


@dataclass(frozen=True, slots=True)
class ItemMark:
    """One ``[n]`` of the reply: ``answer[start:end] == f"[{number}]"``."""

    index: int
    """Its position among the reply's marks, from 0."""
    number: int
    """The number of its document; if no document has this number, the mark is invented."""
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
class Known:
    """One judgement of a practice item that is known beforehand."""

    target: str
    """A knowledge item (``k1``) or mark (``m1``) of ``default_labels``; empty: the knowledge item with the marks."""
    right: tuple[str, ...]
    """The judgements that are right, such as ``none`` or ``elsewhere k1``."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """The program's own judgement of the reply, or the known labels; never part of the blind view."""

    supports: tuple[Support, ...] = ()
    """The state of each sentence; empty for practice."""
    verdicts: tuple[Verdict, ...] = ()
    """The verdict of each source's step; empty for practice."""
    confidences: tuple[float, ...] = ()
    """f of each source's reading; empty for practice."""
    spans: tuple[Span | None, ...] = ()
    """The Reader's span in each source; empty for practice."""
    known: tuple[Known, ...] | None = None


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
    sentences: tuple[Span, ...]
    """The ranges of the sentences in ``answer``, marks included."""
    marks: tuple[ItemMark, ...]
    sources: tuple[ItemSource, ...]
    machine: Machine = Machine()
    dropped: int = 0
    """How many invented marks were removed from the reply before anybody saw it."""
    uncited: tuple[ItemSource, ...] = ()
    """Documents that were found but not cited, with numbers of their own."""

    @property
    def invented(self) -> frozenset[int]:
        """The marks, by ``ItemMark.index``, that name no document."""
        numbers = {source.number for source in self.sources}
        return frozenset(mark.index for mark in self.marks if mark.number not in numbers)

    def blind(self) -> dict[str, Any]:
        """Return the JSON-ready values that an annotator sees, without the reply's author and the machine's view.

        Origin, task and the Reader's spans are left out too, because only replies of this program have all of them.
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
    """The words of a document that decided a judgement: ``text[start:end]`` of the source ``number``."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class KnowledgeItem:
    """One part of the reply that states one thing that can be checked."""

    id: str
    """Its name in the labels: ``k1`` …"""
    start: int
    end: int
    support: Backing | None = None
    """The support by all its marked documents; ``None`` until it is judged, and without marks."""
    evidence: tuple[Evidence, ...] = ()
    missing: bool | None = None
    """Whether it lacks a mark that it needs; ``None`` until that is judged, and if it bears a mark.

    Under guidelines 1.x it was ``False`` by default.
    """
    uncited: int | None = None
    """The number of an uncited document that would support all of it, 0 if none does; ``None`` until it is judged, and
    if it is not asked."""


@dataclass(frozen=True, slots=True)
class MarkJudgement:
    mark: int
    """Its ``ItemMark.index``."""
    place: Place | None = None
    belongs_to: str | None = None
    """The knowledge item to which it belongs, if ``place`` is elsewhere."""


@dataclass(frozen=True, slots=True)
class Labels:
    """All judgements of one annotator on one reply."""

    knowledge_items: tuple[KnowledgeItem, ...] = ()
    """The knowledge items by position, without overlap."""
    marks: tuple[MarkJudgement, ...] = ()
    """One judgement per mark, by ``ItemMark.index``."""
    comment: str = ""


class Step(StrEnum):
    """The kinds of judgement, in the order in which they are made."""

    SUPPORT = "support"
    MARK = "mark"
    NEED = "need"
    UNCITED = "uncited"


@dataclass(frozen=True, slots=True)
class Open:
    """A judgement that is still to be made."""

    step: Step
    target: str
    """The knowledge item's id, or the mark's index."""
    what: str
    """A description for people: ``the support of “Kyoto lies on Honshu”``."""


def default_labels(item: Item) -> Labels:
    """Return the labels with which judging begins: no judgements, and one knowledge item per sentence without marks.

    A sentence whose marks end its clauses becomes one item per clause, so that the chain's steps are separate. The rule
    uses only the text, so the replies of every system are cut alike.
    """
    text, ends, invented = without_marks(item), [mark.end for mark in item.marks], item.invented
    spans = [span for sentence in item.sentences for span in clauses(text, sentence, ends)]
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
    """Return ``ItemMark.index`` → the knowledge item that bears the mark: the last one that begins before it.

    The value is ``None`` without such an item, or if words of a later sentence stand between the two.
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
    """Return the ids of the knowledge items that bear a mark."""
    return frozenset(one.id for one in carriers(item, labels).values() if one is not None)


def documented(item: Item, labels: Labels) -> frozenset[str]:
    """Return the ids of the knowledge items that bear a mark of an existing document."""
    bearers, invented = carriers(item, labels), item.invented
    return frozenset(one.id for index, one in bearers.items() if one is not None and index not in invented)


def marks_of(item: Item, labels: Labels, id: str) -> tuple[ItemMark, ...]:
    """Return the marks that the knowledge item ``id`` bears: those between its beginning and the next item's."""
    bearers = carriers(item, labels)
    return tuple(mark for mark in item.marks if (bearer := bearers[mark.index]) is not None and bearer.id == id)


def lacks_support(one: KnowledgeItem, *, bears: bool) -> bool:
    """Return whether the knowledge item needs support and its marks, if it ``bears`` any, do not give all of it."""
    return one.support not in (None, Backing.COMPLETE) if bears else bool(one.missing)


def open_points(labels: Labels, item: Item, *, asks_uncited: bool = False) -> tuple[Open, ...]:
    """Return the judgements that are still missing, in the order of judging.

    ``asks_uncited`` says whether the study shows uncited documents, and so asks about them.
    """
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
    uncited = (
        Open(Step.UNCITED, one.id, f"whether an uncited document supports “{shown(item, one)}”")
        for one in labels.knowledge_items
        if asks_uncited and item.uncited and one.uncited is None and lacks_support(one, bears=one.id in bears)
    )
    return (*supports, *marks, *needs, *uncited)


def shown(item: Item, one: KnowledgeItem, length: int = 60) -> str:
    """Return the knowledge item's words in one line of at most ``length`` characters."""
    text = " ".join(item.answer[one.start : one.end].split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def without_marks(item: Item) -> str:
    """Return the answer with every mark replaced by spaces, so that offsets stay the same."""
    text = list(item.answer)
    for mark in item.marks:
        text[mark.start : mark.end] = " " * (mark.end - mark.start)
    return "".join(text)
