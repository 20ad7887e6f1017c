"""Let a larger language model read the best passages: it answers the question, and judges other answers to it."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from searchain.cancel import CancelToken
from searchain.chain.dialogue import grown
from searchain.chain.prompts import render
from searchain.errors import ModelTimeout
from searchain.language import text
from searchain.llm.base import Form, LanguageModel
from searchain.types import JudgedAnswer, Message, Passage, Span, TaskKind, Usage

SECONDS = 60.0
"""Longest time of a check in seconds: waiting for other checks, starting the model, and reading."""
MOST_PROPOSED = 3
"""Most answers that are judged besides the second reader's own."""
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


@dataclass(frozen=True, slots=True)
class LabelReading:
    """How likely the model answers a yes/no question with each word, 0–1."""

    yes: float
    """“yes” against “no”."""
    unknown: float
    """“unknown” against “yes” and “no”."""
    holds: float
    """“yes” against “no”, asked whether the passages answer the question at all."""
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

    def __init__(self, model: JudgingModel, *, seconds: float = SECONDS, most_proposed: int = MOST_PROPOSED) -> None:
        """``most_proposed`` answers are judged besides the model's own; each costs a call."""
        self.name, self.most_proposed = model.name, most_proposed
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

    def decide(self, question: str, excerpts: Sequence[Excerpt], cancel: CancelToken) -> LabelReading:
        """Let the model answer a yes/no question from ``excerpts``.

        Raises:
            ModelTimeout, ModelError, SetupError, Cancelled: as ``read``.
        """
        asking, started = _Asking(question, excerpts, TaskKind.YESNO), time.monotonic()
        reading = self._in_turn(lambda own: self._decide(asking, own), cancel)
        return replace(reading, seconds=time.monotonic() - started)

    def write(self, question: str, excerpts: Sequence[Excerpt], cancel: CancelToken) -> tuple[str, Usage]:
        """Let the model answer in a few sentences from ``excerpts``; return the text and what it cost.

        Raises:
            ModelTimeout, ModelError, SetupError, Cancelled: as ``read``.
        """
        asked = _Asking(question, excerpts, TaskKind.LONGFORM).about("second-writing")
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
                yes, more = self._likely(asking.judging(one), ("yes", "no"))
                judged[one] = _share(*yes)
                usage += more
        return SecondReading(answer, guess, judged, usage, 0.0)

    def _decide(self, asking: _Asking, cancel: CancelToken) -> LabelReading:
        (yes, no, unknown), usage = self._likely(asking.about("second-deciding"), ("yes", "no", "unknown"))
        cancel.check()
        holds, more = self._likely(asking.about("second-holding"), ("yes", "no"))
        return LabelReading(_share(yes, no), _share(unknown, yes + no), _share(*holds), usage + more, 0.0)

    def _likely(self, asked: str, words: Sequence[str]) -> tuple[tuple[float, ...], Usage]:
        """Return how likely the reply begins with each of ``words``, and what it cost."""
        likely = self._model.likelihoods([Message("user", asked)], words)
        return likely, Usage(llm_calls=1, prompt_tokens=math.ceil(len(asked) / 4), completion_tokens=1)

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


def _share(one: float, other: float) -> float:
    return one / (one + other) if one + other else 0.5


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
        return self.about(name, wanted=WANTED[self.task])

    def judging(self, answer: str) -> str:
        """Return the message that asks whether ``answer`` is right."""
        return self.about("second-judging", answer=" ".join(answer.split()))

    def about(self, name: str, **values: str) -> str:
        """Return a message about the passages and the question."""
        return render(name, passages=self.passages, question=self.question, **values)


def parse(text: str) -> str:
    """Return the answer in the model's text; ``""`` if it says "not found"."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = re.sub(r"^\W*answer\W*:\s*", "", line, flags=re.IGNORECASE).strip(" *_\"“”'`").rstrip(".")
    return "" if _NOTHING.match(line) or _NOTHING_AFTER.search(line) else line


_BETWEEN = 40
"""Most characters of a passage between two items of an enumeration."""
SHORTEST = 4
"""Fewest letters of a word that may match its plural."""
_NUMBER = re.compile(r"(?:^|(?<=\s))\d{1,2}[.)] ")
"""Matches the number before an item of a numbered list."""


def place_of(answer: str, passages: Sequence[Passage]) -> tuple[int | None, Span | None]:
    """Return the number of the first passage that holds ``answer``, and its span; ``None`` twice if none holds it.

    The passage holds its words in order, perhaps with the last in the plural, or all items of its enumeration in order.
    A passage's title and a colon before the answer are ignored.

    >>> lake = Passage("l", "Lake Tana", "Short description: Lake in Ethiopia. It has carps, catfishes and barbs.")
    >>> place_of("carps, barbs", [lake]), place_of("Lake Tana: catfish", [lake])[1] is not None
    ((0, Span(start=44, end=70)), True)
    """
    for find in (_words, _plural, _enumeration):
        for form in _forms(answer, passages):
            for place, passage in enumerate(passages):
                if span := find(form, passage.text):
                    return place, span
    return None, None


def placed(passages: Sequence[Passage], answer: JudgedAnswer) -> JudgedAnswer:
    """Return the answer with the number of the passage that holds it."""
    return replace(answer, place=place_of(answer.answer, passages)[0])


def _forms(answer: str, passages: Sequence[Passage]) -> Iterator[str]:
    """Yield the answer, and the answer without the title of a passage before it."""
    yield answer
    title, colon, rest = answer.partition(": ")
    if colon and title.casefold() in {passage.title.casefold() for passage in passages}:
        yield rest


def _words(answer: str, body: str) -> Span | None:
    words = re.findall(r"\w+", answer)
    return _found(_pattern(words), body) if words else None


def _plural(answer: str, body: str) -> Span | None:
    words = re.findall(r"\w+", answer)
    is_noun = bool(words) and words[-1].isalpha() and len(words[-1]) >= SHORTEST
    return _found(f"{_pattern(words)}e?s", body) if is_noun else None


def _enumeration(answer: str, body: str) -> Span | None:
    """Return the span from the first to the last item, if the passage has all items close together and in order."""
    items = [re.findall(r"\w+", item) for item in text.items(_NUMBER.sub("", answer))]
    if len(items) < 2 or not all(items):
        return None
    return _found(rf"\b[^.]{{1,{_BETWEEN}}}?\b".join(map(_pattern, items)), body)


def _pattern(words: Sequence[str]) -> str:
    return r"\W+".join(map(re.escape, words))


def _found(pattern: str, body: str) -> Span | None:
    match = re.search(rf"\b{pattern}\b", body, re.IGNORECASE)
    return Span(match.start(), match.end()) if match else None
