"""The settings of one run: a frozen value, built once, stored with the turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from searchain.errors import UsageError
from searchain.types import TaskKind

Profile = Literal["default", "paper"]
Careful = Literal["off", "check", "write"]
"""What the careful model does: nothing, read again what is not sure, or plan and write."""

LIKELY = 0.5
"""From this probability on a reading may contradict the model."""
UNLIKELY = 0.04
"""Below this probability a reading answers nothing."""
MOST_CALLS, MOST_TOKENS = 2_000, 1_000_000
"""That any budget allows."""
NAMED_ELSEWHERE = ("profile", "system", "task", "options")
"""Settings that ``--set`` does not set: they follow from the system, its options and the data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """What a profile does besides the algorithm of the paper. Only the last field is a part of it."""

    compares_names: bool = False
    """Short answers agree when they name the same thing, instead of when the model's contains what was read."""
    judges_labels: bool = False
    """Yes/no questions, claims and comparisons are judged by stance, instead of by the span that was read."""
    reads_kinds: bool = False
    """A span of the kind that is asked for is preferred to a likelier one, and an enumeration is taken whole."""
    seeks_witness: bool = False
    """A passage that confirms the model's answer is preferred to a chosen one that contradicts it."""
    quotes_windows: bool = False
    """Long answers are judged by and completed with a few sentences, instead of the whole passage or its span."""
    has_floor: bool = False
    """A reading below ``Settings.floor`` completes no step."""
    decides_by_question: bool = False
    """The question itself is looked up as the last step where the chain did not settle it."""
    checks_sentences: bool = False
    """Each sentence of the reply is checked against the passages that it cites."""
    rates: bool = False
    """A calibrated probability says how likely each answer is right, and which replies are supported."""
    knows_small_talk: bool = False
    """What is not a question to a library is answered without a search, and the spelling of a question is corrected."""
    looks_up_question: bool = False
    """The question itself is looked up while the model plans, and weighed against the end of its chain."""
    guards_plans: bool = False
    """A step that does not belong to the question is left out, where the model does not plan well."""
    program_may_answer: bool = False
    """The program may compare, copy and quote in the place of a model that it helps, and end a finished chain."""
    model_has_last_word: bool = False
    """What a model answers to feedback is in force (a′ of the paper); else only what a capable one answers."""


_METHODS: dict[Profile, Method] = {
    "paper": Method(model_has_last_word=True),
    "default": Method(
        compares_names=True,
        judges_labels=True,
        reads_kinds=True,
        seeks_witness=True,
        quotes_windows=True,
        has_floor=True,
        decides_by_question=True,
        checks_sentences=True,
        rates=True,
        knows_small_talk=True,
        looks_up_question=True,
        guards_plans=True,
        program_may_answer=True,
    ),
}


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
    """``None``: as the operator named, else ``check`` where the careful model is installed."""
    reading: Literal["reader", "passage"] | None = None
    """What a compared system gets from a lookup: what the Reader read, or the passage. ``None``: the Reader's for the
    embedded model, else the passage."""
    without: str = ""
    """Parts of the profile that the run leaves out, by the names of ``Method``'s fields with commas between: an
    ablation."""
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
        if unknown := self._left_out - {one.name for one in fields(Method)}:
            known = ", ".join(one.name for one in fields(Method))
            raise UsageError(f"setting 'without' names {min(unknown)!r}; a method has: {known}")
        for name, low, high in (
            ("passages", 1, 100),
            ("max_rounds", 1, 20),
            ("max_llm_calls", 1, MOST_CALLS),
            ("max_tokens", 64, MOST_TOKENS),
            ("max_seconds", 1, 3_600),
            ("alpha", 0, 1),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"setting {name!r} is {value!r}; it must lie between {low} and {high}")

    @classmethod
    def of(cls, /, profile: str = "default", *, beside: Collection[str] = (), **changes: Any) -> Settings:
        """The settings of ``profile``, with ``changes``; ``beside`` are options that may be set as well.

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
        return self.method.rates and self.use_ir and self.use_verification and self.use_completion

    @property
    def method(self) -> Method:
        """What the profile does; not part of ``as_dict``, which names the profile."""
        return replace(_METHODS[self.profile], **dict.fromkeys(self._left_out, False))

    @property
    def _left_out(self) -> set[str]:
        return set(filter(None, self.without.replace(" ", "").split(",")))

    def is_sure(self, confidence: float, probability: float | None = None) -> bool:
        """Whether a reading may contradict the model: it is likely right, or where that was not measured, f > θ."""
        if probability is not None:
            return probability >= LIKELY
        return self.theta is not None and confidence > self.theta

    def is_too_weak(self, confidence: float, probability: float | None = None) -> bool:
        """Whether a reading completes no step: it is hardly ever right, or where that was not measured, f < floor."""
        if probability is not None:
            return self.method.has_floor and probability < UNLIKELY
        return self.method.has_floor and self.floor is not None and confidence < self.floor

    def as_dict(self) -> dict[str, Any]:
        """Plain values for the event log; ``careful`` only where the careful model does something, ``without`` only
        where a part is left out."""
        values = asdict(self)
        if not self.without:
            del values["without"]
        if self.careful in (None, "off"):
            del values["careful"]
        return values


@cache
def _kinds() -> dict[str, tuple[Any, ...]]:
    """The types that the value of each setting may have."""
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
    """What a value of ``kind`` is, in words; nothing for ``None``, which is what a setting has without a value."""
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
