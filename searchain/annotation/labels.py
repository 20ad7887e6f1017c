"""Check that labels fit the reply that they judge, and do not contradict themselves."""

import json
from functools import cache
from typing import Any, TypeVar

from searchain.annotation.protocol import (
    GUIDELINES,
    WORD,
    Backing,
    Item,
    KnowledgeItem,
    Labels,
    MarkJudgement,
    Place,
    bearing,
    carriers,
    documented,
    lacks_support,
    open_points,
    shown,
    without_marks,
)
from searchain.errors import UsageError

MAX_COMMENT = 4_000


def check(labels: Labels, item: Item, guidelines: str = GUIDELINES, *, asks_uncited: bool = False) -> None:
    """Check that complete labels fit the reply and do not contradict themselves.

    ``asks_uncited`` as for ``open_points``. Labels made under guidelines 1.x, or those of another set, may contradict
    themselves: nobody was warned. Raises ``UsageError`` if a judgement is missing or does not fit.
    """
    if len(labels.comment) > MAX_COMMENT:
        raise UsageError(f"the comment has {len(labels.comment):,} characters; write {MAX_COMMENT:,} or fewer")
    _check_items(item, labels)
    _check_marks(item, labels)
    if missing := open_points(labels, item, asks_uncited=asks_uncited):
        more = f", nor {len(missing) - 1} more" if len(missing) > 1 else ""
        raise UsageError(f"{missing[0].what} is not judged yet{more}")
    if guidelines[:1].isdecimal() and not guidelines.startswith("1.") and (found := contradictions(labels, item)):
        raise UsageError(found[0])


def _check_items(item: Item, labels: Labels) -> None:
    end, ids, text = 0, set(), without_marks(item)
    bears, has_document = bearing(item, labels), documented(item, labels)
    for one in labels.knowledge_items:
        if not 0 <= one.start < one.end <= len(item.answer) or not WORD.search(text, one.start, one.end):
            raise UsageError(
                f"knowledge item {one.id!r} ({one.start}–{one.end}) is no stretch of the reply with words "
                "in it; choose it anew"
            )
        if one.id in ids or not one.id:
            raise UsageError(f"two knowledge items have the name {one.id!r}; choose one of them anew")
        if one.start < end:
            raise UsageError(
                f"the knowledge item “{shown(item, one)}” overlaps the one before it; shorten one, or join them"
            )
        end = one.end
        ids.add(one.id)
        _check_support(item, one, bears=one.id in bears, is_documented=one.id in has_document)


def _check_support(item: Item, one: KnowledgeItem, *, bears: bool, is_documented: bool) -> None:
    """Check what is said of the documents of a knowledge item, which ``bears`` a mark or not."""
    name = f"“{shown(item, one)}”"
    if one.missing and bears:
        raise UsageError(f"{name} has a mark, so that none is missing there")
    if one.support is not None and not bears:
        raise UsageError(f"{name} has no mark, so that no marked document can support it")
    for words in one.evidence:
        if not 0 <= words.start < words.end <= len(item.source(words.number).text):
            raise UsageError(f"the evidence of {name} is not in source {words.number}; choose it anew")
    if bears and not is_documented and one.support not in (None, Backing.NONE):
        raise UsageError(f"{name} has no mark of a document that exists: nothing supports it")
    if one.uncited is not None and not lacks_support(one, bears=bears):
        raise UsageError(f"{name} lacks no support, so that no uncited document is asked about there")
    if one.uncited not in (None, 0, *(source.number for source in item.uncited)):
        raise UsageError(f"{name} names an uncited document {one.uncited} that is not there; choose it anew")


def _check_marks(item: Item, labels: Labels) -> None:
    ids, bearers = {one.id for one in labels.knowledge_items}, carriers(item, labels)
    seen: set[int] = set()
    for judged in labels.marks:
        if not 0 <= judged.mark < len(item.marks) or judged.mark in seen:
            raise UsageError(f"mark {judged.mark + 1} is not in the reply, or judged twice; reload the page")
        seen.add(judged.mark)
        _check_mark(item, judged, bearers[judged.mark], ids, is_invented=judged.mark in item.invented)


def contradictions(labels: Labels, item: Item) -> tuple[str, ...]:
    """Return one sentence per knowledge item or mark whose judgements in complete ``labels`` contradict each other."""
    places, invented = {one.mark: one.place for one in labels.marks}, item.invented
    said: dict[str, list[Place | None]] = {}
    numbers: set[tuple[str, int]] = set()
    for index, bearer in carriers(item, labels).items():
        if bearer is not None:
            numbers.add((bearer.id, item.marks[index].number))
            if index not in invented:
                said.setdefault(bearer.id, []).append(places.get(index))
    found = []
    for one in labels.knowledge_items:
        if one.id in said and (reason := _impossible(one.support, said[one.id])):
            found.append(f"“{shown(item, one)}”: {reason}")
    for judged in labels.marks:
        if judged.belongs_to is not None and (judged.belongs_to, item.marks[judged.mark].number) in numbers:
            found.append(
                f"mark {judged.mark + 1}, [{item.marks[judged.mark].number}], cannot belong to a knowledge item that "
                "has a mark of its document already"
            )
    return tuple(found)


def _impossible(support: Backing | None, said: list[Place | None]) -> str:
    """Return why an item's support contradicts the places of its marks; ``""`` if it does not."""
    rights, one = said.count(Place.RIGHT), len(said) == 1
    if support in (Backing.COMPLETE, Backing.PARTIAL) and not rights:
        return f"its documents support it, so that {'its mark is' if one else 'at least one of its marks is'} right"
    if support is Backing.NONE and rights:
        return "its documents do not support it, so that no mark there is right"
    if support is Backing.CONTRADICTS and rights == len(said):
        return (
            f"a document contradicts it, so that {'its mark is' if one else 'at least one of its marks is'} not right"
        )
    return ""


def _check_mark(
    item: Item, judged: MarkJudgement, bearer: KnowledgeItem | None, ids: set[str], *, is_invented: bool
) -> None:
    name = f"mark {judged.mark + 1}, [{item.marks[judged.mark].number}],"
    if is_invented != (judged.place is Place.INVENTED) and judged.place is not None:
        there = "no such document, so that it is invented" if is_invented else "such a document"
        raise UsageError(f"{name} cannot be judged {judged.place}: there is {there}")
    if judged.place is Place.ELSEWHERE and judged.belongs_to is None:
        raise UsageError(f"{name} belongs elsewhere: say to which knowledge item")
    if judged.place is not Place.ELSEWHERE and judged.belongs_to is not None:
        raise UsageError(f"{name} names another knowledge item, but is not judged to belong elsewhere")
    if judged.belongs_to is not None and judged.belongs_to not in ids:
        raise UsageError(f"{name} cannot belong to {judged.belongs_to!r}: there is no such knowledge item")
    if bearer is not None and judged.belongs_to == bearer.id:
        raise UsageError(f"{name} stands at that knowledge item already; judge it right, or choose another")
    if bearer is None and judged.place is Place.RIGHT:
        raise UsageError(f"{name} stands at no knowledge item and cannot be right; add one, or judge it otherwise")


Value = TypeVar("Value")


def to_json(value: Item | Labels) -> dict[str, Any]:
    """Return JSON-ready values that ``item_from_json`` or ``labels_from_json`` reads."""
    kind: type = type(value)
    return _adapter(kind).dump_python(value, mode="json")


def without_comment(labels: Labels) -> str:
    """Encode labels without their comment, which has a column of its own."""
    return json.dumps({**to_json(labels), "comment": ""}, ensure_ascii=False)


def labels_from_json(values: Any) -> Labels:
    """Read labels as ``to_json`` wrote them, and sort them by position; ``labels.check`` tests if they fit a reply.

    Raises ``UsageError`` if a value is missing or of another type.
    """
    labels = read_values(Labels, values, "labels")
    items = sorted(labels.knowledge_items, key=lambda one: (one.start, one.end))
    return Labels(tuple(items), tuple(sorted(labels.marks, key=lambda judged: judged.mark)), labels.comment)


def item_from_json(values: Any) -> Item:
    """Read an item as ``to_json`` wrote it, and check its offsets and numbers.

    Raises ``UsageError`` if a value is missing, of another type or wrong.
    """
    item = read_values(Item, _with_known(values), "item")
    numbers = [source.number for source in item.sources]
    if len(set(numbers)) != len(numbers):
        raise UsageError("two sources of the item have the same number")
    for at, mark in enumerate(item.marks):
        if mark.index != at or item.answer[mark.start : mark.end] != f"[{mark.number}]":
            raise UsageError(f"mark {at + 1} of the item does not stand in its answer")
    ends = [0, *(end for sentence in item.sentences for end in (sentence.start, sentence.end)), len(item.answer)]
    if ends != sorted(ends):
        raise UsageError("the sentences of the item do not lie in its answer one after the other")
    for name in ("verdicts", "confidences", "spans"):
        if len(getattr(item.machine, name)) not in (0, len(numbers)):
            raise UsageError(f"the item has not one of machine.{name} for each source")
    if len(item.machine.supports) not in (0, len(item.sentences)):
        raise UsageError("the item has not one of machine.supports for each sentence")
    return item


def _with_known(values: Any) -> Any:
    """Return the values of an item with known labels; earlier versions stored the one label of support."""
    match values:
        case {"machine": {"known": str() as known} as machine}:
            right = ["none", "contradicts"] if known == "none" else [known]
            return {**values, "machine": {**machine, "known": [{"target": "", "right": right, "why": ""}]}}
    return values


@cache
def _adapter(kind: type) -> Any:
    from pydantic import TypeAdapter  # here, because it takes 0.1 s that `--help` need not pay

    return TypeAdapter(kind)


def read_values(kind: type[Value], values: Any, what: str) -> Value:
    """Read a dataclass from its values in JSON. Raises ``UsageError``; the message names ``what`` and the value."""
    try:
        # mypy looks for the hash of a class in its instances
        return _adapter(kind).validate_json(json.dumps(values), strict=True)  # type: ignore[arg-type]
    except (ValueError, TypeError, RecursionError) as error:
        first = error.errors()[0] if hasattr(error, "errors") else {"loc": (), "msg": str(error)}
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise UsageError(f"the {what} cannot be read: {where}: {first['msg']}") from None
