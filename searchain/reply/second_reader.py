"""Let a larger language model read the best passages: it answers the question, and judges other answers to it."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from searchain.cancel import CancelToken
from searchain.chain.dialogue import grown
from searchain.chain.prompts import render
from searchain.errors import ModelTimeout
from searchain.language import text
from searchain.llm.base import Form, LanguageModel
from searchain.types import Message, Passage, Span, TaskKind, Usage

SECONDS = 60.0
"""Longest time of a check in seconds: waiting for other checks, starting the model, and reading."""
ANSWER_TOKENS, WRITING_TOKENS = 48, 200
T = TypeVar("T")
Spent = Callable[[Usage], None]
"""Books what a call costs; in any thread, and also where nobody waits for the call any more."""
WANTED = {
    TaskKind.MULTIHOP: "a name, a date, a number or a short phrase",
    TaskKind.YESNO: "yes or no alone",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES alone: what the passages do with the claim",
    TaskKind.LONGFORM: "the answer in one sentence",
}
_NOTHING = re.compile(r"\W*(?:not found|none|no answer|unknown)\b", re.IGNORECASE)
_NOTHING_AFTER = re.compile(r": not found$", re.IGNORECASE)  # matches "Cartilage: not found" and the like


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a passage that the model is shown."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The model's own answer, and its judgement of one answer."""

    answer: str
    """``""`` if it found none."""
    says_yes: float
    """The model's probability that its answer is right, or the proposed one where it found none; 0.5 without either."""
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
    seconds: float
    """Of the whole check."""


class JudgingModel(LanguageModel, Protocol):
    """A language model that can compute how likely its reply begins with a word."""

    def likelihoods(self, messages: Sequence[Message], words: Sequence[str]) -> tuple[float, ...]:
        """Return how likely the reply to ``messages`` begins with each of ``words``, 0–1.

        Raises ``ModelError`` or ``SetupError`` if the model failed.
        """


class SecondReader:
    """A reader of one question at a time; others wait. Thread-safe."""

    def __init__(self, model: JudgingModel, *, seconds: float = SECONDS) -> None:
        self.name, self._model, self._seconds = model.name, model, seconds
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="second-reading")

    def read(
        self,
        question: str,
        excerpts: Sequence[Excerpt],
        task: TaskKind,
        cancel: CancelToken,
        spent: Spent,
        proposed: str = "",
    ) -> SecondReading:
        """Let the model answer from ``excerpts`` (most likely first), and judge that answer, else ``proposed``.

        Raises:
            ModelTimeout: it took too long.
            ModelError, SetupError: the model failed.
            Cancelled: ``cancel`` was set.
        """
        asking, started = _Asking(question, excerpts, task, spent), time.monotonic()
        reading = self._in_turn(lambda own: self._read(asking, own, proposed), cancel)
        return replace(reading, seconds=time.monotonic() - started)

    def judge(
        self, question: str, excerpts: Sequence[Excerpt], answer: str, cancel: CancelToken, spent: Spent
    ) -> SecondReading:
        """Let the model judge ``answer`` by ``excerpts``; it gives no answer of its own. Raises as ``read``."""
        asking, started = _Asking(question, excerpts, TaskKind.MULTIHOP, spent), time.monotonic()
        says_yes = self._in_turn(lambda own: self._says_yes(asking, answer), cancel)
        return SecondReading("", says_yes, time.monotonic() - started)

    def decide(
        self, question: str, groups: Sequence[Sequence[Excerpt]], cancel: CancelToken, spent: Spent
    ) -> list[LabelReading]:
        """Let the model answer a yes/no question from each group of excerpts alone. Raises as ``read``."""
        every = [_Asking(question, excerpts, TaskKind.YESNO, spent) for excerpts in groups]
        started = time.monotonic()
        readings = self._in_turn(lambda own: [self._decide(asking, own) for asking in every], cancel)
        return [replace(reading, seconds=time.monotonic() - started) for reading in readings]

    def write(self, question: str, excerpts: Sequence[Excerpt], cancel: CancelToken, spent: Spent) -> str:
        """Let the model answer in a few sentences from ``excerpts``. Raises as ``read``."""
        asking = _Asking(question, excerpts, TaskKind.LONGFORM, spent)
        asked = asking.about("second-writing")
        return self._in_turn(lambda own: self._generated(asking, asked, None, WRITING_TOKENS, own), cancel)

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

    def _read(self, asking: _Asking, cancel: CancelToken, proposed: str) -> SecondReading:
        # both prompts begin with the passages, which the model reads once
        asked = asking.about("second-reading", wanted=WANTED[asking.task])
        answer = parse(self._generated(asking, asked, Form.READING, ANSWER_TOKENS, cancel))
        judged = answer or proposed
        cancel.check()
        says_yes = self._says_yes(asking, judged) if judged else 0.5
        return SecondReading(answer, says_yes, 0.0)

    def _says_yes(self, asking: _Asking, answer: str) -> float:
        asked = asking.about("second-judging", answer=" ".join(answer.split()))
        return _share(*self._likely(asking, asked, ("yes", "no")))

    def _decide(self, asking: _Asking, cancel: CancelToken) -> LabelReading:
        cancel.check()
        yes, no, unknown = self._likely(asking, asking.about("second-deciding"), ("yes", "no", "unknown"))
        cancel.check()
        holds = self._likely(asking, asking.about("second-holding"), ("yes", "no"))
        return LabelReading(_share(yes, no), _share(unknown, yes + no), _share(*holds), 0.0)

    def _likely(self, asking: _Asking, asked: str, words: Sequence[str]) -> tuple[float, ...]:
        asking.spent(Usage(llm_calls=1, prompt_tokens=_tokens(asked), completion_tokens=1))
        return self._model.likelihoods([Message("user", asked)], words)

    def _generated(self, asking: _Asking, asked: str, form: Form | None, most: int, cancel: CancelToken) -> str:
        expected, text = _tokens(asked), ""
        asking.spent(Usage(llm_calls=1, prompt_tokens=expected))  # before: a call that is stopped costs as much
        for piece in self._model.stream([Message("user", asked)], form=form, max_tokens=most, cancel=cancel):
            if isinstance(piece, Usage):
                asking.spent(replace(piece, llm_calls=0, prompt_tokens=piece.prompt_tokens - expected))
            else:
                text = grown(text, piece)
        return text


def _tokens(asked: str) -> int:
    return math.ceil(len(asked) / 4)


def _share(one: float, other: float) -> float:
    return one / (one + other) if one + other else 0.5


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question and what the model is shown for it."""

    question: str
    excerpts: Sequence[Excerpt]
    task: TaskKind
    spent: Spent

    def about(self, name: str, **values: str) -> str:
        """Return a message about the passages and the question."""
        passages = "\n\n".join(
            f"[{number}] {' '.join(one.title.split())}: {' '.join(one.text.split())}"
            for number, one in enumerate(self.excerpts, 1)
        )
        return render(name, passages=passages, question=self.question, **values)


def parse(text: str) -> str:
    """Return the answer in the model's text; ``""`` if it says "not found"."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = re.sub(r"^\W*answer\W*:\s*", "", line, flags=re.IGNORECASE).strip(" *_\"“”'`").rstrip(".")
    return "" if _NOTHING.match(line) or _NOTHING_AFTER.search(line) else line


_BETWEEN = 40  # most characters of a passage between two items of an enumeration
SHORTEST = 4
"""Fewest letters of a word that may match its plural."""
_NUMBER = re.compile(r"(?:^|(?<=\s))\d{1,2}[.)] ")  # matches the number before an item of a numbered list


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
