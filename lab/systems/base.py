"""The methods that SearChain is compared with, beside its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil, prod
from typing import Any

from lab.systems.answering import Answering, Course
from lab.systems.auto_cot import auto_cot
from lab.systems.cot import cot, cot_sc
from lab.systems.direct import direct
from lab.systems.direct_retrieval import direct_retrieval
from lab.systems.dsp import dsp
from lab.systems.few_shot import few_shot
from lab.systems.least_to_most import least_to_most
from lab.systems.plan_and_solve import plan_and_solve, plan_and_solve_ir
from lab.systems.react import react_cot_sc
from lab.systems.recite import recite
from lab.systems.self_ask import self_ask, self_ask_no_ir
from lab.systems.toolformer import toolformer
from lab.systems.tree_of_thought import tree_of_thought_ir
from lab.systems.verify_and_edit import verify_and_edit
from searchain.errors import UsageError
from searchain.methods.base import OWN, Answerer, System
from searchain.pipeline import SearChain
from searchain.settings import MOST_CALLS, MOST_TOKENS, Settings

SECONDS_A_CALL = 20.0
"""What a call may take before the run's budget ends: a small model on two slow cores writes 256 tokens in 10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(System):
    """A method that answers in its own way, with the parts of SearChain."""

    course: Course
    """What it does with a question."""
    options: dict[str, int] = field(default_factory=dict)
    """The numbers of the publication."""
    small: dict[str, int] = field(default_factory=dict)
    """Smaller numbers, for a question asked by hand and for ``--small``."""

    def settings(self, /, *, is_small: bool = False, **changes: Any) -> Settings:
        """As ``System.settings``; a name of its ``options`` among the changes is an option."""
        if self.uses_ir and changes.get("use_ir") is False:
            raise UsageError(
                f"the system {self.name!r} always searches; without a search choose {self.without_search!r}"
            )
        known = {*self.options, "examples"}
        own = {name: _number(name, changes.pop(name)) for name in known & set(changes)}
        options = {**(self.small if is_small else {}), **own}
        return self._settings(
            changes,
            beside=known,
            **self._budget({**self.options, **options}),
            **({"options": options} if options else {}),
        )

    @property
    def without_search(self) -> str:
        """The system that does the same without a search, else the one that only thinks."""
        partners = (f"{self.name}-no-ir", self.name.removesuffix("-ir"), self.name.removesuffix("-retrieval"))
        return next((one for one in partners if one != self.name and one in SYSTEMS), "cot")

    def make(self, searchain: SearChain, questions: Sequence[str] = ()) -> Answerer:
        return Answering(searchain, self.course, self.options, questions)

    def _budget(self, options: Mapping[str, int]) -> dict[str, Any]:
        """A budget of its own, for the systems that take more calls than SearChain; larger options enlarge it."""
        if self.calls < 3:
            return {}
        larger = prod(max(1.0, options[name] / number) for name, number in self.options.items())
        calls = min(ceil(2 * self.calls * larger) + 4, MOST_CALLS)
        return {
            "max_llm_calls": calls,
            "max_tokens": min(256 * calls, MOST_TOKENS),
            "max_seconds": min(max(180.0, SECONDS_A_CALL * calls), 3_600.0),
        }


class FewShot(System):
    """SearChain with an untrained model and the demonstrations of the others."""

    __slots__ = ()

    def make(self, searchain: SearChain, questions: Sequence[str] = ()) -> Answerer:
        return few_shot(searchain)


def reads_demonstrations(system: System) -> bool:
    """Whether ``system`` reads ``lab/systems/prompts`` and ``lab/systems/demos``."""
    return isinstance(system, FewShot) or (isinstance(system, Compared) and not system.name.startswith("direct"))


def options_of(system: System, *, is_small: bool = False) -> Mapping[str, int]:
    """The numbers of ``system``: those of its publication, or its smaller ones; none for SearChain itself."""
    if not isinstance(system, Compared):
        return {}
    return system.small if is_small else system.options


def _number(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100:
        raise UsageError(f"option {name!r} is {value!r}; it must be a whole number from 1 to 100")
    return value


_with = partial(Compared, group="With passages")
_without = partial(Compared, group="Without passages", changes={"use_ir": False})

COMPARED: tuple[System, ...] = (
    FewShot(
        name="searchain-few-shot",
        about="with an untrained model and the demonstrations of the others",
        group="SearChain",
        calls=4,
    ),
    _without(name="direct", about="the model alone, asked once", course=direct, calls=1),
    _with(name="direct-retrieval", about="the question itself is looked up once", course=direct_retrieval, calls=1),
    _without(name="cot", about="thinks step by step", course=cot, calls=1),
    _without(name="auto-cot", about="thinks step by step, after examples of its own", course=auto_cot, calls=1),
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

SYSTEMS = {**OWN, **{system.name: system for system in COMPARED}}
"""All methods, by name."""
