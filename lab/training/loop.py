"""The loop that trains every model: steps of AdamW, lines of progress, and a checkpoint to go on from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

import click
import torch

from searchain.errors import UsageError
from searchain.files.writing import write_whole

T = TypeVar("T")


class Plan(Protocol):
    """A dataclass with everything that decides the outcome of a training run."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def lr(self) -> float:
        """The peak of the learning rate."""


class PassPlan(Plan, Protocol):
    """A plan of passes over sequences."""

    @property
    def epochs(self) -> int:
        """The number of passes."""

    @property
    def seed(self) -> int:
        """What the order of the batches comes from."""

    @property
    def size(self) -> int:
        """The sequences of a step."""


class Trainable(Protocol):
    """A model that can be trained."""

    @property
    def parameters(self) -> list[torch.Tensor]:
        """The tensors to train, always in the same order."""

    def loss(self, batch: Any) -> torch.Tensor:
        """Compute the mean loss of ``batch``."""

    def save(self, file: Path) -> None:
        """Write what training changed."""


class Training:
    """A model with its optimiser, and how far training has come."""

    def __init__(
        self,
        model: Trainable,
        plan: Plan,
        steps: int,
        device: str,
        *,
        weight_decay: float = 0.01,
        zero_at: int | None = None,
        rises: float = 0.05,
        kept_as: str = "plan",
    ) -> None:
        """Prepare ``steps`` steps of training.

        Args:
            zero_at: the step at which the learning rate is 0; ``steps`` by default.
            rises: the share of the steps in which the learning rate rises; it falls afterwards.
            kept_as: the name of the plan in the checkpoint.
        """
        self.model, self.steps, self.step = model, steps, 0
        self._plan, self._kept_as, self._device = asdict(plan), kept_as, device
        self._optimizer = torch.optim.AdamW(model.parameters, lr=plan.lr, weight_decay=weight_decay)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: min((step + 1) / (rises * steps), 1 - step / (zero_at or steps))
        )

    def learn(self, batch: Any) -> float:
        """Take one step; returns the loss before it."""
        loss = self.model.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters, 1.0)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return loss.item()

    def save(self, checkpoint: Path) -> None:
        """Write everything that ``resume`` needs, all or nothing."""
        with write_whole(checkpoint) as draft:
            torch.save(
                {
                    self._kept_as: self._plan,
                    "step": self.step,
                    "optimizer": self._optimizer.state_dict(),
                    "trainable": [tensor.detach() for tensor in self.model.parameters],
                    "schedule": self._schedule.state_dict(),
                },
                draft,
            )

    def resume(self, checkpoint: Path) -> None:
        """Go on from ``checkpoint``.

        Raises:
            UsageError: it belongs to another plan.
        """
        saved = torch.load(checkpoint, map_location=self._device, weights_only=True)
        if saved[self._kept_as] != self._plan:
            raise UsageError(f"{str(checkpoint)!r} belongs to other settings; give another --out or remove it")
        with torch.no_grad():
            for tensor, value in zip(self.model.parameters, saved["trainable"], strict=True):
                tensor.copy_(value)
        self._optimizer.load_state_dict(saved["optimizer"])
        self._schedule.load_state_dict(saved["schedule"])
        self.step = saved["step"]


def train_passes(
    begin: Callable[[int], Training],
    passes: Sequence[Sequence[T]],
    batches: Callable[[Sequence[T], int], Iterable[Any]],
    out: Path,
    plan: PassPlan,
) -> None:
    """Learn from ``passes`` in turn.

    Leaves ``adapter.safetensors`` (written after every pass) and ``checkpoint.pt`` in ``out``.

    Args:
        begin: prepares the training of so many steps.
        batches: the batches of a pass, drawn with a seed.
    """
    out.mkdir(parents=True, exist_ok=True)
    steps = [-(-len(some) // plan.size) for some in passes]
    train(
        begin(sum(steps)),
        (
            (f"pass {number + 1}/{plan.epochs} ", batch)
            for number, some in enumerate(passes)
            for batch in batches(some, plan.seed * 1000 + number)
        ),
        out / "adapter.safetensors",
        logged=25,
        saved=100,
        is_end=set(accumulate(steps)).__contains__,
        size=lambda batch: plan.size,
        rate="{:.1f} sequences/s",
    )


def train(
    training: Training,
    batches: Iterable[tuple[str, Any]],
    adapter: Path,
    *,
    logged: int,
    saved: int,
    is_end: Callable[[int], bool],
    size: Callable[[Any], int],
    rate: str,
) -> None:
    """Learn from ``batches`` once, each with the beginning of its line of progress; leaves ``adapter``.

    A ``checkpoint.pt`` beside ``adapter`` is resumed: the batches before it are passed over.

    Args:
        logged: steps between lines of progress.
        saved: steps between checkpoints.
        is_end: whether ``adapter`` is written too after a step.
        size: how much a batch counts in the rate of progress.
        rate: the format of that rate.
    """
    checkpoint = adapter.with_name("checkpoint.pt")
    if checkpoint.is_file():
        training.resume(checkpoint)
        click.echo(f"resuming at step {training.step} of {training.steps}")
    done, started, losses, seen = training.step, time.monotonic(), [], 0
    for step, (beginning, batch) in enumerate(batches, 1):
        if step > done:
            losses.append(training.learn(batch))
            seen += size(batch)
            if step % logged == 0:
                speed = rate.format(seen / (time.monotonic() - started))
                click.echo(f"{beginning}step {step}/{training.steps} loss {sum(losses) / len(losses):.3f} {speed}")
                losses.clear()
            if step % saved == 0:
                training.save(checkpoint)
        if step >= done and is_end(step):
            training.model.save(adapter)
            training.save(checkpoint)
