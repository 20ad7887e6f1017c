"""``plan-and-solve`` and ``plan-and-solve-ir``: first the whole plan, then its solution.

Wang et al. 2023 (2305.04091). How the plan's steps are searched is not published: here all at once, as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event

MOST_STEPS = 6
_SOLUTION, _THEREFORE = "Solution:", "Therefore, the answer is"


def plan_and_solve(run: Run) -> Iterator[Event]:
    """Plan and solution in one reply."""
    words = run.prompt("plan-and-solve", _whole)
    run.begin(words)
    text = yield from run.write()
    yield from _concluded(run, text.rpartition(_SOLUTION)[2].strip())


def plan_and_solve_ir(run: Run) -> Iterator[Event]:
    """The plan's steps are looked up as one batch; the solution is written from what they found."""
    run.begin(run.prompt("plan-and-solve", _with_search))
    plan = yield from run.write([_SOLUTION], max_tokens=192)
    listed = (step.strip() for step in re.findall(r"^[ \t]*\d+[.)][ \t]*(\S.*)$", plan, re.MULTILINE))
    queries = list(dict.fromkeys(listed))[:MOST_STEPS]
    nodes = yield from run.look_up_all(queries)
    found = "".join(f"{number}. {run.told(node)}\n" for number, node in enumerate(nodes, 1))
    run.say(f"{found}{_SOLUTION}")
    text = yield from run.write()
    yield from _concluded(run, text)


def _concluded(run: Run, text: str) -> Iterator[Event]:
    final = run.answer_in(text)
    if not final:
        run.say(_THEREFORE)
        last = yield from run.write(["\n"], max_tokens=32)
        final = run.answer_in(last) or last
    if not run.settings.use_ir:
        yield from run.step(run.question, final)
    yield from run.finish(final, text)


def _plan(one: Demonstration) -> str:
    return "\n".join(f"{number}. {step.query}" for number, step in enumerate(one.steps, 1))


def _whole(one: Demonstration) -> Sequence[str]:
    return (f"{_plan(one)}\n{_SOLUTION} {one.reasoning} {one.conclusion}",)


def _with_search(one: Demonstration) -> Sequence[str]:
    found = "".join(f"{number}. {step.answer}\n" for number, step in enumerate(one.steps, 1))
    return (_plan(one), f"{found}{_SOLUTION}", f"{one.reasoning} {one.conclusion}")
