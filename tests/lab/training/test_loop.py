"""The training loop on a model of one number."""

from dataclasses import dataclass

import pytest
import torch

from lab.training.loop import Training, train
from searchain.errors import UsageError


@dataclass(frozen=True)
class Plan:
    lr: float = 0.1


class Number:
    """Learns the mean of what it is shown."""

    def __init__(self) -> None:
        self.parameters = [torch.zeros(1, requires_grad=True)]

    def loss(self, batch):
        return (self.parameters[0] - batch).square().sum()

    def save(self, file):
        file.write_text(f"{self.parameters[0].item():.6f}")


def run(folder, steps: int, until: int, plan: Plan = Plan()) -> str:
    folder.mkdir(exist_ok=True)
    train(
        Training(Number(), plan, steps, "cpu"),
        ((f"pass {number // 5 + 1} ", float(number % 3)) for number in range(until)),
        folder / "number.txt",
        logged=2,
        saved=3,
        is_end=(5, 10).__contains__,
        size=lambda batch: 8,
        rate="{:.0f} numbers/s",
    )
    return (folder / "number.txt").read_text()


def test_a_run_that_was_stopped_ends_like_one_that_was_not(tmp_path, capsys):
    run(tmp_path / "stopped", 10, 6)
    assert run(tmp_path / "stopped", 10, 10) == run(tmp_path / "straight", 10, 10)
    assert "resuming at step 6 of 10\n" in capsys.readouterr().out
    with pytest.raises(UsageError, match="belongs to other settings; give another --out or remove it"):
        run(tmp_path / "stopped", 10, 10, Plan(lr=0.2))
