"""Yes/no questions as people type them about articles, as training data for the stance model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lab.training.cases import LABELS
from lab.training.question_head import records
from lab.training.reader_data import leads
from lab.training.stance_data import Claim
from searchain.language.sentences import split
from searchain.language.text import content_words
from searchain.types import Passage

ROWS = Path(__file__).parent / "data" / "asked.jsonl"
"""An article a line: ``{"title", "part", "asked": [{"question", "label"}]}``, of the embedded corpus. ``label`` is yes,
no or open. ``part`` is ``learn`` or ``judge``."""
LONGEST = 700
"""Most characters of a text that the model reads at once; of a longer article the nearest sentences are taken."""


def asked(part: str) -> Iterator[Claim]:
    """Yield the questions of ``part`` with their articles."""
    articles = {passage.title: passage for passage in leads()}
    for row in records(ROWS):
        if row["part"] == part:
            for one in row["asked"]:
                text = near(one["question"], articles[row["title"]])
                yield Claim(one["question"], text, LABELS[one["label"]])


def near(question: str, passage: Passage) -> Passage:
    """Return ``passage`` cut to neighbouring sentences, among them those with most of the question's words."""
    if len(passage.text) <= LONGEST:
        return passage
    words, sentences = content_words(question), split(passage.text)
    cuts = [
        passage.text[start : max(end for _, end in sentences if end <= max(start + LONGEST, first_end))]
        for start, first_end in sentences
    ]
    return replace(passage, text=max(cuts, key=lambda cut: len(words & content_words(cut))))
