"""Spelling, corrected towards the words of the collection.

Only a word that nothing knows is corrected, and only to a word of the collection that differs by a slip or two. A short
word, a number, an abbreviation and a name without a near neighbour stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from searchain.language.aliases import SHORT_NAMES, written_out
from searchain.types import Passage

SHORTEST, SHORTEST_NAME = 5, 7
"""Letters: a shorter word, or a shorter one with a capital, has too many neighbours."""
TWO_SLIPS = 10
"""Letters from which a word may differ in two places."""
FREQUENT = 5
"""How often the collection must hold a word that another is corrected to."""
_WORD = re.compile(r"[^\W\d_]+")
_OPENERS = {
    "wat": "what", "wht": "what", "waht": "what", "whta": "what", "wath": "what", "hwat": "what", "hwo": "who",
    "woh": "who", "whne": "when", "wehn": "when", "wen": "when", "whn": "when", "wich": "which", "whcih": "which",
    "wihch": "which", "hwich": "which", "wehre": "where", "wher": "where", "whre": "where", "hwere": "where",
}  # fmt: skip
"""Slips in the words that questions begin with."""
_ANYWHERE = {"teh": "the", "hte": "the", "adn": "and", "taht": "that", "tht": "that", "waht": "what", "thier": "their"}
"""Slips in the commonest words, which are words nowhere."""
_ENDINGS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"),
    ("ers", ""), ("ers", "e"), ("ly", ""), ("est", ""), ("ness", ""), ("ship", ""), ("al", ""), ("ier", "y"),
    ("iest", "y"),
)  # fmt: skip


class Speller:
    """Corrects questions towards the words of ``passages``. Thread-safe.

    Args:
        passages: what is searched; every word of a title counts as right, however rare it is.
        known: other words that are right, in lower case.
    """

    def __init__(self, passages: Iterable[Passage], known: Iterable[str] = ()) -> None:
        written: Counter[str] = Counter()
        right = set(known)
        neighbours: set[tuple[str, str]] = set()
        titles: set[str] = set()
        for passage in passages:
            titles.add(passage.title)
            title = _WORD.findall(_folded(passage.title))
            right.update(title)
            neighbours.update(pairwise(title))
            written.update(_WORD.findall(passage.text))
        counts: Counter[str] = Counter()
        capitals: Counter[str] = Counter()
        for word, count in written.items():
            counts[_folded(word)] += count
            if word[0].isupper():
                capitals[_folded(word)] += count
        self._counts, self._right, self._neighbours = counts, right, neighbours
        self._names = {word for word, count in capitals.items() if count * 3 >= counts[word]}
        self._triples = {
            padded[i : i + 3] for word in right.union(counts) for padded in [f"^{word}$"] for i in range(len(word))
        }
        self._short_names = [(short, title) for short, title in SHORT_NAMES if title in titles]
        self._by_length: dict[int, list[str]] = {}
        for word, count in counts.items():
            if len(word) >= SHORTEST - 1 and word.isascii() and (count >= FREQUENT or word in right):
                self._by_length.setdefault(len(word), []).append(word)

    def knows(self, word: str) -> bool:
        """Whether a word is known to be right, is a form of one that is, or has a form that is."""
        low = _folded(word)
        forms = [*_forms(low), *(low.removesuffix("e") + ending for ending in ("es", "s", "ed", "ing"))]
        return any(form in self._counts or form in self._right for form in forms)

    def is_like_a_word(self, word: str) -> bool:
        """Whether the letters of a word follow one another as in words that are known."""
        padded = f"^{_folded(word)}$"
        triples = [padded[i : i + 3] for i in range(len(padded) - 2)]
        return sum(triple in self._triples for triple in triples) * 2 > len(triples)

    def correct(self, question: str) -> str:
        """Return the question with its misspelt words corrected, and short forms of titles written out.

        >>> speller = Speller([Passage("1", "Penicillin", "Penicillin was discovered in 1928. " * 5)])
        >>> speller.correct("Who discoverd penicilin in 1929?"), speller.correct("Who is Szczecin?")
        ('Who discovered penicillin in 1929?', 'Who is Szczecin?')
        """
        question = written_out(question, self._short_names)
        return _WORD.sub(lambda match: self._corrected(match, question), question)

    def _corrected(self, match: re.Match[str], question: str) -> str:
        word, low = match[0], match[0].casefold()
        before, after = question[: match.start()], question[match.end() :]
        if low in _ANYWHERE or (low in _OPENERS and not before.strip() and after[:1] == " "):
            return _in_case(_ANYWHERE.get(low) or _OPENERS[low], word)
        is_joined = bool(re.search(r"[\w@/.'’&-]$", before) or re.match(r"[\w@/&-]|[.'’](?=\w)", after))
        is_name = word[0].isupper() and bool(before.strip())
        is_word = word.isascii() and word[1:].islower()
        if is_joined or not is_word or len(word) < SHORTEST - 1 or self.knows(word):
            return word
        beside = (_last_word(before), _first_word(after))
        if len(word) < (SHORTEST_NAME if is_name else SHORTEST):
            best = self._in_title(low, beside)
        else:
            best = self._nearest(low, is_name=is_name, beside=beside)
        return _in_case(best, word) if best else word

    def _in_title(self, word: str, beside: tuple[str, str]) -> str | None:
        """The only word a slip away that stands beside a word of the question in a title: of "mona lsia" "lisa"."""
        from rapidfuzz.distance import OSA

        before, after = beside
        near = {second for first, second in self._neighbours if first == before}
        near |= {first for first, second in self._neighbours if second == after}
        found = {other for other in near if other[0] == word[0] and OSA.distance(word, other) == 1}
        return found.pop() if len(found) == 1 else None

    def _nearest(self, word: str, *, is_name: bool, beside: tuple[str, str]) -> str | None:
        """The word that was meant; ``None`` where none is near enough. ``beside`` are the words around it."""
        from rapidfuzz import process  # here: the start of the command line need not pay for it
        from rapidfuzz.distance import OSA

        most = 2 if len(word) >= TWO_SLIPS or is_name else 1
        sizes = range(len(word) - most, len(word) + most + 1)
        near = [other for size in sizes for other in self._by_length.get(size, ())]
        found = process.extract(word, near, scorer=OSA.distance, score_cutoff=most, limit=None)
        ranked = [
            (distance, word.startswith(other), _slip(word, other), -self._counts[other], other)
            for other, distance, _ in found
            if word not in _forms(other)
            and (self._may_be_name(word, other, distance, beside) if is_name else self._may_be(word, other, distance))
        ]
        return min(ranked)[-1] if ranked else None

    def _may_be(self, word: str, meant: str, distance: int) -> bool:
        """Whether ``word`` can be a misspelt ``meant`` rather than a word that is not known."""
        if word[0] != meant[0] and sorted(word[:2]) != sorted(meant[:2]):
            return False  # the first letter is seldom wrong
        slip = _slip(word, meant)
        if distance == 2 and slip > 0 and word[-1] != meant[-1]:
            return False
        if len(word) == SHORTEST:
            return (
                slip < 2 and not word.startswith(meant) and self._counts[meant] >= FREQUENT * (4 if slip == 0 else 20)
            )
        return slip < 2 or self._counts[meant] >= (FREQUENT * 4 if len(word) < 8 else FREQUENT)

    def _may_be_name(self, word: str, meant: str, distance: int, beside: tuple[str, str]) -> bool:
        """Say whether a name can be a misspelt ``meant``.

        "Reichardt" is not a slip of "Reinhardt": where a letter differs, a title must hold the name beside one of its
        neighbours.
        """
        if word[0] != meant[0] or meant not in self._names or word.startswith(meant) or meant.startswith(word):
            return False
        before, after = beside
        is_known = (before, meant) in self._neighbours or (meant, after) in self._neighbours
        return _slip(word, meant) == 0 or (distance == 1 and is_known)


def _slip(word: str, meant: str) -> int:
    """How unlikely a slip is: 0 for the same letters in another order or doubled, 1 for one left out or added."""
    if sorted(word) == sorted(meant) or re.sub(r"(.)\1", r"\1", word) == re.sub(r"(.)\1", r"\1", meant):
        return 0
    return 1 if len(word) != len(meant) else 2


def _forms(word: str) -> Iterator[str]:
    """The word and what it may be a form of."""
    yield word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            yield word[: -len(ending)] + instead


def _last_word(text: str) -> str:
    return next(iter(_WORD.findall(_folded(text))[-1:]), "")


def _first_word(text: str) -> str:
    return next(iter(_WORD.findall(_folded(text))[:1]), "")


def _folded(word: str) -> str:
    """The word in lower case without accents."""
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)).casefold()


def _in_case(word: str, like: str) -> str:
    return word.capitalize() if like[:1].isupper() else word
