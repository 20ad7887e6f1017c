"""OpenAI messages: one conversation per line, ``{"messages": [...]}``, for fine-tuning and chat clients.

A reply's sources are in its ``annotations`` of the type ``url_citation``, as in responses of that API. Offsets count
code points of ``content``.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from searchain.events import Turn
from storage.history.finished_turns import Record


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write one line per conversation; questions without a reply are left out."""
    for _, turns in groupby(records, key=lambda record: record.conversation):
        messages = [message for record in turns for message in _messages(record.state())]
        if messages:
            yield json.dumps({"messages": messages}, ensure_ascii=False) + "\n"


def _messages(turn: Turn) -> Iterator[dict[str, Any]]:
    if not turn.answer:
        return
    yield {"role": "user", "content": turn.question}
    reply: dict[str, Any] = {"role": "assistant", "content": turn.answer}
    annotations = []
    for mark, source in turn.citations():
        about = {"title": source.passage.title, "url": source.passage.url or ""}
        cited = {"start_index": mark.start, "end_index": mark.end, **about}
        annotations.append({"type": "url_citation", "url_citation": cited})
    yield {**reply, "annotations": annotations} if annotations else reply
