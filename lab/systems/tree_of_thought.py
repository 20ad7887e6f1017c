"""``tree-of-thought-ir``: several next sub-questions are drawn, the model votes, and the best one is looked up.

Yao et al. 2023 (2305.10601), breadth-first with one thought kept. The original answers no questions and searches
nothing; that only the kept thought is looked up is inferred.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from random import Random

from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from lab.systems.writing import TEMPERATURE
from searchain.events import Event
from searchain.llm.base import Form
from searchain.types import Message

_NEXT, _FINISH, _END = "Next:", "Finish:", "So the final answer is:"


def tree_of_thought_ir(run: Run) -> Iterator[Event]:
    """Propose, vote, look up; until the best thought is an end."""
    words, said = run.prompt("tree-of-thought", _thinking, asked=_asked(run.question), ask=_first), list[str]()
    known: list[str] = []
    for _ in range(run.option("depth")):
        texts = yield from run.sample(run.option("thoughts"), words.then(*said), max_tokens=64)
        thoughts = list(dict.fromkeys(filter(None, (text.partition("\n")[0].strip() for text in texts))))
        if not thoughts:
            break
        best = yield from _voted(run, thoughts, known)
        if best.startswith(_FINISH):
            final = best.removeprefix(_FINISH).strip()
            yield from run.finish(final, " ".join(known))
            return
        if run.was_asked(best):
            break
        node = yield from run.look_up(best)
        known.append(run.told(node) if run.reading == "passage" else run.quoted(node))
        said += [best, f"{run.told(node)}.\n{_NEXT}"]
    last = yield from run.write(["\n"], alone=_concluded(words.then(*said)), max_tokens=64)
    final = run.answer_in(last) or last.removeprefix(_FINISH).strip()
    yield from run.finish(final, f"{_END} {final}")


def _concluded(messages: Sequence[Message]) -> tuple[Message, ...]:
    """``messages``, whose last one asks for the final answer instead of the next thought."""
    *before, last = messages
    return (*before, Message(last.role, f"{last.content.removesuffix(_NEXT)}{_END}"))


def _voted(run: Run, thoughts: Sequence[str], known: Sequence[str]) -> Generator[Event, None, str]:
    """The thought with most votes, each cast on a list in another order; ties go to the first drawn."""
    votes = [0] * len(thoughts)
    if len(thoughts) > 1:
        orders = [Random(seed).sample(range(len(thoughts)), len(thoughts)) for seed in range(run.option("votes"))]
        ballots = [_ballot(run, [thoughts[place] for place in order], known) for order in orders]
        cast = yield from run.replies(ballots, temperature=TEMPERATURE, max_tokens=64, form=Form.CHOICE)
        for order, vote in zip(orders, cast, strict=False):
            number = re.search(r"\d+", vote)
            if number and 1 <= int(number[0]) <= len(order):
                votes[order[int(number[0]) - 1]] += 1
    chosen = votes.index(max(votes))
    yield from run.weigh("thoughts", thoughts, thoughts, votes, chosen)
    return thoughts[chosen]


def _ballot(run: Run, choices: Sequence[str], known: Sequence[str]) -> tuple[Message, ...]:
    listed = "\n".join(f"{number}. {one}" for number, one in enumerate(choices, 1))
    facts = "\n".join(f"Known: {one}" for one in known)
    asked = f"Question: {run.question}\n{facts}\nChoices:\n{listed}\nThe best choice is"
    return run.prompt("tree-of-thought-vote", lambda _: (), shown=(), asked=asked).messages


def _asked(question: str) -> str:
    return f"Question: {question}\n{_NEXT}"


def _first(one: Demonstration) -> str:
    return _asked(one.question)


def _thinking(one: Demonstration) -> Sequence[str]:
    said: list[str] = []
    for step in one.steps:
        said += [step.query, f"{step.answer}.\n{_NEXT}"]
    return (*said, f"{_FINISH} {one.answer}")
