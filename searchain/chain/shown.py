"""The passages that a model is shown before it writes, each with a key to cite it by."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from searchain.language import text
from searchain.settings import UNLIKELY
from searchain.types import Evidence, Hit, Passage, Reading

CHARACTERS = 1_200
"""Most characters of a passage that are shown: those around what the Reader found."""
_LIKE_KEY = re.compile(r"\[(?=\s*(?:k\d|(?:unsolved )?query|answer|final|reply|question))", re.IGNORECASE)
"""Matches the bracket of what looks like a key or a label in a passage."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One passage with its key, the query that found it, and what the Reader read in it."""

    key: str
    query: str
    hit: Hit
    reading: Reading

    @property
    def passage(self) -> Passage:
        return self.hit.passage

    def render(self) -> str:
        """Return the passage as one line. Nothing in it looks like a key or a label."""
        body = self.passage.text
        start, end = text.window(body, self.reading.span, CHARACTERS)
        part = ("… " if start else "") + body[start:end] + (" …" if end < len(body) else "")
        return f"[{self.key}] {_LIKE_KEY.sub('(', ' '.join(f'{self.passage.title}: {part}'.split()))}"


class ShownPassages:
    """The passages shown in one run, in order. Keys depend on the question, so that no document can know its own."""

    def __init__(self, question: str) -> None:
        self._question = question
        self._by_key: dict[str, Shown] = {}

    def __iter__(self) -> Iterator[Shown]:
        return iter(self._by_key.values())

    def add(self, query: str, evidence: Evidence, most: int) -> list[Shown]:
        """Show up to ``most`` passages that ``query`` found, the likeliest readings first; return the new ones."""
        known = {one.passage.id for one in self}
        pairs = sorted(zip(evidence.hits, evidence.readings, strict=False), key=lambda pair: pair[1].order)
        new = []
        for hit, reading in pairs[::-1][:most]:
            if hit.passage.id not in known:
                new.append(Shown(self.key(hit.passage.id), query, hit, reading))
                self._by_key[new[-1].key] = new[-1]
        return new

    def cited(self, keys: Iterable[str]) -> list[Shown]:
        """Return the passages of the ``keys`` that were given."""
        return [self._by_key[key] for key in keys if key in self._by_key]

    def key(self, name: str) -> str:
        """Return a key that is not in use for the passage ``name``."""
        place = 0
        while (key := opaque(f"{self._question}\n{name}\n{place}")) in self._by_key:
            place += 1
        return key


def opaque(named: str) -> str:
    """Return a short key for a text, always the same and hard for a model to guess."""
    digest = hashlib.blake2b(named.encode(), digest_size=4).digest()
    return f"k{int.from_bytes(digest, 'big') % 900 + 100}"


def render(shown: Sequence[Shown]) -> str:
    """Write passages for a prompt, and what the Reader found in them as a hint."""
    lines = [one.render() for one in shown]
    likely = (one for one in shown if one.reading.probability is None or one.reading.probability >= UNLIKELY)
    hints = [f"“{one.reading.answer}” in [{one.key}]" for one in likely if one.reading.answer]
    if hints:
        lines.append(
            f"A program that reads each passage by itself found {'; '.join(hints[:3])}. It may be wrong: check."
        )
    return "\n\n".join(lines)
