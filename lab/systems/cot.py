"""``cot`` and ``cot-sc``: chain of thought, once or as a vote of samples.

Wei et al. 2022 (2201.11903); Wang et al. 2023 (2203.11171).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run, Words
from searchain.events import Event


def cot(run: Run) -> Iterator[Event]:
    """One text of thoughts that ends with the answer."""
    text = yield from run.write(alone=prompt(run).messages)
    yield from run.step(run.question, run.answer_in(text))
    yield from run.finish(run.answer_in(text), text)


def cot_sc(run: Run) -> Iterator[Event]:
    """Self-consistency: the answer that most of several drawn texts give."""
    texts, said, chosen = yield from voted(run, run.option("samples"))
    yield from run.step(run.question, said[chosen])
    yield from run.finish(said[chosen], texts[chosen])


def voted(run: Run, n: int) -> Generator[Event, None, tuple[list[str], list[str], int]]:
    """``n`` drawn texts, the answer of each, and the place of the one that won the vote."""
    texts = yield from run.sample(n, prompt(run).messages)
    said = [run.answer_in(text) for text in texts]
    chosen = yield from run.vote(texts, said)
    return texts, said, chosen


def prompt(run: Run) -> Words:
    """The demonstrations with their thoughts, then the question."""
    return run.prompt("cot", thoughts)


def thoughts(one: Demonstration) -> Sequence[str]:
    """A demonstration as one text of thoughts."""
    return (f"{one.reasoning} {one.conclusion}",)
