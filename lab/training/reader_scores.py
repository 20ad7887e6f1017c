"""How well a Reader reads: ``python -m lab.training.reader_scores --data FILE [--reader DIR | --large]``.

Exact match and F1 of the answers as SQuAD counts them (Rajpurkar et al. 2016), on the passages that hold an answer, and
the area under the ROC curve of f as "can this passage answer the query", on all.
"""

from __future__ import annotations

import json
import re
import string
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np
from tqdm import tqdm

from lab.evaluation.metrics import area
from lab.training.calibration import Record, read_records
from searchain.embedded.minilm import embedded_reader
from searchain.embedded.mpnet import large_reader
from searchain.reading.large_reader import LargeReader
from searchain.reading.reader import DprReader, Reader


@dataclass(frozen=True, slots=True)
class Scores:
    em: float
    f1: float
    auc: float
    answerable: int
    unanswerable: int
    seconds: float


def score(reader: Reader, records: Sequence[Record]) -> Scores:
    """The reader's scores on ``records``; em and f1 in percent, auc between 0 and 1."""
    started = time.monotonic()
    em, f1, confidences = [], [], []
    for record in tqdm(records, desc="reading", disable=not sys.stderr.isatty()):
        reading = reader.read(record.question, [record.passage])[0]
        confidences.append(reading.confidence)
        if record.spans:
            em.append(max(normal(reading.answer) == normal(answer) for answer in record.answers))
            f1.append(max(overlap(reading.answer, answer) for answer in record.answers))
    answerable = [bool(record.spans) for record in records]
    return Scores(
        round(100 * float(np.mean(em)), 2),
        round(100 * float(np.mean(f1)), 2),
        round(area(confidences, answerable), 4),
        len(em),
        len(records) - len(em),
        round(time.monotonic() - started, 1),
    )


def normal(answer: str) -> str:
    """Lower case, without punctuation, English articles and superfluous white space."""
    bare = "".join(letter for letter in answer.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def overlap(answer: str, gold: str) -> float:
    """F1 of the words of two answers, 0 to 1."""
    words, wanted = normal(answer).split(), normal(gold).split()
    if not words or not wanted:
        return float(words == wanted)
    return 2 * (Counter(words) & Counter(wanted)).total() / (len(words) + len(wanted))


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="Reader records (.jsonl or .jsonl.gz).",
)
@click.option(
    "--reader", type=click.Path(path_type=Path), help="A DPR reader in a local directory; default: the embedded one."
)
@click.option("--large", is_flag=True, help="Score the large Reader.")
def main(data: Path, reader: Path | None, large: bool) -> None:
    chosen = LargeReader(large_reader()) if large else DprReader(reader or embedded_reader())
    click.echo(json.dumps(asdict(score(chosen, read_records(data)))))


if __name__ == "__main__":
    main()
