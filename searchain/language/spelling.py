"""Correct the spelling of questions towards the words of the collection.

Only an unknown word is corrected, and only to a word of the collection with an edit distance of one or two. A short
word, a number, an abbreviation and a name without a similar word stay as they are.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from searchain.language.same_answer import SHORT_NAMES
from searchain.language.text import stem
from searchain.types import Passage

WORD = re.compile(r"[^\W\d_]+")


def folded(word: str) -> str:
    """Return the word in lower case without accents."""
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()


SHORTEST, SHORTEST_NAME = 5, 7
"""Fewest letters of a word, and of a name, that is corrected; shorter ones resemble too many words."""
TWO_SLIPS = 10
"""Fewest letters of a word that may contain two misspellings."""
FREQUENT = 5
"""How often the collection must hold a word before others are corrected to it."""
_JOINED_BEFORE, _JOINED_AFTER = re.compile(r"[\w@/.'’&-]$"), re.compile(r"[\w@/&-]|[.'’](?=\w)")
_DOUBLED = re.compile(r"(.)\1")


class Speller:
    """Corrects questions towards the words of ``passages``. Thread-safe.

    The words are counted at the first question with a word that is in no title and not among ``known``.

    Args:
        passages: the searched passages, which are read twice; every word of a title counts as correct, however rare.
        known: further correct words, in lower case.
    """

    def __init__(self, passages: Iterable[Passage], known: Iterable[str] = ()) -> None:
        titles = {passage.title for passage in passages}
        self._passages, self._right = passages, set(known).union(*(WORD.findall(folded(title)) for title in titles))
        self._short_names = [(short, title) for short, title in SHORT_NAMES if title in titles]

    def knows(self, word: str) -> bool:
        """Tell whether a word, or another form of it, is known as correctly spelt."""
        low = folded(word)
        return low in self._right or low in self._words[0] or stem(low) in self._stems

    def correct(self, question: str) -> str:
        """Return the question with its misspelt words corrected, and short forms of titles written out.

        >>> speller = Speller([Passage("1", "Penicillin", "Penicillin was discovered in 1928. " * 5)])
        >>> speller.correct("Who discoverd penicilin in 1929?"), speller.correct("Who is Szczecin?")
        ('Who discovered penicillin in 1929?', 'Who is Szczecin?')
        """
        for short, title in self._short_names:
            question = short.sub(title, question)
        return WORD.sub(lambda match: self._corrected(match, question), question)

    @cached_property
    def _words(self) -> tuple[Counter[str], set[str]]:
        """The words of the passages with their numbers, and those that have a capital at least one time in three."""
        written, counts, capitals = Counter[str](), Counter[str](), Counter[str]()
        for passage in self._passages:
            written.update(WORD.findall(passage.text))
        for word, count in written.items():
            counts[folded(word)] += count
            capitals[folded(word)] += count * word[0].isupper()
        return counts, {word for word, count in counts.items() if capitals[word] * 3 >= count}

    @cached_property
    def _stems(self) -> set[str]:
        return set(map(stem, self._right.union(self._words[0])))

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for word, count in self._words[0].items():
            if len(word) >= SHORTEST - 1 and word.isascii() and (count >= FREQUENT or word in self._right):
                found.setdefault(len(word), []).append(word)
        return found

    def _corrected(self, match: re.Match[str], question: str) -> str:
        word, low = match[0], match[0].casefold()
        before, after = question[: match.start()], question[match.end() :]
        is_word = word.isascii() and word[1:].islower()
        if not is_word or _JOINED_BEFORE.search(before) or _JOINED_AFTER.match(after):
            return word
        is_name = word[0].isupper() and bool(before.strip())
        if len(word) < (SHORTEST_NAME if is_name else SHORTEST) or self.knows(word):
            return word
        if (meant := self._nearest(low, is_name=is_name)) is None:
            return word
        return meant.capitalize() if word[0].isupper() else meant

    def _nearest(self, word: str, *, is_name: bool) -> str | None:
        """Return the known word that was most likely meant; ``None`` if no word is similar enough."""
        from rapidfuzz import process  # here: the start of the command line need not pay for it
        from rapidfuzz.distance import OSA

        most = 2 if len(word) >= TWO_SLIPS or is_name else 1
        sizes = range(len(word) - most, len(word) + most + 1)
        near = [other for size in sizes for other in self._by_length.get(size, ())]
        found = process.extract(word, near, scorer=OSA.distance, score_cutoff=most, limit=None)
        ranked = [
            (distance, slip, -self._words[0][other], other)
            for other, distance, _ in found
            if self._may_be(word, other, slip := _slip(word, other), is_name=is_name)
            and (distance == 1 or slip == 0 or word[-1] == other[-1])
        ]
        return min(ranked)[-1] if ranked else None

    def _may_be(self, word: str, meant: str, slip: int, *, is_name: bool) -> bool:
        """Return whether ``word`` can be a misspelt ``meant`` rather than another word.

        The first letter is seldom wrong. Towards rare words, and in short ones, only likely misspellings count.
        """
        if word.startswith(meant) or (word[0] != meant[0] and sorted(word[:2]) != sorted(meant[:2])):
            return False
        if is_name:
            return slip == 0 and meant in self._words[1]
        least = (4, 20, math.inf) if len(word) == SHORTEST else (0, 0, 4 if len(word) < 8 else 1)
        return self._words[0][meant] >= FREQUENT * least[slip]


def _slip(word: str, meant: str) -> int:
    """Rate how unlikely a misspelling is: 0 for swapped or doubled letters, 1 for one left out or added, else 2."""
    if sorted(word) == sorted(meant) or _DOUBLED.sub(r"\1", word) == _DOUBLED.sub(r"\1", meant):
        return 0
    return 1 if len(word) != len(meant) else 2
