"""Questions with polite words around them as training data: what people type, and which part of it is asked."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lab.training.question_head import records
from searchain.language.text import content_words

ROWS = Path(__file__).parent / "data" / "framed.jsonl"
"""A text a line: ``{"text", "asked", "about", "part"}``. ``asked`` stands in ``text``, and is all of it where no words
stand around it. ``about`` and ``part`` (``learn``, ``judge``) are as in ``lab.training.conversations``."""
DRAWN = 2
"""Around how many drawn questions the words of each learnt text are put in a pass."""


@dataclass(frozen=True, slots=True)
class Framed:
    """A text with the question in it."""

    text: str
    asked: str
    about: str = ""
    part: str = "learn"

    @property
    def has_frame(self) -> bool:
        return self.asked != self.text


def written(file: Path = ROWS) -> list[Framed]:
    """Return the texts in ``file``."""
    return [Framed(one["text"], one["asked"], one["about"], one["part"]) for one in records(file)]


def around(rows: Sequence[Framed]) -> list[str]:
    """Return the content words that stand around the questions of ``rows``."""
    return sorted({word for row in rows for side in row.text.split(row.asked, 1) for word in content_words(side)})


def put_together(rows: Sequence[Framed], questions: Sequence[str], rng: random.Random) -> Iterator[Framed]:
    """Yield the words around each of ``rows`` with questions drawn from others.

    >>> row = Framed("hi, who won? thanks", "who won?")
    >>> next(put_together([row], ["how high is it"], random.Random(0))).text
    'hi, how high is it? thanks'
    """
    for row in rows:
        before, after = row.text.split(row.asked, 1)
        for asked in rng.sample(questions, min(DRAWN, len(questions))) if row.has_frame else ():
            asked = asked.rstrip(" ?.") + row.asked[len(row.asked.rstrip(" ?.")) :]
            yield Framed(f"{before}{asked}{after}", asked)
