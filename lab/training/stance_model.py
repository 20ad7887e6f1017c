"""The stance model as it is trained: MiniLM with low-rank deltas and a head of three logits on its first state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional
from transformers import BertModel

from lab.training.low_rank import LowRank, write_adapter
from lab.training.stance_batches import Batch
from searchain.embedded.minilm import ENCODER, base_state, reader_config
from searchain.reading.reader import multiplies_in_half
from searchain.reading.stance import HEAD, LABELS


class TrainableStance:
    """Trainable are deltas of ``rank`` on all linear layers of the encoder, its layer norms and biases, and the head.
    Embeddings stay frozen. Parameters are float32; the encoder runs in bfloat16 where that is faster."""

    def __init__(
        self, rank: int, device: str, start: Mapping[str, Tensor] | None = None, *, smoothing: float = 0.0
    ) -> None:
        config = reader_config()
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0  # few passes: dropout only slows them
        config._attn_implementation = "eager"  # on a CPU the fused kernel's backward pass is a third of the step
        base = base_state()
        model = BertModel(config, add_pooling_layer=False)  # type: ignore[arg-type]  # as DPRReader builds it
        model.load_state_dict({name.removeprefix(ENCODER): tensor for name, tensor in base.items()})
        self._kept_in = torch.bfloat16 if device != "cpu" or multiplies_in_half() else torch.float32
        model.to(device, self._kept_in)  # type: ignore[arg-type]  # transformers' decorator hides the parameters of `to`
        self._encoder = model.requires_grad_(False).train()
        self._deltas = LowRank(
            {name: tensor for name, tensor in base.items() if ".encoder.layer." in name}, rank, device, start
        )
        head = nn.Linear(config.hidden_size, len(LABELS))
        nn.init.normal_(head.weight, std=0.02)
        nn.init.zeros_(head.bias)
        begun = start or {}
        self._head = {
            part: begun.get(HEAD + part, getattr(head, part).detach()).float().to(device).requires_grad_()
            for part in ("weight", "bias")
        }
        self._device, self._smoothing = device, smoothing

    @property
    def parameters(self) -> list[Tensor]:
        return [*self._deltas.parameters, *self._head.values()]

    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy of the labels, smoothed."""
        ids, mask, labels = (
            torch.from_numpy(array).to(self._device) for array in (batch.input_ids, batch.attention_mask, batch.labels)
        )
        encoder = {
            name.removeprefix(ENCODER): tensor.to(self._kept_in) for name, tensor in self._deltas.weights().items()
        }
        states = functional_call(self._encoder, encoder, (ids, mask))[0][:, 0].float()
        return functional.cross_entropy(
            functional.linear(states, **self._head), labels, label_smoothing=self._smoothing
        )

    def save(self, file: Path) -> None:
        """Write what training changed, in float16, in the form that ``MiniLMStance`` reads."""
        state = self._deltas.state() | {HEAD + part: tensor for part, tensor in self._head.items()}
        write_adapter(file, state)
