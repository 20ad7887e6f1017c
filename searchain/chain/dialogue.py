"""The dialogue with the model: append-only messages, a budget, and generations that run beside the pipeline.

A generation runs in its own thread and puts what it writes into an inbox, where the results of retrieval arrive too:
the pipeline waits for whichever comes first. Messages are only ever appended, so that a prompt cache keeps what it has.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from searchain.cancel import CancelToken
from searchain.chain.prompts import Prompts
from searchain.errors import Cancelled
from searchain.llm.base import GREEDY, Cut, CutReason, Form, LanguageModel, Piece, Retracted, Retried, Sampling, Thought
from searchain.settings import Settings
from searchain.types import Message, Usage

MOST_CHARACTERS = 8
"""Characters a token: more than tokenizers make of words, so a reply that has more is past its limit of tokens."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The generation is over."""

    error: BaseException | None = None
    """What ended it, if anything did."""
    cut: Cut | None = None
    """Why the reply is not whole, if it is not."""


class BudgetSpent(Exception):
    """The run's budget of calls, tokens or seconds does not allow another generation."""


class Generation:
    """One reply on its way. Read ``inbox`` for ``str``, ``Thought``, ``Retracted`` and ``Retried``, then ``Ended``.

    Call ``close`` in the end. Text past ``max_tokens``, and thoughts past what the run has ``left``, end it, whatever
    the service does.
    """

    def __init__(
        self,
        model: LanguageModel,
        messages: tuple[Message, ...],
        *,
        form: Form | None,
        max_tokens: int,
        left: int,
        cancel: CancelToken,
        inbox: queue.SimpleQueue[Any],
        sampling: Sampling,
    ) -> None:
        self._sampling = sampling
        self._model, self._messages, self._form, self._max_tokens = model, messages, form, max_tokens
        self._is_begun = messages[-1].role == "assistant"
        self._text_left, self._left = max_tokens * MOST_CHARACTERS, left * MOST_CHARACTERS
        self._run_cancel, self._own_cancel = cancel, CancelToken()
        self._inbox = inbox
        self._started = time.perf_counter()
        self._deltas, self._written = 0, ""
        self._usage: Usage | None = None
        self._thread = threading.Thread(target=self._pump, name="searchain-generation", daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """End generation upstream; ``Ended`` follows what is in the inbox already."""
        self._own_cancel.set()

    def close(self) -> Usage:
        """End generation upstream, if it is not over, and say what it cost. A reply cut short is counted by its
        pieces and its prompt by its characters, because the service gives no figures for it."""
        self.cut()
        self._thread.join(timeout=5)
        words = sum(len(message.content.split()) for message in self._messages)
        if self._usage is not None:
            return replace(self._usage, prompt_words=words, completion_words=len(self._written.split()))
        prompt = math.ceil(sum(len(message.content) for message in self._messages) / 4)
        return Usage(
            llm_calls=1,
            prompt_tokens=prompt,
            completion_tokens=self._deltas,
            llm_seconds=time.perf_counter() - self._started,
            prompt_words=words,
            completion_words=len(self._written.split()),
        )

    def _pump(self) -> None:
        error: BaseException | None = None
        cut: Cut | None = None
        try:
            with self._run_cancel.on_set(self._own_cancel.set):
                for piece in self._model.stream(
                    self._messages,
                    form=self._form,
                    max_tokens=self._max_tokens,
                    cancel=self._own_cancel,
                    sampling=self._sampling,
                ):
                    if isinstance(piece, Usage):
                        self._usage = piece
                    elif isinstance(piece, Cut):  # what was begun may be the whole reply
                        cut = None if self._is_begun and piece.reason is CutReason.EMPTY else piece
                    elif piece:
                        self._deltas += 1
                        if isinstance(piece, str):
                            self._written += piece
                        self._inbox.put(piece)
                        self._count(piece)
                        if self._left < 0:
                            raise BudgetSpent
                        if self._text_left < 0:
                            cut = Cut(CutReason.LENGTH)
                            break
                    if self._own_cancel.is_set:
                        break
        except Cancelled:
            pass
        except BaseException as fault:  # carried to the pipeline's thread, which raises it there
            error = fault
        self._inbox.put(Ended(error, cut))

    def _count(self, piece: Piece) -> None:
        match piece:
            case str():
                self._text_left -= len(piece)
                self._left -= len(piece)
            case Thought():
                self._left -= len(piece.text)


class Dialogue:
    """The messages of a run so far, and what is left of its budget."""

    def __init__(self, model: LanguageModel, settings: Settings, cancel: CancelToken) -> None:
        self._model, self._settings, self._cancel = model, settings, cancel
        self.prompts = Prompts(is_brief=model.abilities.knows_forms)
        self._messages: list[Message] = []
        self._began = time.perf_counter()
        self.usage = Usage()
        self.retried: list[Retried] = []
        """What people are still to be told about calls beside the dialogue."""

    def say(self, role: str, content: str) -> None:
        """Append a message. One of the same role as the last goes to its end, since some chat templates insist that
        roles alternate; an empty one is left out. Either way what was said stays a prefix of what is said."""
        if content and self._messages and self._messages[-1].role == role:
            self._messages[-1] = Message(role, f"{self._messages[-1].content}\n\n{content}")
        elif content:
            self._messages.append(Message(role, content))

    def ask(self, prompt: str, form: Form | None, *, max_tokens: int) -> str:
        """A question of its own, beside the dialogue; returns the reply, one that was cut without its last line.

        Raises:
            ModelError, BudgetSpent, Cancelled.
        """
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        generation = self._start((Message("user", prompt),), form, max_tokens, inbox)
        text = ""
        try:
            with self._cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := self.take(inbox), Ended):
                    match item:
                        case str():
                            text += item
                        case Retracted():
                            text = ""
                        case Retried():
                            self.retried.append(item)
        finally:
            self.book(generation.close())
        if item.error is not None:
            raise item.error
        return text if item.cut is None else text[: text.rfind("\n") + 1]

    def generate(
        self,
        form: Form | None,
        *,
        max_tokens: int,
        inbox: queue.SimpleQueue[Any],
        alone: Sequence[Message] | None = None,
        begun: str = "",
        sampling: Sampling = GREEDY,
    ) -> Generation:
        """Start a reply to the messages so far, or to the messages ``alone``.

        ``begun`` is how the reply begins; the generation delivers what follows it.

        Raises:
            BudgetSpent: the settings allow no further call, token or second.
            Cancelled: the run was stopped.
        """
        messages = tuple(self._messages if alone is None else alone)
        if begun:
            messages = (*messages, Message("assistant", begun))
        return self._start(messages, form, max_tokens, inbox, sampling)

    def _start(
        self,
        messages: tuple[Message, ...],
        form: Form | None,
        max_tokens: int,
        inbox: queue.SimpleQueue[Any],
        sampling: Sampling = GREEDY,
    ) -> Generation:
        self._cancel.check()
        left = self._settings.max_tokens - self.usage.completion_tokens
        if (
            self.usage.llm_calls >= self._settings.max_llm_calls
            or left < 16
            or self.seconds >= self._settings.max_seconds
        ):
            raise BudgetSpent
        return Generation(
            self._model,
            messages,
            form=form,
            max_tokens=min(max_tokens, left),
            left=left,
            cancel=self._cancel,
            inbox=inbox,
            sampling=sampling,
        )

    def take(self, inbox: queue.SimpleQueue[Any]) -> Any:
        """The next item of a generation's inbox, waiting for it as long as the budget allows.

        The clock is asked before each item: a model that runs on never lets the inbox be empty.

        Raises:
            BudgetSpent: the seconds are used up.
            Cancelled: the run was stopped (whoever waits puts an item into the inbox then).
        """
        left = self._settings.max_seconds - self.seconds
        if left <= 0:
            raise BudgetSpent
        try:
            item = inbox.get(timeout=left)
        except queue.Empty:
            raise BudgetSpent from None
        self._cancel.check()
        return item

    def book(self, usage: Usage) -> None:
        """Count what a generation or a lookup cost."""
        self.usage += usage

    @property
    def seconds(self) -> float:
        """Wall time since the run began."""
        return time.perf_counter() - self._began

    @property
    def total(self) -> Usage:
        """All costs, wall time included."""
        return self.usage + Usage(seconds=self.seconds)
