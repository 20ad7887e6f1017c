"""``direct``: the language model alone, asked once."""

from __future__ import annotations

from collections.abc import Iterator

from searchain.cancel import CancelToken
from searchain.chain.dialogue import Dialogue
from searchain.chain.tree import Tree
from searchain.events import (
    ChainDelta,
    Event,
    NodeParsed,
    ReplyDelta,
    RunFinished,
    SentenceBound,
    TracingStarted,
)
from searchain.pipeline import SearChain
from searchain.reply.outcome import outcome_of
from searchain.reply.sentence_support import bind_sentences
from searchain.systems.one_step import OneStep, ask
from searchain.types import Step, TaskKind


def direct(searchain: SearChain) -> OneStep:
    """The model of ``searchain`` alone: it answers in one call, and cites nothing."""

    def answer(question: str, task: TaskKind, dialogue: Dialogue, cancel: CancelToken) -> Iterator[Event]:
        text, final, reply = ask(dialogue, "direct", question, task)
        yield ChainDelta(round=1, text=text)
        node = Tree().add(Step(question, final or None), 1)
        yield NodeParsed(node=node.id, parent=None, round=1, query=question, answer=node.answer)
        yield TracingStarted(path=(node.id,), writer="model")
        yield ReplyDelta(text=reply)
        for sentence in bind_sentences(reply, (), searchain.settings):
            yield SentenceBound(sentence=sentence)
        status, outcome = outcome_of(final)
        message = "nothing was searched" if final else "the model gave no answer"
        yield RunFinished(
            status=status,
            outcome=outcome,
            final_answer=final,
            invented_markers=0,
            usage=dialogue.total,
            message=message,
        )

    return OneStep(answer, model=searchain.model, settings=searchain.settings)
