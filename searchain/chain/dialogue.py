"""The dialogue with the model: append-only messages, a budget, and generations that run beside the pipeline.

A generation runs in its own thread and puts what it writes into an inbox. Results of retrieval arrive in the same
inbox, so the pipeline waits for whichever comes first. Messages are only appended, so that prompt caches stay valid.
"""

import math
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from searchain.cancel import CancelToken
from searchain.chain.prompts import Prompts
from searchain.errors import Cancelled
from searchain.events import Event, ModelFault, ThoughtDelta
from searchain.llm.base import GREEDY, Cut, CutReason, Form, LanguageModel, Piece, Retracted, Retried, Sampling, Thought
from searchain.settings import Settings
from searchain.types import Abilities, Message, Usage

MOST_CHARACTERS = 8
"""Characters per token: more than tokenizers produce for words, so a longer text is past its limit of tokens."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The last item of an inbox: the generation is over."""

    error: BaseException | None = None
    """The error that ended it, if any."""
    cut: Cut | None = None
    """Why the reply is incomplete; ``None`` if it is complete."""


class BudgetSpent(Exception):
    """Raised when the run's budget allows no further generation; the message names the setting that ended it."""

    def __init__(self, setting: Literal["max_llm_calls", "max_tokens", "max_seconds"]) -> None:
        super().__init__(f"{_SPENT[setting]} (the setting {setting})")


_SPENT = {
    "max_llm_calls": "this run may ask the model no more often",
    "max_tokens": "this run may write no more tokens",
    "max_seconds": "this run may take no more time",
}


class Generation:
    """One reply that is being generated. Its ``inbox`` gets ``str``, ``Thought``, ``Retracted``, ``Retried``; last
    ``Ended``.

    Call ``close`` in the end. The generation ends at ``max_tokens`` of text, or when text and thoughts exceed the
    ``left`` tokens of the run, even if the service goes on.
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
        """End the generation at the service; ``Ended`` still follows in the inbox."""
        self._own_cancel.set()

    def close(self) -> Usage:
        """End the generation, if it is not over, and return what it cost.

        For a reply that was cut the service gives no figures: its pieces are counted as tokens, and the prompt is
        estimated at four characters per token.
        """
        self.cut()
        self._thread.join(timeout=5)
        words = sum(len(message.content.split()) for message in self._messages)
        usage = self._usage or Usage(
            llm_calls=1,
            prompt_tokens=math.ceil(sum(len(message.content) for message in self._messages) / 4),
            completion_tokens=self._deltas,
            llm_seconds=time.perf_counter() - self._started,
        )
        return replace(usage, prompt_words=words, completion_words=len(self._written.split()))

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
                    elif isinstance(piece, Cut):  # the text that it was to continue may be the whole reply
                        cut = None if self._is_begun and piece.reason is CutReason.EMPTY else piece
                    elif piece:
                        self._deltas += 1
                        if isinstance(piece, str):
                            self._written += piece
                        self._inbox.put(piece)
                        self._count(piece)
                        if self._left < 0:
                            raise BudgetSpent("max_tokens")
                        if self._text_left < 0:
                            cut = Cut(CutReason.LENGTH)
                            break
                    if self._own_cancel.is_set:
                        break
        except Cancelled:
            pass
        except BaseException as fault:  # passed to the pipeline's thread, which raises it
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
    """The messages of a run so far, and the rest of its budget."""

    def __init__(self, model: LanguageModel, settings: Settings, cancel: CancelToken) -> None:
        self._model, self._settings, self._cancel = model, settings, cancel
        self.prompts = Prompts(is_brief=model.abilities is Abilities.TRAINED)
        self._messages: list[Message] = []
        self._began = time.perf_counter()
        self.usage = Usage()
        self.retried: list[Retried] = []
        """Repeated requests of calls beside the dialogue, which no event has reported yet."""

    def say(self, role: str, content: str) -> None:
        """Append a message; leave out an empty one.

        A message of the same role as the last one is joined to it, because some chat templates require roles to
        alternate. Either way the earlier dialogue stays a prefix of the new one.
        """
        if content and self._messages and self._messages[-1].role == role:
            self._messages[-1] = Message(role, f"{self._messages[-1].content}\n\n{content}")
        elif content:
            self._messages.append(Message(role, content))

    def ask(self, prompt: str, form: Form | None, *, max_tokens: int) -> str:
        """Ask the model a question outside the dialogue and return its reply; of a cut reply, without the last line.

        Raises ``ModelError``, ``BudgetSpent`` or ``Cancelled``.
        """
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        generation = self.generate(form, max_tokens=max_tokens, inbox=inbox, alone=[Message("user", prompt)])
        text = ""
        try:
            with self._cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := self.take(inbox), Ended):
                    text = grown(text, item)
                    if isinstance(item, Retried):
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
        """Start a reply to the dialogue so far, or to the messages ``alone``.

        ``begun`` is the text that the reply continues; the generation delivers only what follows it. Raises
        ``BudgetSpent`` if the settings allow no further call, token or second, and ``Cancelled`` if the run was
        stopped.
        """
        messages = tuple(self._messages if alone is None else alone)
        if begun:
            messages = (*messages, Message("assistant", begun))
        self._cancel.check()
        left = self._settings.max_tokens - self.usage.completion_tokens
        if self.usage.llm_calls >= self._settings.max_llm_calls:
            raise BudgetSpent("max_llm_calls")
        if left < 16:
            raise BudgetSpent("max_tokens")
        if self.seconds >= self._settings.max_seconds:
            raise BudgetSpent("max_seconds")
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
        """Return the next item of a generation's inbox; wait as long as the budget of seconds allows.

        The clock is checked before each item, because an endless reply never leaves the inbox empty. Raises
        ``BudgetSpent`` if the seconds are used up, and ``Cancelled`` if the run was stopped. Whoever waits must put an
        item into the inbox then.
        """
        left = self._settings.max_seconds - self.seconds
        if left <= 0:
            raise BudgetSpent("max_seconds")
        try:
            item = inbox.get(timeout=left)
        except queue.Empty:
            raise BudgetSpent("max_seconds") from None
        self._cancel.check()
        return item

    def book(self, usage: Usage) -> None:
        """Add what a generation or a look-up cost."""
        self.usage += usage
        self._cancel.spent = self.usage

    @property
    def seconds(self) -> float:
        """Wall time since the run began, in seconds."""
        return time.perf_counter() - self._began

    @property
    def total(self) -> Usage:
        """All costs so far, wall time included."""
        return self.usage + Usage(seconds=self.seconds)


def aside(item: object) -> Iterator[Event]:
    """Yield the event of an ``item`` of a generation's inbox, if it is a thought or a repeated request."""
    match item:
        case Thought():
            yield ThoughtDelta(text=item.text)
        case Retried():
            yield ModelFault(what=item.what, action=item.action)


def grown(text: str, item: object) -> str:
    """Return ``text`` extended by the next ``item`` of a generation.

    Thoughts are left out. A ``Retracted`` item empties the text, because it turned out to be thoughts.
    """
    match item:
        case str():
            return text + item
        case Retracted():
            return ""
    return text


def retried_events(dialogue: Dialogue) -> Iterator[Event]:
    """Yield the events of requests that calls beside the dialogue had to repeat, and forget them."""
    while dialogue.retried:
        yield from aside(dialogue.retried.pop(0))
