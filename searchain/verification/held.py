"""Judge the answer of a model that has seen passages, as far as the words of a passage go.

What goes beyond them (a day where the passage has a year, an epithet) is cut off: it stands in no passage. A passage
that holds all words confirms the answer; that the Reader reads the same there makes it likelier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path

from searchain.files.weights import read_weights
from searchain.language import text
from searchain.language.same_answer import agreement, label_of, same_quantity, standing
from searchain.language.sentences import split
from searchain.settings import Settings
from searchain.types import Evidence, Hit, Judgement, Passage, Reading, Span, Step, Verdict
from searchain.verification.probability import UNRATED, Logistic, Probability, logit

BEYOND = "beyond"
"""The rule that fired when the answer said more than the passage; the passage's own words are kept."""
WEIGHTS = Path(__file__).parent.parent / "weights" / "held" / "held.json"
FEATURES = ("same", "asked")
"""The features of the probability: the likeliest reading with the same answer, and how much of the query's other words
stand in the passage that holds the answer."""
_HEDGES = frozenset("about around approximately circa roughly".split())
"""Words before a number that are left out: a passage that gives the number says all of the answer."""
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
    asked: float
    """The share of the query's words, without those of the answer, that stand in the passage."""

    @property
    def order(self) -> tuple[Grade, float]:
        """How well it holds the answer; of two that hold it equally the one with more of the query goes first."""
        return self.grade, self.asked

    def kept(self, answer: str) -> str:
        """Return the answer as far as the words of the passage go."""
        return self.reading.answer if self.grade is Grade.LESS else answer


def hold(
    step: Step, evidence: Evidence, cited: Sequence[tuple[Hit, Reading]], settings: Settings
) -> tuple[Evidence, Judgement]:
    """Judge the short answer of ``step`` by the passages that it cites and by those that its own look-up found.

    Returns the evidence with the passage that holds it best, and the judgement with its probability.
    """
    answer = _unhedged(step.answer or "")
    pairs = {
        hit.passage.id: (hit, reading)
        for hit, reading in (*cited, *zip(evidence.hits, evidence.readings, strict=False))
    }
    places = [_place(step.query, answer, hit, reading) for hit, reading in pairs.values()]
    best = max(places, key=lambda place: place.order, default=None)
    if best is None or best.grade is Grade.NOT:
        chosen = evidence.reading
        is_sure = chosen is not None and bool(chosen.answer) and settings.is_sure(chosen.confidence, chosen.probability)
        verdict = Verdict.DISPUTED if is_sure else Verdict.UNCONFIRMED
        return evidence, Judgement(verdict, "not-held", answer)
    kept = best.kept(answer)
    values = _features(kept, best, [(place.hit, place.reading) for place in places])
    probability = weights()[0].probability(values) if values else None
    return (_with(evidence, best), Judgement(Verdict.AGREED, best.rule, kept, quote=best.span, probability=probability))


def graded(step: Step, pairs: Sequence[tuple[Hit, Reading]]) -> tuple[str, list[float]] | None:
    """Return what the passages leave of an answer, and its features.

    ``None`` if none holds it, for a label, or without rated readings.
    """
    answer = _unhedged(step.answer or "")
    places = [_place(step.query, answer, hit, reading) for hit, reading in pairs]
    best = max(places, key=lambda place: place.order, default=None)
    if best is None or best.grade is Grade.NOT:
        return None
    kept = best.kept(answer)
    values = _features(kept, best, pairs)
    return (kept, values) if values else None


def threshold(calibration: Probability) -> float:
    """Return the least probability with which a reply from passages is supported.

    That of held answers was measured over the default index; elsewhere the stricter one of the calibration is kept.
    """
    least = calibration.threshold
    return min(least, weights()[1]) if calibration.is_of_index else least


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


def _unhedged(answer: str) -> str:
    """Return an answer with a number without the words that say only that it is near."""
    words = answer.split()
    return " ".join(word for word in words if word.lower() not in _HEDGES) if text.numbers(answer) else answer


def _place(query: str, answer: str, hit: Hit, reading: Reading) -> _Place:
    """Return how far the passage of ``hit`` holds the answer to ``query``."""
    passage = hit.passage
    reads_same = bool(reading.answer) and _is_same(answer, reading.answer, passage)
    asked = text.content_words(query) - text.content_words(answer)
    share = len(asked & text.content_words(f"{passage.title} {passage.text}")) / max(1, len(asked))
    if not missing(answer, passage) and (found := _stands(answer, passage)) is not None:
        grade, rule, span = found
        if reads_same and grade is Grade.WORDS:
            grade, rule = Grade.READ, agreement(answer, reading.answer, passage)[1]
        return _Place(hit, reading, grade, rule, span, share)
    if not reads_same:
        return _Place(hit, reading, Grade.NOT, "not-held", None, share)
    rule = "number" if same_quantity(answer, reading.answer) else BEYOND
    return _Place(hit, reading, Grade.LESS, rule, reading.span, share)


def _stands(answer: str, passage: Passage) -> tuple[Grade, str, Span] | None:
    """Return how and where all words of the answer stand in the passage; ``None`` if they stand far from each other."""
    if (span := standing(answer, passage.text)) is not None:
        return Grade.WORDS, "stands", span
    wanted, title = text.content_words(answer), text.content_words(passage.title)
    # a passage about the answer may name it in full
    grade, rule = (Grade.WORDS, "stands") if wanted == title else (Grade.SPREAD, "in-sentence")
    for start, end in split(passage.text):
        said = text.content_words(passage.text[start:end])
        if wanted & said and wanted <= title | said:
            return grade, rule, Span(start, end)
    return None


def _is_same(answer: str, reading: str, passage: Passage) -> bool:
    """Return whether the Reader reads the same in a passage, perhaps as the full name of what the passage is about."""
    wanted = text.content_words(answer)
    is_full_name = wanted == text.content_words(passage.title) and wanted <= text.content_words(reading)
    return is_full_name or agreement(answer, reading, passage)[0] == "agree"


def _features(answer: str, best: _Place, pairs: Sequence[tuple[Hit, Reading]]) -> list[float] | None:
    """Return the values of ``FEATURES``; ``None`` if the readings were not rated, or for a label."""
    rated = [(hit, option) for hit, reading in pairs for option in reading.options if option.probability is not None]
    if not rated or label_of(answer):
        return None
    same = [option.probability or 0.0 for hit, option in rated if _is_same(answer, option.answer, hit.passage)]
    return [logit(max([UNRATED, *same])), best.asked]


@cache
def weights() -> tuple[Logistic, float]:
    """Return the fitted weights, and the least probability of an answer that is supported.

    Raises:
        SetupError: the file is missing or damaged.
    """
    return read_weights(WEIGHTS, lambda stored: (Logistic.from_json(stored, FEATURES), float(stored["threshold"])))
