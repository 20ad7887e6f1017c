"""``recite``: the model recites passages from memory, answers from each, and the answers are voted on.

Sun et al. 2023 (2210.01296).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.systems import answers
from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event
from searchain.types import TaskKind


def recite(run: Run) -> Iterator[Event]:
    """Recited passages are never sources: some are invented. Ties go to the shorter answer."""
    words = run.prompt("recite", _recited, asked=f"Question: {run.question}\n{_ASKED}", ask=_ask)
    passages = yield from run.sample(run.option("samples"), words.messages, max_tokens=128)
    asked = [run.prompt("recite-answer", _answered, asked=_given(one, run.question), ask=_known) for one in passages]
    texts = yield from run.replies(
        [one.messages for one in asked], max_tokens=64 if run.kind is not TaskKind.LONGFORM else 256
    )
    said = [run.answer_in(text) or answers.short(text.partition("\n")[0], run.kind) for text in texts]
    yield from run.weigh("recitations", passages, [""] * len(passages), [0] * len(passages), None)
    order = sorted(range(len(said)), key=lambda place: len(said[place]))
    votes, _ = answers.vote(said, run.kind)
    chosen = max(order, key=lambda place: votes[place])
    yield from run.weigh("answers", texts, said, votes, chosen)
    yield from run.step(run.question, said[chosen])
    yield from run.finish(said[chosen], texts[chosen])


_ASKED = "The answer can be found in these passages:"


def _ask(one: Demonstration) -> str:
    return f"Question: {one.question}\n{_ASKED}"


def _recited(one: Demonstration) -> Sequence[str]:
    return ("\n".join(step.passage for step in one.steps),)


def _given(passages: str, question: str) -> str:
    return f"{passages}\nQuestion: {question}"


def _known(one: Demonstration) -> str:
    return _given(_recited(one)[0], one.question)


def _answered(one: Demonstration) -> Sequence[str]:
    return (one.conclusion,)
