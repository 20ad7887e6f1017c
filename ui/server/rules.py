"""What the guard lets through, as each part of the server says it about its own paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storage.people.users import Role


@dataclass(frozen=True, slots=True)
class Rule:
    """How requests are treated whose path begins with ``path``; of several rules the longest path counts."""

    path: str
    role: Role | None = None
    """The least role; ``None``: whoever uses the page, visitors too."""
    policy: str | None = None
    """The content security policy of answers that bring none of their own; ``None``: the chat page's."""
    is_open: bool = False
    """Answered without asking who it is: the route checks tokens or links itself."""
    is_page: bool = False
    """``path`` itself is opened by people: a browser that must sign in is sent to the sign-in page."""
    is_api: bool = False
    """Programs of any origin may call it; what is refused is JSON as OpenAI's API gives it."""
    max_body: int = 1_000_000
    """Bytes of a request at most: far above the longest question."""


def rule_of(path: str, rules: Sequence[Rule]) -> Rule:
    """Find the rule for ``path``; where none fits, as for ``OPTIONS *``, it is for whoever uses the page."""
    found = (rule for rule in rules if path.startswith(rule.path))
    return max(found, key=lambda rule: len(rule.path), default=Rule(path))
