"""``dsp``: demonstrate, search, predict, with the multi-hop program.

Khattab et al. 2023 (2212.14024). The original keeps the summary of highest log-probability; a chat API gives none, so
here it is the first one.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence

from searchain.events import Event, ModelFault
from searchain.language import text
from searchain.llm.embedded import EmbeddedModel
from searchain.systems import answers
from searchain.systems.demonstrations import Demonstration
from searchain.systems.prepared import prepared
from searchain.systems.run import Run, excerpt
from searchain.systems.searching import confirmed, fused
from searchain.types import Hit, Message

HOPS, KEPT, SOLVED = 2, 5, 3
MOST_CHARACTERS = 10_500
"""Of a prompt for the embedded model, whose context holds 4,096 tokens with the reply."""
QUERY_TOKENS, ANSWER_TOKENS = 96, 192
_QUERY = "Search query:"

Turn = Sequence[str]
"""What the user asks, and what the model replies."""


def dsp(run: Run) -> Iterator[Event]:
    """Two hops of sampled queries and fused passages, then a vote of sampled answers."""
    solved, lines, found = _solved(run), list[str](), []
    for _ in range(HOPS):
        asked = yield from _fitted(run, "dsp-query", lines, [turn for one in solved for turn in one["queries"]])
        texts = yield from run.sample(run.option("queries"), asked, max_tokens=QUERY_TOKENS)
        queries = [_query(one) for one in texts]
        yield from run.weigh("queries", texts, queries, [queries.count(one) for one in queries], None)
        distinct = list(dict.fromkeys(filter(None, (*queries, run.question))))
        started = time.perf_counter()
        hits = fused([run.search(query, 3 * KEPT) for query in distinct], KEPT)
        found.append((yield from run.found_by(distinct[0], hits, time.perf_counter() - started)))
        lines = _lines(texts[0], hits)
    asked = yield from _fitted(run, "dsp-answer", lines, [one["answer"] for one in solved])
    texts = yield from run.sample(run.option("answers"), asked, max_tokens=ANSWER_TOKENS)
    said = [run.answer_in(one) for one in texts]
    chosen = yield from run.vote(texts, said)
    for node in found:
        yield from confirmed(run, node, said[chosen])
    yield from run.finish(said[chosen], texts[chosen])


def _solved(run: Run) -> list[dict[str, list[Turn]]]:
    """The first training questions that the plain program answers rightly from a passage, with all its turns; where it
    answers none, the first ones as they were solved by hand, so that the model knows the form."""
    training = _training(run)
    key = (run.parts.model.name, run.parts.index, run.kind, *(one.question for one in training))

    def make() -> list[dict[str, list[Turn]]]:
        right: list[dict[str, list[Turn]]] = []
        for one in training:
            if len(right) < SOLVED and (turns := _plain(run, one)):
                right.append(turns)
        return right or [_by_hand(one) for one in training[:SOLVED]]

    solved: list[dict[str, list[Turn]]] = prepared("dsp", key, make)
    return solved


def _plain(run: Run, one: Demonstration) -> dict[str, list[Turn]] | None:
    """The turns of the program without solved demonstrations; ``None`` where its answer or its passages are wrong."""
    lines, queries, hits = list[str](), list[Turn](), list[Hit]()
    for _ in range(HOPS):
        asked = _asked(lines, one.question)
        written = run.prepare(_messages(run, "dsp-query", asked, ()), max_tokens=QUERY_TOKENS)
        queries.append((asked, written))
        hits = run.search(_query(written) or one.question, KEPT)
        lines = _lines(written, hits)
    asked = _asked(lines, one.question)
    written = run.prepare(_messages(run, "dsp-answer", asked, ()), max_tokens=ANSWER_TOKENS)
    said, last = answers.short(answers.after_marker(written), run.kind), one.steps[-1].answer
    is_right = text.contains(one.answer, said) and any(text.contains(last, hit.passage.text) for hit in hits)
    return {"queries": queries, "answer": [asked, written]} if is_right else None


def _by_hand(one: Demonstration) -> dict[str, list[Turn]]:
    known = [step.passage for step in one.steps[:-1]]
    first, last = one.steps[0], one.steps[-1]
    queries: list[Turn] = [
        (_asked([], one.question), f"First we have to know: {first.query}\n{_QUERY} {first.query}"),
        (_asked(known, one.question), f"{first.text}\n{_QUERY} {last.query}"),
    ]
    whole = _asked([step.passage for step in one.steps], one.question)
    return {"queries": queries, "answer": [whole, f"{one.reasoning} {one.conclusion}"]}


def _fitted(
    run: Run, name: str, lines: Sequence[str], turns: Sequence[Turn]
) -> Generator[Event, None, tuple[Message, ...]]:
    """The prompt of one stage; what the embedded model's context cannot hold is left out, passages last."""
    bare, turns, lines, left_out = len(_training(run)), list(turns), list(lines), 0
    limit = MOST_CHARACTERS if isinstance(run.parts.model, EmbeddedModel) else 10**9
    while True:
        asked = _messages(run, name, _asked(lines, run.question), turns, bare)
        if sum(len(one.content) for one in asked) <= limit or not (bare or turns or lines):
            break
        left_out += 1
        if bare:
            bare -= 1
        else:
            (turns or lines).pop()
    if left_out:
        what = f"the prompt of {name} is too long for the model's context by {left_out} demonstrations or passages"
        yield ModelFault(what=what, action="left these out")
    return asked


def _messages(run: Run, name: str, asked: str, turns: Sequence[Turn], bare: int | None = None) -> tuple[Message, ...]:
    """Instruction and bare demonstrations, the solved ones as turns, then what is ``asked``."""
    system, *_ = run.prompt(name, lambda _: (), shown=()).messages
    shown = "\n".join(f"Question: {one.question}\nAnswer: {one.answer}" for one in _training(run)[:bare])
    said = [Message(role, one) for turn in turns for role, one in zip(("user", "assistant"), turn, strict=True)]
    return (Message("system", f"{system.content}\n\n{shown}".strip()), *said, Message("user", asked))


def _training(run: Run) -> tuple[Demonstration, ...]:
    return run.demonstrations()


def _asked(lines: Sequence[str], question: str) -> str:
    context = "\n".join(["Context:", *lines, ""]) if lines else ""
    return f"{context}Question: {question}"


def _lines(written: str, hits: Sequence[Hit]) -> list[str]:
    """What the next hop is told: the rationale of this one, and its passages."""
    rationale = written.partition(_QUERY)[0].strip()
    return [one for one in (rationale, *(excerpt(hit.passage, 2) for hit in hits)) if one]


def _query(written: str) -> str:
    """The query that a reply ends with; ``""`` where it has none."""
    return written.rpartition(_QUERY)[2].strip().partition("\n")[0].strip() if _QUERY in written else ""
