"""The lossless export: one JSON object per line, one line per turn, with every event as it was stored.

    {"format": "searchain", "version": 1,
     "conversation": {"id", "title", "created"},
     "turn": {"id", "position", "created", "question"},
     "feedback": [{"source", "value", "comment", "settings", "time"}, …],   only where there is some
     "events": [{"time", "event": {"type", "version", …}}, …]}

Owners, users, tokens and shares are not part of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from storage.history.feedback import Feedback
from storage.history.finished_turns import Record

FORMAT, VERSION = "searchain", 1


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write one line per turn."""
    for record in records:
        head = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "conversation": {"id": record.conversation, "title": record.title, "created": record.begun},
                "turn": {
                    "id": record.turn,
                    "position": record.position,
                    "created": record.created,
                    "question": record.question,
                },
                **({"feedback": [_said(said) for said in record.feedback]} if record.feedback else {}),
            },
            ensure_ascii=False,
        )
        # payloads go out as they were stored: to read and write them again would take most of the time
        events = ", ".join(f'{{"time": {json.dumps(time)}, "event": {payload}}}' for time, payload in record.log)
        yield f'{head[:-1]}, "events": [{events}]}}\n'


def _said(said: Feedback) -> dict[str, Any]:
    return {
        "source": said.source,
        "value": said.value,
        "comment": said.comment,
        "settings": json.loads(said.settings),
        "time": said.time,
    }
