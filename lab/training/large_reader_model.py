"""The large Reader as it is trained: MPNet with low-rank deltas on its upper layers and fresh heads.

The gradient of a delta is computed from its two factors alone. The gradient of the whole matrix, a third of all work,
is never needed.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import MPNetConfig, MPNetModel

from lab.training.low_rank import SCALE, write_adapter
from lab.training.reader_data import Batch
from searchain.embedded.assets import read_adapter
from searchain.embedded.mpnet import HEADS, base_state, open_base
from searchain.reading.reader import multiplies_in_half


class TrainableLargeReader:
    """Trainable are deltas of ``rank`` on the linear layers above the first ``frozen`` layers of the encoder, the layer
    norms and biases there, and the heads. Parameters are float32; the encoder runs in bfloat16
    where the processor multiplies it faster.

    With ``start``, an adapter of the same rank and the same frozen layers, training goes on from there.
    """

    def __init__(self, rank: int, frozen: int, start: Path | None = None) -> None:
        config = mpnet_config()
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0  # one pass: dropout only slows it
        config._attn_implementation = "eager"
        model = MPNetModel(config, add_pooling_layer=False)
        model.load_state_dict(base_state())
        kept_in = torch.bfloat16 if multiplies_in_half() else torch.float32
        self._encoder: Any = model.to(kept_in).requires_grad_(False).train()  # type: ignore[arg-type]
        for layer in self._encoder.encoder.layer[frozen:]:
            inner = layer.attention.attn
            for parent, name in (
                *((inner, name) for name in "qkvo"),
                (layer.intermediate, "dense"),
                (layer.output, "dense"),
            ):
                setattr(parent, name, LowRankLinear(getattr(parent, name), rank))
            layer.attention.LayerNorm = _LayerNorm(layer.attention.LayerNorm)
            layer.output.LayerNorm = _LayerNorm(layer.output.LayerNorm)
        self._heads = nn.ModuleDict(
            {name: nn.Linear(config.hidden_size, size) for name, size in zip(HEADS, (2, 1), strict=True)}
        )
        for head in self._heads.values():
            nn.init.normal_(head.weight, std=0.02)  # type: ignore[arg-type]
            nn.init.zeros_(head.bias)  # type: ignore[arg-type]
        if start is not None:
            state = read_adapter(start)
            with torch.no_grad():
                for name, one in self._trained().items():
                    one.copy_(state[name].float() / (SCALE if name.endswith(".lora_B") else 1.0))

    @property
    def parameters(self) -> list[Tensor]:
        trained = [one for one in self._encoder.parameters() if one.requires_grad]
        return [*trained, *self._heads.parameters()]

    def loss(self, batch: Batch) -> Tensor:
        """Compute the loss of the small Reader (``reader_model``) for a batch."""
        ids, mask, passage, start, end, relevant = (
            torch.from_numpy(array)
            for array in (batch.input_ids, batch.attention_mask, batch.passage, batch.start, batch.end, batch.relevant)
        )
        hidden = self._encoder(ids, attention_mask=mask)[0].float()
        spans, relevance = self._heads["qa_outputs"](hidden), self._heads["qa_classifier"](hidden[:, 0])[:, 0]
        total = functional.binary_cross_entropy_with_logits(relevance, relevant)
        if relevant.any():
            for place, gold in enumerate((start, end)):
                inside = spans[..., place].masked_fill(~passage, -1e4)
                total = total + functional.cross_entropy(inside, gold, ignore_index=-100) / 2
        return total

    def save(self, file: Path) -> None:
        """Write what training changed, in float16, in the form that ``searchain.embedded.assets.merged`` reads."""
        trained = self._trained().items()
        write_adapter(file, {name: SCALE * one if name.endswith(".lora_B") else one for name, one in trained})

    def _trained(self) -> dict[str, Tensor]:
        """Return the trained tensors by their names in an adapter."""
        named = {name: one for name, one in self._encoder.named_parameters() if one.requires_grad}
        in_adapter = {name.replace(".low_rank_", ".weight.lora_"): one for name, one in named.items()}
        return in_adapter | dict(self._heads.named_parameters())


def mpnet_config() -> MPNetConfig:
    """Read the configuration of the base model from its packages."""
    import json

    with open_base() as base:
        return MPNetConfig(**json.loads(base.read("all-mpnet-base-v2/config.json")))


class LowRankLinear(nn.Module):
    """A frozen linear layer with a delta of ``rank`` and a trained bias."""

    weight: Tensor

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", layer.weight.detach())
        bound = 1 / math.sqrt(layer.in_features)
        self.bias = nn.Parameter(layer.bias.detach().float().clone())
        self.low_rank_A = nn.Parameter(torch.empty(rank, layer.in_features).uniform_(-bound, bound))
        self.low_rank_B = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, states: Tensor) -> Tensor:
        kept_in = self.weight.dtype
        moved: Tensor = _Product.apply(states, self.weight, self.low_rank_A.to(kept_in), self.low_rank_B.to(kept_in))
        return moved + self.bias.to(kept_in)


class _Product(torch.autograd.Function):
    """``states @ (weight + SCALE * b @ a).T``, with gradients of ``states``, ``a`` and ``b`` alone."""

    @staticmethod
    def forward(ctx: Any, states: Tensor, weight: Tensor, a: Tensor, b: Tensor) -> Tensor:
        whole = weight + SCALE * (b @ a)
        ctx.save_for_backward(states, whole, a, b)
        return states @ whole.T

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        (gradient,) = gradients
        states, whole, a, b = ctx.saved_tensors
        rows, inputs = gradient.reshape(-1, gradient.shape[-1]), states.reshape(-1, states.shape[-1])
        return gradient @ whole, None, SCALE * ((rows @ b).T @ inputs), SCALE * (rows.T @ (inputs @ a.T))


class _LayerNorm(nn.Module):
    """A layer norm whose trained values are float32, over states of any kind."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        super().__init__()
        self.weight = nn.Parameter(norm.weight.detach().float().clone())
        self.bias = nn.Parameter(norm.bias.detach().float().clone())
        self._shape, self._eps = norm.normalized_shape, norm.eps

    def forward(self, states: Tensor) -> Tensor:
        return functional.layer_norm(
            states, self._shape, self.weight.to(states.dtype), self.bias.to(states.dtype), self._eps
        )
