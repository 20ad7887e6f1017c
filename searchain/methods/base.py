"""Define a method with a name, and SearChain's own methods. The laboratory has the methods compared with it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol

from searchain.errors import UsageError
from searchain.methods import laboratory
from searchain.settings import Settings

if TYPE_CHECKING:
    from searchain.cancel import CancelToken
    from searchain.events import Event
    from searchain.llm.base import LanguageModel
    from searchain.pipeline import SearChain
    from searchain.types import Exchange

Group = Literal["SearChain", "With passages", "Without passages"]


class Answerer(Protocol):
    """Answers questions. Thread-safe."""

    settings: Settings
    model: LanguageModel
    index: str

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Yield all events of one run, the last one ``RunFinished``; as ``SearChain.stream``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One method by name: the settings that make it, and how it is put together."""

    name: str
    about: str
    """What it does, in a few words."""
    group: Group
    calls: int
    """About how many calls of the model a question takes, as published."""
    small_calls: int | None = None
    """The same for a question asked by hand, if the method then uses smaller numbers."""
    profile: str = "default"
    changes: dict[str, Any] = field(default_factory=dict)
    """Settings that make the system."""

    @property
    def uses_ir(self) -> bool:
        return self.changes.get("use_ir", True)

    def settings(self, /, *, is_small: bool = False, **changes: Any) -> Settings:
        """Return the system's settings with ``changes``; ``is_small`` asks for its smaller numbers, where it has any.

        Raises:
            UsageError: an unknown setting, a value out of range, or one that this system is made by.
        """
        return self._settings(changes)

    def make(self, searchain: SearChain, questions: Sequence[str] = ()) -> Answerer:
        """Return the system with the parts of ``searchain``; ``questions`` are others of the same data set."""
        return searchain

    def _settings(self, changes: Mapping[str, Any], *, beside: Collection[str] = (), **own: Any) -> Settings:
        """Return the settings with ``own`` below ``changes``; ``beside`` are further names that a message lists."""
        if clash := set(changes) & {*self.changes, "system"}:
            raise UsageError(f"setting {min(clash)!r} is what makes the system {self.name!r}; choose another system")
        return Settings.of(self.profile, beside=beside, **{**own, **self.changes, "system": self.name, **changes})


_searchain = partial(System, group="SearChain", calls=4)

OWN = {
    system.name: system
    for system in (
        _searchain(name="searchain", about="plans, looks every step up, mends the plan"),
        _searchain(name="searchain-no-ir", about="its plan alone, without a search", changes={"use_ir": False}),
        _searchain(
            name="searchain-no-verification",
            about="answers of the model are never corrected",
            changes={"use_verification": False},
        ),
        _searchain(
            name="searchain-no-completion", about="open steps are never completed", changes={"use_completion": False}
        ),
        _searchain(name="searchain-paper", about="as the paper has it (docs/method.md)", profile="paper"),
    )
}


def systems() -> Mapping[str, System]:
    """Return the methods that can answer here, by name: SearChain's own, and all others where the laboratory is."""
    if not laboratory.is_here():
        return OWN
    return laboratory.load("systems.base").SYSTEMS


def find(name: str) -> System:
    """Return the system ``name``. Raises ``UsageError``, which lists those that exist, if there is none."""
    known = OWN if name in OWN else systems()  # the laboratory is imported for its own methods alone
    if name not in known:
        others = "" if laboratory.is_here() else f"; others belong to the laboratory ({laboratory.GET})"
        raise UsageError(f"no system {name!r}; there are: {', '.join(known)}{others}")
    return known[name]
