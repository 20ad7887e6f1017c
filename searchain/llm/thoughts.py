"""Thinking that models write into their text, between ``<think>`` and ``</think>``, separated while it streams."""

from __future__ import annotations

import re

from searchain.llm.base import Retracted, Thought

_NAMES = ("think", "thinking", "thought", "reasoning", "seed:think")
_BEGIN = {*(f"<{name}>" for name in _NAMES), "[think]", "<|channel|>analysis<|message|>"}
"""As Qwen, DeepSeek and others write it; Mistral; gpt-oss, whose channels show where a server does not read them."""
_CHANNEL_END = "<|end|>"
_END = {*(f"</{name}>" for name in _NAMES), "[/think]", _CHANNEL_END}
_MARKS = {"<|start|>assistant", "<|channel|>final<|message|>"}
"""What stands between thoughts and text, and is neither."""
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
