"""What the model writes in a run of a compared system: the next words of a dialogue, or several samples."""

from __future__ import annotations

import queue
from collections.abc import Generator, Iterator, Sequence
from typing import Any, Literal

from searchain.cancel import CancelToken
from searchain.chain.dialogue import BudgetSpent, Dialogue, Ended, Generation, aside, grown
from searchain.errors import CannotSample
from searchain.events import ChainDelta, Event, ModelFault, Sample, SamplesWeighed
from searchain.llm.base import GREEDY, Cut, Form, Sampling
from searchain.pipeline import SearChain
from searchain.types import Message

TEMPERATURE = 0.7
"""Of every sample (Wang et al. 2023, Yao et al. 2023, Khattab et al. 2023)."""


class Writing:
    """The dialogue of one run. ``round`` is the one that runs, ``text`` what was written last."""

    def __init__(self, parts: SearChain, dialogue: Dialogue, cancel: CancelToken) -> None:
        self.parts, self.settings, self.dialogue, self.cancel = parts, parts.settings, dialogue, cancel
        self.round, self.text = 1, ""
        self.cut: Cut | None = None
        """Why the last reply is incomplete; ``None`` where it is whole."""

    def say(self, said: str, role: str = "user") -> None:
        """Append a message to the dialogue, by default as the user."""
        self.dialogue.say(role, said)

    def write(
        self,
        stop: Sequence[str] = (),
        *,
        max_tokens: int = 256,
        alone: Sequence[Message] | None = None,
        form: Form | None = None,
    ) -> Generator[Event, None, str]:
        """The model's next words, up to a text of ``stop``, which is left out; ``alone``: to these messages.

        What is written to the dialogue is appended to it.

        Raises:
            ModelError, BudgetSpent, Cancelled.
        """
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        generation = self.dialogue.generate(form, max_tokens=max_tokens, inbox=inbox, alone=alone)
        written, shown = "", 0
        held = max(map(len, stop), default=1) - 1
        try:
            with self.cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := self.dialogue.take(inbox), Ended):
                    yield from aside(item)
                    written = grown(written, item)
                    shown = min(shown, len(written))
                    found = [at for one in stop if (at := written.find(one)) >= 0]
                    if found:
                        written, self.cut = written[: min(found)], None
                        break
                    if (upto := len(written) - held) > shown:
                        yield ChainDelta(round=self.round, text=written[shown:upto])
                        shown = upto
                else:
                    yield from self._ended(item)
        finally:
            self.dialogue.book(generation.close())
            self.text = written.strip()
        yield ChainDelta(round=self.round, text=written[shown:] + "\n")
        if alone is None:
            self.dialogue.say("assistant", self.text)
        return self.text

    def replies(
        self,
        asked: Sequence[Sequence[Message]],
        *,
        temperature: float = 0.0,
        max_tokens: int = 256,
        form: Form | None = None,
    ) -> Generator[Event, None, list[str]]:
        """One reply to each of ``asked``, several at a time; with a ``temperature`` reply i is drawn with the seed i.

        Where the model's server cannot draw samples there is one reply, the likeliest. Where the budget ends, there are
        those that were whole by then.

        Raises:
            ModelError, BudgetSpent, Cancelled.
        """
        try:
            return (yield from self._replies(asked, temperature, max_tokens, form))
        except CannotSample as fault:
            yield ModelFault(what=str(fault), action="took its one likeliest reply, without a vote")
            return (yield from self._replies(asked[:1], 0.0, max_tokens, form))

    def sample(
        self, n: int, messages: Sequence[Message], *, max_tokens: int = 256
    ) -> Generator[Event, None, list[str]]:
        """``n`` replies to the same messages, drawn at the temperature 0.7 with the seeds 0 to n − 1."""
        return (yield from self.replies([messages] * n, temperature=TEMPERATURE, max_tokens=max_tokens))

    def weigh(
        self,
        kind: Literal["answers", "recitations", "thoughts", "queries"],
        texts: Sequence[str],
        said: Sequence[str],
        votes: Sequence[int],
        chosen: int | None,
    ) -> Iterator[Event]:
        """Tell which texts were drawn, what each says and how many votes it has."""
        samples = tuple(Sample(*one) for one in zip(texts, said, votes, strict=True))
        yield SamplesWeighed(round=self.round, kind=kind, samples=samples, chosen=chosen)

    def prepare(self, asked: Sequence[Message], *, max_tokens: int) -> str:
        """Take the model's likeliest reply once; it serves all questions, and no question's cost counts it.

        Raises:
            ModelError, Cancelled.
        """
        pieces = self.parts.model.stream(asked, max_tokens=max_tokens, cancel=self.cancel)
        return "".join(one for one in pieces if isinstance(one, str)).strip()

    def _replies(
        self, asked: Sequence[Sequence[Message]], temperature: float, max_tokens: int, form: Form | None
    ) -> Generator[Event, None, list[str]]:
        """The replies, read in order; as many are generated at a time as the model can take."""
        running: list[tuple[Generation, queue.SimpleQueue[Any]]] = []
        texts: list[str] = []
        try:
            for number, messages in enumerate(asked):
                sampling = Sampling(temperature, number) if temperature else GREEDY
                inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
                if self.dialogue.usage.llm_calls + len(running) >= self.settings.max_llm_calls:
                    break
                generation = self.dialogue.generate(
                    form, max_tokens=max_tokens, inbox=inbox, alone=messages, sampling=sampling
                )
                running.append((generation, inbox))
                if len(running) == self.parts.model.at_once:
                    texts.append((yield from self._read_to_end(*running.pop(0))))
            while running:
                texts.append((yield from self._read_to_end(*running.pop(0))))
            if len(texts) < len(asked):
                raise BudgetSpent("max_llm_calls")
        except BudgetSpent as spent:
            if not texts:
                raise
            yield ModelFault(what=str(spent), action=f"went on with {len(texts)} of {len(asked)} replies")
        finally:
            for generation, _ in running:
                self.dialogue.book(generation.close())
        return texts

    def _read_to_end(self, generation: Generation, inbox: queue.SimpleQueue[Any]) -> Generator[Event, None, str]:
        written = ""
        try:
            with self.cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := self.dialogue.take(inbox), Ended):
                    yield from aside(item)
                    written = grown(written, item)
        finally:
            self.dialogue.book(generation.close())
        yield from self._ended(item)
        return written.strip()

    def _ended(self, end: Ended) -> Iterator[Event]:
        """Tell why a reply is incomplete.

        Raises:
            ModelError, BudgetSpent: what ended it.
        """
        if end.error is not None:
            raise end.error
        self.cut = end.cut
        if end.cut is not None:
            yield ModelFault(what=f"the model {end.cut}", action="took what it had written")
