"""The Reader as it is trained: MiniLM with low-rank deltas and fresh heads, its losses, and what is saved of it.

The deltas are added to the weights once per step (W + B @ A) and the encoder runs in bfloat16 throughout; that takes
half the time of low-rank branches beside every layer under autocast.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.func import functional_call
from torch.nn import functional
from transformers import DPRReader

from lab.training.low_rank import SCALE, LowRank, write_adapter
from lab.training.reader_data import Batch
from searchain.embedded.minilm import ENCODER, base_state, reader_config
from searchain.errors import UsageError

HEADS = "span_predictor."


class TrainableReader:
    """Trainable are deltas of ``rank`` on all linear layers of the encoder (``rank`` 0: these layers in full), its
    layer norms and biases, and the heads. Embeddings stay frozen. Parameters are float32."""

    def __init__(self, rank: int, device: str, init: Path | None = None) -> None:
        """``init``: an adapter of the same rank to go on from, as ``save`` writes it."""
        config = reader_config()
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0  # few passes: dropout only slows them
        config._attn_implementation = "eager"  # on a CPU the fused kernel's backward pass is a third of the step
        model = DPRReader(config)
        missing, unexpected = model.load_state_dict(base_state(), strict=False)
        if unexpected or any(name.startswith(ENCODER) for name in missing):
            raise ValueError(f"the base weights do not fit the Reader: {unexpected or missing}")
        encoder = model.span_predictor.encoder.bert_model
        encoder.to(device, torch.bfloat16)  # type: ignore[arg-type]  # transformers' decorator hides the parameters of `to`
        self._encoder = encoder.requires_grad_(False).train()
        layers = {name: tensor for name, tensor in base_state().items() if ".encoder.layer." in name}
        self._deltas = LowRank(layers, rank, device)
        self._heads: dict[str, Tensor] = {}
        for name, size in (("qa_outputs", 2), ("qa_classifier", 1)):
            head = nn.Linear(config.hidden_size, size)
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)
            for part in ("weight", "bias"):
                self._heads[f"{HEADS}{name}.{part}"] = getattr(head, part).detach().to(device).requires_grad_()
        if init is not None:
            self._load(load_file(init))

    def _load(self, state: dict[str, Tensor]) -> None:
        own = self._deltas.named() | self._heads
        for name, tensor in state.items():
            if name not in own or own[name].shape != tensor.shape:
                raise UsageError(f"{name!r} of the adapter to go on from does not fit; give the rank that it has")
            with torch.no_grad():
                own[name].copy_(tensor.float() / SCALE if name.endswith(".lora_B") else tensor.float())

    @property
    def parameters(self) -> list[Tensor]:
        return [*self._deltas.parameters, *self._heads.values()]

    def __call__(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Start logits [N, L], end logits [N, L] and relevance logits [N] of token ids [N, L]."""
        encoder = {name.removeprefix(ENCODER): tensor.bfloat16() for name, tensor in self._deltas.weights().items()}
        hidden = functional_call(self._encoder, encoder, (ids, mask))[0].float()
        spans, relevance = (
            functional.linear(states, self._heads[f"{HEADS}{head}.weight"], self._heads[f"{HEADS}{head}.bias"])
            for states, head in ((hidden, "qa_outputs"), (hidden[:, 0], "qa_classifier"))
        )
        return spans[..., 0], spans[..., 1], relevance[:, 0]

    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy of the gold start and end among the passage tokens, where there is an answer, plus binary
        cross-entropy of "can this passage answer the query": DPR's reader losses, but with relevance judged per
        passage, so that one threshold fits all queries."""
        device = self._heads[f"{HEADS}qa_outputs.bias"].device
        ids, mask, passage, start, end, relevant = (
            torch.from_numpy(array).to(device)
            for array in (batch.input_ids, batch.attention_mask, batch.passage, batch.start, batch.end, batch.relevant)
        )
        *spans, relevance = self(ids, mask)
        total = functional.binary_cross_entropy_with_logits(relevance, relevant)
        if relevant.any():
            for logits, gold in zip(spans, (start, end), strict=True):
                inside = logits.masked_fill(~passage, -1e4)
                total = total + functional.cross_entropy(inside, gold, ignore_index=-100) / 2
        return total

    def save(self, file: Path) -> None:
        """Write what training changed, in float16, in the form that ``searchain.embedded.assets.merged`` reads."""
        write_adapter(file, self._deltas.state() | self._heads)
