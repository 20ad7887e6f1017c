"""Citation precision and recall (Gao et al. 2023, ALCE), by an automatic check of support.

A sentence is *recalled* when the passages that it cites support it together. A citation is *precise* when its sentence
is recalled and the passage is needed for it: it supports the sentence alone, or the others do not without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, Protocol

from lab.evaluation.metrics import tokens, without_marks

Label = Literal["supported", "partial", "not_supported", "contradicted"]


class SupportCheck(Protocol):
    def __call__(self, claim: str, evidence: str) -> Label:
        """How far ``evidence`` (passages with their titles, an empty line between two) supports ``claim``."""


def citation_scores(reply: Mapping[str, Any], check: SupportCheck) -> tuple[float | None, float | None]:
    """Precision over all citations and recall over all sentences of a turn's JSON, each between 0 and 1; ``None`` where
    there is no citation, or no sentence."""

    @cache
    def supports(claim: str, numbers: tuple[int, ...]) -> bool:
        return check(claim, "\n\n".join(evidence[number] for number in numbers)) == "supported"

    evidence = {source["number"]: f"{source['title']}: {source['text']}" for source in reply["sources"]}
    precise: list[bool] = []
    recalled: list[bool] = []
    for sentence in reply["sentences"]:
        cited = tuple(sentence["citations"])
        claim = claim_of(sentence, reply["question"], reply["final_answer"])
        is_recalled = bool(cited) and supports(claim, cited)
        recalled.append(is_recalled)
        precise += [is_recalled and _is_needed(claim, number, cited, supports) for number in cited]
    return _mean(precise), _mean(recalled)


def claim_of(sentence: Mapping[str, Any], question: str, final_answer: str) -> str:
    """What a sentence claims: without its marks; a bare answer claims something only together with the question."""
    marks = (
        {"start": mark["start"] - sentence["start"], "end": mark["end"] - sentence["start"]}
        for mark in sentence["marks"]
    )
    claim = without_marks(sentence["text"], marks).strip()
    return f"{question} {claim}" if tokens(claim) == tokens(final_answer) else claim


def _is_needed(claim: str, number: int, cited: tuple[int, ...], supports: Any) -> bool:
    others = tuple(other for other in cited if other != number)
    return supports(claim, (number,)) or not (others and supports(claim, others))


def _mean(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
