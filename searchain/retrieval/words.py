"""The words and the titles of an index, for correcting questions and for showing what may be asked."""

from __future__ import annotations

import random
from collections.abc import Iterable

from searchain.embedded import assets
from searchain.language.descriptions import about
from searchain.language.spelling import Speller
from searchain.types import Passage

MOST = 50_000
"""Passages up to which the words are counted when the index is opened: about 2 s."""


def speller_of(passages: Iterable[Passage], number: int) -> Speller | None:
    """Return what corrects questions to these passages; ``None`` where counting their words would take long.

    The whole words of the Reader's vocabulary count as right too, since they are the commonest words of English.

    Raises:
        SetupError: the vocabulary is missing or damaged.
    """
    if number > MOST:
        return None
    common = assets.find(assets.MINILM_VOCABULARY).read_text(encoding="utf-8").split()
    return Speller(passages, (word for word in common if word.isalpha()))


def questions_about(passages: Iterable[Passage], number: int = 12, seed: int = 0) -> tuple[str, ...]:
    """Return questions about some passages, drawn by ``seed``, whose titles can be asked about."""
    first: dict[str, Passage] = {}
    for passage in passages:
        if 2 < len(passage.title) <= 40 and passage.title[0].isalpha():
            first.setdefault(passage.title, passage)
    titles = sorted(first)
    return tuple(about(first[title]) for title in random.Random(seed).sample(titles, min(number, len(titles))))
