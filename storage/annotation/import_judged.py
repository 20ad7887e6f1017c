"""Reads the judgements of a judged set as labels.

A set judges parts of a reply, such as sentences or claims; each becomes a knowledge item. Passages that were judged
together are one document. Where a set does not judge marks, the place of a mark follows from the support.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from searchain.annotation import citation_styles
from searchain.annotation.blocks import marks_before_stops
from searchain.annotation.labels import check
from searchain.annotation.protocol import (
    Backing,
    Item,
    ItemMark,
    ItemSource,
    KnowledgeItem,
    Labels,
    MarkJudgement,
    Place,
    carriers,
    clauses,
    without_marks,
)
from searchain.types import Span
from storage.annotation.import_forms import all_at, find, first, words

_NEEDS = {"mark_missing": True, "no_mark_needed": False}  # judgements of a part without marks
_DELETED = ("delete-misleading", "delete-substandard", "delete-redundant")
_REQUIRED = "2"  # CiteBench's type of a statement that needs a citation, because the passages can support it
Judgement = tuple[str, list[bool] | None]
"""The support of a part, or whether it needs a mark; whether each of its citations is right, if the set says it."""


def composed(answer: dict[str, Any]) -> tuple[dict[str, Any], tuple[Span, ...]]:
    """Return the answer put together from its judged parts, if the set writes them out, and where each stands."""
    judged, parts = answer["form"]["judged"], _parts(answer)
    texts, citations = [words(first(one, judged.get("text", ()))) for one in parts], list(answer["citations"] or [])
    pieces = [_piece(one, text, judged, citations) for one, text in zip(parts, texts, strict=True)]
    marks = [[mark.number for mark in _read(text, citations).marks] for text in (answer["answer"], " ".join(pieces))]
    if not all(texts) or ("documents" not in judged and marks[0] != marks[1]):  # parts may stand without their marks
        return answer, ()
    ends = [sum(map(len, pieces[: at + 1])) + at for at in range(len(pieces))]
    spans = tuple(Span(end - len(piece), end) for piece, end in zip(pieces, ends, strict=True))
    return {**answer, "answer": " ".join(pieces), "citations": citations}, spans


def _piece(part: Any, text: str, judged: Mapping[str, Any], citations: list[dict[str, Any]]) -> str:
    """Return a part with its marks; the passages that were judged with it become one of ``citations``."""
    refs = [words(found).strip("[]") for found in all_at(part, judged.get("refs", ()))]
    passages = list(filter(None, map(words, all_at(part, judged.get("documents", ())))))
    read = _read(text.strip(), [] if passages else citations)
    if passages:
        title = passages[0].splitlines()[0][:80] if len(passages) == 1 else f"{len(passages)} passages"
        refs = [str(len(citations) + 1)]
        citations.append({"number": int(refs[0]), "title": title, "text": "\n\n".join(passages)})
    if not refs:
        return read.answer
    starts, ends = [mark.start for mark in read.marks], [0, *(mark.end for mark in read.marks)]
    cut = (read.answer[end:start].rstrip(" ") for end, start in zip(ends, [*starts, None], strict=True))
    return f"{''.join(cut)} " + "".join(f"[{ref}]" for ref in refs)


def _read(text: str, citations: Sequence[Mapping[str, Any]]) -> citation_styles.Understood:
    return citation_styles.read(text, [ItemSource(one["number"], one["title"], "", None) for one in citations])


def _parts(answer: Mapping[str, Any]) -> list[Any]:
    path = answer["form"]["judged"].get("parts")
    return find(answer["record"], path) if path else [answer["record"]]


def labelled(item: Item, spans: Sequence[Span], answer: Mapping[str, Any]) -> tuple[Item, list[tuple[str, Labels]]]:
    """Return the item, and the labels of each annotator of the set.

    Raises:
        ValueError: a judgement is unknown, or there are not as many as sentences or citations.
        UsageError: the labels do not fit the reply.
    """
    name, judged = answer["form"]["name"], answer["form"]["judged"]
    ones = find(answer["record"], judged["regions"]) if "regions" in judged else [answer["record"]]
    if "regions" in judged:
        found = [_of_regions(item, one) for one in ones]
    else:
        item = marks_before_stops(replace(item, sentences=tuple(spans)) if spans else item)
        found = [_of_parts(item, judgements) for judgements in _judgements(judged, _parts(answer))]
    named = []
    for at, labels in enumerate(found):
        check(labels, item, name)
        by = first(ones[at % len(ones)], judged.get("annotator", ()), answer["root"])
        named.append((f"{name} {at + 1 if by is None else by}" if by or len(found) > 1 else name, labels))
    return item, named


def _judgements(judged: Mapping[str, Any], parts: Sequence[Any]) -> Iterator[list[Judgement]]:
    """Yield each annotator's judgements of the parts; nothing if nobody judged them."""
    if "edits" in judged:
        edits = [first(one, (judged["edits"],)) for one in parts]
        counts = {len(one) for one in edits if one}
        if len(counts) > 1:
            raise ValueError(f"its statements have the edits of {min(counts)} to {max(counts)} people")
        for at in range(max(counts, default=0)):
            pairs = zip(parts, edits, strict=True)
            yield [_of_edits(one, said[at] if said else None, at, judged) for one, said in pairs]
    elif any(first(one, judged["label"]) is not None for one in parts):
        yield [_of_label(one, judged) for one in parts]


def _of_label(part: Any, judged: Mapping[str, Any]) -> Judgement:
    said, labels = first(part, judged["label"]), judged["labels"]
    raw = str(_whole(said)) if isinstance(said, int | float) else str(said).strip()
    if raw not in labels:
        raise ValueError(f"{raw!r} is no judgement of this set; those are {', '.join(map(repr, labels))}")
    if "scores" not in judged:
        return labels[raw], None
    rights = [_whole(one) in judged["right"] for one in find(part, judged["scores"])]
    return (Backing.PARTIAL if labels[raw] == Backing.NONE and any(rights) else labels[raw]), rights


def _whole(score: Any) -> int:
    if int(score) != score:
        raise ValueError(f"the judgement {score!r} is not a whole number")
    return int(score)


def _of_edits(part: Any, edits: Any, at: int, judged: Mapping[str, Any]) -> Judgement:
    """Return what one annotator's edits say: what they kept is right, and asking for evidence means that it lacks.

    Whoever edited nothing (``None``) kept all.
    """
    refs = all_at(part, judged["refs"])
    gone = {str(one) for name in _DELETED for one in all_at(edits, (f"{name}[]",))}
    rights, lacks = [str(one) not in gone for one in refs], bool(first(edits, ("add-evidence",)))
    if not refs:
        is_missing = lacks or str(first(part, (f"{judged['types']}[{at}]",))) == _REQUIRED
        return ("mark_missing" if is_missing else "no_mark_needed"), rights
    return (Backing.NONE if not any(rights) else Backing.PARTIAL if lacks else Backing.COMPLETE), rights


def _of_parts(item: Item, judgements: Sequence[Judgement]) -> Labels:
    if len(judgements) != len(item.sentences):
        raise ValueError(f"it judges {len(judgements)} parts, but its answer has {len(item.sentences)} sentences")
    text, kept = without_marks(item), []
    spans = [next(iter(clauses(text, span, ())), None) for span in item.sentences]
    items = {at: KnowledgeItem(f"k{at + 1}", *span) for at, span in enumerate(spans) if span}
    bearers = carriers(item, Labels(tuple(items.values())))
    places = dict.fromkeys(range(len(item.marks)), Place.SUPERFLUOUS) | dict.fromkeys(item.invented, Place.INVENTED)
    for at, one in items.items():
        support, rights = judgements[at]
        borne = [mark for mark in item.marks if bearers[mark.index] == one]
        marks = [mark for mark in borne if mark.index not in item.invented]
        if not borne:
            needs_none = (Backing.COMPLETE, Backing.CANNOT_TELL)  # not judged: nobody said that one is missing
            kept.append(replace(one, missing=_NEEDS.get(support, support not in needs_none)))
            continue
        backing = Backing(support) if marks and support not in _NEEDS else Backing.NONE
        kept.append(replace(one, support=backing))
        are_right = _rights(marks, [backing in (Backing.COMPLETE, Backing.PARTIAL)] * len(marks), rights)
        places |= {mark.index: Place.RIGHT for mark, is_right in zip(marks, are_right, strict=True) if is_right}
    return Labels(tuple(kept), tuple(MarkJudgement(index, place) for index, place in sorted(places.items())))


def _rights(marks: Sequence[ItemMark], derived: list[bool], judged: list[bool] | None) -> list[bool]:
    """Return whether each mark of a part is right; sets judge every mark, or every document once."""
    numbers = list(dict.fromkeys(mark.number for mark in marks))
    if judged is None or len(judged) == len(marks):
        return derived if judged is None else judged
    if len(judged) != len(numbers):
        raise ValueError(f"it judges {len(judged)} citations of a part that has {len(marks)}")
    return [judged[numbers.index(mark.number)] for mark in marks]


def _of_regions(item: Item, annotation: Any) -> Labels:
    kept, marks = [], []
    to = {one.get("from_id"): one.get("to_id") for one in find(annotation, "result[type=relation]")}
    at = {(mark.start, mark.end): mark.index for mark in item.marks}
    for one in find(annotation, "result[type=labels]"):
        id, said = str(one.get("id")), first(one, ("value.labels[0]",))
        start, end = (first(one, (f"value.{name}",)) for name in ("start", "end"))
        if type(start) is not int or type(end) is not int or said not in {*Place, *Backing, *_NEEDS}:
            raise ValueError(f"the label {said!r} at {start}–{end} is none of the desk")
        if said not in list(Place):
            support = None if said in _NEEDS else Backing(said)
            kept.append(KnowledgeItem(id, start, end, support, missing=_NEEDS.get(said)))
        elif (start, end) in at:
            marks.append(MarkJudgement(at[start, end], Place(said), to.get(id)))
        else:
            raise ValueError(f"the label {said!r} at {start}–{end} stands at no mark of the reply")
    comment = words(first(annotation, ("result[type=textarea].value.text[0]",)))
    return Labels(
        tuple(sorted(kept, key=lambda one: one.start)), tuple(sorted(marks, key=lambda one: one.mark)), comment
    )
