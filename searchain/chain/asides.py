"""Events for what a model's stream holds besides text: thoughts, and repeated requests to its service."""

from __future__ import annotations

from collections.abc import Iterator

from searchain.chain.dialogue import Dialogue
from searchain.events import Event, ModelFault, ThoughtDelta
from searchain.llm.base import Retracted, Retried, Thought


def aside(item: object) -> Iterator[Event]:
    """Yield the event of an ``item`` of a generation's inbox, if it is a thought or a repeated request."""
    match item:
        case Thought():
            yield ThoughtDelta(text=item.text)
        case Retried():
            yield ModelFault(what=item.what, action=item.action)


def grown(text: str, item: object) -> str:
    """Return ``text`` extended by the next ``item`` of a generation.

    Thoughts are left out. A ``Retracted`` item empties the text, because it turned out to be thoughts.
    """
    match item:
        case str():
            return text + item
        case Retracted():
            return ""
    return text


def retried_events(dialogue: Dialogue) -> Iterator[Event]:
    """Yield the events of requests that calls beside the dialogue had to repeat, and forget them."""
    while dialogue.retried:
        yield from aside(dialogue.retried.pop(0))
