"""Whether labels fit the reply that they judge, and hold together."""

from __future__ import annotations

from searchain.annotation.protocol import (
    WORD,
    Item,
    KnowledgeItem,
    Labels,
    MarkJudgement,
    Place,
    carriers,
    open_points,
    shown,
    without_marks,
)
from searchain.errors import UsageError

MAX_COMMENT = 4_000
"""Characters."""


def check(labels: Labels, item: Item) -> None:
    """Whether complete labels fit the reply and hold together.

    Raises:
        UsageError: something is not judged yet, or does not fit; the message names it.
    """
    if len(labels.comment) > MAX_COMMENT:
        raise UsageError(f"the comment has {len(labels.comment):,} characters; write {MAX_COMMENT:,} or fewer")
    end, ids, text, bearers = 0, set(), without_marks(item), carriers(item, labels)
    bearing = {one.id for one in bearers.values() if one is not None}
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
        _check_support(item, one, one.id in bearing)
    seen: set[int] = set()
    for judged in labels.marks:
        if not 0 <= judged.mark < len(item.marks) or judged.mark in seen:
            raise UsageError(f"mark {judged.mark + 1} is not in the reply, or judged twice; reload the page")
        seen.add(judged.mark)
        _check_mark(item, judged, bearers[judged.mark], ids)
    if missing := open_points(labels, item):
        more = f", nor {len(missing) - 1} more" if len(missing) > 1 else ""
        raise UsageError(f"{missing[0].what} is not judged yet{more}")


def _check_support(item: Item, one: KnowledgeItem, bears: bool) -> None:
    name = f"“{shown(item, one)}”"
    if one.missing and bears:
        raise UsageError(f"{name} has a mark, so that none is missing there")
    if one.support is not None and not bears:
        raise UsageError(f"{name} has no mark, so that no marked document can support it")
    for words in one.evidence:
        if not 0 <= words.start < words.end <= len(item.source(words.number).text):
            raise UsageError(f"the evidence of {name} is not in source {words.number}; choose it anew")


def _check_mark(item: Item, judged: MarkJudgement, bearer: KnowledgeItem | None, ids: set[str]) -> None:
    name = f"mark {judged.mark + 1}, [{item.marks[judged.mark].number}],"
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
