"""A reply whose text is known before it is written out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from searchain.events import RunFinished
from searchain.language.comparing import Decision
from searchain.types import Node, Outcome, RivalAnswer, Status


@dataclass(frozen=True, slots=True)
class KnownReply:
    """A reply whose text is already known.

    ``final`` is the short answer. ``doubt`` says why the reply is not supported; if it is empty, the probability
    decides. ``decision``: what follows from several steps together. ``conflict``: the answers that do not agree, of
    which none is rated. ``asks``: the question back, where it is open what is meant. ``is_nearby``: it quotes what is
    nearest to the question, which nothing answers.
    """

    content: str
    keys: dict[str, Node]
    final: str
    doubt: str = ""
    decision: Decision | None = None
    conflict: tuple[RivalAnswer, ...] = ()
    asks: str = ""
    is_nearby: bool = False

    def ended(self, end: RunFinished) -> RunFinished:
        """Return ``end`` as this kind of reply ends a run."""
        if self.is_nearby:
            return replace(end, status=Status.PARTIAL, outcome=Outcome.UNSURE)
        if self.asks:
            ended = replace(end, status=Status.PARTIAL, outcome=Outcome.ASKS, probability=None, message="")
            return replace(ended, asks=self.asks)
        return differing(end, self.conflict) if self.conflict else end


def differing(end: RunFinished, conflict: tuple[RivalAnswer, ...]) -> RunFinished:
    """Return ``end`` with answers that do not agree. They are not rated, and need no further message."""
    return replace(end, status=Status.PARTIAL, outcome=Outcome.UNSURE, probability=None, message="", conflict=conflict)
