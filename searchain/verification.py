"""Step × evidence → verdict, and which rule fired.

The paper compares by one rule (section 3.3): a short answer must contain the reading; a long one must reach ROUGE-L > α
against the passage. The default profile knows when two short answers say the same (``agreement``), never sets a span
against a yes/no or comparison label, and admits when it cannot tell.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from searchain import text
from searchain.sentences import split
from searchain.settings import Settings
from searchain.types import Hit, Passage, Reading, Span, Step, TaskKind, Verdict

Agreement = Literal["agree", "disagree", "unclear"]
Feedback = Literal["verification", "completion", "passage"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What retrieval and reading found for one query; ``chosen`` and ``reading`` are ``None`` when nothing was
    found."""

    hits: tuple[Hit, ...]
    chosen: Hit | None
    reading: Reading | None
    retrieval_seconds: float = 0.0
    reader_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the rule that fired, the answer in force, and the feedback that the model needs, if any."""

    verdict: Verdict
    rule: str
    answer: str | None
    feedback: Feedback | None = None
    quote: Span | None = None
    """For long answers: the window of the passage that decided."""


def judge(step: Step, evidence: Evidence, task: TaskKind, settings: Settings) -> Judgement:
    """What the evidence makes of ``step``. An empty reading never agrees, and is never imposed."""
    chosen, reading = evidence.chosen, evidence.reading
    if chosen is None or reading is None:
        return Judgement(Verdict.UNCONFIRMED, "nothing-found", step.answer)
    if step.is_solved:
        return _verify(step, step.answer or "", chosen.passage, reading, task, settings)
    if not settings.use_completion:
        return Judgement(Verdict.UNCONFIRMED, "completion-off", None)
    return _complete(step, chosen.passage, reading, task, settings)


def agrees(answer: str, reading: str, passage: Passage, task: TaskKind, settings: Settings) -> bool:
    """Whether the model's new answer to a mended node says what the reading says."""
    if task is TaskKind.LONGFORM:
        return best_window(answer, passage.text)[1] > settings.alpha
    if settings.profile == "paper":
        return text.contains(reading, answer)
    return agreement(answer, reading, passage)[0] == "agree"


def _complete(step: Step, passage: Passage, reading: Reading, task: TaskKind, settings: Settings) -> Judgement:
    unsure = Judgement(Verdict.UNCONFIRMED, "below-floor", None, "passage")
    if task is TaskKind.LONGFORM and settings.profile == "default":
        window = _window_of(reading, passage)
        if reading.confidence < settings.floor or window is None:
            return unsure
        return Judgement(Verdict.COMPLETED, "window", passage.text[window.start : window.end], "completion", window)
    if settings.profile == "default" and (text.is_yes_no_question(step.query) or text.is_comparison(step.query)):
        stance = stance_of(step.query, passage, reading, settings)
        if stance == "supports" and text.is_yes_no_question(step.query):
            return Judgement(Verdict.COMPLETED, "statement-found", "yes", "completion")
        return Judgement(Verdict.UNCONFIRMED, "undecided", None, "passage")
    if not reading.answer:
        return Judgement(Verdict.UNCONFIRMED, "no-span", None, "passage")
    if settings.profile == "default" and reading.confidence < settings.floor:
        return unsure
    rule = "read" if reading.confidence > settings.theta else "read-below-threshold"
    return Judgement(Verdict.COMPLETED, rule, reading.answer, "completion")


def _verify(
    step: Step, answer: str, passage: Passage, reading: Reading, task: TaskKind, settings: Settings
) -> Judgement:
    if not settings.use_verification:
        return Judgement(Verdict.UNCONFIRMED, "verification-off", answer)
    if task is TaskKind.LONGFORM:
        if settings.profile == "paper":
            window, score = Span(0, len(passage.text)), rouge_l(answer, passage.text)
        else:
            window, score = best_window(answer, passage.text)
        if window is not None and score > settings.alpha:
            return Judgement(Verdict.AGREED, "rouge-l", answer, quote=window)
        if reading.confidence <= settings.theta or window is None:
            return Judgement(Verdict.UNCONFIRMED, "low-confidence", answer)
        if settings.profile == "default":
            # what the passage says to the query, not what lies nearest to the answer that it contradicts
            window = _window_of(reading, passage) or window
        return Judgement(Verdict.CORRECTED, "rouge-l", passage.text[window.start : window.end], "verification", window)
    if settings.profile == "default" and (label_of(answer) or text.is_comparison(step.query)):
        return _verify_label(step, answer, passage, reading, settings)
    if not reading.answer:
        return Judgement(Verdict.UNCONFIRMED, "no-span", answer)
    if settings.profile == "paper":
        found, rule = (
            ("agree", "reading-in-answer")
            if text.contains(reading.answer, answer)
            else ("disagree", "reading-not-in-answer")
        )
    else:
        found, rule = agreement(answer, reading.answer, passage)
    if reading.confidence <= settings.theta:
        return Judgement(Verdict.UNCONFIRMED, "low-confidence", answer)
    if found == "agree":
        return Judgement(
            Verdict.AGREED, rule, reading.answer if rule == "date" and _is_finer(reading.answer, answer) else answer
        )
    if found == "unclear":
        return Judgement(Verdict.UNCONFIRMED, rule, answer)
    return Judgement(Verdict.CORRECTED, rule, reading.answer, "verification")


def _verify_label(step: Step, answer: str, passage: Passage, reading: Reading, settings: Settings) -> Judgement:
    stance = stance_of(step.query, passage, reading, settings)
    if stance == "supports" and label_of(answer) in ("yes", "supports"):
        return Judgement(Verdict.AGREED, "statement-found", answer)
    return Judgement(Verdict.UNCONFIRMED, "undecided", answer)


def label_of(answer: str) -> str | None:
    """``yes``, ``no``, ``supports`` or ``refutes`` when the answer begins with such a label, else ``None``."""
    words = text.tokens(answer)[:1]
    labels = {
        "yes": "yes",
        "true": "yes",
        "no": "no",
        "false": "no",
        "supports": "supports",
        "supported": "supports",
        "refutes": "refutes",
        "refuted": "refutes",
    }
    return labels.get(words[0]) if words else None


def stance_of(query: str, passage: Passage, reading: Reading, settings: Settings) -> Literal["supports", "undecided"]:
    """Whether the passage states what a yes/no query asks: one confident sentence holds all its content words, none of
    the numbers differ, and neither side is negated. Anything less is undecided."""
    wanted, title = text.content_words(query), text.content_words(passage.title)
    if reading.confidence <= settings.theta or not wanted or text.has_negation(query) or text.is_comparison(query):
        return "undecided"
    for start, end in split(passage.text):
        sentence = passage.text[start:end]
        held = text.content_words(sentence)
        # what the sentence itself must say is more than the name of the page
        if (
            wanted <= held | title
            and len(wanted - title) >= 1
            and wanted - title <= held
            and not text.has_negation(sentence)
        ):
            return "supports"
    return "undecided"


def agreement(answer: str, reading: str, passage: Passage) -> tuple[Agreement, str]:
    """Whether two short answers say the same, and the rule that decided.

    >>> agreement("Toronto", "Toronto, Ontario, Canada", Passage("1", "CN Tower", ""))
    ('agree', 'contained')
    """
    a, r = text.tokens(answer), text.tokens(reading)
    if not a or not r:
        return "unclear", "not-comparable"
    if a == r:
        return "agree", "exact"
    if text.has_negation(answer) != text.has_negation(reading):
        return "disagree", "negation"
    answer_dates, reading_dates = text.dates(answer), text.dates(reading)
    if answer_dates and reading_dates:
        same = any(_same_date(x, y) for x in answer_dates for y in reading_dates)
        return ("agree", "date") if same else ("disagree", "date")
    answer_numbers, reading_numbers = text.numbers(answer), text.numbers(reading)
    if answer_numbers and reading_numbers:
        same = set(reading_numbers) <= set(answer_numbers) or set(answer_numbers) <= set(reading_numbers)
        return ("agree", "number") if same else ("disagree", "number")
    if _is_alias(answer, reading, passage):
        return "agree", "alias"
    if _holds(answer, reading) or _holds(reading, answer):
        return "agree", "contained"
    if text.token_f1(answer, reading) >= 0.6 and not _differ_in_name(a, r):
        return "agree", "token-f1"
    if bool(answer_numbers) != bool(reading_numbers):
        return "unclear", "not-comparable"  # a number against words: the Reader answered another question
    if not text.contains(answer, passage.text) and _script(answer) != _script(reading):
        return "unclear", "not-comparable"
    return "disagree", "different"


# "York" is no part of "New York": such a word in front makes another name.
_NAME_MAKERS = frozenset(
    "new north south east west northern southern eastern western upper lower san santa saint st los las great "
    "little mount lake port fort sir lady mrs".split()
)


def _holds(outer: str, inner: str) -> bool:
    """``inner`` opens or closes ``outer``, at token boundaries, without becoming another name."""
    long, short = text.tokens(outer), text.tokens(inner)
    if len(short) >= len(long) or not short:
        return False
    if short == ("us",) and "Us" not in inner and "us" in outer.split():
        return False  # the pronoun is no country
    for i in range(len(long) - len(short) + 1):
        if long[i : i + len(short)] == short:
            return not (i and long[i - 1] in _NAME_MAKERS)
    return False


def _differ_in_name(a: tuple[str, ...], r: tuple[str, ...]) -> bool:
    return bool((set(a) ^ set(r)) & _NAME_MAKERS)


def _is_alias(answer: str, reading: str, passage: Passage) -> bool:
    """Initials of one another, or joined in the passage as another name ("X, also known as Y", "X (Y)")."""
    for short, long in ((answer, reading), (reading, answer)):
        letters = re.sub(r"[.\s]", "", short)
        initials = "".join(word[0] for word in re.findall(r"\b[A-Z]\w*", long))
        if 2 <= len(letters) <= 6 and letters.isupper() and letters == initials:
            return True
        joint = (
            rf"{re.escape(long)}\s*,?\s*(?:\(\s*|(?:also|commonly|often|better|formerly|originally)?\s*(?:known|called|named|abbreviated|styled)"
            rf"\s+(?:as\s+)?|(?:or|born)\s+)(?:the\s+)?[\"“]?{re.escape(short)}\b"
        )
        if re.search(joint, passage.text, re.IGNORECASE):
            return True
    return False


def _same_date(one: tuple[int, int | None, int | None], other: tuple[int, int | None, int | None]) -> bool:
    """The parts that both give are equal."""
    return all(a == b for a, b in zip(one, other, strict=True) if a is not None and b is not None)


def _window_of(reading: Reading, passage: Passage) -> Span | None:
    """The sentences that the Reader's span lies in."""
    if reading.span is None:
        return None
    touched = [
        (start, end) for start, end in split(passage.text) if start < reading.span.end and end > reading.span.start
    ]
    return Span(touched[0][0], touched[-1][1]) if touched else None


def _is_finer(reading: str, answer: str) -> bool:
    """Whether the reading names the day or the month of a date of which the answer gives less."""
    return sum(part is not None for part in text.dates(reading)[0]) > sum(
        part is not None for part in text.dates(answer)[0]
    )


def _script(answer: str) -> bool:
    return any(c.isalpha() and ord(c) > 0x24F for c in answer)


def rouge_l(answer: str, reference: str) -> float:
    """ROUGE-L F of ``answer`` against ``reference``, 0–1."""
    return _scorer().score(reference, answer)["rougeL"].fmeasure


@cache
def _scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # here: it imports nltk, half a second

    return RougeScorer(["rougeL"], use_stemmer=True)


def best_window(answer: str, passage: str, sentences: int = 3) -> tuple[Span | None, float]:
    """The window of one to ``sentences`` sentences of the passage with the best ROUGE-L F, and that F (0–1)."""
    spans = split(passage)
    windows = [
        Span(spans[i][0], spans[j][1]) for i in range(len(spans)) for j in range(i, min(i + sentences, len(spans)))
    ]
    if not windows:
        return None, 0.0
    score, window = max(((rouge_l(answer, passage[w.start : w.end]), w) for w in windows), key=lambda pair: pair[0])
    return window, score
