"""Which size of passages is found and read best: recall and Reader F1 over documents, with the embedded models.

    python -m lab.benchmarks.passages --data FILE [--limit 300] [--sizes 60,100,150] [--overlaps 0,1]

FILE holds reader records (``{"question", "title", "text", "answers": [{"text", "start"}]}``, JSON Lines, also .gz). The
paragraphs of one title make a document; titles with fewer than 20 paragraphs are left out.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import torch

from lab.evaluation.metrics import f1
from searchain.documents import ParsedDocument, passages_of
from searchain.documents.reading import read_document
from searchain.embedded.minilm import embedded_reader
from searchain.reading.lookup import look_up
from searchain.reading.reader import DprReader
from searchain.retrieval.checkpoint import embedded_checkpoint
from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.types import Hit, Passage

K = 5
LEAST_PARAGRAPHS = 20


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    document: str
    """Its title."""
    answers: tuple[str, ...]
    start: int
    """Where the first answer stands in the document's text."""


class Searched:
    """Exact search over passages in memory."""

    def __init__(self, encoder: Encoder, passages: Sequence[Passage]) -> None:
        self._encoder, self._passages = encoder, passages
        vectors, lengths = encoder.encode_passages([encoded_text(passage) for passage in passages])
        self._vectors, self._lengths = vectors.float(), torch.tensor(lengths)

    def search(self, query: str, k: int) -> list[Hit]:
        with torch.inference_mode():
            similarity = self._vectors @ self._encoder.encode_query(query)[0].T.float()
            scores = torch.segment_reduce(similarity, "max", lengths=self._lengths).sum(-1)
            best = scores.topk(min(k, len(scores)))
        pairs = zip(best.values.tolist(), best.indices.tolist(), strict=True)
        return [Hit(self._passages[position], score, rank) for rank, (score, position) in enumerate(pairs, 1)]


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--limit", default=300, show_default=True, help="Questions at most.")
@click.option("--sizes", default="60,80,100,130,160", show_default=True, help="Words of a passage.")
@click.option("--overlaps", default="0,1", show_default=True, help="Sentences that neighbours share.")
def main(data: Path, limit: int, sizes: str, overlaps: str) -> None:
    documents, asked = read(data)
    asked = random.Random(0).sample(asked, min(limit, len(asked)))
    encoder, reader = Encoder(embedded_checkpoint()), DprReader(embedded_reader())
    click.echo(f"{len(documents)} documents, {len(asked)} questions")
    click.echo(f"{'words':>6}{'shared':>8}{'passages':>10}{'recall@1':>10}{f'recall@{K}':>10}{'F1':>8}")
    for size in map(int, sizes.split(",")):
        for overlap in map(int, overlaps.split(",")):
            passages = [
                passage
                for title, document in documents.items()
                for passage in passages_of(document, title, document.version, target=size, overlap=overlap)
            ]
            first, found, score = measured(asked, Searched(encoder, passages), reader)
            click.echo(f"{size:6}{overlap:8}{len(passages):10}{first:10.1%}{found:10.1%}{score:8.3f}")


def measured(asked: Sequence[Asked], retriever: Searched, reader: DprReader) -> tuple[float, float, float]:
    """Shares of questions whose answer is in the first and in the first K passages, and the mean F1 of the reading."""
    first = found = 0
    total = 0.0
    for one in asked:
        evidence = look_up(one.question, retriever, reader, K)
        ranks = [hit.rank for hit in evidence.hits if holds(hit.passage, one)]
        first += 1 in ranks
        found += bool(ranks)
        answer = evidence.reading.answer if evidence.reading else ""
        total += f1(answer, one.answers)
    return first / len(asked), found / len(asked), total / len(asked)


def holds(passage: Passage, asked: Asked) -> bool:
    place = passage.place
    return (
        place is not None
        and place.document == asked.document
        and place.start <= asked.start
        and asked.start + len(asked.answers[0]) <= place.end
    )


def read(data: Path) -> tuple[dict[str, ParsedDocument], list[Asked]]:
    """Documents by title, and the questions about them."""
    paragraphs: dict[str, dict[str, None]] = {}
    records = list(lines(data))
    for record in records:
        paragraphs.setdefault(record["title"], {})[" ".join(record["text"].split())] = None
    documents = {
        title: read_document("\n\n".join(texts).encode(), f"{title}.txt", read_pictures=None)
        for title, texts in paragraphs.items()
        if len(texts) >= LEAST_PARAGRAPHS
    }
    asked = []
    for record in records:
        document = documents.get(record["title"])
        if document and record["answers"] and record["text"] == " ".join(record["text"].split()):
            start = document.text.index(record["text"]) + record["answers"][0]["start"]
            answers = tuple(answer["text"] for answer in record["answers"])
            asked.append(Asked(record["question"], record["title"], answers, start))
    return documents, asked


def lines(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
