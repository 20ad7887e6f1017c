"""The chunks of one chat completion: what is text, what is thinking, and how it ended. Nothing in them is trusted.

They are read from server-sent events, or from one whole completion where none are streamed: the ``openai`` client has a
reader of its own, which gives up at the first line that is not JSON.

Thinking that models write into their text, between ``<think>`` and ``</think>``, is separated while it streams. What a
model looks for by calling a tool becomes an open step of its chain.
"""

import json
import math
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any

from searchain.llm.base import Cut, CutReason, Piece, Retracted, Thought
from searchain.llm.faults import BrokenStream
from searchain.safe_text import without_surrogates

_REASONS = {
    CutReason.LENGTH: "length max_tokens max_output_tokens model_length token_limit",
    CutReason.FILTER: "content_filter safety recitation blocklist prohibited_content spii sensitive",
    CutReason.REFUSAL: "refusal",
    CutReason.TOOLS: "tool_calls function_call tool_use",
    CutReason.BROKEN: "error abort insufficient_system_resource network_error malformed_function_call",
}
"""The values of ``finish_reason`` by which OpenAI, Anthropic, Gemini, Mistral, DeepSeek and others say so."""
_CUTS = {value: reason for reason, values in _REASONS.items() for value in values.split()}
_ONLY_THOUGHT = "it only thought; set --reasoning-effort none, or turn off the reasoning parser of its server"


class Completion:
    """One completion while it arrives: feed it the chunks in order, then ask how it ended."""

    def __init__(self, *, is_thinking: bool = False, has_steps: bool = False) -> None:
        """``is_thinking``: the model begins with thoughts that no tag announces.

        ``has_steps``: the reply may be a chain, so that what a tool is called for is an open step of it.
        """
        self._has_steps = has_steps
        self._splitter = ThoughtSplitter(is_thinking=is_thinking)
        self._finish = self._refusal = ""
        self._calls: list[tuple[object, str]] = []
        """The place of each call of a tool, and its arguments as far as they have come."""
        self._written = ""
        self.is_chat = False
        """Whether any chunk was one of a chat completion."""
        self.is_broken = False
        """Whether the stream ended before the completion did."""
        self.length = 0
        """Characters of text and thoughts."""
        self._has_thought = False
        self.prompt_tokens: int | None = None
        self.completion_tokens: int | None = None

    def feed(self, chunk: Any) -> Iterator[Piece]:
        """Yield what ``chunk`` adds to text and thoughts."""
        if not isinstance(chunk, dict):
            return
        self._count(chunk.get("usage"))
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index") in (None, 0):
                yield from self._choice(choice)
        self.is_chat = self.is_chat or isinstance(choices, list)

    def finish(self) -> Iterator[Piece]:
        """Yield what the end adds, the ``Cut`` of a reply that is not whole included."""
        yield from self._counted(self._splitter.finish())
        first = self._written.count("[Query ") + 1
        queries = self._queries() if self._has_steps else ()
        steps = "\n".join(f"[Query {n}]: {query}\n[Unsolved Query]" for n, query in enumerate(queries, first))
        if steps:
            yield from self._counted([f"\n{steps}" if self.has_text else steps])
        cut = self._cut(has_text=self.has_text or bool(steps))
        if cut and not (steps and cut.reason is CutReason.TOOLS):
            yield cut

    @property
    def has_text(self) -> bool:
        """Whether there is more than thoughts so far."""
        return self._splitter.has_text

    @property
    def has_ended(self) -> bool:
        """Whether the service said how the completion ended."""
        return bool(self._finish)

    @property
    def begins_thinking(self) -> bool:
        """Whether the text began with thoughts that no tag announced."""
        return self._splitter.ends_unannounced

    def _choice(self, choice: dict[str, Any]) -> Iterator[Piece]:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            thought = delta.get("reasoning_content") or delta.get("reasoning")
            yield from self._thoughts(thought)
            yield from self._content(delta.get("content"))
            self._called(delta.get("tool_calls") or [{"function": delta.get("function_call")}])
            if isinstance(refusal := delta.get("refusal"), str):
                self._refusal += refusal
        if isinstance(finish := choice.get("finish_reason"), str):
            self._finish = finish.lower()

    def _content(self, content: Any) -> Iterator[Piece]:
        """A text, or a list of parts as Mistral sends them."""
        if isinstance(content, str):
            yield from self._counted(self._splitter.feed(content))
        for part in content if isinstance(content, list) else ():
            if isinstance(part, str):
                yield from self._content(part)
            elif isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
                yield from self._thoughts(part.get("thinking") or part.get("text"))
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                yield from self._content(part["text"])

    def _thoughts(self, thought: Any) -> Iterator[Piece]:
        if isinstance(thought, str) and thought:
            yield from self._counted([Thought(thought)])
        for part in thought if isinstance(thought, list) else ():
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield from self._counted([Thought(part["text"])])

    def _called(self, calls: Any) -> None:
        """Add to the arguments of calls; another place, or a name behind whole arguments, begins a new one."""
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            function = call.get("function") if isinstance(call, dict) else None
            if not isinstance(function, dict):
                continue
            place, more = call.get("index", place), function.get("arguments")
            more = more if isinstance(more, str) else ""
            self.length += len(more)
            known, arguments = self._calls[-1] if self._calls else (None, "")
            if known != place or (function.get("name") and _values(arguments)):
                self._calls.append((place, more))
            else:
                self._calls[-1] = (place, arguments + more)

    def _queries(self) -> Iterator[str]:
        """Yield what calls of tools look for: the first text among their arguments."""
        for _, arguments in self._calls:
            texts = [one for one in _values(arguments).values() if isinstance(one, str)]
            if query := " ".join(texts[0].translate(_NO_LABEL).split()) if texts else "":
                yield query

    def _counted(self, pieces: Iterable[str | Thought | Retracted]) -> Iterator[Piece]:
        for piece in pieces:
            match piece:
                case Thought():
                    piece = Thought(without_surrogates(piece.text))
                    self.length += len(piece.text)
                    self._has_thought = True
                case str():
                    piece = without_surrogates(piece)
                    self.length += len(piece)
                    self._written += piece
            yield piece

    def _count(self, usage: Any) -> None:
        if isinstance(usage, dict):
            self.prompt_tokens = _number(usage.get("prompt_tokens"), self.prompt_tokens)
            self.completion_tokens = _number(usage.get("completion_tokens"), self.completion_tokens)

    def _cut(self, *, has_text: bool) -> Cut | None:
        if self._refusal:
            return Cut(CutReason.REFUSAL, " ".join(self._refusal.split())[:200].rstrip("."))
        reason = _CUTS.get(self._finish)
        if reason is None and self.is_broken:
            reason = CutReason.BROKEN
        if not has_text and (reason is None or self._calls):
            reason = CutReason.TOOLS if self._calls else CutReason.EMPTY
            return Cut(reason, _ONLY_THOUGHT if reason is CutReason.EMPTY and self._has_thought else "")
        return Cut(reason) if reason else None


_NO_LABEL = str.maketrans("[]", "()")


def _values(arguments: str) -> dict[str, Any]:
    """Return the arguments of a call; none if they are not whole, or no object."""
    try:
        values = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def _number(value: Any, known: int | None) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else known


_NAMES = ("think", "thinking", "thought", "reasoning", "seed:think")
_BEGIN = {*(f"<{name}>" for name in _NAMES), "[think]", "<|channel|>analysis<|message|>"}
"""As Qwen, DeepSeek and others write it; Mistral; gpt-oss, whose channels show where a server does not read them."""
_CHANNEL_END = "<|end|>"
_END = {*(f"</{name}>" for name in _NAMES), "[/think]", _CHANNEL_END}
_MARKS = {"<|start|>assistant", "<|channel|>final<|message|>"}  # what stands between thoughts and text, and is neither
_TAGS = _BEGIN | _END | _MARKS
_TAG = re.compile("|".join(map(re.escape, sorted(_TAGS))), re.IGNORECASE)
_LONGEST = max(map(len, _TAGS))


class ThoughtSplitter:
    """Feed it text as it streams; it gives back text, thoughts, and ``Retracted`` where an end comes unannounced.

    Tags may be nested, and split over deltas. ``is_thinking``: the text begins with thoughts, because the chat template
    wrote their first tag. Where their end never comes, the text was not a thought; it is given back at the end.
    """

    def __init__(self, *, is_thinking: bool = False) -> None:
        self._held = ""
        self._depth = 1 if is_thinking else 0
        self._assumed: str | None = "" if is_thinking else None
        """What was taken for thoughts on no other ground than ``is_thinking``."""
        self.has_text = self._has_thought = False
        self.ends_unannounced = False
        """Whether the text began with thoughts that no tag announced."""

    def feed(self, delta: str) -> list[str | Thought | Retracted]:
        """Return what became known with ``delta``."""
        return self._read(self._held + delta, is_end=False)

    def finish(self) -> list[str | Thought | Retracted]:
        """Return what is left at the end."""
        rest = self._read(self._held, is_end=True)
        if self._assumed is not None and self._assumed.strip():
            self.has_text = True
            return [self._assumed]
        return rest

    def _read(self, text: str, *, is_end: bool) -> list[str | Thought | Retracted]:
        pieces: list[str | Thought | Retracted] = []
        at = 0
        for tag in _TAG.finditer(text):
            self._add(pieces, text[at : tag.start()])
            at = tag.end()
            self._take(tag[0].lower(), pieces)
        rest = text[at:]
        held = 0 if is_end else _half_tag(rest)
        self._held = rest[len(rest) - held :]
        self._add(pieces, rest[: len(rest) - held])
        return pieces

    def _take(self, tag: str, pieces: list[str | Thought | Retracted]) -> None:
        if tag in _BEGIN:
            self._depth += self._assumed is None
            self._assumed = None  # a tag announced them after all
        elif tag in _END and self._depth:
            self._depth -= 1
            self.ends_unannounced = self.ends_unannounced or self._assumed is not None
            self._assumed = None
        elif tag in _END and tag != _CHANNEL_END:  # which also ends a reply
            self.ends_unannounced = True
            pieces[:] = [Thought(piece) if isinstance(piece, str) else piece for piece in pieces]
            if self.has_text:
                pieces.append(Retracted())
            self.has_text = False

    def _add(self, pieces: list[str | Thought | Retracted], text: str) -> None:
        if not text:
            return
        if self._depth:
            if self._assumed is not None:
                self._assumed += text
            self._has_thought = True
            pieces.append(Thought(text))
        elif self.has_text or text.strip() or not self._has_thought:  # blanks after thoughts are no text
            self.has_text = self.has_text or bool(text.strip())
            pieces.append(text)


def _half_tag(text: str) -> int:
    """Return how many characters at the end of ``text`` may be the beginning of a tag."""
    for length in range(min(_LONGEST - 1, len(text)), 0, -1):
        if text[-length] in "<[" and any(tag.startswith(text[-length:].lower()) for tag in _TAGS):
            return length
    return 0


TOP = 20
"""How many of the likeliest first tokens are asked for; no server that was seen gives more."""
SURE = 0.8
"""The likelihood of the word that a model wrote, where its server gives none."""


def likelihoods_of(completion: Mapping[str, Any], words: Sequence[str]) -> tuple[float, ...]:
    """Return how likely the reply begins with each of ``words``, 0–1. Case does not count.

    Where the server gives no probabilities, the word that was written counts as ``SURE``. Raises ``LookupError`` or
    ``TypeError`` if the completion has no text.
    """
    choice = completion["choices"][0]
    content = (choice.get("logprobs") or {}).get("content") or []
    if content and content[0].get("top_logprobs"):
        first = content[0]["top_logprobs"]
        return tuple(
            sum(math.exp(min(one["logprob"], 0.0)) for one in first if _begins(word, one["token"])) for word in words
        )
    written = str(choice["message"]["content"] or "").strip(' *_"“[').casefold()
    return tuple(SURE if written.startswith(word.casefold()) else (1 - SURE) / len(words) for word in words)


def _begins(word: str, token: str) -> bool:
    token = token.strip().casefold()
    return bool(token) and word.casefold().startswith(token)


_MOST_BYTES = 4_000_000  # bytes of one event, or of a whole completion; servers that send more never come to an end
_DONE = "[DONE]"
ALIVE = ""
"""The value of bytes that complete no event: comments, blank lines, halves."""


async def chunks(body: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    """Yield the JSON values of ``body``, up to its end or ``[DONE]``, for which ``None`` is yielded.

    ``ALIVE`` is yielded whenever something arrives. Raises ``BrokenStream`` if an event begins like JSON and is not, or
    is too long.
    """
    async for data in _events(body):
        if data.startswith(_DONE):
            yield None
            return
        yield _parsed(data) if data.startswith("{") else ALIVE


async def _events(body: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Yield the data of each event, as the HTML standard defines them, and ``ALIVE`` as ``chunks`` does.

    A body that begins like JSON is one event, whatever its content type, and the end.
    """
    rest, data, was_cr = b"", list[str](), False
    is_whole: bool | None = None  # nobody knows before something came
    async for part in body:
        yield ALIVE
        if was_cr:
            part = part.removeprefix(b"\n")
        was_cr = part.endswith(b"\r")
        rest += part.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if len(rest) > _MOST_BYTES:
            raise BrokenStream("an event without an end")
        if is_whole is None and rest.strip():
            is_whole = rest.lstrip().startswith(b"{")
        if is_whole:
            continue
        *lines, rest = rest.split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip().decode("utf-8", "replace"))
            elif not line.strip() and data:
                yield "\n".join(data)
                data = []
    if is_whole:
        yield rest.strip().decode("utf-8", "replace")
        yield _DONE
        return
    if rest.startswith(b"data:"):
        data.append(rest[5:].strip().decode("utf-8", "replace"))
    if data:
        yield "\n".join(data)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BrokenStream(text[:200]) from None
