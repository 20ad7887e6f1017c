"""Answers to the small tasks that Open WebUI gives the model of a chat: a title, tags, and suggestions."""

from __future__ import annotations

import json
import re

from storage.log.conversations import title

_TASK = "### Task:"
_ASKS = re.compile(r'\{\s*"(title|tags|follow_ups|queries|text|prompt)"\s*:')
"""The form of the JSON object that a task asks for, by its first name."""
_HISTORY = "<chat_history>"
_SAID = re.compile(r"\s*USER: (.*?)(?:\nASSISTANT: |\s*</chat_history>|\Z)", re.DOTALL)
"""The first question in the history."""


def reply(message: str) -> str | None:
    """Return the JSON that a task asks for: a title from the question, else nothing. ``None`` for a question.

    >>> reply('### Task:\\nGenerate tags.\\n{ "tags": ["tag1"] }\\n<chat_history>\\nUSER: Who?\\n</chat_history>')
    '{"tags": []}'
    """
    order, history, said = message.partition(_HISTORY)
    asks = _ASKS.search(order) if history and order.lstrip().startswith(_TASK) else None
    if asks is None:
        return None
    values: dict[str, str | list[str]] = {"title": _title(said), "text": "", "prompt": ""}
    return json.dumps({asks[1]: values.get(asks[1], [])}, ensure_ascii=False)


def _title(history: str) -> str:
    asked = _SAID.match(history)
    return title(asked[1]) if asked else ""
