"""The two halves of a reply that compares two things."""

from __future__ import annotations

from dataclasses import dataclass, replace

from searchain.events import Turn
from searchain.types import Sentence, TaskKind, Verdict


@dataclass(frozen=True, slots=True)
class Half:
    """The sentences about one of the two things."""

    title: str
    first: int
    """The index of its first sentence in the reply."""
    sentences: tuple[Sentence, ...]
    """The reply's sentences; the first one is without the title that stands before it in the text."""


def halves(turn: Turn) -> tuple[Half, Half] | None:
    """Return both halves; ``None`` if the reply is not a comparison, or not all of its sentences are known yet."""
    path = [node for node in turn.nodes if node.on_path]
    if turn.task is not TaskKind.COMPARE or turn.status is None or len(path) != 2:
        return None
    at, starts = 0, []
    for place, sentence in enumerate(turn.sentences):
        if not place or "\n\n" in turn.answer[at : sentence.start]:
            starts.append(place)
        at = sentence.end
    if len(starts) != 2:
        return None
    named = [node.passage.title if node.passage and node.verdict is Verdict.COMPLETED else node.query for node in path]
    one, other = zip(named, starts, (*starts[1:], len(turn.sentences)), strict=True)
    return _half(turn, *one), _half(turn, *other)


def _half(turn: Turn, title: str, first: int, end: int) -> Half:
    sentences = turn.sentences[first:end]
    lead = sentences[0]
    before = lead.text.find(": ") + 2
    if before > 1 and lead.text[: before - 2].split() == title.replace("[", "(").replace("]", ")").split():
        lead = replace(lead, text=lead.text[before:], start=lead.start + before)
    return Half(title, first, (lead, *sentences[1:]))
