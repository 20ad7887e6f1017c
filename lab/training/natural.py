"""Make Reader records of what people type about their own files: ``python -m lab.training.natural --out FILE``.

``data/natural.jsonl.gz`` holds small collections of files as people keep them (leases, manuals, price lists, mail).
Each has questions in other words than those of the file. The Readers learn from one part of the collections; the
probability is fitted to another; nothing is fitted to the third. FILE receives the records of one part: each question
with the passage that answers it, and with passages that the search finds instead.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from searchain.console import one_line_errors
from searchain.files.writing import write_whole
from searchain.language.sentences import split
from searchain.language.text import tokens
from searchain.retrieval.base import Retriever
from searchain.types import Passage, Span

DATA = Path(__file__).with_name("data") / "natural.jsonl.gz"
"""One collection a line: ``{"name", "part", "files": {name: text}, "asked": [QUESTION, ...]}``, and each question
``{"question", "answers", "file", "sentence", "kind"}``.

``kind`` is ``fact``, ``yesno``, ``how`` or ``none`` (no file answers); the first of ``answers`` stands in ``sentence``,
but for yes and no.
"""
SPANS = frozenset(("fact", "how"))
"""The kinds whose answer is a span."""
SHORT = frozenset(("fact", "none"))
"""The kinds that have a short answer, or none."""
YES_NO = "yesno"
SAME = 0.6
"""The least share of its words that the sentence holds in a passage, as the file was read."""
BESIDE, ALONE = 1, 2
"""Passages that do not answer, per question with a passage that does, and per question without one."""
SEARCHED = 5
Pair = tuple[str, Passage, Span | None]


class For(StrEnum):
    """What a collection is for.

    Readers are surer of what they have learnt. So no probability is fitted to a collection that they have learnt.
    """

    READERS = "readers"
    PROBABILITY = "probability"
    JUDGING = "judging"


@dataclass(frozen=True, slots=True)
class Natural:
    """Files by name, and what is asked about them."""

    name: str
    part: str
    files: Mapping[str, str] = field(repr=False)
    asked: Sequence[Mapping[str, Any]] = field(repr=False)


def natural(file: Path = DATA) -> list[Natural]:
    """Return all collections."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [Natural(**json.loads(line)) for line in lines]


def slices(
    parts: Collection[str], size: int, kinds: Collection[str] = SHORT
) -> Iterator[tuple[Natural, list[dict[str, Any]]]]:
    """Yield ``size`` questions of each collection in turn, so that an interrupted run holds all collections.

    They are of the ``kinds``, stand in an order drawn by seed, and each has an ``id``.
    """
    rng, waiting = random.Random(0), []
    for one in natural():
        if one.part in parts:
            each = [{**asked, "id": f"{one.name}-{number}"} for number, asked in enumerate(one.asked)]
            short = [asked for asked in each if asked["kind"] in kinds]
            waiting.append((one, rng.sample(short, len(short))))
    rng.shuffle(waiting)
    while any(asked for _, asked in waiting):
        for one, asked in waiting:
            yield one, asked[:size]
            del asked[:size]


def pairs(
    asked: Mapping[str, Any], of_file: Sequence[Passage], search: Callable[[str], Sequence[Passage]]
) -> Iterator[Pair]:
    """Yield a question with the passages that answer it, and with some found that do not.

    Args:
        of_file: the passages of the file that answers.
        search: finds passages for a question.
    """
    question, right = asked["question"], []
    for passage in of_file:
        if span := span_in(passage, asked):
            right.append(passage.id)
            yield question, passage, span
    if right or not asked["answers"]:
        others = [one for one in search(question) if one.id not in right and not _says(one, asked["answers"])]
        yield from ((question, one, None) for one in others[: BESIDE if right else ALONE])


def span_in(passage: Passage, asked: Mapping[str, Any]) -> Span | None:
    """Return the place of the first answer in the sentence that answers; ``None`` if the passage lacks it."""
    if not asked["answers"]:
        return None
    answer, wanted = asked["answers"][0], Counter(tokens(asked["sentence"]))
    best, place = SAME, None
    for start, end in split(passage.text):
        held = (Counter(tokens(passage.text[start:end])) & wanted).total() / max(1, wanted.total())
        at = passage.text.find(answer, start, end)
        if at >= 0 and held >= best:
            best, place = held, Span(at, at + len(answer))
    return place


def _says(passage: Passage, answers: Sequence[str]) -> bool:
    return any(answer.casefold() in passage.text.casefold() for answer in answers)


def records(part: str) -> Iterator[dict[str, Any]]:
    """Yield the records of the collections of a part, as ``read_records`` takes them."""
    from lab.training.own_collections import of_natural
    from lab.training.own_probability import Without, opened
    from searchain.retrieval import checkpoint
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.encoder import shared_encoder

    directory = checkpoint.embedded_checkpoint()
    encoder, fingerprint = shared_encoder(directory), checkpoint.fingerprint(directory)
    with tempfile.TemporaryDirectory() as folder:
        for one in natural():
            if one.part == part:
                searched, files = opened(of_natural(one), Path(folder), encoder, fingerprint)
                yield from _of_collection(
                    one, searched.store, files, ColbertRetriever(encoder, [Without(searched)], "fused")
                )


def _of_collection(
    one: Natural, passages: Sequence[Passage], files: Sequence[str], retriever: Retriever
) -> Iterator[dict[str, Any]]:
    def search(question: str) -> list[Passage]:
        return [hit.passage for hit in retriever.search(question, SEARCHED)]

    for number, asked in enumerate(one.asked):
        if asked["kind"] in SPANS or not asked["answers"]:
            own = [passages[row] for row, name in enumerate(files) if name == asked["file"]]
            for at, (question, passage, span) in enumerate(pairs(asked, own, search)):
                answers = [{"text": passage.text[span.start : span.end], "start": span.start}] if span else []
                yield {
                    "id": f"{one.name}-{number}-{at}",
                    "question": question,
                    "title": passage.title,
                    "text": passage.text,
                    "answers": answers,
                    "license": "CC0-1.0",
                }


@click.command(help=__doc__)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@click.option("--part", type=click.Choice([one.value for one in For]), default=For.READERS.value, show_default=True)
@one_line_errors()
def main(out: Path, part: str) -> None:
    found = list(records(part))
    lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found)
    with write_whole(out) as draft:
        draft.write_bytes(gzip.compress(lines.encode(), mtime=0))  # without the time: the same data, the same bytes
    click.echo(f"{len(found)} records, {sum(bool(line['answers']) for line in found)} of them with an answer")


if __name__ == "__main__":
    main()
