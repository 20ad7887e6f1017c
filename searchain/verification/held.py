"""Judge the answer of a model that has seen passages, as far as the words of a passage go.

What goes beyond them (a day where the passage has a year, an epithet) is cut off: it stands in no passage. A passage
that holds all words confirms the answer; that the Reader reads the same there makes it likelier.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path

from searchain.errors import ReaderError
from searchain.language import text
from searchain.language.answer_kinds import fits
from searchain.language.same_answer import agreement, label_of, standing
from searchain.language.sentences import split
from searchain.settings import Settings
from searchain.types import Evidence, Hit, Judgement, Passage, Reading, Span, Step, Verdict
from searchain.verification.probability import UNRATED, Logistic, logit

BEYOND = "beyond"
"""The rule that fired when the answer said more than the passage; the passage's own words are kept."""
WEIGHTS = Path(__file__).parent.parent / "weights" / "held" / "held.json"
FEATURES = ("same", "other", "stands", "fits")
"""The features of the probability: the likeliest reading with the same answer and with another one, whether the answer
stands in a passage as it is, and whether it is of the kind that is asked for."""
LONGEST = 12
"""Most words of an answer that is looked for word by word."""


class Grade(IntEnum):
    """How far a passage holds an answer."""

    NOT = 0
    LESS = 1
    """The Reader reads the same, in fewer or other words."""
    SPREAD = 2
    """All words stand in one sentence."""
    WORDS = 3
    """It stands there as it is."""
    READ = 4
    """It stands there, and the Reader reads the same."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A passage that may hold the answer."""

    hit: Hit
    reading: Reading
    grade: Grade
    rule: str
    span: Span | None


def hold(
    step: Step, evidence: Evidence, cited: Sequence[tuple[Hit, Reading]], settings: Settings
) -> tuple[Evidence, Judgement]:
    """Judge the short answer of ``step`` by the passages that it cites and by those that its own look-up found.

    Returns the evidence with the passage that holds it best, and the judgement with its probability.
    """
    answer = step.answer or ""
    pairs = {
        hit.passage.id: (hit, reading)
        for hit, reading in (*cited, *zip(evidence.hits, evidence.readings, strict=False))
    }
    places = [_place(step, hit, reading) for hit, reading in pairs.values()]
    best = max(places, key=lambda place: place.grade, default=None)
    if best is None or best.grade is Grade.NOT:
        chosen = evidence.reading
        is_sure = chosen is not None and bool(chosen.answer) and settings.is_sure(chosen.confidence, chosen.probability)
        verdict = Verdict.DISPUTED if is_sure else Verdict.UNCONFIRMED
        return evidence, Judgement(verdict, "not-held", answer)
    kept = best.reading.answer if best.grade is Grade.LESS else answer
    probability = _probability(step.query, kept, best, [(place.hit, place.reading) for place in places])
    rule = BEYOND if best.grade is Grade.LESS else best.rule
    return (
        _with(evidence, best),
        Judgement(Verdict.AGREED, rule, kept, quote=best.span, probability=probability),
    )


def graded(step: Step, evidence: Evidence) -> list[float] | None:
    """Return the features of an answer; ``None`` if no passage holds it, or for a label."""
    pairs = list(zip(evidence.hits, evidence.readings, strict=True))
    best = max((_place(step, hit, reading) for hit, reading in pairs), key=lambda place: place.grade, default=None)
    if best is None or best.grade is Grade.NOT or label_of(step.answer or ""):
        return None
    kept = best.reading.answer if best.grade is Grade.LESS else step.answer or ""
    return features(step.query, kept, best.grade, _rated(pairs))


def missing(answer: str, passage: Passage, known: str = "") -> set[str]:
    """Return the words of ``answer`` that stand neither in the passage nor in the text ``known``, as stems.

    >>> missing("9 September 1828", Passage("1", "Tolstoy", "Tolstoy (1828–1910) was a writer.")) == {"9", "september"}
    True
    """
    held = text.content_words(f"{passage.title} {passage.text} {known}")
    numbers = set(text.numbers(f"{passage.title} {passage.text} {known}"))
    return {
        word
        for word in text.content_words(answer) - held
        if not (found := text.numbers(word)) or found[0] not in numbers
    }


def _with(evidence: Evidence, place: _Place) -> Evidence:
    """Return the evidence with the passage of ``place`` as the chosen one, also where another query found it."""
    hit, reading = place.hit, place.reading
    known = next((one for one in evidence.hits if one.passage.id == hit.passage.id), None)
    if known is not None:
        return replace(evidence, chosen=known, reading=reading)
    hit = replace(hit, rank=len(evidence.hits) + 1)
    readings = (*evidence.readings, reading) if evidence.readings else ()
    return replace(evidence, hits=(*evidence.hits, hit), readings=readings, chosen=hit, reading=reading)


def _place(step: Step, hit: Hit, reading: Reading) -> _Place:
    answer, passage = step.answer or "", hit.passage
    same, rule = agreement(answer, reading.answer, passage)
    reads_same = bool(reading.answer) and same == "agree"
    if not missing(answer, passage):
        span = standing(answer, passage.text)
        if span is not None:
            return _Place(
                hit, reading, Grade.READ if reads_same else Grade.WORDS, rule if reads_same else "stands", span
            )
        if (sentence := _sentence_with(answer, passage)) is not None:
            return _Place(hit, reading, Grade.SPREAD, "in-sentence", sentence)
    if reads_same:
        return _Place(hit, reading, Grade.LESS, rule, reading.span)
    return _Place(hit, reading, Grade.NOT, "not-held", None)


def _sentence_with(answer: str, passage: Passage) -> Span | None:
    wanted = text.content_words(answer)
    spans = split(passage.text)
    return next(
        (Span(*one) for one in spans if wanted and wanted <= text.content_words(passage.text[slice(*one)])), None
    )


def _probability(query: str, answer: str, best: _Place, pairs: Sequence[tuple[Hit, Reading]]) -> float | None:
    """Return how likely the answer is right; ``None`` if the readings were not rated, or for a label."""
    rated = _rated(pairs)
    if not rated or label_of(answer):
        return None
    return weights().probability(features(query, answer, best.grade, rated))


def _rated(pairs: Sequence[tuple[Hit, Reading]]) -> list[tuple[Hit, Reading]]:
    return [(hit, option) for hit, reading in pairs for option in reading.options if option.probability is not None]


def features(query: str, answer: str, grade: Grade, rated: Sequence[tuple[Hit, Reading]]) -> list[float]:
    """Return the values of ``FEATURES``; ``rated`` are the rated readings of the passages."""
    same, other = UNRATED, UNRATED
    for hit, option in rated:
        probability = option.probability or UNRATED
        if agreement(answer, option.answer, hit.passage)[0] == "agree":
            same = max(same, probability)
        else:
            other = max(other, probability)
    return [logit(same), logit(other), float(grade >= Grade.WORDS), float(fits(query, answer))]


@cache
def weights() -> Logistic:
    """Return the fitted weights.

    Raises:
        ReaderError: the file is missing or damaged.
    """
    try:
        stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
        return Logistic(float(stored["bias"]), tuple(float(stored["weights"][name]) for name in FEATURES))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ReaderError(f"{str(WEIGHTS)!r} is missing or damaged; restore it from the repository") from error
