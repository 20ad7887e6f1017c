"""The prompts of ``dsp``, and its demonstrations: what the plain program answers to the training questions."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypedDict

from lab.systems import answers
from lab.systems.demonstrations import Demonstration
from lab.systems.prepared import prepared
from lab.systems.run import Run
from lab.systems.steps import excerpt
from searchain.events import Event
from searchain.language import text
from searchain.types import Hit, Message

HOPS, KEPT, SOLVED = 2, 5, 3
QUERY_TOKENS, ANSWER_TOKENS = 96, 192
_QUERY = "Search query:"

Turn = Sequence[str]
"""What the user asks, and what the model replies."""


class Solved(TypedDict):
    """A training question as the model is shown it."""

    queries: list[Turn]
    """One for each hop."""
    answer: Turn


def shown_runs(run: Run) -> Generator[Event, None, list[Solved]]:
    """The first training questions that the plain program answers rightly from a passage, with all its turns; where it
    answers none, the first ones as they were solved by hand, so that the model knows the form."""
    training = training_set(run)
    first = messages(run, "dsp-query", "", ())[0].content
    key = (run.parts.model.name, run.parts.index, run.kind, first, *(one.question for one in training))

    def make() -> list[Solved]:
        right: list[Solved] = []
        for one in training:
            if len(right) < SOLVED and (turns := _plain(run, one)):
                right.append(turns)
        return right or [_by_hand(one) for one in training[:SOLVED]]

    calls = (HOPS + 1) * len(training)
    solved: list[Solved] = yield from prepared("dsp", key, make, calls=calls, cancel=run.cancel)
    return solved


def _plain(run: Run, one: Demonstration) -> Solved | None:
    """The turns of the program without solved demonstrations; ``None`` where its answer or its passages are wrong."""
    lines, queries, hits = list[str](), list[Turn](), list[Hit]()
    for _ in range(HOPS):
        asked = asked_with(lines, one.question)
        written = run.prepare(messages(run, "dsp-query", asked, ()), max_tokens=QUERY_TOKENS)
        queries.append((asked, written))
        hits = run.search(query_of(written) or one.question, KEPT)
        lines = lines_of(written, hits)
    asked = asked_with(lines, one.question)
    written = run.prepare(messages(run, "dsp-answer", asked, ()), max_tokens=ANSWER_TOKENS)
    said, last = answers.short(answers.after_marker(written), run.kind), one.steps[-1].answer
    is_right = text.contains(one.answer, said) and any(text.contains(last, hit.passage.text) for hit in hits)
    return {"queries": queries, "answer": [asked, written]} if is_right else None


def _by_hand(one: Demonstration) -> Solved:
    known = [step.passage for step in one.steps[:-1]]
    first, last = one.steps[0], one.steps[-1]
    queries: list[Turn] = [
        (asked_with([], one.question), f"First we have to know: {first.query}\n{_QUERY} {first.query}"),
        (asked_with(known, one.question), f"{first.text}\n{_QUERY} {last.query}"),
    ]
    whole = asked_with([step.passage for step in one.steps], one.question)
    return {"queries": queries, "answer": [whole, f"{one.reasoning} {one.conclusion}"]}


def messages(run: Run, name: str, asked: str, turns: Sequence[Turn], bare: int | None = None) -> tuple[Message, ...]:
    """Instruction and bare demonstrations, the solved ones as turns, then what is ``asked``."""
    system, *_ = run.prompt(name, lambda _: (), shown=()).messages
    shown = "\n".join(f"Question: {one.question}\nAnswer: {one.answer}" for one in training_set(run)[:bare])
    said = [Message(role, one) for turn in turns for role, one in zip(("user", "assistant"), turn, strict=True)]
    return (Message("system", f"{system.content}\n\n{shown}".strip()), *said, Message("user", asked))


def training_set(run: Run) -> tuple[Demonstration, ...]:
    return run.demonstrations()


def asked_with(lines: Sequence[str], question: str) -> str:
    context = "\n".join(["Context:", *lines, ""]) if lines else ""
    return f"{context}Question: {question}"


def lines_of(written: str, hits: Sequence[Hit]) -> list[str]:
    """What the next hop starts from: the rationale of this one, and its passages."""
    rationale = written.partition(_QUERY)[0].strip()
    return [one for one in (rationale, *(excerpt(hit.passage, 2) for hit in hits)) if one]


def query_of(written: str) -> str:
    """The query that a reply ends with; ``""`` where it has none."""
    return written.rpartition(_QUERY)[2].strip().partition("\n")[0].strip() if _QUERY in written else ""
