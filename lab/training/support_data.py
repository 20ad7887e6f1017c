"""The sentences that teach and measure the support check: judged by people, made from questions, and with a word
swapped."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.training.calibration import read_records
from lab.training.reader_data import licensed
from lab.training.stance_data import hold_back, read_claims, record_facts
from lab.training.statements import changed, relation_of, stated, wrong_answer
from searchain.files.jsonl import read_jsonl
from searchain.language import text
from searchain.reply.support_check import paragraphs
from searchain.types import Passage, Span

CLAIMS = Path(__file__).parent / "data" / "claims.jsonl.gz"
MADE = 150
"""Facts of the reader data that become statements, three of each."""
SWAPPED = 300
"""Supported claims in which a word is swapped."""
MOST = 350
"""Of the judgements without a licence, which only measure, at most so many are read."""
FROM_STANCE = {"supports": "supported", "refutes": "contradicted", "unknown": "not_supported"}
FROM_FEVER = {"SUPPORTS": "supported", "REFUTES": "contradicted"}


@dataclass(frozen=True, slots=True)
class Judged:
    """A sentence with its passages and what people said of it."""

    id: str
    source: str
    label: str
    sentence: str
    passages: tuple[Passage, ...]
    is_kept: bool
    """Whether it belongs to the third that teaches nothing."""
    swapped: Span | None = None
    """Where a word stands that was swapped: only the words of such a sentence are looked at."""


def third(key: str) -> bool:
    """Return whether what bears ``key`` is kept apart from all fits."""
    return hashlib.sha256(key.encode()).digest()[0] % 3 == 0


def judged(data: Path) -> list[Judged]:
    """Return all sentences, in the order of a hash, so that the first ones are a sample of all."""
    fever, own = list(_fever(data / "factcheck")), list(_own())
    found = [*_cited(data / "citations"), *fever, *own, *_made(data / "reader" / "dev.jsonl.gz")]
    found += _swapped([one for one in (*fever, *_taught()) if one.label == "supported"])
    return sorted(found, key=lambda one: hashlib.sha256(one.id.encode()).digest())


def first_ones(sentences: Sequence[Judged], limit: int) -> list[Judged]:
    """Return the first ``limit`` sentences of each source that teach, and as many that are kept apart."""
    seen: Counter[tuple[str, bool]] = Counter()
    found = []
    for one in sentences:
        seen[one.source, one.is_kept] += 1
        if seen[one.source, one.is_kept] <= limit:
            found.append(one)
    return found


def _cited(folder: Path) -> Iterator[Judged]:
    for file in sorted(folder.glob("*.jsonl.gz")):
        measuring = 0
        for one in read_jsonl(file, dict, 'judgement; wanted: {"id", "claim", "evidence", "label", "source"}'):
            is_kept = third(str(one.get("question") or one.get("page")))
            if "no licence" in one["license"]:
                measuring += is_kept
                if not is_kept or measuring > MOST:
                    continue
            yield Judged(
                one["id"], one["source"], one["label"], one["claim"], tuple(paragraphs(one["evidence"])), is_kept
            )


def _fever(folder: Path) -> Iterator[Judged]:
    pages: dict[str, list[Passage]] = defaultdict(list)
    for one in read_jsonl(folder / "dev_corpus.jsonl.gz", dict, 'passage; wanted: {"title", "text", "source"}'):
        if one["source"] == "fever":
            pages[one["title"]].append(Passage(one["id"], one["title"], one["text"]))
    for one in read_jsonl(folder / "dev.jsonl.gz", dict, 'claim; wanted: {"question", "answers"}'):
        evidence = tuple(passage for title in one["supporting_titles"] for passage in pages[title])
        label = FROM_FEVER[one["answers"][0]]
        yield Judged(one["id"], "fever", label, one["question"], evidence, third(one["supporting_titles"][0]))


def _own() -> Iterator[Judged]:
    """Yield the project's own claims that the stance model was not trained on."""
    for number, claim in enumerate(hold_back(read_claims(CLAIMS), 300, 3)[1]):
        label, title = FROM_STANCE[claim.label], claim.passage.title
        yield Judged(f"own-{number}", "own claims", label, claim.statement, (claim.passage,), third(title))


def _taught() -> Iterator[Judged]:
    """Yield own claims that the stance model knows: their words may be swapped, since no stance is asked then."""
    for number, claim in enumerate(hold_back(read_claims(CLAIMS), 300, 3)[0]):
        label, title = FROM_STANCE[claim.label], claim.passage.title
        yield Judged(f"taught-{number}", "own claims", label, claim.statement, (claim.passage,), third(title))


def _made(file: Path) -> Iterator[Judged]:
    """Yield what a reading question and its answer say, the same with a wrong answer, and beside another passage."""
    facts = record_facts(licensed(read_records(file)))
    rng = random.Random(5)
    pools: dict[str, list[str]] = defaultdict(list)
    for fact in facts:
        pools[relation_of(fact)].append(fact.answer)
    for number, fact in enumerate(rng.sample(facts, MADE)):
        relation, other = relation_of(fact), rng.choice(facts).passage
        sides: list[tuple[str, str | None, Passage]] = [
            ("supported", fact.answer, fact.passage),
            ("contradicted", wrong_answer(fact, pools[relation], rng), fact.passage),
            ("not_supported", fact.answer, other),
        ]
        for label, answer, passage in sides:
            if answer:
                said = stated(fact, answer, relation, rng)
                yield Judged(f"made-{number}-{label}", "made", label, said, (passage,), third(fact.question))


def _swapped(supported: Sequence[Judged]) -> Iterator[Judged]:
    """Yield supported claims with a number, a name or another word swapped for one that no passage has."""
    rng = random.Random(7)
    some = rng.sample(supported, min(SWAPPED, len(supported)))
    pools: dict[str, list[str]] = defaultdict(list)
    for one in some:
        for kind, span in _words(one.sentence):
            pools[kind].append(one.sentence[span.start : span.end])
    for one in some:
        places = _words(one.sentence)
        kinds = {kind for kind, _ in places}
        kind = "number" if "number" in kinds else rng.choice(sorted(kinds))
        span = rng.choice([span for its, span in places if its == kind])
        said = one.sentence[span.start : span.end]
        held = " ".join(f"{passage.title} {passage.text}" for passage in one.passages)
        if new := _other(said, kind, pools[kind], f"{held} {one.sentence}", rng):
            sentence = f"{one.sentence[: span.start]}{new}{one.sentence[span.end :]}"
            yield Judged(
                f"swapped-{one.id}",
                f"swapped {kind}",
                "partial",
                sentence,
                one.passages,
                one.is_kept,
                Span(span.start, span.start + len(new)),
            )


def _words(sentence: str) -> list[tuple[str, Span]]:
    found, at = [], 0
    for word in sentence.rstrip(".?!").split():
        start = sentence.index(word, at)
        at = start + len(word)
        bare = word.strip(".,;:()\"'")
        if bare and text.content_words(bare):
            first = start + word.index(bare)
            kind = "number" if bare[0].isdigit() else "name" if bare[0].isupper() and start else "word"
            found.append((kind, Span(first, first + len(bare))))
    return found


def _other(said: str, kind: str, pool: Sequence[str], held: str, rng: random.Random) -> str | None:
    """Return a number near ``said``, or a word of its kind and ending, that is not ``held``; else ``None``."""
    if kind == "number":
        new = changed(said, rng)
        return new if new and not set(text.numbers(new)) & set(text.numbers(held)) else None
    known = text.content_words(held)
    options = [
        word
        for word in rng.sample(pool, len(pool))
        if (kind == "name" or word[-2:] == said[-2:]) and not text.content_words(word) & known
    ]
    return options[0] if options else None


def as_row(one: Judged, values: Any) -> dict[str, Any]:
    """Return the line of the rows file for a sentence whose ``values`` the check has read."""
    return {"id": one.id, "source": one.source, "label": one.label, "kept": one.is_kept, **values}
