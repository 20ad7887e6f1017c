"""Train a stance model for answers: ``python -m lab.training.answers --data DIR --out DIR``.

It tells whether a sentence gives this answer to this question: the statement is "question answer", the passage one
sentence with its title. DIR of ``--data`` holds ``reader/train.jsonl.gz``. A marked answer is supported; the spans that
the small Reader would point at besides, in the same paragraph and in near ones of other articles, are left open.
Training begins at the embedded Reader. ``--out`` receives ``adapter.safetensors`` for ``MiniLMStance``.

No part of the program uses it yet (docs/negative-results.md). What is left is to look up all questions of
``lab.training.probability`` again with its log-odds as one more feature of the trees.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import torch

from lab.training.calibration import Record, read_records
from lab.training.loop import Training, train_passes
from lab.training.reader_data import hard_negatives, leads, licensed
from lab.training.stance_batches import batches, encode
from lab.training.stance_data import Claim
from lab.training.stance_model import TrainableStance
from searchain.console import one_line_errors, tracked
from searchain.embedded.assets import read_adapter
from searchain.embedded.minilm import WEIGHTS, embedded_reader, minilm_tokenizer
from searchain.language.text import contains
from searchain.reading.reader import DprReader, Reader
from searchain.types import Passage, Reading
from searchain.verification.features import sentence_of

OWN = Path(__file__).parent / "data" / "questions.jsonl.gz"
"""Questions over the embedded corpus that were written for this project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the outcome of a training run."""

    epochs: int = 1
    seed: int = 5
    lr: float = 8e-4
    """Peak of AdamW's learning rate: 5 % of the steps up, then down to 0."""
    rank: int = 24
    size: int = 32
    """Sequences per step."""
    max_length: int = 128
    """Tokens per sequence."""
    smoothing: float = 0.02
    records: int = 11_500
    """Questions that are learnt."""
    near: int = 2
    """Paragraphs of other articles that are read for each question."""
    others: int = 3
    """Wrong answers that are learnt of each question, at most."""
    lowered: float = 0.4
    """The share of the questions that lose their capitals; three of four of these lose the question mark as well."""


PLAN = Plan()


def claims(records: Iterable[Record], near: Iterable[Sequence[Passage]], reader: Reader, plan: Plan) -> Iterator[Claim]:
    """Yield for each record its first answer as a claim that is supported, and other spans as claims left open.

    ``near`` has passages without an answer for each record.
    """
    rng = random.Random(plan.seed)
    for record, others in zip(records, near, strict=True):
        drawn = rng.random()
        question = record.question if drawn >= plan.lowered else record.question.lower()
        question = question.rstrip("?") if drawn < 0.75 * plan.lowered else question
        if record.spans:
            right = Reading(record.answers[0], record.spans[0], 0.0)
            yield _claim(question, right, record.passage, "supports")
        wrong = list(_wrong(record, others[: plan.near], reader))
        for passage, reading in rng.sample(wrong, min(plan.others, len(wrong))):
            yield _claim(question, reading, passage, "unknown")


def _claim(question: str, reading: Reading, passage: Passage, label: str) -> Claim:
    return Claim(f"{question} {reading.answer}", Passage("", passage.title, sentence_of(passage, reading)), label)


def _wrong(record: Record, near: Sequence[Passage], reader: Reader) -> Iterator[tuple[Passage, Reading]]:
    """Yield what the Reader would point at: three spans of the record's passage and one of each near one, but none that
    holds an accepted answer or is a part of one."""
    passages = [record.passage, *near]
    for passage, reading in zip(passages, reader.read(record.question, passages), strict=True):
        for option in reading.options[: 3 if passage is record.passage else 1]:
            is_part = any(contains(option.answer, one) or contains(one, option.answer) for one in record.answers)
            if option.answer and not is_part:
                yield passage, option


@click.command(help=__doc__.partition("\n")[0])
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--records", default=PLAN.records, show_default=True, help="Questions that are learnt.")
@one_line_errors()
def main(data: Path, out: Path, records: int) -> None:
    plan = Plan(records=records)
    known = [*licensed(read_records(data / "reader" / "train.jsonl.gz")), *read_records(OWN)]
    learnt = random.Random(plan.seed).sample(known, min(plan.records, len(known)))
    passages = [*{record.passage.text: record.passage for record in learnt}.values(), *leads()]
    near = hard_negatives(learnt, passages, count=plan.near)
    reader = DprReader(embedded_reader())
    made = list(claims(tracked(learnt, "reading"), near, reader, plan))
    torch.manual_seed(plan.seed)
    tokens, start = minilm_tokenizer(), read_adapter(WEIGHTS / "adapter.safetensors")
    train_passes(
        lambda steps: Training(TrainableStance(plan.rank, "cpu", start, smoothing=plan.smoothing), plan, steps, "cpu"),
        [made],
        lambda some, seed: batches(encode(tokens, some, plan.max_length), size=plan.size, seed=seed),
        out,
        plan,
    )


if __name__ == "__main__":
    main()
