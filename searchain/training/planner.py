"""Train the planner: ``python -m searchain.training.planner --out DIR``.

Learns from the plans and follow-ups in ``searchain/training/data``. Started again with the same settings, training goes
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

from searchain import assets
from searchain.console import one_line_errors
from searchain.errors import UsageError
from searchain.training.planner_data import Example, batches, dialogues, encode, read_followups, read_plans
from searchain.training.planner_model import TrainablePlanner

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


class Training:
    """A model with its optimiser, and where they stand."""

    def __init__(self, settings: Settings, steps: int, device: str) -> None:
        torch.manual_seed(settings.seed)
        self.model = TrainablePlanner(settings.rank, device, first=settings.first)
        self.step = 0
        self._settings, self._device = settings, device
        self._optimizer = torch.optim.AdamW(self.model.parameters, lr=settings.lr, weight_decay=0.0)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: min((step + 1) / (0.05 * steps), 1 - step / (steps + 1))
        )

    def tensors(self, batch: Any) -> list[torch.Tensor]:
        return [torch.from_numpy(array).to(self._device) for array in batch]

    def learn(self, batch: Any) -> float:
        """Take one step; returns the loss before it."""
        loss = self.model.loss(*self.tensors(batch))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters, 1.0)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return loss.item()

    def save(self, checkpoint: Path) -> None:
        """Write everything that ``resume`` needs, all or nothing."""
        draft = checkpoint.with_suffix(".draft")
        torch.save(
            {
                "settings": asdict(self._settings),
                "step": self.step,
                "optimizer": self._optimizer.state_dict(),
                "trainable": [tensor.detach() for tensor in self.model.parameters],
                "schedule": self._schedule.state_dict(),
            },
            draft,
        )
        draft.replace(checkpoint)

    def resume(self, checkpoint: Path) -> None:
        """Go on from ``checkpoint``. Raises ``UsageError`` when it belongs to other settings."""
        saved = torch.load(checkpoint, map_location=self._device, weights_only=True)
        if saved["settings"] != asdict(self._settings):
            raise UsageError(f"{str(checkpoint)!r} belongs to other settings; give another --out or remove it")
        with torch.no_grad():
            for tensor, value in zip(self.model.parameters, saved["trainable"], strict=True):
                tensor.copy_(value)
        self._optimizer.load_state_dict(saved["optimizer"])
        self._schedule.load_state_dict(saved["schedule"])
        self.step = saved["step"]


def examples(settings: Settings) -> tuple[list[list[Example]], list[Example]]:
    """The examples of each pass, and those held back."""
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
    checkpoint = out / "checkpoint.pt"
    passes, held_back = examples(settings)
    plan = [
        batch
        for number, some in enumerate(passes)
        for batch in batches(some, tokens=settings.tokens, seed=settings.seed * 100 + number)
    ]
    training = Training(settings, len(plan), device)
    if checkpoint.is_file():
        training.resume(checkpoint)
        click.echo(f"resuming at step {training.step} of {len(plan)}")
    done, started, losses, tokens = training.step, time.monotonic(), [], 0
    for batch in plan[done:]:
        losses.append(training.learn(batch))
        tokens += batch[1].sum()
        if training.step % LOGGED == 0:
            click.echo(
                f"step {training.step}/{len(plan)} loss {sum(losses) / len(losses):.3f} "
                f"{tokens / (time.monotonic() - started):.0f} tokens/s"
            )
            losses.clear()
        if training.step % SAVED == 0 or training.step == len(plan):
            training.save(checkpoint)
            training.model.save(out / ADAPTER)
    with torch.no_grad():
        rest = [
            training.model.loss(*training.tensors(batch)).item() for batch in batches(held_back, tokens=2_000, seed=1)
        ]
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
