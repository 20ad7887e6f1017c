"""``dsp``: demonstrate, search, predict, with the multi-hop program.

Khattab et al. 2023 (2212.14024). The original keeps the summary of highest log-probability; a chat API gives none, so
here it is the first one.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from lab.systems.dsp_prompts import (
    ANSWER_TOKENS,
    HOPS,
    KEPT,
    QUERY_TOKENS,
    Turn,
    asked_with,
    lines_of,
    messages,
    query_of,
    shown_runs,
    training_set,
)
from lab.systems.run import Run
from lab.systems.searching import confirmed, fused
from searchain.events import Event, ModelFault
from searchain.llm.embedded import EmbeddedModel
from searchain.types import Hit, Message

MOST_CHARACTERS = 10_500
"""Of a prompt for the embedded model, whose context holds 4,096 tokens with the reply."""


def dsp(run: Run) -> Iterator[Event]:
    """Two hops of sampled queries and fused passages, then a vote of sampled answers."""
    solved, lines, found = (yield from shown_runs(run)), list[str](), []
    for _ in range(HOPS):
        asked = yield from _fitted(run, "dsp-query", lines, [turn for one in solved for turn in one["queries"]])
        texts = yield from run.sample(run.option("queries"), asked, max_tokens=QUERY_TOKENS)
        queries = [query_of(one) for one in texts]
        yield from run.weigh("queries", texts, queries, [queries.count(one) for one in queries], None)
        distinct = list(dict.fromkeys(filter(None, (*queries, run.question))))
        started = time.perf_counter()
        rankings: list[Sequence[Hit]] = [run.search(query, 3 * KEPT) for query in distinct]
        hits = fused(rankings, KEPT)
        found.append((yield from run.found_by(distinct[0], hits, time.perf_counter() - started)))
        lines = lines_of(texts[0], hits)
    turns: list[Any] = [one["answer"] for one in solved]
    asked = yield from _fitted(run, "dsp-answer", lines, turns)
    texts = yield from run.sample(run.option("answers"), asked, max_tokens=ANSWER_TOKENS)
    said = [run.answer_in(one) for one in texts]
    chosen = yield from run.vote(texts, said)
    for node in found:
        yield from confirmed(run, node, said[chosen])
    yield from run.finish(said[chosen], texts[chosen])


def _fitted(
    run: Run, name: str, lines: Sequence[str], turns: Sequence[Turn]
) -> Generator[Event, None, tuple[Message, ...]]:
    """The prompt of one stage; what the embedded model's context cannot hold is left out, passages last."""
    bare, shown, told, left_out = len(training_set(run)), list(turns), list(lines), 0
    limit = MOST_CHARACTERS if isinstance(run.parts.model, EmbeddedModel) else 10**9
    while True:
        asked = messages(run, name, asked_with(told, run.question), shown, bare)
        if sum(len(one.content) for one in asked) <= limit or not (bare or shown or told):
            break
        left_out += 1
        if bare:
            bare -= 1
        else:
            (shown.pop if shown else told.pop)()
    if left_out:
        what = f"the prompt of {name} is too long for the model's context by {left_out} demonstrations or passages"
        yield ModelFault(what=what, action="left these out")
    return asked
