"""Train the embedded Reader: ``python -m lab.training.reader --data DIR --out DIR``.

DIR of ``--data`` holds ``train.jsonl.gz`` and ``dev.jsonl.gz`` in the reader format; ``--more`` names further files of
that form (questions of our own), and from the passages of ``--corpus`` and of the embedded corpus questions are made by
patterns (``relations``). Started again with the same settings, training goes on from its last checkpoint. ``--out``
receives ``adapter.safetensors`` and ``training.json`` (settings, scores).
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import torch

from lab.training.calibration import Record, read_records
from lab.training.loop import Training, train_passes
from lab.training.reader_data import Example, batches, encode, hard_negatives, leads, licensed
from lab.training.reader_model import TrainableReader
from lab.training.reader_scores import score
from lab.training.relations import questions
from searchain.console import one_line_errors
from searchain.embedded.assets import sha256
from searchain.embedded.minilm import minilm_tokenizer, write_reader
from searchain.reading.reader import DprReader
from searchain.retrieval.corpus import Reading
from searchain.types import Passage, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the outcome of a training run."""

    epochs: int = 1
    seed: int = 2
    lr: float = 5e-4
    """Peak of AdamW's learning rate: 5 % of the steps up, then down to 0. At 2e-3 the loss rises again."""
    rank: int = 48
    size: int = 16
    """Sequences per step."""
    max_length: int = 224
    """Tokens per sequence; of a longer passage a window around the answer is taken."""
    negatives: float = 0.3
    """Hard negatives per answerable question and pass, beside the data's own unanswerable questions."""
    made: int = 12_000
    """Questions made by patterns, per pass; each pass has others."""
    made_negatives: float = 0.5
    """Hard negatives per such question."""
    limit: int | None = None
    init: str | None = None
    """SHA-256 of the adapter that training goes on from."""


PLAN = Plan()


def begin(plan: Plan, steps: int, device: str, init: Path | None = None) -> Training:
    """Prepare the training of a Reader; with ``init``, of that adapter."""
    torch.manual_seed(plan.seed)
    return Training(TrainableReader(plan.rank, device, init), plan, steps, device)


def passes(records: Sequence[Record], made: Sequence[Record], plan: Plan) -> list[list[Example]]:
    """The examples of each pass: all records once, ``plan.made`` of those ``made`` by patterns, and for a share of the
    answerable ones the question with a passage that does not answer it."""
    passages = list({record.passage.text: record.passage for record in (*records, *made)}.values()) + leads()
    tokens = minilm_tokenizer()
    near_misses = hard_negatives(records, passages, count=6)
    encoded = encode(tokens, [pair_of(record) for record in records])
    result = []
    for number in range(plan.epochs):
        rng = random.Random(f"{plan.seed}-{number}")
        own = made[number * plan.made : (number + 1) * plan.made]
        negatives = [
            *near_miss(records, near_misses, plan.negatives, rng),
            *near_miss(own, hard_negatives(own, passages, count=3), plan.made_negatives, rng),
        ]
        result.append(encoded + encode(tokens, [pair_of(record) for record in own]) + encode(tokens, negatives))
    return result


def pair_of(record: Record) -> tuple[str, Passage, Span | None]:
    return record.question, record.passage, record.spans[0] if record.spans else None


def near_miss(
    records: Sequence[Record], near_misses: Sequence[Sequence[Passage]], share: float, rng: random.Random
) -> list[tuple[str, Passage, None]]:
    return [
        (record.question, rng.choice(options), None)
        for record, options in zip(records, near_misses, strict=True)
        if options and rng.random() < share
    ]


def made_questions(corpora: Sequence[Path], seed: int) -> list[Record]:
    """Questions made by patterns over the passages of ``corpora`` and the embedded corpus, in random order."""
    rng = random.Random(seed)
    passages = [*(Reading(corpora) if corpora else ()), *leads()]
    made = [record for passage in passages for record in questions(passage, rng)]
    rng.shuffle(made)
    return made


def train(
    records: Sequence[Record], made: Sequence[Record], out: Path, plan: Plan, device: str, init: Path | None = None
) -> None:
    """Run ``plan``, as ``loop.train_passes`` does."""
    train_passes(
        lambda steps: begin(plan, steps, device, init),
        passes(records, made, plan),
        lambda some, seed: batches(some, size=plan.size, max_length=plan.max_length, seed=seed),
        out,
        plan,
    )


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with train.jsonl.gz and dev.jsonl.gz.",
)
@click.option(
    "--more",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Further training records.",
)
@click.option(
    "--corpus",
    "corpora",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Passages to make questions from.",
)
@click.option(
    "--init",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An adapter of the same rank to go on from.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--epochs", default=PLAN.epochs, show_default=True)
@click.option("--seed", default=PLAN.seed, show_default=True)
@click.option("--lr", default=PLAN.lr, show_default=True, help="Peak learning rate.")
@click.option("--rank", default=PLAN.rank, show_default=True, help="Rank of the deltas; 0 trains all layers in full.")
@click.option("--limit", type=int, help="Train and score on only so many records of the data.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@one_line_errors()
def main(
    data: Path,
    more: tuple[Path, ...],
    corpora: tuple[Path, ...],
    init: Path | None,
    out: Path,
    device: str,
    **settings: Any,
) -> None:
    plan = Plan(init=sha256(init) if init else None, **settings)
    started = time.monotonic()
    records = licensed(read_records(data / "train.jsonl.gz"))
    random.Random(plan.seed).shuffle(records)
    records = [*records[: plan.limit], *licensed(record for file in more for record in read_records(file))]
    train(records, made_questions(corpora, plan.seed), out, plan, device, init)
    seconds = round(time.monotonic() - started)
    with tempfile.TemporaryDirectory() as folder:
        write_reader(Path(folder) / "reader", out / "adapter.safetensors")
        scores = score(DprReader(Path(folder) / "reader"), read_records(data / "dev.jsonl.gz")[: plan.limit])
    facts = {"settings": asdict(plan), "device": device, "training_seconds": seconds, "scores": asdict(scores)}
    (out / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    click.echo(json.dumps(facts["scores"]))


if __name__ == "__main__":
    main()
