"""Use machines as annotators: a support check or a language model judges the default knowledge items.

A mark is right if its document alone supports its knowledge item at least partly, as in the guidelines. Machines do not
judge whether an item without marks needs one. People never see the machines' judgements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from string import Template
from typing import Any

from searchain.annotation.protocol import (
    Backing,
    Item,
    ItemSource,
    KnowledgeItem,
    Labels,
    Place,
    carriers,
    default_labels,
    documented,
)

Judge = Callable[[str, str, Sequence[ItemSource]], Backing]
"""Question, statement and documents → how far the documents together support the statement."""
PROMPT = Template(Path(__file__).with_name("judge-prompt.md").read_text(encoding="utf-8"))
FROM_CHECK = {
    "supported": Backing.COMPLETE,
    "partial": Backing.PARTIAL,
    "not_supported": Backing.NONE,
    "contradicted": Backing.CONTRADICTS,
}
_LONGEST = 4_000
"""Most characters of a document that a model reads."""
_WORD = re.compile(r"\b(complete|partial|none|contradicts)\b", re.IGNORECASE)
_SUPPORTS = (Backing.COMPLETE, Backing.PARTIAL)


def labels(item: Item, judge: Judge) -> Labels:
    """Return the labels of the reply's default knowledge items and marks by ``judge``."""
    default = default_labels(item)
    bearers, judged = carriers(item, default), documented(item, default)
    invented = item.invented
    sources = {source.number: source for source in item.sources}
    items: list[Any] = []
    places: dict[Any, Any] = {}
    for one in default.knowledge_items:
        if one.id not in judged:
            items.append(one)
            continue
        borne = [
            mark
            for mark in item.marks
            if mark.index not in invented and (at := bearers[mark.index]) is not None and at.id == one.id
        ]
        alone: dict[int, Backing] = {
            number: judge(item.question, _statement(item, one), [sources[number]])
            for number in dict.fromkeys(mark.number for mark in borne)
        }
        together = (
            next(iter(alone.values()))
            if len(alone) == 1
            else judge(item.question, _statement(item, one), [sources[number] for number in alone])
        )
        items.append(replace(one, support=together))
        places |= {mark.index: Place.RIGHT if alone[mark.number] in _SUPPORTS else Place.SUPERFLUOUS for mark in borne}
    marks = tuple(
        one if one.place else replace(one, place=places.get(one.mark, Place.SUPERFLUOUS)) for one in default.marks
    )
    return Labels(tuple(items), marks)


def from_check(check: Callable[[str, str], str]) -> Judge:
    """Return a judge from a check of support, which takes a claim and its evidence and gives one of ``FROM_CHECK``."""

    def judge(question: str, statement: str, documents: Sequence[ItemSource]) -> Backing:
        evidence = "\n\n".join(f"{one.title}: {' '.join(one.text.split())}" for one in documents)
        return FROM_CHECK[check(statement, evidence)]

    return judge


def from_model(say: Callable[[str], str]) -> Judge:
    """Return a judge from a language model: ``say`` maps prompt to reply. An unreadable reply is *cannot tell*."""

    def judge(question: str, statement: str, documents: Sequence[ItemSource]) -> Backing:
        shown = "\n\n".join(f"Document {one.number}: {one.title}\n{one.text[:_LONGEST]}" for one in documents)
        found = _WORD.search(say(PROMPT.substitute(question=question, statement=statement, documents=shown)))
        return Backing(found[1].lower()) if found else Backing.CANNOT_TELL

    return judge


def _statement(item: Item, one: KnowledgeItem) -> str:
    """Return the words of the item, followed by its sentence if that is longer."""
    words = " ".join(item.answer[one.start : one.end].split())
    sentence = next((span for span in item.sentences if span.start <= one.start < span.end), None)
    if sentence is None:
        return words
    whole = list(item.answer)
    for mark in item.marks:
        whole[mark.start : mark.end] = " " * (mark.end - mark.start)
    around = " ".join("".join(whole[sentence.start : sentence.end]).split())
    return words if len(around) <= len(words) + 3 else f"{words} (in the sentence: {around})"
