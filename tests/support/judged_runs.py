"""Runs over a collection whose replies were judged, for tests of its tick."""

from collections.abc import Iterable
from dataclasses import replace

from searchain.events import Event, ReplyReviewed
from storage.database import Database
from storage.history import feedback
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def rated(index: str, probability: float, *, is_reviewed: bool = False) -> Iterable[Event]:
    """The run of Nintendo over another index, whose reply has this probability."""
    first, *others, last = nintendo()
    yield from (replace(first, index=index), *others)
    if is_reviewed:
        said = {"outcome": "confirmed", "model": "careful", "first": "Honshu", "second": "Honshu", "seconds": 1.0}
        yield ReplyReviewed(passages=(), probability=probability, sentences=(), **said)
    yield replace(last, probability=probability)


def judged(
    store: Database, index: str, judgements: Iterable[tuple[float, str | None]], owner: str = "local"
) -> list[str]:
    """Store a run for each probability, and the judgement on its reply; return the turns."""
    turns = []
    for probability, value in judgements:
        turns.append(store_run(store, rated(index, probability), owner).turn)
        if value is not None:
            feedback.give(store, turns[-1], owner, value)
    return turns
