"""A larger language model reads the best passages and answers the question from them, or says that they do not."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.chain.asides import grown
from searchain.chain.prompts import render
from searchain.errors import ModelTimeout
from searchain.llm.base import Form, LanguageModel
from searchain.types import Message, TaskKind, Usage

SECONDS = 60.0
"""A check that takes longer is given up: its wait for others, the start of the model, and the reading."""
ANSWER_TOKENS = 48
WANTED = {
    TaskKind.MULTIHOP: "a name, a date, a number or a short phrase",
    TaskKind.YESNO: "yes or no alone",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES alone: what the passages do with the claim",
    TaskKind.LONGFORM: "the answer in one sentence",
}
_NOTHING = re.compile(r"\W*(?:not found|none|no answer|unknown)\b", re.IGNORECASE)
_NOTHING_AFTER = re.compile(r": not found$", re.IGNORECASE)
"""As in "Cartilage: not found"."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of a passage."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class SecondReading:
    """What the model answered, ``""`` where it found nothing, and what that cost."""

    answer: str
    usage: Usage
    seconds: float


class SecondReader:
    """Reads one question at a time; others wait for their turn. Thread-safe."""

    def __init__(self, model: LanguageModel, *, seconds: float = SECONDS) -> None:
        self.name = model.name
        self._model, self._seconds = model, seconds
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="second-reading")

    def read(self, question: str, excerpts: Sequence[Excerpt], task: TaskKind, cancel: CancelToken) -> SecondReading:
        """Read ``excerpts``, the most likely one first.

        Raises:
            ModelTimeout: it took too long.
            ModelError, SetupError: the model failed.
            Cancelled: ``cancel`` was set.
        """
        own = CancelToken()
        started = time.monotonic()
        future = self._pool.submit(self._read, prompt(question, excerpts, task), own)
        try:
            while not future.done():
                cancel.check()
                if time.monotonic() - started > self._seconds:
                    raise ModelTimeout(f"{self.name} did not finish its check within {self._seconds:g} s")
                wait([future], timeout=0.05)
            answer, usage = future.result()
        finally:
            own.set()  # a run that waits no longer must not hold the others up
            future.cancel()
        return SecondReading(answer, usage, time.monotonic() - started)

    def _read(self, asked: str, cancel: CancelToken) -> tuple[str, Usage]:
        text, usage = "", Usage()
        messages = [Message("user", asked)]
        for piece in self._model.stream(messages, form=Form.READING, max_tokens=ANSWER_TOKENS, cancel=cancel):
            if isinstance(piece, Usage):
                usage = piece
            else:
                text = grown(text, piece)
        return parse(text), usage


def prompt(question: str, excerpts: Sequence[Excerpt], task: TaskKind) -> str:
    """Return the one message that the model gets."""
    shown = "\n\n".join(
        f"[{number}] {' '.join(one.title.split())}: {' '.join(one.text.split())}"
        for number, one in enumerate(excerpts, 1)
    )
    return render("second-reading", passages=shown, question=question, wanted=WANTED[task])


def parse(text: str) -> str:
    """Return the answer in what the model wrote, ``""`` for "not found"."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = re.sub(r"^\W*answer\W*:\s*", "", line, flags=re.IGNORECASE).strip(" *_\"“”'`").rstrip(".")
    return "" if _NOTHING.match(line) or _NOTHING_AFTER.search(line) else line
