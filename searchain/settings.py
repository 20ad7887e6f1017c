"""The settings of one run: a frozen value, built once, stored with the turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from searchain.errors import UsageError
from searchain.types import Abilities, Search, TaskKind

Profile = Literal["default", "paper"]
Careful = Literal["off", "check", "write"]
"""The use of the careful model: none, a review of unsure replies, or to plan and write."""

LIKELY = 0.5
"""Least probability with which a reading may contradict the model."""
UNLIKELY = 0.04
"""Least probability with which a reading may answer a step."""
MOST_CALLS, MOST_TOKENS, MOST_SECONDS = 2_000, 1_000_000, 3_600
"""The greatest budgets that a run may have."""
NAMED_ELSEWHERE = ("profile", "system", "task", "options")
"""Settings that ``--set`` does not set: they follow from the system, its options and the data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """What a run does besides the algorithm of the paper, by its profile and by what its model does well.

    All but the first and the last field are parts that an ablation may leave out. Which help a model gets is decided by
    its abilities, never by its name; ``docs/negative-results.md`` lists help that did not pay.
    """

    follows_paper: bool = False
    """Whether only the algorithm of the paper is run: the profile ``paper``."""
    reads_kinds: bool = True
    """A span of the kind that is asked for is preferred to a likelier one, and an enumeration is taken whole."""
    looks_up_question: bool = True
    """The question itself is looked up while the model plans, and weighed against the end of its chain."""
    decides_by_question: bool = True
    """The question itself is looked up as the last step where the chain did not settle it."""
    rates: bool = True
    """A calibrated probability says how likely each answer is right, and which replies are supported."""
    program_may_answer: bool = True
    """The program may compare, copy and quote in the place of a model that it helps, and end a finished chain."""
    abilities: Abilities = Abilities.CAPABLE
    """The abilities of the run's language model."""

    @property
    def is_brief(self) -> bool:
        """Whether the model gets short prompts, one per reply, in the forms that it was trained on."""
        return self.abilities is Abilities.TRAINED

    @property
    def helps(self) -> bool:
        """Whether the program ends a finished chain, asks what a comparison left open, and compares values."""
        return self.program_may_answer and not self._is_capable

    @property
    def writes(self) -> bool:
        """Whether the program begins a new branch, takes the short answer from the last step, and quotes passages."""
        return self.program_may_answer and self.is_brief

    @property
    def resolves(self) -> bool:
        """Whether follow-ups are made standalone without the language model."""
        return not self._is_capable

    @property
    def keeps_word(self) -> bool:
        """Whether the model's answer after seeing a passage counts, even against the reading of that passage (a′)."""
        return self._is_capable or self.follows_paper

    @property
    def _is_capable(self) -> bool:
        return self.abilities is Abilities.CAPABLE


def _without(parts: Collection[str]) -> dict[str, Any]:
    return dict.fromkeys(parts, False)


PARTS = tuple(one.name for one in fields(Strategy))[1:-1]
"""The parts that an ablation may leave out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How SearChain runs.

    ``Settings.of(profile)`` gives a profile's values. The three ``use_*`` fields are the ablations.
    """

    profile: Profile = "default"
    system: str = "searchain"
    """The method, as ``lab.systems.base`` names it."""
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
    """Who writes the reply: the model from the path, or the program, which quotes the passages. ``None``: the model,
    unless it is too small to word what the passages say."""
    careful: Careful | None = None
    """``None``: as the operator named, else ``check`` where the careful model is installed and no other is named."""
    reading: Literal["reader", "passage"] | None = None
    """What a compared system gets from a lookup: what the Reader read, or the passage. ``None``: the Reader's for the
    embedded model, else the passage."""
    first_call: Literal["passages", "plan"] | None = None
    """What a model gets first: the passages that the question finds, or the question alone, to plan a chain. ``None``:
    passages, if the model is capable and the profile is not the paper's."""
    search: Search | None = None
    """How passages are found. ``None``: by words and meaning among own documents, else by meaning."""
    without: str = ""
    """Parts of the profile that the run leaves out, by the names of ``PARTS`` with commas between: an ablation."""
    options: dict[str, int] = field(default_factory=dict)
    """Numbers that a compared system knows, such as ``samples``, where they differ from its own."""
    max_llm_calls: int = 12
    max_tokens: int = 8_000
    """Completion tokens of the whole run."""
    max_seconds: float = 180.0

    def __post_init__(self) -> None:
        for name, kinds in _kinds().items():
            if not any(_is(kind, getattr(self, name)) for kind in kinds):
                wanted = " or ".join(one for kind in kinds for one in _wanted(kind))
                raise UsageError(f"setting {name!r} is {getattr(self, name)!r}; it must be {wanted}")
        if unknown := self._left_out - set(PARTS):
            raise UsageError(f"setting 'without' names {min(unknown)!r}; it may name: {', '.join(PARTS)}")
        for name, low, high in (
            ("passages", 1, 100),
            ("max_rounds", 1, 20),
            ("max_llm_calls", 1, MOST_CALLS),
            ("max_tokens", 64, MOST_TOKENS),
            ("max_seconds", 1, MOST_SECONDS),
            ("alpha", 0, 1),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"setting {name!r} is {value!r}; it must lie between {low} and {high}")

    @classmethod
    def of(cls, /, profile: str = "default", *, beside: Collection[str] = (), **changes: Any) -> Settings:
        """Return the settings of ``profile``, with ``changes``; ``beside`` are options that may be set as well.

        Raises:
            UsageError: an unknown profile or setting, or a value of another type or out of range.
        """
        if profile not in ("default", "paper"):
            raise UsageError(f"unknown profile {profile!r}; choose default or paper")
        unknown = set(changes) - {one.name for one in fields(cls)}
        if unknown:
            known = [*sorted(beside), *(one.name for one in fields(cls) if one.name not in NAMED_ELSEWHERE)]
            raise UsageError(f"unknown setting {min(unknown)!r}; known: {', '.join(known)}")
        if profile == "paper":
            return replace(cls(profile="paper", system="searchain-paper", passages=1, streams_ir=False), **changes)
        return replace(cls(), **changes)

    def with_thresholds(self, theta: float, floor: float) -> Settings:
        """These settings with a Reader's thresholds where none were set."""
        return replace(
            self, theta=theta if self.theta is None else self.theta, floor=floor if self.floor is None else self.floor
        )

    @property
    def may_be_reviewed(self) -> bool:
        """Whether a second reading may change the reply: not the paper's, and of no ablation."""
        return self.strategy.rates and self.use_ir and self.use_verification and self.use_completion

    @property
    def strategy(self) -> Strategy:
        """What the profile does, with a capable model; not part of ``as_dict``, which names the profile."""
        if self.follows_paper:
            return replace(Strategy(follows_paper=True), **_without(PARTS))
        return replace(Strategy(), **_without(self._left_out))

    def shows_passages_first(self, abilities: Abilities) -> bool:
        """Return whether a model of these abilities sees passages before it writes."""
        is_whole = self.use_ir and self.use_completion and self.use_verification
        if self.follows_paper or not is_whole or self.reply == "template":
            return False
        return self.first_call == "passages" or (self.first_call is None and abilities is Abilities.CAPABLE)

    def strategy_for(self, abilities: Abilities) -> Strategy:
        """Return the strategy of a run with a model of these abilities."""
        return replace(self.strategy, abilities=abilities)

    @property
    def follows_paper(self) -> bool:
        """Whether nothing is done besides the algorithm of the paper."""
        return self.profile == "paper"

    @property
    def _left_out(self) -> set[str]:
        return set(filter(None, self.without.replace(" ", "").split(",")))

    def is_sure(self, confidence: float, probability: float | None = None) -> bool:
        """Tell whether a reading may contradict the model: by its probability, or if not measured, by f > θ."""
        if probability is not None:
            return probability >= LIKELY
        return self.theta is not None and confidence > self.theta

    def is_too_weak(self, confidence: float, probability: float | None = None) -> bool:
        """Tell whether a reading may complete no step: by its probability, or if not measured, by f < floor."""
        if probability is not None:
            return not self.follows_paper and probability < UNLIKELY
        return not self.follows_paper and self.floor is not None and confidence < self.floor

    def as_dict(self) -> dict[str, Any]:
        """Plain values for the event log; ``careful`` only where the careful model does something, ``without`` and
        ``search`` only where they are set."""
        values = asdict(self)
        for name in ("without", "search"):
            if not values[name]:
                del values[name]
        if self.careful in (None, "off"):
            del values["careful"]
        return values


@cache
def _kinds() -> dict[str, tuple[Any, ...]]:
    """Return the types that the value of each setting may have."""
    hints = get_type_hints(Settings)
    return {name: get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,) for name, hint in hints.items()}


def _is(kind: Any, value: Any) -> bool:
    if get_origin(kind) is Literal or kind is TaskKind:
        return isinstance(value, str) and value in (get_args(kind) or list(TaskKind))
    if kind in (int, float):
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return is_whole or (isinstance(value, kind) and isinstance(value, float) and isfinite(value))
    return isinstance(value, get_origin(kind) or kind)


def _wanted(kind: Any) -> Iterator[str]:
    """Yield descriptions of the values of ``kind``; nothing for ``None``, which stands for an unset setting."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif kind is TaskKind:
        yield from map(str, TaskKind)
    elif kind is not type(None):
        yield _WORDS[get_origin(kind) or kind]


_WORDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
    dict: "options by their names",
}
