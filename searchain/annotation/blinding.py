"""Measure whether annotators could tell who wrote a reply, by Bang's blinding index (Bang, Ni & Davis 2004).

For one system it is the share of right guesses beyond chance, times the share of replies with a guess. 0 means chance,
1 that everybody recognises the system, below 0 that they take it for another. With two systems it is Bang's own index;
with k systems a guess is right by chance in 1 of k cases.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Guessed:
    """The guesses about the replies of one system, or by one annotator."""

    name: str
    right: int
    wrong: int
    unknown: int
    index: float | None
    """The blinding index; ``None`` if no reply was asked about."""


@dataclass(frozen=True, slots=True)
class Blinding:
    """All guesses, once per system and once per annotator."""

    systems: tuple[Guessed, ...]
    annotators: tuple[Guessed, ...]


def blinding(guesses: Iterable[tuple[str, str, str | None]], systems: int) -> Blinding:
    """Return the index of each system and annotator.

    Args:
        guesses: annotator, system of the reply, system that was guessed (``None``: does not know).
        systems: the number of systems to choose from.
    """
    found = list(guesses)
    return Blinding(
        tuple(_guessed(name, [one for one in found if one[1] == name], systems) for name in _names(found, 1)),
        tuple(_guessed(name, [one for one in found if one[0] == name], systems) for name in _names(found, 0)),
    )


def index(right: int, wrong: int, unknown: int, systems: int = 2) -> float | None:
    """Compute Bang's index.

    >>> index(8, 2, 10)
    0.3
    """
    asked, guessed = right + wrong + unknown, right + wrong
    if not asked or systems < 2:
        return None
    if not guessed:
        return 0.0
    return round((systems * right / guessed - 1) / (systems - 1) * guessed / asked, 12)


def _guessed(name: str, those: list[tuple[str, str, str | None]], systems: int) -> Guessed:
    right = sum(guess == system for _, system, guess in those)
    unknown = sum(guess is None for *_, guess in those)
    wrong = len(those) - right - unknown
    return Guessed(name, right, wrong, unknown, index(right, wrong, unknown, systems))


def _names(found: list[tuple[str, str, str | None]], at: int) -> list[str]:
    return sorted({str(one[at]) for one in found})
