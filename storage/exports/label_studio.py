"""Label Studio: tasks to import, one a reply.

``data`` has what an annotator sees: question, reply, its sentences and its sources (for ``Text``, ``Paragraphs`` or
``List``). What the machine thinks of the reply, and who made it, is in ``meta``, which is not shown: people
judge blindly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from searchain.console import clean
from searchain.events import Turn
from searchain.types import Source
from storage.archive import Record


def write(records: Iterable[Record]) -> Iterator[str]:
    """One task a turn with a reply."""
    yield "["
    separator = "\n"
    for record in records:
        turn = record.state()
        if turn.answer:
            yield separator + json.dumps(_task(record, turn), ensure_ascii=False)
            separator = ",\n"
    yield "\n]\n"


def _task(record: Record, turn: Turn) -> dict[str, Any]:
    return {
        "data": {
            "turn": record.turn,
            "question": clean(turn.question),
            "reply": clean(turn.answer),
            "sentences": [{"id": str(position), "title": f"Sentence {position + 1}", "body": clean(sentence.text)}
                          for position, sentence in enumerate(turn.sentences)],
            "sources": [_source(source) for source in turn.sources],
        },
        "meta": {
            "conversation": record.conversation, "asked": record.created, "model": turn.model, "status": turn.status,
            "support": [sentence.support for sentence in turn.sentences],
            "citations": [list(sentence.citations) for sentence in turn.sentences],
            "verdicts": {str(source.number): source.verdict for source in turn.sources},
        },
    }


def _source(source: Source) -> dict[str, Any]:
    passage, span = source.passage, source.span
    return {"id": str(source.number), "title": clean(f"[{source.number}] {passage.title}"), "body": clean(passage.text),
            "url": clean(passage.url or ""), "quote": clean(passage.text[span.start:span.end]) if span else ""}
