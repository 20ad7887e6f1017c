"""What a system is, and those that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, prod
from typing import Any, Literal, Protocol

from searchain.cancel import CancelToken
from searchain.errors import UsageError
from searchain.events import Event
from searchain.llm.base import LanguageModel
from searchain.pipeline import SearChain
from searchain.settings import MOST_CALLS, MOST_TOKENS, Settings
from searchain.systems.answering import Answering, Course
from searchain.systems.auto_cot import auto_cot
from searchain.systems.cot import cot, cot_sc
from searchain.systems.direct import direct
from searchain.systems.direct_retrieval import direct_retrieval
from searchain.systems.dsp import dsp
from searchain.systems.few_shot import few_shot
from searchain.systems.least_to_most import least_to_most
from searchain.systems.plan_and_solve import plan_and_solve, plan_and_solve_ir
from searchain.systems.react import react_cot_sc
from searchain.systems.recite import recite
from searchain.systems.self_ask import self_ask, self_ask_no_ir
from searchain.systems.toolformer import toolformer
from searchain.systems.tree_of_thought import tree_of_thought_ir
from searchain.systems.verify_and_edit import verify_and_edit
from searchain.types import Exchange

Group = Literal["SearChain", "With passages", "Without passages"]
SECONDS_A_CALL = 20.0
"""What a call may take before the run's budget ends: a small model on two slow cores writes 256 tokens in 10."""


class Answerer(Protocol):
    """Answers questions. Thread-safe."""

    settings: Settings
    model: LanguageModel
    index: str

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """All events of one run, the last one ``RunFinished``; as ``SearChain.stream``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One method by name: the settings that make it, and how it is put together."""

    name: str
    about: str
    """What it does, in a few words."""
    group: Group
    course: Course | None = None
    """What it does with a question; ``None`` for SearChain itself."""
    calls: int
    """About how many calls of the model a question takes, as published."""
    small_calls: int | None = None
    """The same with the options ``small``, where it has any."""
    options: dict[str, int] = field(default_factory=dict)
    """The numbers of the publication."""
    small: dict[str, int] = field(default_factory=dict)
    """Smaller numbers, for a question asked by hand and for ``--small``."""
    profile: str = "default"
    changes: dict[str, Any] = field(default_factory=dict)
    """Settings that make the system."""

    @property
    def uses_ir(self) -> bool:
        return self.changes.get("use_ir", True)

    @property
    def reads_demonstrations(self) -> bool:
        """Whether it reads ``prompts/systems`` and ``prompts/demos``."""
        is_compared = self.course is not None and not self.name.startswith("direct")
        return is_compared or self.name == "searchain-few-shot"

    def settings(self, /, *, is_small: bool = False, **changes: Any) -> Settings:
        """The system's settings with ``changes``; a name of its ``options`` among them is an option.

        Raises:
            UsageError: an unknown setting, a value out of range, or one that this system is made by.
        """
        if self.course is not None and self.uses_ir and changes.get("use_ir") is False:
            raise UsageError(
                f"the system {self.name!r} always searches; without a search choose {self.without_search!r}"
            )
        if clash := set(changes) & {*self.changes, "system"}:
            raise UsageError(f"setting {min(clash)!r} is what makes the system {self.name!r}; choose another system")
        known = {*self.options, "examples"} if self.course else set[str]()
        own = {name: _number(name, changes.pop(name)) for name in known & set(changes)}
        options = {**(self.small if is_small else {}), **own}
        made = {
            **self._budget({**self.options, **options}),
            **self.changes,
            "system": self.name,
            **({"options": options} if options else {}),
        }
        return Settings.of(self.profile, beside=known, **made | changes)

    @property
    def without_search(self) -> str:
        """The system that does the same without a search, else the one that only thinks."""
        partners = (f"{self.name}-no-ir", self.name.removesuffix("-ir"), self.name.removesuffix("-retrieval"))
        return next((one for one in partners if one != self.name and one in SYSTEMS), "cot")

    def _budget(self, options: Mapping[str, int]) -> dict[str, Any]:
        """A budget of its own, for the systems that take more calls than SearChain; larger options enlarge it."""
        if self.course is None or self.calls < 3:
            return {}
        larger = prod(max(1.0, options[name] / number) for name, number in self.options.items())
        calls = min(ceil(2 * self.calls * larger) + 4, MOST_CALLS)
        return {
            "max_llm_calls": calls,
            "max_tokens": min(256 * calls, MOST_TOKENS),
            "max_seconds": min(max(180.0, SECONDS_A_CALL * calls), 3_600.0),
        }

    def make(self, searchain: SearChain, questions: Sequence[str] = ()) -> Answerer:
        """The system with the parts of ``searchain``; ``questions`` are others of the same data set."""
        if self.course is not None:
            return Answering(searchain, self.course, self.options, questions)
        return few_shot(searchain) if self.name == "searchain-few-shot" else searchain


def _number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100:
        raise UsageError(f"option {name!r} is {value!r}; it must be a whole number from 1 to 100")
    return value


_searchain = partial(System, group="SearChain", calls=4)
_with = partial(System, group="With passages")
_without = partial(System, group="Without passages", changes={"use_ir": False})

SYSTEMS = {
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
        _searchain(name="searchain-few-shot", about="with an untrained model and the demonstrations of the others"),
        _without(name="direct", about="the model alone, asked once", course=direct, calls=1),
        _with(name="direct-retrieval", about="the question itself is looked up once", course=direct_retrieval, calls=1),
        _without(name="cot", about="thinks step by step", course=cot, calls=1),
        _without(
            name="auto-cot",
            about="thinks step by step, after examples of its own",
            course=auto_cot,
            calls=1,
        ),
        _without(
            name="cot-sc",
            about="the vote of several texts of thoughts",
            course=cot_sc,
            calls=40,
            small_calls=5,
            options={"samples": 40},
            small={"samples": 5},
        ),
        _without(
            name="recite",
            about="recites passages from memory, and votes",
            course=recite,
            calls=40,
            small_calls=10,
            options={"samples": 20},
            small={"samples": 5},
        ),
        _without(name="self-ask-no-ir", about="asks itself follow-up questions", course=self_ask_no_ir, calls=1),
        _without(name="least-to-most", about="from the simplest part to the whole", course=least_to_most, calls=5),
        _without(name="plan-and-solve", about="a plan, then its solution", course=plan_and_solve, calls=2),
        _with(
            name="plan-and-solve-ir",
            about="a plan, looked up at once, then its solution",
            course=plan_and_solve_ir,
            calls=3,
        ),
        _with(
            name="toolformer",
            about="calls a question-answering tool in its text",
            course=toolformer,
            calls=2,
            options={"calls": 1},
        ),
        _with(
            name="self-ask",
            about="asks follow-up questions, which a search answers",
            course=self_ask,
            calls=4,
            options={"loops": 5},
        ),
        _with(
            name="react-cot-sc",
            about="thinks and acts in turn; else a vote",
            course=react_cot_sc,
            calls=25,
            small_calls=9,
            options={"steps": 7, "samples": 21},
            small={"samples": 5},
        ),
        _with(
            name="verify-and-edit",
            about="where its samples disagree, mends their thoughts",
            course=verify_and_edit,
            calls=11,
            options={"samples": 5},
        ),
        _with(
            name="tree-of-thought-ir",
            about="draws sub-questions, votes, looks up the best",
            course=tree_of_thought_ir,
            calls=26,
            small_calls=14,
            options={"depth": 3, "thoughts": 5, "votes": 5},
            small={"thoughts": 3, "votes": 3},
        ),
        _with(
            name="dsp",
            about="two hops of many queries, then a vote",
            course=dsp,
            calls=40,
            small_calls=11,
            options={"queries": 10, "answers": 20},
            small={"queries": 3, "answers": 5},
        ),
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
