"""Use machines as annotators: a support check or a language model judges the default knowledge items.

A mark is right if its document alone supports its knowledge item at least partly, as in the guidelines. Machines do not
judge whether an item without marks needs one. People never see the machines' judgements.

Figures over all replies follow from a machine's judgements, corrected by replies that people judged too:
prediction-powered inference (Angelopoulos et al. 2023), with the weight of the machine chosen from the data (PPI++,
Angelopoulos, Duchi & Zrnic 2023). It is the machine's weighted mean over all other replies, plus the mean difference of
people and machine. A useless machine gets weight 0, which leaves the people's mean. People must have judged a random
part of the replies.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, sqrt
from pathlib import Path
from string import Template

import numpy as np

from searchain.annotation.estimates import FEWEST_REPLIES, Estimate, absent, student
from searchain.annotation.protocol import (
    Backing,
    Item,
    ItemSource,
    KnowledgeItem,
    Labels,
    Place,
    default_labels,
    documented,
    marks_of,
    without_marks,
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
_LONGEST = 4_000  # most characters of a document that a model reads
_WORD = re.compile(r"\b(complete|partial|none|contradicts)\b", re.IGNORECASE)
_SUPPORTS = (Backing.COMPLETE, Backing.PARTIAL)


def labels(item: Item, judge: Judge) -> Labels:
    """Return the labels of the reply's default knowledge items and marks by ``judge``."""
    default = default_labels(item)
    judged, invented = documented(item, default), item.invented
    sources = {source.number: source for source in item.sources}
    items: list[KnowledgeItem] = []
    places: dict[int, Place] = {}
    for one in default.knowledge_items:
        if one.id not in judged:
            items.append(one)
            continue
        borne = [mark for mark in marks_of(item, default, one.id) if mark.index not in invented]
        said_by = partial(judge, item.question, _statement(item, one))
        alone = {number: said_by([sources[number]]) for number in dict.fromkeys(mark.number for mark in borne)}
        together = alone[borne[0].number] if len(alone) == 1 else said_by([sources[number] for number in alone])
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
    around = " ".join(without_marks(item)[sentence.start : sentence.end].split())
    return words if len(around) <= len(words) + 3 else f"{words} (in the sentence: {around})"


@dataclass(frozen=True, slots=True)
class Powered:
    """One figure of one system."""

    measure: str
    system: str
    judge: str
    judged: int
    """Replies that people and the machine judged."""
    others: int
    """Replies that the machine alone judged."""
    people: Estimate
    """The figure from people's judgements alone."""
    machine: float | None
    """The machine's own mean over all replies, uncorrected."""
    powered: Estimate
    weight: float
    """The weight of the machine, 0 to 1."""


def powered_mean(
    said: np.ndarray, predicted: np.ndarray, others: np.ndarray, *, step: float = 1.0, is_share: bool = True
) -> tuple[Estimate, float]:
    """Return the prediction-powered mean with its 95 % interval, and the weight of the machine.

    Differences of people and machine are mostly 0 and rarely large. A sample may hold none of them, so the interval
    counts two replies more, on which people and machine differ by ``step`` in both directions. Those of a share lie
    around one half, which moves the interval inwards (Agresti & Coull 1998).

    Args:
        said: (n,) people's values of the replies that they judged.
        predicted: (n,) the machine's values of the same replies.
        others: (N,) its values of the replies that people did not judge.
        step: how much one judgement changes a value.
        is_share: whether values lie between 0 and 1.
    """
    n, more = len(said), len(others)
    if n < 2 or more < 2:
        return absent("it takes replies that people judged, and others that the machine alone did", n), 0.0
    value, weight, _ = _powered(said, predicted, others, n)
    if n < FEWEST_REPLIES:
        return Estimate(value, None, None, n + more), weight
    middles = (0.5, 0.5) if is_share else (float(said.mean()), float(predicted.mean()))
    more_said = np.append(said, [middles[0] + step / 2, middles[0] - step / 2])
    more_predicted = np.append(predicted, [middles[1] - step / 2, middles[1] + step / 2])
    middle, _, variance = _powered(more_said, more_predicted, others, n)
    half = student(0.975, n - 1) * sqrt(variance)
    most = 1.0 if is_share else inf
    return Estimate(value, max(0.0, middle - half), min(most, middle + half), n + more), weight


def _powered(said: np.ndarray, predicted: np.ndarray, others: np.ndarray, n: int) -> tuple[float, float, float]:
    """Return the mean, the machine's weight and the variance of the mean."""
    variance = float(np.var(np.concatenate([predicted, others]), ddof=1))
    shared = float(np.cov(said, predicted, ddof=1)[0, 1])
    weight = min(max(shared / ((1 + n / len(others)) * variance), 0.0), 1.0) if variance > 0 else 0.0
    beyond = said - weight * predicted
    value = weight * float(others.mean()) + float(beyond.mean())
    spread = float(np.var(beyond, ddof=1)) / len(beyond) + weight**2 * float(np.var(others, ddof=1)) / len(others)
    return value, weight, spread
