"""``verify-and-edit``: where samples disagree, each thought is checked against a passage and written anew.

Zhao et al. 2023 (2305.03268). Uncertain is, as in the paper, what no majority of the samples agrees on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lab.systems.answers import before_marker
from lab.systems.cot import prompt, voted
from lab.systems.demonstrations import Demonstration
from lab.systems.run import Run
from searchain.events import Event
from searchain.language import text
from searchain.language.sentences import split
from searchain.llm.base import Form
from searchain.types import Node

MOST_SENTENCES, NEAREST, SHOWN, TOKENS = 5, 3, 3, 70
_THEREFORE = "So the final answer is:"


def verify_and_edit(run: Run) -> Iterator[Event]:
    """Vote; without a majority edit the thoughts of the best sample by what is found, and conclude anew."""
    texts, said, chosen = yield from voted(run, run.option("samples"))
    agreeing = sum(text.tokens(one) == text.tokens(said[chosen]) for one in said)
    if said[chosen] and 2 * agreeing > len(texts):
        yield from run.finish(said[chosen], texts[chosen])
        return
    edited = []
    thoughts = before_marker(texts[chosen])
    for start, end in split(thoughts)[:MOST_SENTENCES]:
        thought = thoughts[start:end]
        asked = f"Question: {run.question}\nSentence: {thought}"
        shown = run.demonstrations()[:SHOWN]
        words = run.prompt("verify-and-edit-question", _question, shown=shown, asked=asked, ask=_doubted)
        query = yield from run.write(alone=words.messages, max_tokens=TOKENS, form=Form.QUESTION)
        node = yield from run.look_up(query or thought)
        known = f"Passage: {_nearest(run, node)}\nQuestion: {node.query}"
        words = run.prompt("verify-and-edit-answer", _answer, shown=shown, asked=known, ask=_known)
        edited.append((yield from run.write(alone=words.messages, max_tokens=TOKENS)) or thought)
    reasoning = " ".join(one if one[-1] in ".!?" else f"{one}." for one in edited)
    words = prompt(run)
    last = yield from run.write(["\n"], alone=words.then(reasoning, _THEREFORE), max_tokens=TOKENS)
    yield from run.finish(run.answer_in(f"{_THEREFORE} {run.answer_in(last) or last}"), reasoning)


def _nearest(run: Run, node: Node) -> str:
    """The sentences of a step's passage that are nearest to its query, in their order."""
    if node.passage is None or run.reading == "reader":
        return run.quoted(node)
    body = node.passage.text
    limits = split(body)
    alike = run.parts.similarity or text.token_f1
    nearest = sorted(limits, key=lambda one: -alike(node.query, body[slice(*one)]))[:NEAREST]
    return f"{node.passage.title}: {' '.join(body[slice(*one)] for one in sorted(nearest))}"


def _doubted(one: Demonstration) -> str:
    return f"Question: {one.question}\nSentence: {one.steps[-1].text}"


def _question(one: Demonstration) -> Sequence[str]:
    return (one.steps[-1].query,)


def _known(one: Demonstration) -> str:
    return f"Passage: {one.steps[-1].passage}\nQuestion: {one.steps[-1].query}"


def _answer(one: Demonstration) -> Sequence[str]:
    return (one.steps[-1].text,)
