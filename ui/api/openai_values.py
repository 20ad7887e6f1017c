"""Converts chat completions of OpenAI's API: requests to questions, and turns to responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from searchain.events import Turn
from searchain.safe_text import one_line
from searchain.turn_json import rounded
from searchain.types import Exchange
from ui.api import openai_body
from ui.api.openai_body import Refused

MODEL = "searchain"
"""The name of SearChain's model in the API, with any language model; other methods are ``searchain/NAME``."""
WITH_SOURCES = "searchain+sources"
"""The same model with the sources appended to the text, for clients that show only text."""
_SOURCES = "\n\nSources:\n"
MAX_BODY = 500_000
"""The most bytes of a request."""
_MAX_HISTORY = 10  # exchanges: a follow-up is about the last ones


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a request and its options. System messages and sampling parameters are ignored."""

    question: str
    history: tuple[Exchange, ...]
    is_streaming: bool
    wants_usage: bool
    model: str = MODEL
    """``MODEL`` or ``WITH_SOURCES``; any other name means ``MODEL``."""
    system: str | None = None
    """The method in the model's name, as in ``searchain/self-ask``."""


def asked(body: bytes) -> Asked:
    """Parse a request: the last user message is the question, earlier answered ones are the history.

    Raises:
        Refused: the body is not a valid request; the message says why.
    """
    request = openai_body.read(body)
    said = [(message.role, message.text) for message in request.messages]
    last = max((place for place, (role, _) in enumerate(said) if role == "user"), default=None)
    if last is None:
        raise Refused("there is no message with the role 'user', which would be the question", param="messages")
    return Asked(
        said[last][1],
        _history(said[:last]),
        bool(request.stream),
        bool(request.stream_options and request.stream_options.include_usage),
        WITH_SOURCES if request.model == WITH_SOURCES else MODEL,
        _system(request.model),
    )


def _system(model: Any) -> str | None:
    return model.removeprefix(f"{MODEL}/") if isinstance(model, str) and model.startswith(f"{MODEL}/") else None


def completion(turn: Turn, turn_id: str, conversation: str, created: int, model: str = MODEL) -> dict[str, Any]:
    """Return the whole response. Its extra field ``searchain`` has the turn's IDs, status, outcome and probability."""
    content = turn.answer + (sources(turn) if model == WITH_SOURCES else "")
    message = {"role": "assistant", "content": content, "refusal": None, "annotations": citations(turn)}
    return {
        **_head(turn_id, "chat.completion", created, model),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": usage(turn),
        "searchain": _about(turn, turn_id, conversation),
    }


def chunk(
    turn_id: str, created: int, delta: dict[str, Any], *, is_last: bool = False, model: str = MODEL
) -> dict[str, Any]:
    """Return one chunk of a streamed response."""
    return {
        **_head(turn_id, "chat.completion.chunk", created, model),
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": "stop" if is_last else None}],
    }


def waiting_chunk(turn_id: str, created: int, ahead: int, model: str) -> dict[str, Any]:
    """Return a chunk without text that has the number of questions before this one."""
    return {**chunk(turn_id, created, {}, model=model), "searchain": {"waiting": ahead}}


def last_chunk(turn: Turn, turn_id: str, conversation: str, created: int, offset: int, model: str) -> dict[str, Any]:
    """Return the last chunk of text, with the citations; the reply begins at ``offset`` of the streamed text."""
    return {
        **chunk(turn_id, created, {"annotations": citations(turn, offset)}, is_last=True, model=model),
        "searchain": _about(turn, turn_id, conversation),
    }


def usage_chunk(turn: Turn, turn_id: str, created: int, model: str) -> dict[str, Any]:
    """Return the chunk that follows the last text if the request wants the usage."""
    return {**_head(turn_id, "chat.completion.chunk", created, model), "choices": [], "usage": usage(turn)}


def sources(turn: Turn) -> str:
    """Return the cited sources as text, each with number, title, address and quote; ``""`` without citations."""
    cited = {number for sentence in turn.sentences for number in sentence.citations}
    lines = [
        ", ".join(filter(None, (f"[{source.number}] {one_line(source.passage.title)}", source.passage.url)))
        + (f": “{one_line(source.quote)}”" if source.quote else "")
        for source in sorted(turn.sources, key=lambda one: one.number)
        if source.number in cited
    ]
    return _SOURCES + "\n".join(lines) if lines else ""


def citations(turn: Turn, offset: int = 0) -> list[dict[str, Any]]:
    """Return one annotation per mark: where ``[n]`` stands in the text (code points), and the passage it points to."""
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": offset + mark.start,
                "end_index": offset + mark.end,
                "title": source.passage.title,
                "url": source.passage.url or "",
                "quote": source.quote,
                "number": mark.number,
            },
        }
        for mark, source in turn.citations()
    ]


def usage(turn: Turn) -> dict[str, int]:
    """Return the tokens of all calls of the language model in the run."""
    read, written = turn.usage.prompt_tokens, turn.usage.completion_tokens
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def models(systems: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return the response of ``/v1/models``: SearChain without and with sources, and ``systems``."""
    names = [MODEL, WITH_SOURCES, *(f"{MODEL}/{system}" for system in systems if system != MODEL)]
    return [{"id": name, "object": "model", "created": 0, "owned_by": "searchain"} for name in names]


def _history(said: Sequence[tuple[str, str]]) -> tuple[Exchange, ...]:
    """Return each answered user message with its reply."""
    pairs: list[tuple[str, str]] = []
    waiting = None
    for role, text in said:
        text = text.encode("utf-8", "replace").decode()  # half a character could not be stored or sent on
        if role == "user":
            waiting = text
        elif role == "assistant" and waiting is not None and text.strip():
            pairs.append((waiting, text.partition(_SOURCES)[0]))
            waiting = None
    return tuple(Exchange(question=question, answer=answer) for question, answer in pairs[-_MAX_HISTORY:])


def _head(turn_id: str, object: str, created: int, model: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{turn_id}", "object": object, "created": created, "model": model}


def _about(turn: Turn, turn_id: str, conversation: str) -> dict[str, Any]:
    return {
        "conversation": conversation,
        "turn": turn_id,
        "status": turn.status and turn.status.value,
        "outcome": turn.outcome and turn.outcome.value,
        "probability": rounded(turn.probability),
        "final_answer": turn.final_answer,
        "message": turn.message,
    }
