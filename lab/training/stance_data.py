"""Training data for the stance model: claims that people wrote, and facts made true, false and open statements."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lab.training.calibration import Record
from lab.training.reader_data import hard_negatives
from lab.training.statements import (
    Fact,
    as_question,
    bare_title,
    definition,
    negated,
    relation_of,
    stated,
    wrong_answer,
)
from searchain.files.jsonl import read_jsonl
from searchain.language.sentences import split
from searchain.reading.stance import LABELS
from searchain.types import Passage, Span

LONGEST = 480
"""Characters of a training passage; of a longer one the sentences around the answer are taken."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A pair of passage and statement: ``label`` is one of ``searchain.reading.stance.LABELS``."""

    statement: str
    passage: Passage
    label: str


def read_claims(file: Path) -> list[Claim]:
    """The claims of a ``.jsonl.gz`` file: {"claim", "title", "text", "label"} a line.

    Raises:
        UsageError: a line has another form; the message names it.
    """
    return read_jsonl(file, _claim, 'claim; wanted: {"claim", "title", "text", "label"}')


def _claim(record: dict[str, Any]) -> Claim:
    claim = Claim(record["claim"], Passage("", record["title"], record["text"]), record["label"])
    if claim.label not in LABELS:
        raise ValueError(f"label {claim.label!r}")
    return claim


def hold_back(claims: Sequence[Claim], count: int, seed: int) -> tuple[list[Claim], list[Claim]]:
    """The claims to learn from, and at least ``count`` others to be scored on, if there are as many; no passage is in
    both."""
    by_passage: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        by_passage[claim.passage.text].append(claim)
    groups = sorted(by_passage.items())
    random.Random(seed).shuffle(groups)
    learnt: list[Claim] = []
    held: list[Claim] = []
    for _, group in groups:
        (held if len(held) < count else learnt).extend(group)
    return learnt, held


def step_facts(plans: Path, passages: Sequence[Passage]) -> list[Fact]:
    """The steps of worked-out plans whose page is among ``passages`` and holds the answer."""
    pages = {passage.title: passage for passage in passages}
    lines = read_jsonl(plans, lambda plan: plan["steps"], 'plan; wanted: {"steps": [{"query", "answer", "title"}]}')
    steps = [step for line in lines for step in line if step.get("title") in pages]
    return [
        Fact(step["query"], step["answer"], pages[step["title"]], sentence=step.get("sentence"))
        for step in steps
        if step["answer"] in pages[step["title"]].text
    ]


def record_facts(records: Sequence[Record]) -> list[Fact]:
    return [
        Fact(record.question, record.answers[0], record.passage, record.spans[0]) for record in records if record.spans
    ]


def from_facts(
    facts: Sequence[Fact], passages: Sequence[Passage], rng: random.Random, *, unknown: float
) -> Iterator[Claim]:
    """Yield one statement per fact, with a passage and whether it supports the statement.

    A share ``unknown`` of the statements gets a near passage that does not decide it. Of the others about half are
    true.
    """
    relations = [relation_of(fact) for fact in facts]
    pools: dict[str, list[str]] = defaultdict(list)
    for fact, relation in zip(facts, relations, strict=True):
        pools[relation].append(fact.answer)
    draws = [rng.random() for _ in facts]
    open_ones = [fact for fact, draw in zip(facts, draws, strict=True) if draw < unknown]
    misses = iter(near_misses(open_ones, passages))
    for fact, relation, draw in zip(facts, relations, draws, strict=True):
        wrong = wrong_answer(fact, pools[relation], rng)
        if draw < unknown:
            answer = wrong if wrong and rng.random() < 0.4 else fact.answer
            if options := next(misses):
                yield Claim(stated(fact, answer, relation, rng), shortened(rng.choice(options), None, rng), "unknown")
            continue
        is_true = draw < unknown + (1 - unknown) / 2
        if not is_true and wrong is None:
            continue
        statement = stated(fact, fact.answer if is_true or wrong is None else wrong, relation, rng)
        if rng.random() < 0.06 and (denied := negated(statement)) and not statement.endswith("?"):
            statement, is_true = denied, not is_true
        yield Claim(
            statement, shortened(fact.passage, fact.span or _place(fact), rng), "supports" if is_true else "refutes"
        )


def definitions(passages: Sequence[Passage], rng: random.Random) -> Iterator[Claim]:
    """What passages say that their titles are, half of it with the words of another passage."""
    known = [(passage, bare_title(passage), found) for passage in passages if (found := definition(passage, rng))]
    for passage, title, (be, what) in known:
        said: str | None = what
        if is_false := rng.random() < 0.5:
            others = [
                other
                for _, _, (_, other) in rng.sample(known, min(30, len(known)))
                if other.split()[-1].casefold() not in passage.text.casefold()
            ]
            words = frozenset(what.split())
            likest = max(others, key=lambda other: len(words.intersection(other.split())), default=None)
            said = likest if rng.random() < 0.6 else next(iter(others), None)
        if said and title:
            statement = f"{title} {be} {said}."
            statement = as_question(statement) or statement if rng.random() < 0.2 else statement
            yield Claim(statement, shortened(passage, Span(0, 1), rng), "refutes" if is_false else "supports")


def variants(
    claims: Sequence[Claim], passages: Sequence[Passage], rng: random.Random, *, asked: float, unknown: float
) -> Iterator[Claim]:
    """The claims as they are; a share ``asked`` of them once more as yes/no questions; and a share ``unknown`` once
    more beside a near passage."""
    yield from claims
    for claim in claims:
        if rng.random() < asked and (question := as_question(claim.statement)):
            yield replace(claim, statement=question)
    away = [claim for claim in claims if claim.label != "unknown" and rng.random() < unknown]
    facts = [Fact(claim.statement, claim.passage.text, claim.passage) for claim in away]
    for claim, options in zip(away, near_misses(facts, passages), strict=True):
        if options:
            yield Claim(claim.statement, shortened(rng.choice(options), None, rng), "unknown")


def near_misses(facts: Sequence[Fact], passages: Sequence[Passage]) -> list[list[Passage]]:
    """For every fact passages that share its rare words and do not hold its answer."""
    records = [
        Record(
            f"{fact.question} {fact.answer}" if len(fact.answer) < 80 else fact.question,
            fact.passage,
            (fact.span or _place(fact) or Span(0, len(fact.passage.text)),),
        )
        for fact in facts
    ]
    return hard_negatives(records, passages, count=4)


def shortened(passage: Passage, span: Span | None, rng: random.Random) -> Passage:
    """``passage`` cut to neighbouring sentences of at most ``LONGEST`` characters, among them that of ``span``."""
    if len(passage.text) <= LONGEST:
        return passage
    sentences = split(passage.text)
    at = span.start if span else 0
    first = last = next((place for place, (_, end) in enumerate(sentences) if end > at), 0)
    while True:
        steps = [
            step
            for step in ((first - 1, last), (first, last + 1))
            if step[0] >= 0 and step[1] < len(sentences) and sentences[step[1]][1] - sentences[step[0]][0] <= LONGEST
        ]
        if not steps:
            return replace(passage, text=passage.text[sentences[first][0] : sentences[last][1]])
        first, last = rng.choice(steps)


def _place(fact: Fact) -> Span | None:
    at = fact.passage.text.find(fact.answer)
    return Span(at, at + len(fact.answer)) if at >= 0 else None
