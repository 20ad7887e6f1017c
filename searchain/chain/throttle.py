"""Join text deltas to at most ten events per second, so that a fast model does not flood the store and the page."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from searchain.events import ChainDelta, Event, ReplyDelta, ThoughtDelta

Delta = ChainDelta | ReplyDelta | ThoughtDelta

INTERVAL = 0.1
"""Seconds between two deltas of the same kind: at most 10 per second."""

MOST_THOUGHTS = 50_000
"""Most characters of thoughts that one run reports; later thoughts are left out."""


def join_deltas(
    events: Iterable[Event], interval: float = INTERVAL, clock: Callable[[], float] = time.monotonic
) -> Iterator[Event]:
    """Yield the same events with neighbouring deltas joined.

    The first delta is passed on at once. A held delta is passed on before the next event of another kind.
    """
    held: Delta | None = None
    thoughts = MOST_THOUGHTS
    last = float("-inf")
    for event in events:
        if isinstance(event, ThoughtDelta):
            event = replace(event, text=event.text[:thoughts])
            thoughts -= len(event.text)
            if not event.text:
                continue
        if isinstance(event, Delta):
            if held is not None and held.type != event.type:
                yield held
                held = None
            held = event if held is None else _joined(held, event)
            if clock() - last < interval:
                continue
            event, held, last = held, None, clock()
        elif held is not None:
            yield held
            held, last = None, clock()
        yield event
    if held is not None:
        yield held


def _joined(held: Delta, event: Delta) -> Delta:
    joined = replace(held, text=held.text + event.text)
    if isinstance(joined, ReplyDelta) and isinstance(event, ReplyDelta):
        joined = replace(joined, sources=(*joined.sources, *event.sources))
    return joined
