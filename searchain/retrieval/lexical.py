"""Find passages by their words, with BM25 (Robertson and Zaragoza 2009), and articles by their titles; join rankings.

BM25 needs no model, so a document is searchable as soon as its text is known. It finds the numbers, names and codes
whose meaning no vector holds, and words of any language.

For short queries such as "capital of australia" or "when was chopin born", late interaction ranks passages about many
capitals and births above the article on Australia or Chopin. So the article that a short query names is always added to
the hits.
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
"""Most passages of a part that is searched by words (0.5 KB each in memory, and the vocabulary) and titles (0.2 KB)."""
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

        ``weights``: word → how much it counts, as ``weighed`` returns.
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
    texts = (f"{passage.title} {passage.text}" for passage in passages)
    found = [[numbers.setdefault(word, len(numbers)) for word in words(one)] or [0] for one in texts]
    model = bm25s.BM25()
    model.index((found, numbers), show_progress=False)
    return model


def _rarity(holding: int, total: int) -> float:
    """Return the inverse document frequency of a word, as bm25s counts it (Lucene's form)."""
    return log1p((total - holding + 0.5) / (holding + 0.5))


MOST_WORDS = 9
"""Most words of a query that is searched for titles; longer queries do not need it."""
LEAD = 120
"""How many characters of a passage are searched for the years of a person's life."""
SHORTEST = 4
"""Fewest letters of a surname."""
_NO_SURNAMES = frozenset("born cook cross list more said west young".split())
"""Surnames that are usually common words in short queries."""
_BRACKETS = re.compile(r" ?\([^()]*\)$")
_NAME_WORD = re.compile(r"\w+")
_LIVED = re.compile(r"\(\s*(?:c\. |born )?\d{3,4}(?:\s*[–-]\s*(?:c\. )?\d{3,4})?\s*\)|\(born ")
"""Matches the years in the short description of a person."""

Name = tuple[str, ...]


class NamedArticles:
    """The articles of a part that short queries name; the titles are collected at the first such query. Thread-safe."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._known: tuple[dict[Name, int], dict[str, int]] | None = None
        self._lock = threading.Lock()

    def rows(self, query: str) -> list[tuple[int, bool]]:
        """Return the rows of the articles that ``query`` names, the longest name first, each with whether its name is
        a proper name. No name stands inside another."""
        asked = name_words(query)
        if len(self._passages) > MOST_PASSAGES or len(asked) > MOST_WORDS:
            return []
        with self._lock:
            titles, surnames = self._known = self._known or _collected(self._passages)
        found: list[tuple[int, bool]] = []
        taken: set[int] = set()
        for length in range(len(asked), 0, -1):
            for start in range(len(asked) - length + 1):
                name, places = asked[start : start + length], range(start, start + length)
                row = titles.get(name, surnames.get(name[0]) if length == 1 else None)
                if row is not None and taken.isdisjoint(places):
                    taken.update(places)
                    found.append((row, is_name(" ".join(name), self._passages[row])))
        return found


def _collected(passages: Iterable[Passage]) -> tuple[dict[Name, int], dict[str, int]]:
    """Return the first passage of each title, or title without the words in brackets after it, and of each surname.

    A name that several articles share is left out, and so is a last word that is not that of exactly one person.
    """
    rows: dict[Name, int] = {}
    bare: dict[Name, list[int]] = {}
    last: dict[str, list[int]] = {}
    holding: dict[str, list[Name]] = {}
    seen: set[str] = set()
    for row, passage in enumerate(passages):
        if passage.title in seen:
            continue
        seen.add(passage.title)
        without = _BRACKETS.sub("", passage.title)
        if not (name := name_words(without)):
            continue
        if without == passage.title:
            rows.setdefault(name, row)
            for word in name:
                holding.setdefault(word, []).append(name)
        else:
            bare.setdefault(name, []).append(row)
        if _is_person(without, passage):
            last.setdefault(name[-1], []).append(row)
    for name, some in bare.items():
        # "Amazon (company)" beside "Amazon River": the bare name may mean either
        if len(some) == 1 and not any(_holds(other, name) for other in holding.get(name[0], ())):
            rows[name] = some[0]
    return rows, {word: some[0] for word, some in last.items() if len(some) == 1 and (word,) not in rows}


def _is_person(title: str, passage: Passage) -> bool:
    parts = title.split()
    has_surname = len(parts) > 1 and len(parts[-1]) >= SHORTEST and parts[-1][:1].isupper()
    is_plain = has_surname and parts[-1].casefold() not in _NO_SURNAMES and not {"of", "the", "and"} & set(parts)
    return is_plain and _LIVED.search(passage.text[:LEAD]) is not None


def _holds(longer: Name, name: Name) -> bool:
    return any(longer[at : at + len(name)] == name for at in range(len(longer) - len(name) + 1))


def name_words(text: str) -> Name:
    """Return the words of a title or a query, without case and apostrophes.

    >>> name_words("N’Djamena's mayor")
    ('ndjamena', 'mayor')
    """
    plain = re.sub(r"['’]s\b", "", text.casefold())
    return tuple(_NAME_WORD.findall(re.sub(r"['’.]", "", plain)))


def is_name(name: str, passage: Passage) -> bool:
    """Tell whether ``name`` is a proper name: it never stands in small letters in ``passage``.

    >>> is_name("australia", Passage("1", "Australia", "Australia is a country."))
    True
    >>> is_name("water", Passage("2", "Water", "Water is a substance; pure water is clear."))
    False
    """
    small = r"\W+".join(map(re.escape, name.split()))
    return passage.title.casefold() != passage.title and not re.search(rf"(?<!\w){small}s?(?!\w)", passage.text)
