"""Step × evidence → verdict, and which rule fired.

The paper compares by one rule (section 3.3): a short answer must contain the reading; a long one must reach ROUGE-L > α
against the passage. The default profile knows when two short answers say the same (``agreement``), never sets a span
against a yes/no or comparison label, and admits when it cannot tell.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from searchain.language import text
from searchain.language.answer_kinds import fits
from searchain.language.comparing import compared
from searchain.language.questions import wants_label
from searchain.language.same_answer import Agreement, agreement, label_of, standing
from searchain.language.sentences import split
from searchain.settings import Settings
from searchain.types import Evidence, Hit, Judgement, Passage, Reading, Span, Step, TaskKind, Verdict

IN_PASSAGE = "in-passage"
"""The rule that fired when the passage contains the model's answer although the Reader chose another span."""
STANCE_RULE = "stance"
"""The rule that fired when passages decided, for or against a statement."""


def judge(step: Step, evidence: Evidence, task: TaskKind, settings: Settings, *, keeps_word: bool = False) -> Judgement:
    """Judge ``step`` by its evidence; an empty reading neither confirms nor replaces an answer.

    With ``keeps_word`` an answer that the passage contains is not corrected, and a contradicted label is disputed.
    """
    chosen, reading = evidence.chosen, evidence.reading
    if chosen is None or reading is None:
        return Judgement(Verdict.UNCONFIRMED, "nothing-found", step.answer)
    is_label = wants_label(step, task) or bool(evidence.opinions)
    if not settings.follows_paper and task is not TaskKind.LONGFORM and is_label:
        return _judge_label(step, evidence, task, settings, keeps_word=keeps_word)
    if step.is_solved:
        judgement = _verify(step, step.answer or "", chosen.passage, reading, task, settings)
        return _guarded(step, judgement, chosen.passage, task, settings) if keeps_word else judgement
    if not settings.use_completion:
        return Judgement(Verdict.UNCONFIRMED, "completion-off", None)
    return _complete(step, chosen.passage, reading, task, settings)


def with_witness(step: Step, evidence: Evidence, task: TaskKind, settings: Settings) -> Evidence:
    """Choose a passage that confirms the answer, read with f > θ, where the chosen passage does not confirm it.

    Passages that disagree are not a reason to correct an answer."""
    is_short = task is not TaskKind.LONGFORM and step.answer is not None and label_of(step.answer) is None
    if settings.follows_paper or not is_short or evidence.chosen is None or evidence.reading is None:
        return evidence

    def confirms(hit: Hit, reading: Reading) -> bool:
        return bool(reading.answer) and agreement(step.answer or "", reading.answer, hit.passage)[0] == "agree"

    if confirms(evidence.chosen, evidence.reading):
        return evidence
    witnesses = [
        (reading.confidence, -hit.rank, hit, reading)
        for hit, reading in zip(evidence.hits, evidence.readings, strict=False)
        if settings.is_sure(reading.confidence, reading.probability) and confirms(hit, reading)
    ]
    if not witnesses:
        return evidence
    _, _, hit, reading = max(witnesses, key=lambda witness: witness[:2])
    return replace(evidence, chosen=hit, reading=reading)


def agrees(answer: str, reading: str, passage: Passage, task: TaskKind, settings: Settings) -> bool:
    """Tell whether ``answer``, the model's new answer to a judged node, means the same as ``reading``."""
    if task is TaskKind.LONGFORM:
        return best_window(answer, passage.text)[1] > settings.alpha
    if not settings.follows_paper:
        return agreement(answer, reading, passage)[0] == "agree"
    return text.contains(reading, answer)


def _complete(step: Step, passage: Passage, reading: Reading, task: TaskKind, settings: Settings) -> Judgement:
    unsure = Judgement(Verdict.UNCONFIRMED, "below-floor", None, "passage")
    if task is TaskKind.LONGFORM and not settings.follows_paper:
        window = _window_of(reading, passage)
        if settings.is_too_weak(reading.confidence, reading.probability) or window is None:
            return unsure
        return Judgement(Verdict.COMPLETED, "window", passage.text[window.start : window.end], "completion", window)
    if not reading.answer:
        return Judgement(Verdict.UNCONFIRMED, "no-span", None, "passage")
    if settings.is_too_weak(reading.confidence, reading.probability):
        return unsure
    rule = "read" if settings.is_sure(reading.confidence, reading.probability) else "read-below-threshold"
    return Judgement(Verdict.COMPLETED, rule, reading.answer, "completion")


def _verify(
    step: Step, answer: str, passage: Passage, reading: Reading, task: TaskKind, settings: Settings
) -> Judgement:
    if not settings.use_verification:
        return Judgement(Verdict.UNCONFIRMED, "verification-off", answer)
    verify = _verify_long if task is TaskKind.LONGFORM else _verify_short
    return verify(answer, passage, reading, settings)


def _guarded(step: Step, judgement: Judgement, passage: Passage, task: TaskKind, settings: Settings) -> Judgement:
    """Return ``judgement``, or agreement where it corrects an answer that the passage contains."""
    is_short = task is not TaskKind.LONGFORM and not settings.follows_paper
    if judgement.verdict is not Verdict.CORRECTED or not is_short:
        return judgement
    place = place_in(passage, step.query, step.answer or "")
    return Judgement(Verdict.AGREED, IN_PASSAGE, step.answer, quote=place) if place else judgement


def place_in(passage: Passage, query: str, answer: str) -> Span | None:
    """Return the span of ``answer`` in the passage if it can answer ``query`` and is not part of it, else ``None``."""
    if label_of(answer) or not fits(query, answer) or text.contains(answer, query):
        return None
    return standing(answer, passage.text)


def _verify_long(answer: str, passage: Passage, reading: Reading, settings: Settings) -> Judgement:
    quotes_windows = not settings.follows_paper
    if quotes_windows:
        window, score = best_window(answer, passage.text)
    else:
        window, score = Span(0, len(passage.text)), rouge_l(answer, passage.text)
    if window is not None and score > settings.alpha:
        return Judgement(Verdict.AGREED, "rouge-l", answer, quote=window)
    if not settings.is_sure(reading.confidence, reading.probability) or window is None:
        return Judgement(Verdict.UNCONFIRMED, "low-confidence", answer)
    if not quotes_windows:  # the paper feeds back what was read, like anywhere else
        if not reading.answer:
            return Judgement(Verdict.UNCONFIRMED, "no-span", answer)
        return Judgement(Verdict.CORRECTED, "rouge-l", reading.answer, "verification")
    # what the passage says to the query, not what lies nearest to the answer that it contradicts
    window = _window_of(reading, passage) or window
    return Judgement(Verdict.CORRECTED, "rouge-l", passage.text[window.start : window.end], "verification", window)


def _verify_short(answer: str, passage: Passage, reading: Reading, settings: Settings) -> Judgement:
    if not reading.answer:
        return Judgement(Verdict.UNCONFIRMED, "no-span", answer)
    found: Agreement
    if not settings.follows_paper:
        found, rule = agreement(answer, reading.answer, passage)
    elif text.contains(reading.answer, answer):
        found, rule = "agree", "reading-in-answer"
    else:
        found, rule = "disagree", "reading-not-in-answer"
    if not settings.is_sure(reading.confidence, reading.probability):
        return Judgement(Verdict.UNCONFIRMED, "low-confidence", answer)
    if found == "agree":
        is_finer = rule == "date" and _is_finer(reading.answer, answer)
        return Judgement(Verdict.AGREED, rule, reading.answer if is_finer else answer)
    if found == "unclear":
        return Judgement(Verdict.UNCONFIRMED, rule, answer)
    return Judgement(Verdict.CORRECTED, rule, reading.answer, "verification")


def with_stance(step: Step, evidence: Evidence, settings: Settings) -> Evidence:
    """Return the evidence for a label: its chosen passage is the one whose opinion decides.
    Its reading is the sentence nearest to the query, its confidence the log-odds of the opinion."""
    if not evidence.opinions:
        return evidence
    number = _decisive(step.query, evidence)
    hit, opinion = evidence.hits[number], evidence.opinions[number]
    share = min(max(opinion.supports, opinion.refutes, 0.001), 0.999)
    span, _ = best_window(step.query, hit.passage.text, sentences=1)
    quote = hit.passage.text[span.start : span.end] if span else ""
    reading = Reading(quote, span, math.log(share / (1 - share)))
    return replace(evidence, chosen=hit, reading=reading)


def _decisive(query: str, evidence: Evidence) -> int:
    return max(_heard(query, evidence), key=lambda number: abs(evidence.opinions[number].margin))


def _heard(query: str, evidence: Evidence) -> Sequence[int]:
    """Return the positions of the passages that may decide: for a yes/no question those whose title it names."""
    every = range(len(evidence.opinions))
    if not text.is_yes_no_question_form(query):
        return every
    asked = text.content_words(query)
    return [number for number in every if text.content_words(evidence.hits[number].passage.title) <= asked] or every


_TRUTH = {"yes": True, "supports": True, "no": False, "refutes": False}


def truth_of(answer: str | None) -> bool | None:
    """Return ``True`` for yes or SUPPORTS, ``False`` for no or REFUTES, ``None`` for any other answer."""
    return _TRUTH.get(label_of(answer or "") or "")


def label_for(is_true: bool, task: TaskKind) -> str:
    """Return the label that means ``is_true``: SUPPORTS or REFUTES for a claim, else yes or no."""
    if task is TaskKind.FACTCHECK:
        return "SUPPORTS" if is_true else "REFUTES"
    return "yes" if is_true else "no"


def _judge_label(step: Step, evidence: Evidence, task: TaskKind, settings: Settings, *, keeps_word: bool) -> Judgement:
    is_true, rule = _side(step, evidence, task)
    answer = step.answer
    if is_true is None:
        return Judgement(Verdict.UNCONFIRMED, "undecided", answer, None if answer else "passage")
    if answer is None:
        if not settings.use_completion:
            return Judgement(Verdict.UNCONFIRMED, "completion-off", None)
        return Judgement(Verdict.COMPLETED, rule, label_for(is_true, task), "completion")
    if not settings.use_verification:
        return Judgement(Verdict.UNCONFIRMED, "verification-off", answer)
    said = truth_of(answer)
    if said is None:
        return Judgement(Verdict.UNCONFIRMED, "undecided", answer)
    if said is is_true:
        return Judgement(Verdict.AGREED, rule, answer)
    if keeps_word:
        return Judgement(Verdict.DISPUTED, rule, answer)
    return Judgement(Verdict.CORRECTED, rule, label_for(is_true, task), "verification")


def _side(step: Step, evidence: Evidence, task: TaskKind) -> tuple[bool | None, str]:
    """Return whether the evidence supports the query (``None``: undecided), and the rule that fired."""
    query = step.query
    if not evidence.opinions:
        return None, STANCE_RULE
    decisive = _decisive(query, evidence)
    margin, passage = evidence.opinions[decisive].margin, evidence.hits[decisive].passage
    if (
        abs(margin) > (STANCE if passage.place is None else OWN_STANCE)
        and _has_side(query, evidence, task)
        and not _is_disputed(query, evidence, margin)
    ):
        return margin > 0, STANCE_RULE
    is_claim = task is TaskKind.FACTCHECK and step.answer is None and not text.is_yes_no_question_form(query)
    return (margin > 0, LEANING) if is_claim and abs(margin) > LEAN else (None, STANCE_RULE)


def _has_side(query: str, evidence: Evidence, task: TaskKind) -> bool:
    """Return whether opinions can decide the query; they cannot choose between two things or compare two values."""
    if not text.is_yes_no_question_form(query) and (task is not TaskKind.YESNO or text.is_comparison(query)):
        return not text.is_comparison(query)
    return compared(query) is None and _is_about(query, evidence)


def _is_disputed(query: str, evidence: Evidence, margin: float) -> bool:
    """Return whether the opinion on another passage decides for the opposite side."""
    heard = (evidence.opinions[number].margin for number in _heard(query, evidence))
    return any(other * margin < 0 and abs(other) > STANCE for other in heard)


def _is_about(query: str, evidence: Evidence) -> bool:
    """Tell whether the article holds nearly all content words of a yes/no question. No article does for a question that
    needs reasoning ("Would a gladiator own a phone?"), and the stance model cannot reason. Own documents are often in
    other words, and have a greater margin to reach instead."""
    assert evidence.chosen is not None
    asked, passage = text.content_words(query), evidence.chosen.passage
    missing = asked - text.content_words(f"{passage.title} {passage.text}")
    return passage.place is not None or len(missing) <= max(1, len(asked) // 4)


STANCE, OWN_STANCE = 0.5, 0.9
"""The margin of an opinion (supports − refutes) above which it decides, for an article and for an own document. Of 196
yes/no questions about own documents 92 have a margin above 0.9, and 78 of these are decided rightly."""


LEAN = 0.1
"""The margin above which the passages lean to one side of a claim. In FEVER's development set this rule alone decides
66 claims, 49 of them rightly."""
LEANING = "leaning"
"""The rule that fired when the passages only lean to one side of a claim."""


def _window_of(reading: Reading, passage: Passage) -> Span | None:
    """Return the range of the sentences that the Reader's span touches."""
    if reading.span is None:
        return None
    touched = [
        (start, end) for start, end in split(passage.text) if start < reading.span.end and end > reading.span.start
    ]
    return Span(touched[0][0], touched[-1][1]) if touched else None


def _is_finer(reading: str, answer: str) -> bool:
    """Return whether the reading's date is more precise than the answer's."""
    return sum(part is not None for part in text.dates(reading)[0]) > sum(
        part is not None for part in text.dates(answer)[0]
    )


def rouge_l(answer: str, reference: str) -> float:
    """ROUGE-L F of ``answer`` against ``reference``, 0–1."""
    return _scorer().score(reference, answer)["rougeL"].fmeasure


@cache
def _scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # here: it imports nltk, half a second

    return RougeScorer(["rougeL"], use_stemmer=True)


def best_window(answer: str, passage: str, sentences: int = 3) -> tuple[Span | None, float]:
    """Return the window of 1 to ``sentences`` sentences with the best ROUGE-L F for ``answer``, and that F (0–1)."""
    spans = split(passage)
    windows = [
        Span(spans[i][0], spans[j][1]) for i in range(len(spans)) for j in range(i, min(i + sentences, len(spans)))
    ]
    if not windows:
        return None, 0.0
    score, window = max(((rouge_l(answer, passage[w.start : w.end]), w) for w in windows), key=lambda pair: pair[0])
    return window, score
