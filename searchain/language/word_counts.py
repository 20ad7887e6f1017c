"""Count the words of passages."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from searchain.types import Passage

WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class WordCounts:
    """The words of passages, in lower case and without accents."""

    counts: Counter[str]
    names: set[str]
    """Those that have a capital at least one time in three."""

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> WordCounts:
        written, counts, capitals = Counter[str](), Counter[str](), Counter[str]()
        for passage in passages:
            written.update(WORD.findall(passage.text))
        for word, count in written.items():
            counts[folded(word)] += count
            capitals[folded(word)] += count * word[0].isupper()
        return cls(counts, {word for word, count in counts.items() if capitals[word] * 3 >= count})


def folded(word: str) -> str:
    """Return the word in lower case without accents."""
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()
