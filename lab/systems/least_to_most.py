"""``least-to-most``: the question is cut into simpler ones, and each is answered with the answers before it.

Zhou et al. 2023 (2205.10625).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lab.systems import answers
from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event

MOST_PARTS = 5


def least_to_most(run: Run) -> Iterator[Event]:
    """Reduce, then solve; the question itself is the last part."""
    reduced = yield from run.write(alone=run.prompt("least-to-most-parts", _parts).messages, max_tokens=128)
    parts = [one for one in re.findall(r"[\"“]([^\"“”]+)[\"”]", reduced) if one != run.question][:MOST_PARTS]
    questions = [*parts, run.question]
    words, said = run.prompt("least-to-most", _solved, asked=f"Question: {questions[0]}"), list[str]()
    for question in questions:
        if said:
            said.append(f"Question: {question}")
        text = yield from run.write(alone=words.then(*said), max_tokens=128)
        answer = answers.after_marker(text) or text
        yield from run.step(question, answer)
        said.append(text)
    yield from run.finish(answer, text if answers.after_marker(text) else "")


def _parts(one: Demonstration) -> Sequence[str]:
    quoted = ", ".join(f'"{step.query}"' for step in one.steps)
    return (f"To answer this, we first have to know: {quoted}.",)


def _solved(one: Demonstration) -> Sequence[str]:
    return (f"{one.reasoning} {one.conclusion}",)
