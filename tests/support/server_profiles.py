"""Servers of language models as their documentation says that they answer, each a script for ``ScriptedServer``.

What each imitates: how the text is streamed, where thoughts and usage stand, how a reply ends that is too long, which
parameters are refused, and in which form errors come. Nobody but a real service can say what it does today.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lab.scripted.server import Deciding, Raw, Request, Scripted
from tests.support.behaviours import sse, written

KEY = "sk-test-0123456789"
THOUGHTS = "The user asks about Nintendo. [Query 1]: What is the moon made of?\nNo, that is silly."
CONTEXT = 60_000
"""Characters of messages that each of them reads."""

Chunks = Callable[[list[str], str, str, dict[str, int]], Iterator[Any]]
"""Pieces of text, thoughts, how it ended, usage → the values that are streamed."""
Error = Callable[[int, str], Any]
"""Status and message → the body of an error."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of server."""

    name: str
    model: str
    chunks: Chunks
    error: Error
    messages: dict[str, tuple[int, str]]
    """What it says, with which status: ``key``, ``model``, ``context``, and ``parameter`` with its name as ``{}``."""
    rejects: tuple[str, ...] = ()
    """Parameters that it refuses."""
    thoughts: str = ""
    has_key: bool = True
    counts_thoughts: bool = False
    """Whether the limit of tokens counts what is thought."""

    def script(self) -> list[Scripted]:
        return [Deciding(self._answer, repeats=True)]

    def _answer(self, request: Request) -> Raw:
        body = request.body
        if self.has_key and request.authorization != f"Bearer {KEY}":
            return self._refused("key")
        if body["model"] != self.model:
            return self._refused("model")
        for name in self.rejects:
            if name in body:
                return self._refused("parameter", name)
        if sum(len(message["content"]) for message in body["messages"]) > CONTEXT:
            return self._refused("context")
        text = written(body["messages"])
        pieces = [text[at : at + 8] for at in range(0, len(text), 8)]
        limit = body.get("max_tokens", body.get("max_completion_tokens"))
        thought = len(self.thoughts) // 8 if self.counts_thoughts else 0
        finish = "stop"
        if limit is not None and limit < thought + len(pieces):
            pieces, finish = pieces[: max(0, limit - thought)], "length"
        usage = {"prompt_tokens": 100, "completion_tokens": thought + len(pieces)}
        usage["total_tokens"] = sum(usage.values())
        values = list(self.chunks(pieces, self.thoughts, finish, usage))
        if "stream_options" not in body:
            values = [one for one in values if not (isinstance(one, dict) and one.get("choices") == [])]
        return Raw(sse(*values))

    def _refused(self, kind: str, name: str = "") -> Raw:
        status, message = self.messages[kind]
        return Raw(json.dumps(self.error(status, message.format(name))).encode(), "application/json", status)


def _chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_790_000_000,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        **more,
    }


def _openai(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    more = {"system_fingerprint": "fp_1", "service_tier": "default", "usage": None, "obfuscation": "x1"}
    yield _chunk({"role": "assistant", "content": "", "refusal": None}, **more)
    for piece in pieces:
        yield _chunk({"content": piece}, **more)
    yield _chunk({}, finish, **more)
    details = {"completion_tokens_details": {"reasoning_tokens": len(thoughts) // 8}}
    yield {**_chunk({}), "choices": [], "usage": usage | details}


def _ollama(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    for thought in filter(None, (thoughts[at : at + 8] for at in range(0, len(thoughts), 8))):
        yield _chunk({"role": "assistant", "content": "", "reasoning": thought}, system_fingerprint="fp_ollama")
    for piece in pieces:
        yield _chunk({"role": "assistant", "content": piece}, system_fingerprint="fp_ollama")
    yield _chunk({"role": "assistant", "content": ""}, finish, system_fingerprint="fp_ollama")
    yield {**_chunk({}), "choices": [], "usage": usage}


def _vllm(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    yield _chunk({"role": "assistant", "content": ""})
    if thoughts:
        yield _chunk({"reasoning_content": thoughts})
    for piece in pieces:
        yield _chunk({"content": piece})
    last = _chunk({"content": ""}, finish)
    last["choices"][0] |= {"logprobs": None, "stop_reason": None}
    yield last
    yield {**_chunk({}), "choices": [], "usage": usage}


def _llama(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    yield _chunk({"role": "assistant", "content": None})
    if thoughts:
        yield _chunk({"reasoning_content": thoughts})
    for piece in pieces:
        yield _chunk({"content": piece})
    timings = {"cache_n": 0, "prompt_n": 100, "predicted_n": len(pieces), "predicted_per_second": 40.0}
    yield _chunk({}, finish)
    yield {**_chunk({}), "choices": [], "usage": usage, "timings": timings}


def _tagged(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    """LM Studio: what the model writes, its tags included; no usage where none is asked for."""
    text = "".join(pieces)
    for piece in [f"<think>\n{thoughts[:20]}", f"{thoughts[20:]}\n</th", f"ink>\n\n{text[:9]}", text[9:]]:
        yield _chunk({"role": "assistant", "content": piece})
    yield _chunk({}, finish)
    yield {**_chunk({}), "choices": [], "usage": usage}


def _deepseek(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    """Its signs of life are comments; the usage comes with the end."""
    yield "keep-alive"
    yield _chunk({"role": "assistant", "content": None, "reasoning_content": ""})
    for at in range(0, len(thoughts), 8):
        yield _chunk({"content": None, "reasoning_content": thoughts[at : at + 8]})
    for piece in pieces:
        yield _chunk({"content": piece, "reasoning_content": None})
    yield _chunk({"content": "", "reasoning_content": None}, finish, usage=usage | {"prompt_cache_hit_tokens": 64})


def _mistral(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    """Thinking comes as parts, and so does the first text; the usage comes with the end."""
    yield _chunk({"role": "assistant", "content": ""})
    for at in range(0, len(thoughts), 30):
        part = {"type": "thinking", "thinking": [{"type": "text", "text": thoughts[at : at + 30]}]}
        yield _chunk({"content": [part]})
    for number, piece in enumerate(pieces):
        yield _chunk({"content": [{"type": "text", "text": piece}] if number == 0 else piece})
    yield _chunk({"content": ""}, finish, usage=usage)


def _anthropic(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    yield _chunk({"role": "assistant"})
    for piece in pieces:
        yield _chunk({"content": piece})
    yield _chunk({}, finish)
    yield {**_chunk({}), "choices": [], "usage": usage}


def _gemini(pieces: list[str], thoughts: str, finish: str, usage: dict[str, int]) -> Iterator[Any]:
    """The usage so far comes with every piece; thinking is counted and not shown."""
    together = ["".join(pieces[at : at + 6]) for at in range(0, len(pieces), 6)] or [""]
    for number, piece in enumerate(together, 1):
        is_last = number == len(together)
        so_far = usage if is_last else usage | {"completion_tokens": number}
        yield _chunk({"role": "assistant", "content": piece}, finish if is_last else None, usage=so_far)


def _wrapped(**more: Any) -> Error:
    return lambda status, message: {"error": {"message": message, "param": None, **more}}


_LONG = (400, "This model's maximum context length is 4096 tokens. However, your messages resulted in 20000 tokens.")

PROFILES = [
    Profile("OpenAI", "gpt-4.1-mini", _openai, _wrapped(type="invalid_request_error", code="c"), {
        "key": (401, "Incorrect API key provided: sk-wrong. You can find your API key at https://platform.openai.com."),
        "model": (404, "The model `x` does not exist or you do not have access to it."),
        "context": _LONG,
    }),
    Profile("OpenAI, reasoning", "o4-mini", _openai, _wrapped(type="invalid_request_error", code="unsupported_parameter"), {
        "key": (401, "Incorrect API key provided: sk-wrong."),
        "model": (404, "The model `x` does not exist or you do not have access to it."),
        "context": _LONG,
        "parameter": (400, "Unsupported parameter: '{0}' is not supported with this model."),
    }, rejects=("max_tokens", "temperature"), thoughts=THOUGHTS * 300, counts_thoughts=True),
    Profile("Ollama", "qwen3:8b", _ollama, _wrapped(type="api_error", code=None), {
        "model": (404, 'model "x" not found, try pulling it first'),
        "context": (400, "the input length exceeds the context length"),
    }, thoughts=THOUGHTS, has_key=False),
    Profile("vLLM", "Qwen/Qwen3-8B", _vllm, lambda status, message: {
        "object": "error", "message": message, "type": "BadRequestError", "param": None, "code": status,
    }, {
        "key": (401, "Unauthorized"),
        "model": (404, "The model `x` does not exist."),
        "context": _LONG,
    }, thoughts=THOUGHTS),
    Profile("llama.cpp", "qwen3", _llama, lambda status, message: {
        "error": {"code": status, "message": message, "type": "invalid_request_error", "n_ctx": 4096}
    }, {
        "key": (401, "Invalid API Key"),
        "model": (400, "model not found: x"),
        "context": (400, "the request exceeds the available context size (4096 tokens), try increasing it"),
    }, thoughts=THOUGHTS),
    Profile("LM Studio", "qwen3-8b", _tagged, lambda status, message: {"error": message}, {
        "model": (404, "Model not found: x. Please load a model first."),
        "context": (400, "Trying to keep the first 20000 tokens when context the overflows. However, the model is loaded "
                    "with context length of only 4096 tokens"),
    }, thoughts=THOUGHTS, has_key=False),
    Profile("DeepSeek", "deepseek-reasoner", _deepseek, _wrapped(type="invalid_request_error", code="x"), {
        "key": (401, "Authentication Fails, Your api key: ****6789 is invalid"),
        "model": (400, "Model Not Exist"),
        "context": _LONG,
    }, thoughts=THOUGHTS),
    Profile("Mistral", "magistral-small-latest", _mistral, lambda status, message: {
        "object": "error", "message": message, "type": "invalid_request_error", "param": None, "code": None,
    }, {
        "key": (401, "Unauthorized"),
        "model": (400, "Invalid model: x"),
        "context": (400, "Prompt contains 50000 tokens, too large for model with 40960 maximum context length"),
        "parameter": (422, '{{"detail":[{{"type":"extra_forbidden","loc":["body","{0}"],"msg":"Extra inputs are not '
                      'permitted"}}]}}'),
    }, rejects=("stream_options", "seed"), thoughts=THOUGHTS),
    Profile("Anthropic", "claude-sonnet-4-5", _anthropic, _wrapped(type="invalid_request_error", code="x"), {
        "key": (401, "invalid x-api-key"),
        "model": (404, "model: x not found"),
        "context": (400, "prompt is too long: 210000 tokens > 200000 maximum"),
    }),
    Profile("Gemini", "gemini-2.5-flash", _gemini, lambda status, message: [
        {"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}}
    ], {
        "key": (400, "API key not valid. Please pass a valid API key."),
        "model": (404, "models/x is not found for API version v1main, or is not supported for generateContent."),
        "context": (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
        "parameter": (400, 'Invalid JSON payload received. Unknown name "{0}": Cannot find field.'),
    }, rejects=("seed",), thoughts=THOUGHTS * 300, counts_thoughts=True),
]  # fmt: skip
