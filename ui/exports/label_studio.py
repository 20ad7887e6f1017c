"""Label Studio's tasks, one per reply.

``data`` has what an annotator sees: question, reply, its sentences and its sources (for ``Text``, ``Paragraphs`` or
``List``). ``meta`` has the system's name and its own ratings. Label Studio does not show it, so people judge blindly.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from searchain.events import Turn
from searchain.safe_text import clean
from searchain.types import Source
from storage.history.finished_turns import Record

TEMPLATES = Path(__file__).parent / "templates"
CONFIG = (TEMPLATES / "label_studio.xml").read_text(encoding="utf-8")
"""The labelling configuration for these tasks."""


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write one task per turn that has a reply."""
    told = ((record, record.state()) for record in records)
    yield from array(_task(record, turn) for record, turn in told if turn.answer)


def array(items: Iterable[dict[str, Any]], start: str = "[", end: str = "]") -> Iterator[str]:
    """Write a JSON array with one item per line, between ``start`` and ``end``."""
    yield start
    separator = "\n"
    for item in items:
        yield separator + json.dumps(item, ensure_ascii=False)
        separator = ",\n"
    yield f"\n{end}\n"


def data(question: str, reply: str, sentences: Iterable[str]) -> dict[str, Any]:
    """Return the ``data`` of a task without its sources. The texts must be cleaned already."""
    return {
        "question": question,
        "reply": reply,
        "sentences": [
            {"id": str(position), "title": f"Sentence {position + 1}", "body": sentence}
            for position, sentence in enumerate(sentences)
        ],
    }


def _task(record: Record, turn: Turn) -> dict[str, Any]:
    return {
        "data": {
            "turn": record.turn,
            **data(clean(turn.question), clean(turn.answer), (clean(sentence.text) for sentence in turn.sentences)),
            "sources": [_source(source) for source in turn.sources],
        },
        "meta": {
            "conversation": record.conversation,
            "asked": record.created,
            "model": turn.model,
            "status": turn.status,
            "outcome": turn.outcome,
            "probability": turn.probability,
            "support": [sentence.support for sentence in turn.sentences],
            "probabilities": [sentence.probability for sentence in turn.sentences],
            "citations": [list(sentence.citations) for sentence in turn.sentences],
            "verdicts": {str(source.number): source.verdict for source in turn.sources},
            "source_probabilities": {str(source.number): source.probability for source in turn.sources},
        },
    }


def _source(source: Source) -> dict[str, Any]:
    passage = source.passage
    return {
        "id": str(source.number),
        "title": clean(f"[{source.number}] {passage.title}"),
        "body": clean(passage.text),
        "url": clean(passage.url or ""),
        "quote": clean(source.quote),
    }
