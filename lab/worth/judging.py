"""A reply → its line in an out file: what was right, what its sentences carry, and what it invents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from lab.evaluation.metrics import cover_em, cover_em_reply, is_label, rouge_l, tokens
from lab.worth.questions import CONVERSATIONS, Question
from lab.worth.replies import Reply, Said, without_marks
from searchain.language import text
from searchain.reply.outcome import CLAIMS, final_answer_of
from searchain.reply.support_check import SentenceCheck
from searchain.types import Passage, TaskKind

_NAME = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")


def line_of(question: Question, reply: Reply, check: SentenceCheck) -> dict[str, Any]:
    """Return what is kept of a reply. ``check`` is the product's support check."""
    plain = without_marks(reply.text)
    is_conversation = question.kind == CONVERSATIONS
    return {
        "id": question.id,
        "kind": question.kind,
        "question": question.text,
        "answers": list(question.answers),
        "answerable": question.answerable,
        "failure": reply.failure,
        "reply": reply.text,
        "final": reply.final,
        "is_refusal": reply.is_refusal,
        "right": None if is_conversation else right(reply.final, question.answers),
        "right_anywhere": None if is_conversation else cover_em_reply(plain, question.answers),
        "rouge_l": round(rouge_l(plain, question.answers), 4) if is_conversation else None,
        "cites_right": None if not is_conversation else _cites_right(question, reply),
        "sentences": [
            {
                **asdict(said),
                "label": _label(question, reply, said, check),
                "invented": _invented(question, reply, said),
            }
            for said in reply.sentences
        ],
        "passages": [{"number": number, "id": one.id, "title": one.title} for number, one in reply.numbered.items()],
        "found": [one.id for one in reply.found],
        "writers": list(reply.writers),
        "usage": {name: round(value, 4) for name, value in asdict(reply.usage).items()},
    }


def right(final: str, answers: Sequence[str]) -> float:
    """Return 1 for a right short answer, by the ``cover_em`` of the harness; a label may be worded in any way.

    >>> right("Yes, both are.", ["yes"]), right("the claim is false", ["REFUTES"]), right("in Kyoto", ["Kyoto"])
    (1.0, 1.0, 1.0)
    """
    if answers and all(map(is_label, answers)):
        is_claim = answers[0].upper() in CLAIMS
        final = final_answer_of((), TaskKind.FACTCHECK if is_claim else TaskKind.YESNO, final)
    return cover_em(final, answers) if answers else 0.0


def invented(sentence: str, known: str) -> list[str]:
    """Return the details of a sentence that do not stand in ``known``: numbers, and names.

    A number is written in digits or as a word up to twelve. A name is a word with a capital that is not the first of
    its sentence. Both are compared as the product compares words: without accents and endings.

    >>> invented("It was built in 1887 by Gustave Eiffel.", "Gustave Eiffel built the tower from 1889.")
    ['1887']
    """
    held, numbers = text.content_words(known), set(text.numbers(known))
    words = [match[0] for match in _NAME.finditer(sentence)][1:]
    names = [word for word in words if word[0].isupper() and not text.content_words(word) <= held]
    return [f"{number:g}" for number in text.numbers(sentence) if number not in numbers] + names


def _invented(question: Question, reply: Reply, said: Said) -> list[str]:
    asked = [question.text, *(part for one in question.history for part in (one.question, one.answer))]
    return invented(said.text, " ".join([*asked, *(f"{one.title} {one.text}" for one in reply.found)]))


def _label(question: Question, reply: Reply, said: Said, check: SentenceCheck) -> str:
    """Return how far the passages that a sentence cites support it; ``none`` where it cites none of those there are."""
    cited: list[Passage] = [reply.numbered[number] for number in said.cited if number in reply.numbered]
    if not cited:
        return "none"
    is_bare = tokens(said.text) == tokens(reply.final)
    return check.judge(f"{question.text} {said.text}" if is_bare else said.text, cited).label


def _cites_right(question: Question, reply: Reply) -> float | None:
    if not question.supporting:
        return None
    cited = {reply.numbered[number].id for said in reply.sentences for number in said.cited if number in reply.numbered}
    return float(not cited.isdisjoint(question.supporting))
