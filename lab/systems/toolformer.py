"""``toolformer``: the model writes a call of a question-answering tool into its text.

Schick et al. 2023 (2302.04761). The original was fine-tuned and began a call where its token was among the likeliest;
an API does not allow that, so here demonstrations show the calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event

_ARROW = "->"
_CALL = re.compile(r"\[QA\(\s*[\"“']?(.+?)[\"”']?\s*\)\s*$", re.DOTALL)


def toolformer(run: Run) -> Iterator[Event]:
    """One text with calls, each answered by a search where it stands; the calls are left out of the reply."""
    calls = run.option("calls")
    run.begin(run.prompt("toolformer", lambda one: _calling(one, calls)))
    told: list[str] = []
    for left in range(calls, -1, -1):
        text = yield from run.write([_ARROW])
        call = _CALL.search(text)
        told.append(text[: call.start()].strip() if call else text)
        if call is None or not left:
            break
        node = yield from run.look_up(call[1].strip())
        run.say(f"{_ARROW} {run.told(node)}]")
    text = " ".join(filter(None, told))
    yield from run.finish(run.answer_in(text), text)


def _calling(one: Demonstration, calls: int) -> Sequence[str]:
    """The last ``calls`` steps are asked of the tool, those before are known."""
    said = [" ".join(step.text for step in one.steps[:-calls])]
    for step in one.steps[-calls:]:
        said[-1] = f'{said[-1]} [QA("{step.query}")'.strip()
        said += [f"{_ARROW} {step.answer}]", step.text]
    said[-1] += f" {one.conclusion}"
    return said
