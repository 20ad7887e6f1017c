"""Rules for the guard, which each part of the server defines for its paths."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage.people.users import Role


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for requests whose path begins with ``path``; the rule with the longest path applies."""

    path: str
    role: Role | None = None
    """The least role; ``None`` for everybody who may use the page, also visitors."""
    policy: str | None = None
    """The content security policy of responses without their own; ``None`` for the chat page's."""
    is_open: bool = False
    """Whether the guard lets everybody in because the route checks tokens or links itself."""
    is_page: bool = False
    """Whether people open ``path`` itself in a browser, so that they are redirected to the sign-in page."""
    is_api: bool = False
    """Whether programs of any origin may call it; errors then have the form of OpenAI's API."""
    max_body: int = 1_000_000
    """The most bytes of a request, far more than the longest question needs."""


def rule_of(path: str, rules: Sequence[Rule]) -> Rule:
    """Return the rule for ``path``; if none fits, as for ``OPTIONS *``, one that requires the right to use the page."""
    found = (rule for rule in rules if path.startswith(rule.path))
    return max(found, key=lambda rule: len(rule.path), default=Rule(path))
