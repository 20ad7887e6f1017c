"""Compare two articles of the embedded corpus by questions: ``python -m lab.benchmarks.comparisons [--number N]``.

Pairs are drawn by seed from the articles that give a year of birth, death or foundation, a length, a height,
an area or a population, so the right answer is known. A pair is asked in one of several wordings, also in lower case.
Printed for dates and for quantities, with 95 % bootstrap intervals: how often both values were found, how often the
right name was given, and how often a wrong one was called supported. ``--out`` keeps every reply.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from lab.evaluation.metrics import cover_em
from lab.evaluation.summary import interval
from searchain.assemble import Choice, Parts
from searchain.console import one_line_errors, tracked
from searchain.events import Turn, fold
from searchain.language import text
from searchain.language.descriptions import LABEL
from searchain.language.values import quantities, same_quantity
from searchain.reading.articles import description
from searchain.retrieval.corpus import default_corpus
from searchain.settings import Settings
from searchain.types import Outcome, Passage

FAR = 1.1
"""By how much the greater quantity is greater at least."""
SAME = 0.02
"""By how much two figures of one quantity may differ, as in miles and in kilometres."""
YEARS = 2
"""By how many years two dates differ at least."""


PERSON = (
    r"\b(?:actor|actress|singer|politician|player|writer|author|novelist|playwright|director|artist|painter|sculptor|"
    r"musician|composer|poet|scientist|physicist|chemist|mathematician|astronomer|philosopher|engineer|inventor|"
    r"architect|historian|explorer|emperor|king|queen|ruler|president|statesman|revolutionary|leader|physician)\b"
)
_NUMBER = r"\d[\d,.]*(?: million| billion)?"
_FAR = rf"{_NUMBER} ?(?:km|kilomet(?:re|er)s?|mi|miles?)\b"
_HIGH = rf"{_NUMBER} ?(?:m|met(?:re|er)s?|ft|feet)\b"
_WIDE = rf"{_NUMBER} ?(?:km²|km2|square kilomet(?:re|er)s?|sq km|square miles?|sq mi)"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of value. ``{a}`` and ``{b}`` stand for the names."""

    name: str
    group: str
    is_what: str
    """What the beginning of the text calls the article, as a pattern."""
    value: str
    """The pattern of its value, with one group."""
    lesser: tuple[str, ...]
    greater: tuple[str, ...]


KINDS = (
    Kind("birth", "dates", rf"{LABEL}[^.]*{PERSON}[^.]*\([^)]*\d{{4}}\)", r"\((?:born )?(\d{4})",
         ("Who was born first, {a} or {b}?", "who is older {a} or {b}", "Was {a} or {b} born earlier?"),
         ("Who was born later, {a} or {b}?", "who is younger {a} or {b}")),
    Kind("death", "dates", rf"{LABEL}[^.]*{PERSON}[^.]*\(\d{{4}}[–—-]\d{{4}}\)", r"\(\d{4}[–—-](\d{4})\)",
         ("Who died first, {a} or {b}?", "who died earlier {a} or {b}"), ("Who died later, {a} or {b}?",)),
    Kind("foundation", "dates",
         r"\b(?:company|university|newspaper|museum|bank|agency|corporation)\b",
         r"\b(?:[Ff]ounded|[Ee]stablished|[Ii]ncorporated)(?: [a-z]+){0,3} in (?:[A-Z][a-z]+ )?(\d{4})",
         ("Which was founded first, {a} or {b}?",), ("Which was founded later, {a} or {b}?",)),
    Kind("length", "quantities", r"\b(?:[Rr]iver|[Cc]anal|[Bb]ridge|[Tt]unnel|[Ss]trait|[Hh]ighway|[Rr]ange)\b",
         rf"({_FAR})(?=[^.]{{0,25}}?\b(?:long|in length))|length of (?:about |approximately |some )?({_FAR})",
         ("Which is shorter, {a} or {b}?", "which one is shorter {a} or {b}"),
         ("Which is longer, {a} or {b}?", "which is longer {a} or {b}", "Is {a} or {b} longer?")),
    Kind("height", "quantities", r"\b(?:[Mm]ount(?:ain)?|[Pp]eak|[Tt]ower|[Bb]uilding|[Vv]olcano|[Ss]tatue)\b",
         rf"({_HIGH})(?=[^.]{{0,30}}?\b(?:tall|high|above sea level|in height))|(?:elevation|height) of ({_HIGH})",
         ("Which is lower, {a} or {b}?",),
         ("Which is higher, {a} or {b}?", "what is taller {a} or {b}", "Is {a} or {b} higher?")),
    Kind("area", "quantities", r"\b(?:[Cc]ountry|[Cc]ity|[Ll]ake|[Ii]sland|[Ss]tate|[Ss]ea|[Pp]rovince|[Dd]esert)\b",
         rf"\barea of (?:about |approximately |around |some |over )?({_WIDE})",
         ("Which is smaller, {a} or {b}?", "which has the smaller area {a} or {b}"),
         ("Which is larger, {a} or {b}?", "which is bigger {a} or {b}", "Which has the larger area, {a} or {b}?")),
    Kind("population", "quantities", r"\b(?:[Cc]ountry|[Cc]ity|[Ii]sland|[Ss]tate|[Pp]rovince|[Cc]apital)\b",
         rf"\bpopulation(?: of the \w+)? (?:of|was|is) (?:about |approximately |around |over |nearly )?({_NUMBER})",
         ("Which has fewer people, {a} or {b}?", "which has the smaller population {a} or {b}"),
         ("Which has more people, {a} or {b}?", "which has the larger population {a} or {b}")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    group: str
    text: str
    answer: str
    values: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Article:
    name: str
    value: str
    size: float


def articles(kind: Kind, passages: Sequence[Passage]) -> Iterator[Article]:
    """Yield the articles that give one value of ``kind``; one with two different values is left out."""
    for passage in passages:
        name = passage.title
        is_plain = not name.endswith(")") and " or " not in name and "," not in name
        if not (is_plain and re.search(kind.is_what, passage.text[:240])):
            continue
        lead = description(passage) if kind.name in ("birth", "death") else passage.text[:900]
        values = [next(filter(None, found.groups())) for found in re.finditer(kind.value, lead)]
        sizes = [_size(kind, value) for value in values]
        tolerance = 0.0 if kind.group == "dates" else SAME
        if sizes and sizes[0] and all(size and math.isclose(size, sizes[0], rel_tol=tolerance) for size in sizes):
            yield Article(name, values[0], sizes[0])


def _size(kind: Kind, value: str) -> float | None:
    if kind.group == "dates":
        return float(value)
    found = [one.value for one in quantities(value)] or text.numbers(value)
    return float(found[0]) if found else None


def _is_far(kind: Kind, one: Article, other: Article) -> bool:
    if kind.group == "dates":
        return abs(one.size - other.size) >= YEARS
    return max(one.size, other.size) >= FAR * min(one.size, other.size) > 0


def questions(passages: Sequence[Passage], number: int, seed: int) -> list[Question]:
    """Return ``number`` questions of each group, drawn by ``seed``."""
    rng, drawn = random.Random(seed), list[Question]()
    pools = {kind.name: list(articles(kind, passages)) for kind in KINDS}
    for group in ("dates", "quantities"):
        kinds = [kind for kind in KINDS if kind.group == group]
        seen: set[frozenset[str]] = set()
        while sum(one.group == group for one in drawn) < number:
            kind = rng.choice(kinds)
            one, other = rng.sample(pools[kind.name], 2)
            if not _is_far(kind, one, other) or frozenset((one.name, other.name)) in seen:
                continue
            seen.add(frozenset((one.name, other.name)))
            wants_lesser = rng.random() < 0.5
            wording = rng.choice(kind.lesser if wants_lesser else kind.greater)
            right = one if (one.size < other.size) == wants_lesser else other
            asked = wording.format(a=one.name, b=other.name)
            asked = asked if asked.endswith("?") else asked.casefold()
            drawn.append(Question(group, asked, right.name, (one.value, other.value)))
    return drawn


def scored(question: Question, turn: Turn) -> dict[str, bool]:
    """Return what became of one question."""
    is_right = cover_em(turn.final_answer, [question.answer]) > 0
    found = [node.answer or "" for node in turn.nodes if node.on_path]
    return {
        "both values": all(any(_is_same(value, one) for one in found) for value in question.values),
        "right": is_right,
        "supported": turn.outcome is Outcome.SUPPORTED,
        "wrong and supported": turn.outcome is Outcome.SUPPORTED and not is_right,
    }


def _is_same(value: str, found: str) -> bool:
    if value.isdigit() and len(value) == 4:
        return value in found
    if (is_equal := same_quantity(value, found)) is not None:
        return is_equal
    return any(math.isclose(a, b, rel_tol=SAME) for a in text.numbers(value) for b in text.numbers(found))


@click.command(help=__doc__)
@click.option("--number", default=200, show_default=True, type=click.IntRange(1), help="Questions of each group.")
@click.option("--seed", default=7, show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep the replies as JSON Lines.")
@one_line_errors()
def main(number: int, seed: int, out: Path | None) -> None:
    drawn = questions(default_corpus(), number, seed)
    searchain = Parts(Choice(careful="off")).searchain(Settings.of("default"), "default")
    results: dict[str, list[dict[str, bool]]] = {"dates": [], "quantities": []}
    lines = []
    for question in tracked(drawn, "comparing"):
        turn = fold(searchain.stream(question.text))
        score = scored(question, turn)
        results[question.group].append(score)
        steps = [[node.query, node.answer, node.probability] for node in turn.nodes if node.on_path]
        lines.append({"question": question.text, "answer": question.answer, "values": question.values, "steps": steps,
                      "final_answer": turn.final_answer, "probability": turn.probability, **score})  # fmt: skip
    for group, scores in results.items():
        for name in scores[0]:
            values = [float(one[name]) for one in scores]
            low, high = interval(values, seed)
            click.echo(
                f"{group:10}  {name:20}  {100 * sum(values) / len(values):5.1f} [{100 * low:.1f}, {100 * high:.1f}]"
            )
    if out:
        out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
