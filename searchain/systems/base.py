"""What a system is, and those that there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from searchain.assemble import Parts
from searchain.cancel import CancelToken
from searchain.errors import UsageError
from searchain.events import Event
from searchain.settings import Settings


class Answerer(Protocol):
    """Answers questions. Thread-safe."""

    settings: Settings

    def stream(self, question: str, *, cancel: CancelToken | None = None) -> Iterator[Event]:
        """All events of one run, the last one ``RunFinished``; as ``SearChain.stream``."""


@dataclass(frozen=True, slots=True)
class System:
    """One method by name: the settings that make it, and how it is put together."""

    name: str
    make: Callable[[Parts, Settings, str], Answerer]
    """From parts, settings and the name of an index."""
    profile: str = "default"
    changes: dict[str, Any] = field(default_factory=dict)
    """Settings that differ from the profile's."""

    @property
    def uses_ir(self) -> bool:
        return self.changes.get("use_ir", True)

    def settings(self, **changes: Any) -> Settings:
        """The system's settings with ``changes``.

        Raises:
            UsageError: an unknown setting, a value out of range, or one that this system is made by.
        """
        if clash := set(changes) & set(self.changes):
            raise UsageError(f"setting {min(clash)!r} is what makes the system {self.name!r}; choose another system")
        return Settings.of(self.profile, **self.changes | changes)


def _searchain(parts: Parts, settings: Settings, index: str) -> Answerer:
    return parts.searchain(settings, index)


SYSTEMS = {
    system.name: system
    for system in (
        System("searchain", _searchain),
        System("searchain-no-ir", _searchain, changes={"use_ir": False}),
        System("searchain-no-verification", _searchain, changes={"use_verification": False}),
        System("searchain-no-completion", _searchain, changes={"use_completion": False}),
        System("searchain-paper", _searchain, profile="paper"),
    )
}


def find(name: str) -> System:
    """The system ``name``.

    Raises:
        UsageError: there is none; the message lists those that exist.
    """
    if name not in SYSTEMS:
        raise UsageError(f"no system {name!r}; there are: {', '.join(SYSTEMS)}")
    return SYSTEMS[name]
