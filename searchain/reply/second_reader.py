"""Let a larger language model answer the question from the best passages, and judge other answers to it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from searchain.cancel import CancelToken
from searchain.chain.dialogue import grown
from searchain.chain.prompts import render
from searchain.errors import ModelTimeout
from searchain.llm.base import Form, LanguageModel
from searchain.types import Message, TaskKind, Usage

SECONDS = 60.0
"""Longest time of a check in seconds: waiting for other checks, starting the model, and reading."""
ANSWER_TOKENS, WRITING_TOKENS = 48, 200
T = TypeVar("T")
WANTED = {
    TaskKind.MULTIHOP: "a name, a date, a number or a short phrase",
    TaskKind.YESNO: "yes or no alone",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES alone: what the passages do with the claim",
    TaskKind.LONGFORM: "the answer in one sentence",
}
_NOTHING = re.compile(r"\W*(?:not found|none|no answer|unknown)\b", re.IGNORECASE)
_NOTHING_AFTER = re.compile(r": not found$", re.IGNORECASE)
"""Matches "Cartilage: not found" and the like."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a passage that the model is shown."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The model's own answer, and its judgements of several answers."""

    answer: str
    """``""`` if it found none."""
    guess: str
    """The answer, or if it found none, the model's best guess."""
    says_yes: Mapping[str, float]
    """Answer → the model's probability that it is right: for its own answer and for the proposed ones."""
    usage: Usage
    seconds: float


class JudgingModel(LanguageModel, Protocol):
    """A language model that can compute how likely its reply begins with a word."""

    def likelihoods(self, messages: Sequence[Message], words: Sequence[str]) -> tuple[float, ...]:
        """Return how likely the reply to ``messages`` begins with each of ``words``, 0–1.

        Raises:
            ModelError, SetupError: the model failed.
        """


class SecondReader:
    """A reader of one question at a time; others wait. Thread-safe."""

    def __init__(self, model: JudgingModel, *, seconds: float = SECONDS) -> None:
        self.name = model.name
        self._model, self._seconds = model, seconds
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="second-reading")

    def read(
        self,
        question: str,
        excerpts: Sequence[Excerpt],
        task: TaskKind,
        cancel: CancelToken,
        proposed: Sequence[str] = (),
    ) -> SecondReading:
        """Let the model answer from ``excerpts`` (most likely first) and judge its answer and those ``proposed``.

        Raises:
            ModelTimeout: it took too long.
            ModelError, SetupError: the model failed.
            Cancelled: ``cancel`` was set.
        """
        asking, started = _Asking(question, excerpts, task), time.monotonic()
        reading = self._in_turn(lambda own: self._read(asking, own, proposed), cancel)
        return replace(reading, seconds=time.monotonic() - started)

    def write(self, question: str, excerpts: Sequence[Excerpt], cancel: CancelToken) -> tuple[str, Usage]:
        """Let the model answer in a few sentences from ``excerpts``; return the text and what it cost.

        Raises:
            ModelTimeout, ModelError, SetupError, Cancelled: as ``read``.
        """
        passages = _Asking(question, excerpts, TaskKind.LONGFORM).passages
        asked = render("second-writing", passages=passages, question=question)
        return self._in_turn(lambda own: self._generated(asked, None, WRITING_TOKENS, own), cancel)

    def _in_turn(self, work: Callable[[CancelToken], T], cancel: CancelToken) -> T:
        """Do ``work`` when no other is being done, and wait for it as long as is allowed."""
        own = CancelToken()
        started = time.monotonic()
        future = self._pool.submit(work, own)
        try:
            while not future.done():
                cancel.check()
                if time.monotonic() - started > self._seconds:
                    raise ModelTimeout(f"{self.name} did not finish its check within {self._seconds:g} s")
                wait([future], timeout=0.05)
            return future.result()
        finally:
            own.set()  # a run that has stopped waiting must not delay the others
            future.cancel()

    def _read(self, asking: _Asking, cancel: CancelToken, proposed: Sequence[str]) -> SecondReading:
        # all prompts begin with the passages, which the model reads once
        answer, usage = self._write(asking.prompt("second-reading"), cancel)
        guess = answer
        if not answer:
            guess, more = self._write(asking.prompt("second-guess"), cancel)
            usage += more
        judged: dict[str, float] = {}
        for one in (*proposed, guess):
            if one and one not in judged:
                cancel.check()
                yes, no = self._model.likelihoods([Message("user", asking.judging(one))], ("yes", "no"))
                judged[one] = yes / (yes + no) if yes + no else 0.5
        return SecondReading(answer, guess, judged, usage + Usage(llm_calls=len(judged)), 0.0)

    def _write(self, asked: str, cancel: CancelToken) -> tuple[str, Usage]:
        text, usage = self._generated(asked, Form.READING, ANSWER_TOKENS, cancel)
        return parse(text), usage

    def _generated(self, asked: str, form: Form | None, most: int, cancel: CancelToken) -> tuple[str, Usage]:
        text, usage = "", Usage()
        messages = [Message("user", asked)]
        for piece in self._model.stream(messages, form=form, max_tokens=most, cancel=cancel):
            if isinstance(piece, Usage):
                usage = piece
            else:
                text = grown(text, piece)
        return text, usage


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question and what the model is shown for it."""

    question: str
    excerpts: Sequence[Excerpt]
    task: TaskKind

    @property
    def passages(self) -> str:
        return "\n\n".join(
            f"[{number}] {' '.join(one.title.split())}: {' '.join(one.text.split())}"
            for number, one in enumerate(self.excerpts, 1)
        )

    def prompt(self, name: str) -> str:
        """Return the message that asks for an answer."""
        return render(name, passages=self.passages, question=self.question, wanted=WANTED[self.task])

    def judging(self, answer: str) -> str:
        """Return the message that asks whether ``answer`` is right."""
        return render("second-judging", passages=self.passages, question=self.question, answer=" ".join(answer.split()))


def parse(text: str) -> str:
    """Return the answer in the model's text; ``""`` if it says "not found"."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = re.sub(r"^\W*answer\W*:\s*", "", line, flags=re.IGNORECASE).strip(" *_\"“”'`").rstrip(".")
    return "" if _NOTHING.match(line) or _NOTHING_AFTER.search(line) else line
