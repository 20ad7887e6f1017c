"""Find passages by their words, with BM25 (Robertson and Zaragoza 2009), and join rankings by reciprocal rank.

BM25 needs no model, so a document is searchable as soon as its text is known. It finds the numbers, names and codes
whose meaning no vector holds, and words of any language.
"""

from __future__ import annotations

import logging
import re
import threading
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import log1p
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from searchain.types import Passage

logging.getLogger("bm25s").propagate = False  # it sets its own level to DEBUG, whatever ours is

if TYPE_CHECKING:
    import bm25s

Ranked = TypeVar("Ranked", bound=Hashable)

MOST_PASSAGES = 200_000
"""Most passages of a part that is searched by words (0.5 KB each in memory, and the vocabulary)."""
RANK_CONSTANT = 60
"""How fast the weight of a rank falls (Cormack, Clarke and Büttcher 2009)."""
FIRST_PAIRED = "\u0900"
"""The first character of the scripts whose words are cut into pairs: those without spaces (Thai, Japanese, Chinese),
those that join particles to words (Korean), and those of India, whose vowel signs ``re`` does not count as letters."""
_PAIRED = "\u0900-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
SAVED = "words"
"""The folder of a part with the words of its passages."""
_WORD = re.compile(rf"[{_PAIRED}]+|[^\W{_PAIRED}]+")
_ACCENTS = dict.fromkeys(range(0x300, 0x370))


class Words:
    """The words of some passages, read from the folder of their part, or counted at the first search. Thread-safe."""

    def __init__(self, passages: Sequence[Passage], part: Path | None = None) -> None:
        self._passages, self._saved = passages, part / SAVED if part else None
        self._lock = threading.Lock()
        self._counted: bm25s.BM25 | None = None

    def __len__(self) -> int:
        return len(self._passages)

    def holding(self, word: str) -> int:
        """Return how many of the passages hold ``word``."""
        return len(self._column(word)[0])

    def search(self, weights: Mapping[str, float], k: int) -> list[tuple[float, int]]:
        """Return at most ``k`` (score, row), best first; only passages that hold a word of ``weights``.

        Args:
            weights: word → how much it counts, as ``weighed`` returns.
        """
        scores = np.zeros(len(self))
        for word, weight in weights.items():
            rows, frequencies = self._column(word)
            scores[rows] += weight * frequencies
        best = np.argsort(-scores, kind="stable")[:k]
        return [(float(scores[row]), int(row)) for row in best if scores[row] > 0]

    def _column(self, word: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of the passages that hold ``word``, and how often for their length, as BM25 counts it."""
        if len(self) > MOST_PASSAGES:
            return np.empty(0, np.int32), np.empty(0)
        with self._lock:
            model = self._counted = self._counted or self._opened()
        number = model.vocab_dict.get(word)
        if number is None:
            return np.empty(0, np.int32), np.empty(0)
        start, stop = model.scores["indptr"][number : number + 2]
        rows = model.scores["indices"][start:stop]
        return rows, model.scores["data"][start:stop] / _rarity(len(rows), len(self))

    def _opened(self) -> bm25s.BM25:
        import bm25s

        if self._saved and self._saved.is_dir():
            return bm25s.BM25.load(self._saved, mmap=True)
        return _counted(self._passages)


def save(part: Path, passages: Sequence[Passage]) -> None:
    """Store the words of a part's passages in its folder, so that they need not be counted at the first search."""
    if len(passages) <= MOST_PASSAGES:
        _counted(passages).save(part / SAVED, show_progress=False)


def weighed(query: str, held: Sequence[Words]) -> dict[str, float]:
    """Return the words of ``query``, each with its inverse document frequency among all the passages ``held``."""
    total = sum(map(len, held))
    return {word: _rarity(sum(one.holding(word) for one in held), total) for word in words(query)}


def nearest(query: str, passages: Sequence[Passage], k: int) -> list[Passage]:
    """Return the ``k`` passages with the best BM25 score for ``query``, best first; some may share no word."""
    held = Words(passages)
    found = [row for _, row in held.search(weighed(query, [held]), k)]
    rest = (row for row in range(len(passages)) if row not in found)
    return [passages[row] for row in (*found, *rest)][:k]


def fused(rankings: Iterable[Sequence[Ranked]]) -> list[Ranked]:
    """Join rankings by reciprocal rank, best first.

    >>> fused([["a", "b", "c"], ["c", "a"]])
    ['a', 'c', 'b']
    """
    worth: defaultdict[Ranked, float] = defaultdict(float)
    for ranking in rankings:
        for rank, one in enumerate(ranking, 1):
            worth[one] += 1 / (RANK_CONSTANT + rank)
    return sorted(worth, key=worth.__getitem__, reverse=True)


def words(text: str) -> list[str]:
    """Return the words of ``text`` without case and accents; numbers and identifiers are words too.

    Where words are not parted by spaces, each two neighbouring characters are one.

    >>> words("Größe der Crêperie"), words("東京タワー KX-4471")
    (['grosse', 'der', 'creperie'], ['東京', '京タ', 'タワ', 'ワー', 'kx', '4471'])
    """
    folded = text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFKD", folded).translate(_ACCENTS))
    return [piece for word in _WORD.findall(folded) for piece in _pieces(word)]


def _pieces(word: str) -> Sequence[str]:
    is_whole = word < FIRST_PAIRED or len(word) < 3
    return (word,) if is_whole else [word[start : start + 2] for start in range(len(word) - 1)]


def _counted(passages: Iterable[Passage]) -> bm25s.BM25:
    import bm25s

    numbers: dict[str, int] = {"": 0}
    found = [
        [numbers.setdefault(word, len(numbers)) for word in words(f"{passage.title} {passage.text}")] or [0]
        for passage in passages
    ]
    model = bm25s.BM25()
    model.index((found, numbers), show_progress=False)
    return model


def _rarity(holding: int, total: int) -> float:
    """Return the inverse document frequency of a word, as bm25s counts it (Lucene's form)."""
    return log1p((total - holding + 0.5) / (holding + 0.5))
