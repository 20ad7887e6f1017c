"""Find the articles that a short query names by their titles.

For short queries such as "capital of australia" or "when was chopin born", late interaction ranks passages about many
capitals and births above the article on Australia or Chopin. So the article that a short query names is always added to
the hits.
"""

import re
from collections.abc import Iterable, Sequence
from threading import Lock

from searchain.types import Passage

MOST_PASSAGES = 200_000
"""Most passages of a part whose titles are held in memory (about 200 bytes each) and searched."""
MOST_WORDS = 9
"""Most words of a query that is searched for titles; longer queries do not need it."""
LEAD = 120
"""How many characters of a passage are searched for the years of a person's life."""
SHORTEST = 4
"""Fewest letters of a surname."""
_NO_SURNAMES = frozenset("born cook cross list more said west young".split())
"""Surnames that are usually common words in short queries."""
_BRACKETS = re.compile(r" ?\([^()]*\)$")
_WORD = re.compile(r"\w+")
_LIVED = re.compile(r"\(\s*(?:c\. |born )?\d{3,4}(?:\s*[–-]\s*(?:c\. )?\d{3,4})?\s*\)|\(born ")
"""Matches the years in the short description of a person."""

Name = tuple[str, ...]


class NamedArticles:
    """The articles of a part that short queries name; the titles are collected at the first such query. Thread-safe."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._known: tuple[dict[Name, int], dict[str, int]] | None = None
        self._lock = Lock()

    def rows(self, query: str) -> list[tuple[int, bool]]:
        """Return the rows of the articles that ``query`` names, the longest name first, each with whether its name is
        a proper name. No name stands inside another."""
        asked = words(query)
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
        if not (name := words(without)):
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


def words(text: str) -> Name:
    """Return the words of a title or a query, without case and apostrophes.

    >>> words("N’Djamena's mayor")
    ('ndjamena', 'mayor')
    """
    plain = re.sub(r"['’]s\b", "", text.casefold())
    return tuple(_WORD.findall(re.sub(r"['’.]", "", plain)))


def is_name(name: str, passage: Passage) -> bool:
    """Tell whether ``name`` is a proper name: it never stands in small letters in ``passage``.

    >>> is_name("australia", Passage("1", "Australia", "Australia is a country."))
    True
    >>> is_name("water", Passage("2", "Water", "Water is a substance; pure water is clear."))
    False
    """
    small = r"\W+".join(map(re.escape, name.split()))
    return passage.title.casefold() != passage.title and not re.search(rf"(?<!\w){small}s?(?!\w)", passage.text)
