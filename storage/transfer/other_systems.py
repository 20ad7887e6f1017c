"""Converts another system's answer to events of a run, so that it can be shown, searched, exported and judged.

    {"question": "…", "system": "a search engine", "answer": "Kyoto [1].",
     "citations": [{"number": 1, "title": "…", "text": "…", "url": "…"}]}

The answer is not checked: its one node is unconfirmed, and the support of sentences with citations is weak. Its events
have version 1, which has no ratings, so that an answer imported by an earlier version is recognised as the same.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ulid import ULID

from searchain.events import (
    Event,
    NodeJudged,
    NodeParsed,
    ReplyDelta,
    RoundStarted,
    RunFinished,
    RunStarted,
    Searched,
    SentenceBound,
    TracingStarted,
)
from searchain.language import sentences
from searchain.types import Hit, Mark, Passage, Sentence, Source, Status, Support, Usage, Verdict

PROFILE = "foreign"
_NODE = "n1"
_MARK = re.compile(r"\[(\d{1,6})\]")


FIELDS = ("question", "system", "answer", "citations")


@dataclass(frozen=True, slots=True)
class Answer:
    """Another system's answer with checked fields."""

    question: str
    system: str
    answer: str
    passages: dict[int, Passage]
    """Its cited passages by citation number."""


def is_foreign(values: Mapping[str, Any]) -> bool:
    """Return whether the object looks like another system's answer."""
    return {"question", "system", "answer"} <= set(values)


def turn_id(values: Mapping[str, Any]) -> str:
    """Return the ID of the answer's turn, a hash of its fields: the same answer always has the same ID."""
    parts = [values.get(name) for name in FIELDS]
    digest = hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=10).digest()
    return str(ULID.from_bytes(bytes(6) + digest))


def checked(values: Mapping[str, Any]) -> Answer:
    """Check the fields of an answer and return it with its citations.

    Raises:
        ValueError: a field is missing or has a wrong type; the message names it.
    """
    question, system, answer = (_text(values, name) for name in ("question", "system", "answer"))
    if not question.strip() or not answer.strip():
        raise ValueError("its question or its answer is empty")
    citations = values.get("citations") or []
    if not isinstance(citations, list) or not all(isinstance(citation, dict) for citation in citations):
        raise ValueError("its citations are no list of objects")
    passages = {
        _number(citation): Passage(
            str(citation["number"]),
            _text(citation, "title"),
            _text(citation, "text"),
            _text(citation, "url") if citation.get("url") else None,
        )
        for citation in citations
    }
    if len(passages) != len(citations):
        raise ValueError("two of its citations have the same number")
    return Answer(question, system, answer, passages)


def events(values: Mapping[str, Any]) -> tuple[Event, ...]:
    """Convert the answer to the events of a run. Marks without a citation are removed and counted.

    Raises:
        ValueError: a field is missing or has a wrong type; the message names it.
    """
    said = checked(values)
    question, system, answer, passages = said.question, said.system, said.answer, said.passages
    invented = [mark for mark in _MARK.findall(answer) if int(mark) not in passages]
    answer = _MARK.sub(lambda mark: mark[0] if int(mark[1]) in passages else "", answer)
    cited = dict.fromkeys(int(mark) for mark in _MARK.findall(answer))
    hits = tuple(Hit(passage, 0.0, rank) for rank, passage in enumerate(passages.values(), 1))
    sources = tuple(
        Source(number, passages[number], None, 0.0, question, Verdict.UNCONFIRMED, _NODE) for number in cited
    )
    return (
        RunStarted(question=question, model=system, index="", profile=PROFILE, settings={}, version=1),
        RoundStarted(round=1),
        NodeParsed(node=_NODE, parent=None, round=1, query=question, answer=None),
        Searched(node=_NODE, query=question, hits=hits, seconds=0.0),
        NodeJudged(
            node=_NODE,
            verdict=Verdict.UNCONFIRMED,
            rule="another system's answer",
            before=None,
            after=None,
            version=1,
        ),
        TracingStarted(path=(_NODE,), writer="model"),
        ReplyDelta(text=answer, sources=sources, version=1),
        *(SentenceBound(sentence=_sentence(answer, *part), version=1) for part in sentences.split(answer)),
        RunFinished(status=Status.ANSWERED, final_answer="", invented_markers=len(invented), usage=Usage(), version=1),
    )


def _sentence(answer: str, start: int, end: int) -> Sentence:
    marks = tuple(Mark(int(mark[1]), mark.start(), mark.end()) for mark in _MARK.finditer(answer, start, end))
    return Sentence(answer[start:end], start, end, marks, Support.WEAK if marks else Support.NONE)


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name!r} is missing or no text")
    return value


def _number(citation: Mapping[str, Any]) -> int:
    number = citation.get("number")
    if type(number) is not int or not 0 < number < 1_000_000:
        raise ValueError(f"{number!r} is no number of a citation")
    return number
