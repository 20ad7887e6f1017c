"""Statements of rules, minutes, manuals and offers, for training the stance model: whether they say yes or no.

``data/policies.jsonl`` has questions with sentences that say yes, that say no, and that leave them open. A passage is
made of one such sentence among others of its domain, so that "Dogs are not allowed" stands beside "Cats are welcome".
Values, days and offices are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.training.stance_data import Claim
from searchain.files.jsonl import read_jsonl
from searchain.types import Passage

DATA = Path(__file__).parent / "data" / "policies.jsonl"
_TITLES = ("lease", "handbook", "guide", "minutes", "rules", "terms", "notes", "manual", "faq", "info", "agreement")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NAMES = ("Ada Holm", "Ben Okafor", "Clara Weiss", "Dmitri Lund", "Elsa Moreau", "Farid Khan", "Greta Olsen")
_OFFICES = ("chair", "treasurer", "director", "instructor", "editor", "captain", "secretary", "supervisor")
_PLACES = ("library", "pool", "office", "workshop", "café", "archive", "clinic", "shop")
_LASTING = ("guarantee", "course", "contract", "trial", "tenancy", "licence", "subscription", "apprenticeship")
_UNITS = ("days", "weeks", "months", "years")
_EQUAL = (
    ("two years", "twenty-four months"), ("one year", "twelve months"), ("half a year", "six months"),
    ("two weeks", "fourteen days"), ("three years", "36 months"), ("a quarter of a year", "three months"),
)  # fmt: skip
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_DEEDS = (
    ("adjusted", "adjust", "the valve"), ("opened", "open", "the cabinet"), ("signed", "sign", "the form"),
    ("moved", "move", "the press"), ("approved", "approve", "expenses"), ("used", "use", "the lathe"),
    ("changed", "change", "the lock"), ("given", "give", "the injection"),
)  # fmt: skip
_PEOPLE = ("a technician", "the owner", "visitors", "members", "students", "the warden", "trained staff", "tenants")


@dataclass(frozen=True, slots=True)
class Policy:
    """What can be asked, and sentences that say yes, that say no, and that leave it open."""

    domain: str
    asks: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]
    open: tuple[str, ...]


def policies(file: Path = DATA) -> list[Policy]:
    """Read the policies of ``file``: {"domain", "asks", "yes", "no", "open"} a line.

    Raises:
        UsageError: a line has another form; the message names it.
    """
    return read_jsonl(file, _policy, 'policy; wanted: {"domain", "asks", "yes", "no", "open"}')


def _policy(record: dict[str, Any]) -> Policy:
    return Policy(record["domain"], *(tuple(record[name]) for name in ("asks", "yes", "no", "open")))


def claims(known: Sequence[Policy], rng: random.Random) -> Iterator[Claim]:
    """Yield each sentence of ``known`` with each question about it, in passages of one to four sentences."""
    for policy in known:
        others = [
            sentence
            for one in known
            if one.domain == policy.domain and one.open != policy.open
            for sentence in (*one.yes, *one.no, *one.open)
        ]
        labelled = [("supports", policy.yes), ("refutes", policy.no), ("unknown", policy.open)]
        for asked in policy.asks:
            for label, sentences in labelled:
                for sentence in sentences:
                    yield _claim(asked, [sentence], others if len(known) > 1 else (), label, rng)
            if others:
                yield _claim(asked, [], others, "unknown", rng)


def drawn(count: int, rng: random.Random) -> Iterator[Claim]:
    """Yield ``count`` statements about drawn days, times, offices and who may do what."""
    makers = (_on_day, _lasting, _holder, _allowed)
    for _ in range(count):
        yield rng.choice(makers)(rng)


def _claim(asked: str, said: Sequence[str], others: Sequence[str], label: str, rng: random.Random) -> Claim:
    many = rng.choice((0, 0, 1, 2, 3)) + (not said)
    sentences = [*said, *rng.sample(others, min(many, len(others)))]
    rng.shuffle(sentences)
    statement = asked if rng.random() < 0.8 else asked.lower().rstrip("?")
    return Claim(statement, Passage("", rng.choice(_TITLES), " ".join(sentences)), label)


def _on_day(rng: random.Random) -> Claim:
    place, first, last = rng.choice(_PLACES), *sorted(rng.sample(range(7), 2))
    day, closed = rng.randrange(7), rng.choice([None, *range(first, last + 1)])
    said = rng.choice(
        (
            f"The {place} is open from {_DAYS[first]} to {_DAYS[last]}.",
            f"Opening hours of the {place}: {_DAYS[first]} to {_DAYS[last]}, 9 to 17.",
            f"You find us in the {place} {_DAYS[first]}–{_DAYS[last]}.",
        )
    )
    said += f" Closed on {_DAYS[closed]}." if closed is not None else ""
    is_open = first <= day <= last and day != closed
    asked = rng.choice((f"Is the {place} open on {_DAYS[day]}?", f"Can I come to the {place} on {_DAYS[day]}?"))
    return _claim(asked, [said], (), "supports" if is_open else "refutes", rng)


def _lasting(rng: random.Random) -> Claim:
    what, unit, (one, other) = rng.choice(_LASTING), rng.choice(_UNITS), rng.sample(_NUMBERS, 2)
    (same, also), (different, _) = rng.sample(_EQUAL, 2)
    is_true, is_equal = rng.random() < 0.5, rng.random() < 0.4
    lasts = also if is_equal else f"{one} {unit}"
    said = rng.choice(
        (
            f"The {what} lasts {lasts}.",
            f"Duration of the {what}: {lasts}.",
            f"The {what} begins on 3 May and runs for {lasts}.",
        )
    )
    other_time = different if is_equal else f"{other} {unit}"
    same_time = same if is_equal else f"{one} {unit}"
    asked = rng.choice(("Does the {} last {}?", "Is the {} for {}?")).format(what, same_time if is_true else other_time)
    return _claim(asked, [said], (), "supports" if is_true else "refutes", rng)


def _holder(rng: random.Random) -> Claim:
    (one, other), (office, second) = rng.sample(_NAMES, 2), rng.sample(_OFFICES, 2)
    said = rng.choice(
        (
            f"{office.capitalize()}: {one}. {second.capitalize()}: {other}.",
            f"{one} was elected {office}, {other} {second}.",
            f"{other} did not stand again; {one} is the new {office}.",
            f"Present: {one} ({office}), {other} ({second}).",
            f"{office.capitalize()}: Dr {one}. Room 4.",
        )
    )
    is_true = rng.random() < 0.5
    name = one if is_true else other
    name = name if rng.random() < 0.6 else f"{rng.choice(('Mr', 'Ms', 'Dr'))} {name.split()[1]}"
    asked = rng.choice(("Is {} the {}?", "Was {} the {}?", "Did {} become {}?")).format(name, office)
    return _claim(asked, [said], (), "supports" if is_true else "refutes", rng)


def _allowed(rng: random.Random) -> Claim:
    (done, do, what), (one, other) = rng.choice(_DEEDS), rng.sample(_PEOPLE, 2)
    be = "are" if what == "expenses" else "is"
    is_true = rng.random() < 0.5
    said = rng.choice(
        (
            f"{what.capitalize()} may be {done} only by {one}.",
            f"Only {one} may {do} {what}.",
            f"{what.capitalize()} {be} {done} by {one} and by nobody else.",
            f"{one.capitalize()} may {do} {what}, but not {other}.",
        )
    )
    asked = f"{rng.choice(('May', 'Can'))} {one if is_true else other} {do} {what}?"
    return _claim(asked, [said], (), "supports" if is_true else "refutes", rng)
