"""Answer a yes/no question by what is read to the open question behind it."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.proposals import Proposal
from searchain.language.same_answer import agreement
from searchain.language.sentences import split
from searchain.types import Evidence

_BEGINS = re.compile(r"\b(?:start|begin|open|launch|founded|built|born|established)\b", re.IGNORECASE)
_YEARS = re.compile(r"\b\d{3,4}\b")
LEAST = 0.5
"""How likely a reading must be right to answer for or against what is proposed."""


def confirms(evidence: Evidence, proposal: Proposal) -> bool | None:
    """Tell whether the evidence to the open question confirms the proposed answer; ``None`` where it does not tell.

    Two answers may both be right, so a sentence that holds the proposed one as well does not speak against it.

    >>> from searchain.types import Hit, Passage, Reading, Span
    >>> hit = Hit(Passage("a", "Ankara", "Ankara is the capital of Turkey."), 1.0, 1)
    >>> evidence = Evidence((hit,), hit, Reading("Ankara", Span(0, 6), 3.0, probability=0.9))
    >>> [confirms(evidence, Proposal("what is the capital of turkey", city)) for city in ("ankara", "istanbul")]
    [True, False]
    """
    chosen, reading = evidence.chosen, evidence.reading
    if chosen is None or reading is None or reading.span is None or (reading.probability or 0.0) < LEAST:
        return None
    if not text.content_words(reading.answer):  # "he"
        return None
    found, _ = agreement(proposal.value, _end_asked(proposal.question, reading.answer), chosen.passage)
    if found != "disagree":
        return True if found == "agree" else None
    begin = reading.span.start
    sentence = next((chosen.passage.text[start:end] for start, end in split(chosen.passage.text) if begin < end), "")
    return None if text.content_words(proposal.value) <= text.content_words(sentence) else False


def _end_asked(question: str, answer: str) -> str:
    """Return the year of "1914 to 1918" in which something began, where that is asked, else the last one.

    >>> _end_asked("when did the war start", "1914 to 1918"), _end_asked("when did the war end", "1914 to 1918")
    ('1914', '1918')
    """
    years = _YEARS.findall(answer)
    if len(years) < 2 or not question.startswith("when"):
        return answer
    return years[0] if _BEGINS.search(question) else years[-1]
