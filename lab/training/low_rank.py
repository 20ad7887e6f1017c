"""Low-rank deltas (Hu et al. 2021) for training: merged into the weights once per step, not branches beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from searchain.embedded.assets import read_adapter
from searchain.files.writing import write_whole

SCALE = 2.0
"""On B @ A while training; saved as part of B."""


class LowRank:
    """Trainable weights over frozen ones: deltas of ``rank`` on every matrix of ``base``, its other tensors in full.

    With ``rank`` 0 the matrices are trained in full too. With ``start`` (an adapter as
    ``searchain.embedded.assets.merged`` reads it) training begins there: its other tensors are taken over, and of its
    deltas the part of greatest norm that ``rank`` can hold.
    """

    def __init__(
        self, base: Mapping[str, Tensor], rank: int, device: str, start: Mapping[str, Tensor] | None = None
    ) -> None:
        self._base = {name: tensor.to(device) for name, tensor in base.items()}
        self._a: dict[str, Tensor] = {}
        self._b: dict[str, Tensor] = {}
        self._full: dict[str, Tensor] = {}
        for name, tensor in sorted(base.items()):
            if rank and tensor.dim() == 2:
                a, b = _factors(tensor, rank, (start[f"{name}.lora_A"], start[f"{name}.lora_B"]) if start else None)
                self._a[name], self._b[name] = a.to(device).requires_grad_(), b.to(device).requires_grad_()
            else:
                self._full[name] = (start[name].float() if start else tensor.clone()).to(device).requires_grad_()

    @property
    def parameters(self) -> list[Tensor]:
        return [*self._a.values(), *self._b.values(), *self._full.values()]

    def weights(self) -> dict[str, Tensor]:
        """The weights in force, float32, through which gradients reach ``parameters``."""
        return {name: self._base[name] + SCALE * self._b[name] @ self._a[name] for name in self._a} | self._full

    def named(self) -> dict[str, Tensor]:
        """The trainable tensors by their names in an adapter."""
        return (
            {f"{name}.lora_A": tensor for name, tensor in self._a.items()}
            | {f"{name}.lora_B": tensor for name, tensor in self._b.items()}
            | self._full
        )

    def state(self) -> dict[str, Tensor]:
        """What training changed, as an adapter."""
        return self.named() | {f"{name}.lora_B": SCALE * tensor for name, tensor in self._b.items()}


def _factors(tensor: Tensor, rank: int, start: tuple[Tensor, Tensor] | None) -> tuple[Tensor, Tensor]:
    """A [rank, in] and B [out, rank]: without a start A is random and B zero, so that training begins at the base."""
    if start is None:
        bound = 1 / math.sqrt(tensor.shape[1])
        return torch.empty(rank, tensor.shape[1]).uniform_(-bound, bound), torch.zeros(tensor.shape[0], rank)
    a, b = start
    left, sizes, right = torch.linalg.svd(b.float() @ a.float(), full_matrices=False)
    root = sizes[:rank].sqrt()
    return root[:, None] * right[:rank], left[:, :rank] * root / SCALE


def write_adapter(file: Path, state: Mapping[str, Tensor]) -> None:
    """Write the tensors of ``state`` in float16, all or nothing."""
    from safetensors.torch import save_file

    with write_whole(file) as draft:
        save_file({name: tensor.detach().half().cpu().contiguous() for name, tensor in state.items()}, draft)


def mix(start: Path, trained: Path, share: float) -> None:
    """Move the adapter ``trained`` back: ``share`` of it, and the rest of ``start``, tensor by tensor."""
    first, last = read_adapter(start), read_adapter(trained)
    write_adapter(
        trained, {name: (1 - share) * first[name].float() + share * one.float() for name, one in last.items()}
    )
