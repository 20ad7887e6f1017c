"""The two plain systems: the model alone, and plain RAG, each with one call for its reply."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from lab.worth.questions import Question
from lab.worth.replies import Reply, read, refuses
from searchain.chain import prompts
from searchain.llm.base import LanguageModel
from searchain.retrieval.base import Retriever
from searchain.types import Exchange, Message, Passage, Usage

ALONE = "Answer the question from what you know. If you do not know it, say so. {last}"
RAG = (
    "Answer the question from the numbered passages only. End each sentence with the numbers of the passages that say "
    "it, as [1][2]. If they do not answer it, say that they do not. {last}"
)
LAST = "On the last line write Answer: and the short answer."
PASSAGES, CHARACTERS = 5, 1_200
"""How many passages are shown, and how many characters of each."""
REPLY_TOKENS, QUESTION_TOKENS = 512, 64


def alone(question: Question, model: LanguageModel) -> Reply:
    """Ask the model once, after the conversation as it was said, without a search.

    Raises:
        ModelError: the model failed.
    """
    before = [
        Message(role, text)
        for said in question.history
        for role, text in (("user", said.question), ("assistant", said.answer))
    ]
    asked = f"{question.text}\n\n{ALONE.format(last=LAST)}"
    text, usage = _written(model, [*before, Message("user", asked)], REPLY_TOKENS)
    return _reply(text, usage, ())


def rag(question: Question, model: LanguageModel, retriever: Retriever) -> Reply:
    """Search for the question, made standalone by the same model, and ask once with the best passages.

    Raises:
        ModelError, RetrievalError: the model or the search failed.
    """
    standalone, usage = _standalone(question.text, question.history, model)
    started = time.perf_counter()
    hits = retriever.search(standalone, PASSAGES)
    usage += Usage(retrieval_seconds=time.perf_counter() - started)
    passages = tuple(replace(hit.passage, text=hit.passage.text[:CHARACTERS]) for hit in hits)
    text, spent = _written(model, [Message("user", asked_with(standalone, passages))], REPLY_TOKENS)
    return _reply(text, usage + spent, passages)


def asked_with(question: str, passages: Sequence[Passage]) -> str:
    """Write the prompt of plain RAG. The instruction stands last: so small models follow it best."""
    shown = "\n\n".join(f"[{number}] {one.title}: {one.text}" for number, one in enumerate(passages, 1))
    return f"{shown}\n\nQuestion: {question}\n\n{RAG.format(last=LAST)}"


def _standalone(question: str, history: Sequence[Exchange], model: LanguageModel) -> tuple[str, Usage]:
    if not history:
        return question, Usage()
    prompt = prompts.render("standalone", history=prompts.told(history), question=question)
    text, usage = _written(model, [Message("user", prompt)], QUESTION_TOKENS)
    return text.strip().partition("\n")[0].strip() or question, usage


def _written(model: LanguageModel, messages: Sequence[Message], most: int) -> tuple[str, Usage]:
    text, usage = "", Usage()
    for piece in model.stream(messages, max_tokens=most):
        if isinstance(piece, str):
            text += piece
        elif isinstance(piece, Usage):
            usage += piece
    return text.strip(), usage


def _reply(text: str, usage: Usage, passages: Sequence[Passage]) -> Reply:
    final, sentences = read(text)
    return Reply(
        text=text,
        final=final,
        sentences=sentences,
        numbered=dict(enumerate(passages, 1)),
        found=tuple(passages),
        is_refusal=refuses(final, sentences),
        usage=usage,
        writers=("model",),
    )
