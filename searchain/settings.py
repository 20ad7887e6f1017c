"""The settings of one run: a frozen value, built once, stored with the turn."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from searchain.errors import UsageError
from searchain.types import TaskKind

Profile = Literal["default", "paper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How SearChain runs. ``Settings.of(profile)`` gives a profile's values; ablations are the three ``use_*``
    fields."""

    profile: Profile = "default"
    task: TaskKind | None = None
    """``None``: chosen per question."""
    passages: int = 5
    """How many passages are retrieved per query; the Reader chooses among them."""
    max_rounds: int = 5
    """r_max: chain generations, the first included (Xu et al. 2024, section 4.1.3)."""
    theta: float | None = None
    """θ on the Reader's relevance logit: above it a reading may contradict the model. ``None``: as stored with the
    Reader."""
    floor: float | None = None
    """Below it a completion feeds back the passage without an answer (default profile only). ``None``: as stored
    with the Reader."""
    alpha: float = 0.35
    """α, ROUGE-L F above which a long answer agrees with the evidence (section 4.1.3)."""
    use_ir: bool = True
    use_verification: bool = True
    use_completion: bool = True
    streams_ir: bool = True
    """Search and read while the model writes, and cut generation at the first node that needs feedback."""
    reply: Literal["model", "template"] | None = None
    """Who writes the reply: the model from the path, or the deterministic template. ``None``: the model, unless it
    is the embedded one without an adapter for replies."""
    max_llm_calls: int = 12
    max_tokens: int = 8_000
    """Completion tokens of the whole run."""
    max_seconds: float = 180.0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("passages", 1, 100),
            ("max_rounds", 1, 20),
            ("max_llm_calls", 1, 100),
            ("max_tokens", 64, 1_000_000),
            ("max_seconds", 1, 3_600),
            ("alpha", 0, 1),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"setting {name!r} is {value!r}; it must lie between {low} and {high}")

    @classmethod
    def of(cls, profile: str = "default", **changes: Any) -> Settings:
        """The settings of ``profile``, with ``changes``.

        Raises:
            UsageError: an unknown profile or setting, or a value out of range.
        """
        if profile not in ("default", "paper"):
            raise UsageError(f"unknown profile {profile!r}; choose default or paper")
        unknown = set(changes) - {field.name for field in fields(cls)}
        if unknown:
            raise UsageError(f"unknown setting {sorted(unknown)[0]!r}; known: {', '.join(f.name for f in fields(cls))}")
        if profile == "paper":
            return replace(cls(profile="paper", passages=1, streams_ir=False), **changes)
        return replace(cls(), **changes)

    def with_thresholds(self, theta: float, floor: float) -> Settings:
        """These settings with a Reader's thresholds where none were set."""
        return replace(
            self, theta=theta if self.theta is None else self.theta, floor=floor if self.floor is None else self.floor
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values for the event log."""
        return asdict(self)
