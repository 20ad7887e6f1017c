"""Judge one sentence by the passages that its look-up found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from searchain.language import text
from searchain.language.amounts import Value, values_in
from searchain.language.same_answer import agreement
from searchain.language.sentences import split
from searchain.language.text import content_words
from searchain.reading.alignment import TokenEncoder, Word, align
from searchain.reading.reader import Reader
from searchain.reading.stance import Stance
from searchain.reply.sentence_support import is_quoted
from searchain.reply.support_check import Finding, SupportCheck, stored_weights
from searchain.types import Passage, Reading, Span, Support

OPEN = "what"
"""The word that stands for the value in the question."""
LEAST_RELEVANT, LEAST_LIKELY = 0.6, -1.7
"""The least f of a passage, and the least log-probability of the span in it, that decide on a value."""
LEAST_RELEVANT_WORD = 3.0
"""The least f for a value that is a plain word: a passage says other things of other kinds in its place."""
SHORT = 200
"""Longer words of a passage are asked for a value though it stands in them: a list has many values."""
Says = Literal["same", "other", "nothing"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A value of a sentence, and what a passage gives in its place."""

    span: Span
    """The value in the sentence."""
    says: Says
    place: Span | None
    """Where the passage gives it; ``None`` where it gives none."""


def asked(
    sentence: str, words: Sequence[Word], passage: Passage, near: str, reader: Reader, *, confirms: bool
) -> list[Asked]:
    """Ask ``passage`` for the values of ``sentence`` that its likest words, ``near``, do not have.

    ``words`` are those of the sentence that are values, or that no passage carries. Several of the latter are not asked
    for: then the passage speaks of something else. With ``confirms`` values that stand in ``near`` are asked for, too.
    Raises ``ReaderError`` if the Reader failed.
    """
    values, others = _values(sentence, words)
    found = []
    for span in [*values, *(others if len(others) == 1 else ())]:
        stands = len(near) <= SHORT and text.contains(sentence[span.start : span.end], near)
        if confirms or not stands:
            question = f"{sentence[: span.start]}{OPEN}{sentence[span.end :].rstrip(' .!')}?"
            (reading,) = reader.read(question, [passage])
            says = _compared(sentence, span, reading, passage, is_value=span in values)
            found.append(Asked(span, says, reading.span))
    return found


def _values(sentence: str, words: Sequence[Word]) -> tuple[list[Span], list[Span]]:
    """Return numbers and names, neighbouring ones, also behind a comma, as one span each; and the other words."""
    values, others = list[Span](), list[Span]()
    for word in words:
        own = values if word.is_number or word.is_name else others
        if own and not sentence[own[-1].end : word.span.start].strip(" ,"):
            own[-1] = Span(own[-1].start, word.span.end)
        else:
            own.append(word.span)
    return values, others


def _compared(sentence: str, span: Span, reading: Reading, passage: Passage, *, is_value: bool) -> Says:
    said, answer = sentence[span.start : span.end], reading.answer
    is_relevant = reading.confidence >= (LEAST_RELEVANT if is_value else LEAST_RELEVANT_WORD)
    if not answer or not is_relevant or (reading.likelihood or 0.0) < LEAST_LIKELY:
        return "nothing"
    own, other = text.content_words(said), text.content_words(answer)
    found, _ = agreement(said, answer, passage)
    if found == "agree" or own <= other:
        return "same"
    is_new = not other <= text.content_words(sentence) and not text.contains(said, _around(reading, passage))
    is_alike = bool(text.numbers(said)) == bool(text.numbers(answer))
    is_other = found == "disagree" and is_new and is_alike and _are_of_one_unit(sentence, span, reading, passage)
    return "other" if is_other else "nothing"


def _around(reading: Reading, passage: Passage) -> str:
    """Return the line of the sentence in which the answer stands: what else it says is said of the same thing."""
    assert reading.span is not None  # it has an answer
    at, body = reading.span, passage.text
    start, end = next(((start, end) for start, end in split(body) if start <= at.start < end), (0, len(body)))
    return body[max(start, body.rfind("\n", 0, at.start) + 1) : end].partition("\n")[0]


def _are_of_one_unit(sentence: str, span: Span, reading: Reading, passage: Passage) -> bool:
    """Return whether the units of both values agree, as far as both have one."""
    assert reading.span is not None  # it has an answer
    one, other = _value_at(sentence, span), _value_at(passage.text, reading.span)
    return one is None or other is None or not (one.unit and other.unit) or one.measure[0] == other.measure[0]


def _value_at(body: str, span: Span) -> Value | None:
    return next((value for value in values_in(body) if value.start < span.end and span.start < value.end), None)


NEAR = 3
"""How many of the nearest passages a sentence is held against."""
LEAST_CONFIRMED = 0.3
"""The least score of support of a sentence whose values the passage confirms, and whose words it has."""
LEAST_ALIKE = 0.45
"""How like the words of a passage must be to those of a sentence, on average, that it is asked for the values."""
AGAINST = 0.87
"""The score of contradiction from which on the stance model alone contradicts a sentence. Over replies, whose sources
were chosen for it, it may be less; a sentence in other words than its passage often has 0.7 here."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the passages say of a sentence."""

    state: Support
    passage: Passage | None = None
    """The passage that says it, a part of it, or otherwise; ``None`` where none does."""
    span: Span | None = None
    """The words of the passage that decide."""
    uncarried: tuple[Span, ...] = ()
    """The words of the sentence that the passage does not say, or that it contradicts."""


ABSENT = Judged(Support.ABSENT)


class Judge:
    """Holds sentences against passages. Thread-safe as its parts. ``reader``: asked for the values of a sentence."""

    def __init__(self, encoder: TokenEncoder, stance: Stance, reader: Reader) -> None:
        self._encoder, self._reader = encoder, reader
        self._weights = replace(stored_weights(), contradicted=AGAINST)
        self._check = SupportCheck(stance, encoder, self._weights)

    def judge(self, sentence: str, passages: Sequence[Passage]) -> Judged:
        """Return what the nearest of ``passages``, the first ones, say of ``sentence``.

        Raises ``ReaderError`` if a model failed.
        """
        near = [passage for passage in passages[:NEAR] if passage.text.strip()]
        if not near:
            return ABSENT
        if whole := next((passage for passage in near if is_quoted(sentence, [passage])), None):
            return Judged(Support.QUOTED, whole, _standing(sentence, whole))
        return self._by_values(sentence, near)

    def _by_values(self, sentence: str, near: Sequence[Passage]) -> Judged:
        """Judge a sentence that stands nowhere by its values, and then by the support check."""
        aligned = align(sentence, near, self._encoder)
        if not aligned.best or not aligned.words:
            return ABSENT
        part = aligned.best[0].passage
        passage = next(one for one in near if one.id == part.id and part.text in one.text)
        start = passage.text.index(part.text)
        place = Span(start, start + len(part.text))
        values = [word for word in aligned.words if word.is_number or word.is_name or self._weights.is_uncarried(word)]
        finding = self._check.judge(sentence, near)
        is_doubtful = finding.label != "supported" and finding.score >= LEAST_CONFIRMED
        is_near = aligned.best[0].likeness >= LEAST_ALIKE
        answers = asked(sentence, values, passage, part.text, self._reader, confirms=is_doubtful) if is_near else []
        if other := [one for one in answers if one.says == "other"]:
            return Judged(Support.CONTRADICTED, passage, other[0].place, tuple(one.span for one in other))
        judged = _by_support(finding, answers, Judged(Support.SUPPORTED, passage, place))
        if judged.state is Support.SUPPORTED and (others := _of_others(sentence, aligned.words, passage, near)):
            return replace(judged, state=Support.PARTLY, uncarried=others)
        return judged


def _by_support(finding: Finding, answers: Sequence[Asked], carried: Judged) -> Judged:
    """Return the judgement where no value differs; ``carried`` is that of a supported sentence."""
    confirmed = [one.span for one in answers if one.says == "same"]
    missing = tuple(
        span for span in finding.uncarried if all(one.end <= span.start or span.end <= one.start for one in confirmed)
    )
    if finding.label == "contradicted":
        return replace(carried, state=Support.CONTRADICTED, uncarried=missing)
    if finding.label == "supported" or (confirmed and not missing and finding.score >= LEAST_CONFIRMED):
        return carried
    if finding.label == "partial":
        return replace(carried, state=Support.PARTLY, uncarried=missing or finding.uncarried)
    return ABSENT


def _of_others(sentence: str, words: Sequence[Word], passage: Passage, near: Sequence[Passage]) -> tuple[Span, ...]:
    """Return the words that ``passage`` lacks, and that say what a passage of another document is about.

    "Bela Nagy is the chair of the allotment club" is not said by the minutes of the chess club that elected her.
    """
    document = passage.place.document if passage.place else passage.title
    others = [one for one in near if (one.place.document if one.place else one.title) != document]
    own = content_words(f"{_head(passage)} {passage.text}")
    theirs = content_words(" ".join(map(_head, others)))
    said = ((word.span, content_words(sentence[word.span.start : word.span.end])) for word in words)
    return tuple(span for span, stems in said if stems and not stems & own and stems <= theirs)


def _head(passage: Passage) -> str:
    """Return the title of a passage and its first line, which say what it is about."""
    return f"{passage.title} {passage.text.partition(chr(10))[0]}".replace("_", " ")


def _standing(sentence: str, passage: Passage) -> Span | None:
    at = passage.text.find(sentence)
    return Span(at, at + len(sentence)) if at >= 0 else None
