"""The chunks of one chat completion: what is text, what is thinking, and how it ended. Nothing in them is trusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from searchain.llm.base import Cut, CutReason, Piece, Retracted, Thought
from searchain.llm.thoughts import ThoughtSplitter

_REASONS = {
    CutReason.LENGTH: ("length", "max_tokens", "max_output_tokens", "model_length", "token_limit"),
    CutReason.FILTER: (
        "content_filter",
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "sensitive",
    ),
    CutReason.REFUSAL: ("refusal",),
    CutReason.TOOLS: ("tool_calls", "function_call", "tool_use"),
    CutReason.BROKEN: ("error", "abort", "insufficient_system_resource", "network_error", "malformed_function_call"),
}
"""The values of ``finish_reason`` by which OpenAI, Anthropic, Gemini, Mistral, DeepSeek and others say so."""
_CUTS = {value: reason for reason, values in _REASONS.items() for value in values}
_ONLY_THOUGHT = "it only thought; set --reasoning-effort none, or turn off the reasoning parser of its server"


class Completion:
    """One completion while it arrives: feed it the chunks in order, then ask how it ended."""

    def __init__(self, *, is_thinking: bool = False) -> None:
        """``is_thinking``: the model begins with thoughts that no tag announces."""
        self._splitter = ThoughtSplitter(is_thinking=is_thinking)
        self._finish = self._refusal = ""
        self._calls_tools = False
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
        if cut := self._cut():
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
            self._calls_tools = self._calls_tools or bool(delta.get("tool_calls") or delta.get("function_call"))
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

    def _counted(self, pieces: Iterable[str | Thought | Retracted]) -> Iterator[Piece]:
        for piece in pieces:
            match piece:
                case Thought():
                    self.length += len(piece.text)
                    self._has_thought = True
                case str():
                    self.length += len(piece)
            yield piece

    def _count(self, usage: Any) -> None:
        if isinstance(usage, dict):
            self.prompt_tokens = _number(usage.get("prompt_tokens"), self.prompt_tokens)
            self.completion_tokens = _number(usage.get("completion_tokens"), self.completion_tokens)

    def _cut(self) -> Cut | None:
        if self._refusal:
            return Cut(CutReason.REFUSAL, " ".join(self._refusal.split())[:200].rstrip("."))
        reason = _CUTS.get(self._finish)
        if reason is None and self.is_broken:
            reason = CutReason.BROKEN
        if not self.has_text and (reason is None or self._calls_tools):
            reason = CutReason.TOOLS if self._calls_tools else CutReason.EMPTY
            return Cut(reason, _ONLY_THOUGHT if reason is CutReason.EMPTY and self._has_thought else "")
        return Cut(reason) if reason else None


def _number(value: Any, known: int | None) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else known
