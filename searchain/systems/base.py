"""What a system is, and those that there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from searchain.cancel import CancelToken
from searchain.errors import UsageError
from searchain.events import Event
from searchain.llm.embedded import EmbeddedModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from searchain.systems.direct import direct
from searchain.systems.direct_retrieval import direct_retrieval


class Answerer(Protocol):
    """Answers questions. Thread-safe."""

    settings: Settings

    def stream(self, question: str, *, cancel: CancelToken | None = None) -> Iterator[Event]:
        """All events of one run, the last one ``RunFinished``; as ``SearChain.stream``."""


@dataclass(frozen=True, slots=True)
class System:
    """One method by name: the settings that make it, and how it is put together."""

    name: str
    make: Callable[[SearChain], Answerer]
    """From SearChain with the system's settings, whose parts it uses."""
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


def _as_it_is(searchain: SearChain) -> Answerer:
    return searchain


def _direct_retrieval(searchain: SearChain) -> Answerer:
    return direct_retrieval(searchain, by_reader=isinstance(searchain.model, EmbeddedModel))


SYSTEMS = {
    system.name: system
    for system in (
        System("searchain", _as_it_is),
        System("searchain-no-ir", _as_it_is, changes={"use_ir": False}),
        System("searchain-no-verification", _as_it_is, changes={"use_verification": False}),
        System("searchain-no-completion", _as_it_is, changes={"use_completion": False}),
        System("searchain-paper", _as_it_is, profile="paper"),
        System("direct", direct, changes={"use_ir": False}),
        System("direct-retrieval", _direct_retrieval),
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
