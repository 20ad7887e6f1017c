"""What a model gives besides its text, as events: thoughts, and that its service was asked again."""

from __future__ import annotations

from collections.abc import Iterator

from searchain.chain.dialogue import Dialogue
from searchain.events import Event, ModelFault, ThoughtDelta
from searchain.llm.base import Retracted, Retried, Thought


def aside(item: object) -> Iterator[Event]:
    """Yield the event of an ``item`` out of a generation's inbox that is no text; most items have none."""
    match item:
        case Thought():
            yield ThoughtDelta(text=item.text)
        case Retried():
            yield ModelFault(what=item.what, action=item.action)


def grown(text: str, item: object) -> str:
    """Return ``text`` after another ``item`` of a generation; only text counts, and what was thinking is taken back."""
    match item:
        case str():
            return text + item
        case Retracted():
            return ""
    return text


def told(dialogue: Dialogue) -> Iterator[Event]:
    """Yield what calls beside the dialogue left to be told."""
    while dialogue.retried:
        yield from aside(dialogue.retried.pop(0))
