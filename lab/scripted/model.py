"""A model that speaks from a script: the language model of tests and examples, with real streaming and no network."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.llm.base import GREEDY, Cut, CutReason, Form, Piece, Sampling
from searchain.llm.completion import ThoughtSplitter
from searchain.types import Abilities, Message, Usage

Reply = str | Exception | Callable[[Sequence[Message]], str]

_PIECE = re.compile(r"\s*(?:\w{1,5}|[^\w\s])|\s+")  # breaks inside words and between brackets, as real tokens do


def tokens(text: str) -> list[str]:
    """``text`` in pieces of a few characters, about as many as a real tokenizer makes; joined they are ``text``."""
    return _PIECE.findall(text)


@dataclass(slots=True)
class Call:
    """One request to a ``ScriptedModel`` and how much of the reply was taken."""

    messages: tuple[Message, ...]
    form: Form | None
    max_tokens: int | None
    delivered: str = ""
    """The text handed out so far; shorter than the reply when the caller stopped early."""
    is_finished: bool = False
    """The reply was taken to its end."""
    sampling: Sampling = GREEDY


class ScriptedModel:
    """Gives the replies in order, one a call, each streamed in pieces of a few characters.

    A reply is a text, an exception to raise, or a function of the messages that returns the text; a function that
    stands last serves every further call. ``<think>…</think>`` in a text is delivered as thoughts. Thread-safe;
    ``calls`` tells what was asked.
    """

    at_once = 1

    def __init__(
        self, *replies: Reply, name: str = "scripted", delay: float = 0.0, abilities: Abilities = Abilities.CAPABLE
    ) -> None:
        """``delay`` is the time in seconds before each piece."""
        self.name, self.abilities = name, abilities
        self.calls: list[Call] = []
        self._replies = list(replies)
        self._delay = delay
        self._lock = threading.Lock()

    def stream(
        self,
        messages: Sequence[Message],
        *,
        form: Form | None = None,
        max_tokens: int | None = None,
        cancel: CancelToken | None = None,
        sampling: Sampling = GREEDY,
    ) -> Iterator[Piece]:
        """See ``LanguageModel.stream``; a token is one piece, and a reply of more than ``max_tokens`` is cut.

        Raises:
            LookupError: the script has no reply left.
            Cancelled: ``cancel`` was set.
        """
        cancel = cancel or CancelToken()
        cancel.check()
        call, reply = self._take(Call(tuple(messages), form, max_tokens, sampling=sampling))
        if isinstance(reply, Exception):
            raise reply
        said = tokens(reply if isinstance(reply, str) else reply(messages))
        pieces = said[:max_tokens]
        started = time.monotonic()
        stopped = threading.Event()
        splitter = ThoughtSplitter()
        with cancel.on_set(stopped.set):
            for piece in pieces:
                stopped.wait(self._delay)
                cancel.check()
                call.delivered += piece
                yield from splitter.feed(piece)
        yield from splitter.finish()
        if not splitter.has_text or len(pieces) < len(said):
            yield Cut(CutReason.LENGTH if len(pieces) < len(said) else CutReason.EMPTY)
        cancel.check()
        call.is_finished = True
        yield Usage(
            llm_calls=1,
            prompt_tokens=sum(len(tokens(m.content)) for m in messages),
            completion_tokens=len(pieces),
            llm_seconds=time.monotonic() - started,
        )

    def _take(self, call: Call) -> tuple[Call, Reply]:
        with self._lock:
            self.calls.append(call)
            if not self._replies:
                raise LookupError(
                    f"model {self.name!r} has no reply left for call {len(self.calls)}, which ends with: "
                    f"{call.messages[-1].content[-200:] if call.messages else ''!r}"
                )
            if len(self._replies) == 1 and callable(self._replies[0]):
                return call, self._replies[0]
            return call, self._replies.pop(0)
