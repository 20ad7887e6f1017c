"""Train the planner: ``python -m lab.training.planner --out DIR``.

Learns from the plans and follow-ups in ``lab/training/data``. Started again with the same settings, training goes
on from its last checkpoint. ``--out`` receives ``chain-final-standalone.gguf`` and ``training.json``.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import torch
from transformers import AutoTokenizer

from lab.training import loop
from lab.training.loop import Training
from lab.training.planner_data import Example, batches, dialogues, encode, read_followups, read_plans
from lab.training.planner_model import TrainablePlanner
from searchain.console import one_line_errors
from searchain.embedded import assets

ADAPTER = "chain-final-standalone.gguf"
LOGGED, SAVED = 10, 50
"""Steps between lines of progress and between checkpoints."""
HELD_BACK = 60
"""Plans that are not learned from; their loss is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that decides the outcome of a training run."""

    epochs: int = 2
    seed: int = 5
    lr: float = 1.2e-3
    """Peak of AdamW's learning rate: 5 % of the steps up, then down to 0."""
    rank: int = 16
    first: int = 8
    """The lowest layer with deltas, of 30."""
    tokens: int = 1_800
    """Tokens per step."""
    limit: int | None = None


DEFAULT = Settings()


def begin(settings: Settings, steps: int, device: str) -> Training:
    """Prepare the training of a planner."""
    torch.manual_seed(settings.seed)
    model = TrainablePlanner(settings.rank, device, first=settings.first)
    return Training(model, settings, steps, device, weight_decay=0.0, zero_at=steps + 1, kept_as="settings")


def examples(settings: Settings) -> tuple[list[list[Example]], list[Example]]:
    """Return the training examples of each pass, and the held-out examples."""
    file = assets.find(assets.SMOLLM2)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    plans, followups = read_plans(), read_followups()
    random.Random(settings.seed).shuffle(plans)
    held_back, plans = plans[:HELD_BACK], plans[HELD_BACK:][: settings.limit]
    passes = [
        [encode(tokenizer, turns) for turns in dialogues(plans, followups, settings.seed * 100 + number)]
        for number in range(settings.epochs)
    ]
    return passes, [encode(tokenizer, turns) for turns in dialogues(held_back, [], 1)]


def train(settings: Settings, out: Path, device: str) -> float:
    """Run ``settings``; leaves the adapter and ``checkpoint.pt`` in ``out``. Returns the loss on what was held back."""
    out.mkdir(parents=True, exist_ok=True)
    passes, held_back = examples(settings)
    plan = [
        batch
        for number, some in enumerate(passes)
        for batch in batches(some, tokens=settings.tokens, seed=settings.seed * 100 + number)
    ]
    training = begin(settings, len(plan), device)
    loop.train(
        training,
        (("", batch) for batch in plan),
        out / ADAPTER,
        logged=LOGGED,
        saved=SAVED,
        is_end=lambda step: step % SAVED == 0 or step == len(plan),
        size=lambda batch: batch[1].sum(),
        rate="{:.0f} tokens/s",
    )
    with torch.no_grad():
        rest = [training.model.loss(batch).item() for batch in batches(held_back, tokens=2_000, seed=1)]
    return sum(rest) / len(rest)


@click.command(help=__doc__)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@click.option("--epochs", default=DEFAULT.epochs, show_default=True)
@click.option("--seed", default=DEFAULT.seed, show_default=True)
@click.option("--lr", default=DEFAULT.lr, show_default=True, help="Peak learning rate.")
@click.option("--rank", default=DEFAULT.rank, show_default=True, help="Rank of the deltas.")
@click.option("--limit", type=int, help="Learn from only so many plans.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@one_line_errors()
def main(out: Path, device: str, **values: Any) -> None:
    settings = Settings(**values)
    started = time.monotonic()
    loss = train(settings, out, device)
    facts = {
        "settings": asdict(settings),
        "device": device,
        "training_seconds": round(time.monotonic() - started),
        "held_back_loss": round(loss, 4),
    }
    (out / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    click.echo(json.dumps(facts))


if __name__ == "__main__":
    main()
