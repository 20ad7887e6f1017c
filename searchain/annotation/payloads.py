"""Convert items and labels to JSON and back, and check values from outside for consistency."""

import json
from functools import cache
from typing import Any, TypeVar

from searchain.annotation.protocol import Item, Labels
from searchain.errors import UsageError

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

    Raises:
        UsageError: a value is missing or of another type; the message names it.
    """
    labels = _read(Labels, values, "labels")
    return Labels(
        tuple(sorted(labels.knowledge_items, key=lambda one: (one.start, one.end))),
        tuple(sorted(labels.marks, key=lambda judged: judged.mark)),
        labels.comment,
    )


def item_from_json(values: Any) -> Item:
    """Read an item as ``to_json`` wrote it, and check its offsets and numbers.

    Raises:
        UsageError: a value is missing, of another type or wrong; the message names it.
    """
    item = _read(Item, _with_known(values), "item")
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


def _read(kind: type[Value], values: Any, what: str) -> Value:
    try:
        # mypy looks for the hash of a class in its instances
        return _adapter(kind).validate_json(json.dumps(values), strict=True)  # type: ignore[arg-type]
    except (ValueError, TypeError, RecursionError) as error:
        first = error.errors()[0] if hasattr(error, "errors") else {"loc": (), "msg": str(error)}
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise UsageError(f"the {what} cannot be read: {where}: {first['msg']}") from None
