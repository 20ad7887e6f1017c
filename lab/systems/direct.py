"""``direct``: the language model alone, asked once."""

from __future__ import annotations

from collections.abc import Iterator

from lab.systems.one_step import ask
from lab.systems.run import Run
from searchain.events import ChainDelta, Event, ReplyDelta, RunFinished, SentenceBound, TracingStarted
from searchain.reply.outcome import outcome_of
from searchain.reply.sentence_support import Carrying, bind_sentences


def direct(run: Run) -> Iterator[Event]:
    """One call, without demonstrations of reasoning; nothing is cited."""
    text, final, reply = ask(run.dialogue, "direct", run.question, run.task)
    yield ChainDelta(round=1, text=text)
    node = yield from run.step(run.question, final)
    yield TracingStarted(path=(node.id,), writer="model")
    yield ReplyDelta(text=reply)
    for sentence in bind_sentences(reply, (), Carrying(run.question, None, run.cancel)):
        yield SentenceBound(sentence=sentence)
    status, outcome = outcome_of(final)
    message = "nothing was searched" if final else "the model gave no answer"
    yield RunFinished(
        status=status,
        outcome=outcome,
        final_answer=final,
        invented_markers=0,
        usage=run.dialogue.total,
        message=message,
    )
