"""How a server wants to be asked, as far as its refusals tell: without some parameters, without a system message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from searchain.llm import faults
from searchain.llm.faults import LIMITS, OPTIONAL


@dataclass(frozen=True, slots=True)
class Manner:
    """What is changed in each request to one server for one model."""

    left_out: frozenset[str] = frozenset()
    """Parameters that it refuses."""
    has_limit: bool = True
    """Whether a limit of tokens is sent; else the model spends it on thinking."""
    has_system: bool = True
    """Whether the model takes system messages; else the first user message holds them."""

    def applied(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the ``request`` as the server takes it."""
        unwanted = self.left_out if self.has_limit else self.left_out | LIMITS
        sent = {name: value for name, value in request.items() if name not in unwanted}
        if "max_tokens" in request and "max_tokens" in unwanted and "max_completion_tokens" not in unwanted:
            sent["max_completion_tokens"] = request["max_tokens"]
        if not self.has_system:
            sent["messages"] = _without_system(request["messages"])
        return sent

    def after(self, error: faults.Failure, sent: dict[str, Any]) -> Manner | None:
        """Return how to ask once more after the refusal of what was ``sent``; ``None`` where that is of no use."""
        if sent["messages"][0]["role"] == "system" and faults.refuses_system(error):
            return replace(self, has_system=False)
        refused = faults.refused_parameters(error, [name for name in OPTIONAL if name in sent])
        return replace(self, left_out=self.left_out | refused) if refused else None

    def without(self, name: str) -> Manner:
        """Return the manner that also leaves out the parameter ``name``."""
        return replace(self, left_out=self.left_out | {name})

    def joined(self, other: Manner) -> Manner:
        """Return the manner that changes what either of the two changes."""
        return Manner(
            self.left_out | other.left_out, self.has_limit and other.has_limit, self.has_system and other.has_system
        )


def _without_system(messages: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return ``messages`` with the text of the system's at the beginning of the first one of the user."""
    told = [message["content"] for message in messages if message["role"] == "system"]
    others = [message for message in messages if message["role"] != "system"]
    if others and others[0]["role"] == "user":
        told.append(others.pop(0)["content"])
    return [{"role": "user", "content": "\n\n".join(told)}, *others]
