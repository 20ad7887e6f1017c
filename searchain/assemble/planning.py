"""A planner under the name of the model for which it plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from searchain.llm.base import LanguageModel, Piece
from searchain.types import Message


class Planning:
    """The embedded model, under a name that also gives the model that reads its replies again."""

    def __init__(self, planner: LanguageModel, name: str) -> None:
        self._planner, self.name = planner, name
        self.abilities, self.at_once = planner.abilities, planner.at_once

    def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Piece]:
        """See ``LanguageModel.stream``."""
        return self._planner.stream(messages, **options)
