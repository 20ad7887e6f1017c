"""Turn a judged set into practice items: a claim and its evidence with a known label, shown like any other item.

{"claim": "…", "evidence": "passage\\n\\npassage …", "label": "supported|partial|not_supported", "question"?,
 "source"?}
"""

from __future__ import annotations

from typing import Any

from searchain.annotation.protocol import Backing, Item, ItemMark, ItemSource, Machine, Origin
from searchain.language import sentences
from searchain.types import Span

KNOWN = {"supported": Backing.COMPLETE, "partial": Backing.PARTIAL, "not_supported": Backing.NONE}
_SIGNS = ".!?…"
_LONGEST_TITLE = 200  # characters


def item(values: dict[str, Any]) -> Item:
    """Return an item without ``id``: its answer is the claim, with a mark for every passage of the evidence at its end.

    Raises:
        ValueError: a value is missing or of another type; the message names it.
    """
    claim, evidence, label = (_text(values, name) for name in ("claim", "evidence", "label"))
    if label not in KNOWN:
        raise ValueError(f"{label!r} is no label; there are: {', '.join(KNOWN)}")
    sources = tuple(
        _source(number, passage)
        for number, passage in enumerate(filter(None, map(str.strip, evidence.split("\n\n"))), 1)
    )
    if not claim.strip() or not sources:
        raise ValueError("its claim or its evidence is empty")
    claim = claim.strip()
    body = claim.rstrip(_SIGNS)
    marks, text = [], f"{body} "
    for source in sources:
        start = len(text)
        text += f"[{source.number}]"
        marks.append(ItemMark(source.number - 1, source.number, start, len(text)))
    text += claim[len(body) :]
    origin = values.get("source")
    question = values.get("question") or values.get("page")
    return Item(
        id="",
        origin=Origin.PRACTICE,
        question=question if isinstance(question, str) and question.strip() else f"Is it so: {body}?",
        system=origin if isinstance(origin, str) else "practice",
        model="",
        task=None,
        answer=text,
        sentences=tuple(Span(*limits) for limits in sentences.split(text)),
        marks=tuple(marks),
        sources=sources,
        machine=Machine(known=KNOWN[label]),
    )


def _source(number: int, passage: str) -> ItemSource:
    """Return the source of a passage; a short first line with text below it is its title."""
    title, _, text = passage.partition("\n")
    if not text.strip() or len(title) > _LONGEST_TITLE:
        title, text = f"Document {number}", passage
    return ItemSource(number, title.strip(), text.strip(), None)


def _text(values: dict[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} is missing or no text")
    return value
