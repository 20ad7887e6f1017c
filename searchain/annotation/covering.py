"""An item whose text is taken away, so that its labels still fit: lengths, marks and limits stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from searchain.annotation import clauses
from searchain.annotation.protocol import Item, without_marks

COVER, SIGN = "█", "□"
"""For what belongs to a word, and for what does not."""
_WORDS = re.compile(r"\w")
_SIGNS = re.compile(r"[^\s█!-/:-@\[-`{-~–—…。！？]")
"""What is neither space nor common punctuation, once words are covered: such as accents that are characters alone."""


def withdrawn(item: Item) -> Item:
    """``item`` without its text; system, model and what the program thought of it stay, being what reports group by.

    Common punctuation stays, and the words that join two clauses behind a mark (*and*, *which*): the default knowledge
    items, to which judgements are compared, are then still the same.
    """
    covered = rewritten(item, lambda text: _SIGNS.sub(SIGN, _WORDS.sub(COVER, text)))
    answer, text = list(covered.answer), without_marks(item)
    for mark in item.marks:
        if joint := clauses.GOES_ON.match(text, mark.end):
            answer[joint.start() : joint.end()] = item.answer[joint.start() : joint.end()]
    return replace(covered, system=item.system, model=item.model, answer="".join(answer))


def rewritten(item: Item, change: Callable[[str], str]) -> Item:
    """``item`` with ``change``, which keeps lengths, made to every text of it; the marks of its answer stay."""
    answer = list(change(item.answer))
    for mark in item.marks:
        answer[mark.start : mark.end] = item.answer[mark.start : mark.end]
    sources = tuple(
        replace(
            source,
            title=change(source.title),
            text=change(source.text),
            url=change(source.url) if source.url is not None else None,
        )
        for source in item.sources
    )
    return replace(
        item,
        question=change(item.question),
        system=change(item.system),
        model=change(item.model),
        answer="".join(answer),
        sources=sources,
    )
