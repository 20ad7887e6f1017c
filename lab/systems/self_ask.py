"""``self-ask`` and ``self-ask-no-ir``: the model asks itself follow-up questions, which a search answers.

Press et al. 2023 (2210.03350). The original asks a search engine for the answer; here it is what the Reader reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event

_FOLLOW_UP, _BETWEEN, _END = "Follow up:", "Intermediate answer:", "So the final answer is:"


def self_ask(run: Run) -> Iterator[Event]:
    """Follow-ups, each answered by a search, until the model asks none."""
    run.begin(run.prompt("self-ask", _with_search))
    for _ in range(run.option("loops")):
        text = yield from run.write([_BETWEEN], max_tokens=128)
        query = text.splitlines()[-1].partition(_FOLLOW_UP)[2].strip() if text else ""
        if not query or run.was_asked(query):
            break
        node = yield from run.look_up(query)
        run.say(f"{_BETWEEN} {run.told(node)}.")
    if _END not in run.text:
        run.say(_END)
        last = yield from run.write(["\n"], max_tokens=64)
        yield from run.finish(run.answer_in(f"{_END} {last}"), f"{_END} {last}")
        return
    yield from run.finish(run.answer_in(run.text), _END + run.text.partition(_END)[2])


def self_ask_no_ir(run: Run) -> Iterator[Event]:
    """One reply in which the model answers its own follow-ups."""
    text = yield from run.write(alone=run.prompt("self-ask", _alone).messages)
    query = ""
    for line in text.splitlines():
        query = line.partition(_FOLLOW_UP)[2].strip() or query
        if query and line.startswith(_BETWEEN):
            yield from run.step(query, line.removeprefix(_BETWEEN).strip().removesuffix("."))
            query = ""
    yield from run.finish(run.answer_in(text), _END + text.partition(_END)[2] if _END in text else text)


def _with_search(one: Demonstration) -> Sequence[str]:
    said: list[str] = []
    for step in one.steps:
        said += [f"{_FOLLOW_UP} {step.query}", f"{_BETWEEN} {step.answer}."]
    said[0] = f"Are follow up questions needed here: Yes.\n{said[0]}"
    return (*said, one.conclusion)


def _alone(one: Demonstration) -> Sequence[str]:
    return ("\n".join(_with_search(one)),)
