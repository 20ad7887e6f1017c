"""SmolLM2 as it is trained: low-rank deltas on all linear layers, and the GGUF adapter that llama.cpp loads.

As with the Reader, the deltas are added to the weights once per step (W + B @ A) and the model runs in bfloat16
throughout. The base weights are the quantised ones of the package, so the adapter fits what it will be added to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from torch import Tensor
from torch.func import functional_call
from torch.nn import functional
from transformers import LlamaConfig, LlamaModel

from searchain.embedded import assets

_PARTS = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}  # fmt: skip
_WHOLE = {"token_embd.weight": "embed_tokens.weight", "output_norm.weight": "norm.weight"}


class TrainablePlanner:
    """SmolLM2 with trainable deltas of ``rank`` on layer ``first`` (from 0) and those above it; the rest is frozen.

    Nothing is passed back below ``first``, which saves a quarter of a step. ``scale`` multiplies B @ A (Hu et al. 2021:
    alpha / rank).
    """

    def __init__(self, rank: int, device: str, *, first: int = 8, scale: float = 2.0) -> None:
        reader = gguf.GGUFReader(assets.find(assets.SMOLLM2))
        config = _config(reader)
        heads = config.num_attention_heads
        self._heads = {"attn_q": heads, "attn_k": config.num_key_value_heads or heads}
        self._scale, self._rank, self._device = scale, rank, device
        state = {name: tensor.to(device) for name, tensor in _state(reader, self._heads).items()}
        self._model = LlamaModel(config)
        self._model.to(torch.bfloat16)  # type: ignore[arg-type]  # transformers' decorator hides the parameters of `to`
        self._model.load_state_dict({name: tensor.bfloat16() for name, tensor in state.items()})
        self._model.to(device)  # type: ignore[arg-type]  # the same
        self._model.requires_grad_(False)
        self._head = self._model.embed_tokens.weight  # tied
        self._base = {
            name: tensor
            for name, tensor in state.items()
            if name.endswith("_proj.weight") and int(name.split(".")[1]) >= first
        }
        self._a, self._b = {}, {}
        for name, tensor in sorted(self._base.items()):
            bound = 1 / math.sqrt(tensor.shape[1])
            self._a[name] = torch.empty(rank, tensor.shape[1]).uniform_(-bound, bound).to(device).requires_grad_()
            self._b[name] = torch.zeros(tensor.shape[0], rank, device=device, requires_grad=True)

    @property
    def parameters(self) -> list[Tensor]:
        return [*self._a.values(), *self._b.values()]

    def loss(self, batch: Sequence[np.ndarray]) -> Tensor:
        """Compute the mean cross-entropy of the scored tokens given those before them.

        ``batch`` has ids, mask and labels, [N, L] each; a label of -100 is not scored.
        """
        ids, mask, labels = (torch.from_numpy(array).to(self._device) for array in batch)
        weights = {
            name: (self._base[name] + self._scale * self._b[name] @ self._a[name]).bfloat16() for name in self._a
        }
        hidden = functional_call(
            self._model, weights, kwargs={"input_ids": ids, "attention_mask": mask, "use_cache": False}
        )[0]
        wanted = labels[:, 1:]
        scored = wanted >= 0
        logits = functional.linear(hidden[:, :-1][scored], self._head)
        return functional.cross_entropy(logits.float(), wanted[scored])

    def save(self, file: Path) -> None:
        """Write the deltas as a llama.cpp LoRA adapter (GGUF, float16)."""
        writer = gguf.GGUFWriter(file, "llama")
        writer.add_type(gguf.GGUFType.ADAPTER)
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", self._scale * self._rank)
        names = {part: name for name, part in _PARTS.items()}
        for name in self._a:
            _, layer, *part = name.removesuffix(".weight").split(".")
            short = names[".".join(part)]
            b = self._b[name].detach().cpu()
            if short in self._heads:
                b = _interleaved(b, self._heads[short])
            place = f"blk.{layer}.{short}.weight"
            writer.add_tensor(f"{place}.lora_a", self._a[name].detach().cpu().half().numpy())
            writer.add_tensor(f"{place}.lora_b", b.contiguous().half().numpy())
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()


def _config(reader: gguf.GGUFReader) -> LlamaConfig:
    def value(name: str) -> Any:  # a whole number, or a float for epsilon and the base of the rotation
        return reader.fields[f"llama.{name}"].contents()

    return LlamaConfig(  # type: ignore[call-arg]  # takes all that PreTrainedConfig takes
        vocab_size=value("vocab_size"), hidden_size=value("embedding_length"), num_hidden_layers=value("block_count"),
        intermediate_size=value("feed_forward_length"), num_attention_heads=value("attention.head_count"),
        num_key_value_heads=value("attention.head_count_kv"), rms_norm_eps=value("attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": value("rope.freq_base")},
        max_position_embeddings=value("context_length"), tie_word_embeddings=True, attn_implementation="sdpa",
    )  # fmt: skip


def _state(reader: gguf.GGUFReader, heads: dict[str, int]) -> dict[str, Tensor]:
    """The base weights in float32 under the names of ``LlamaModel``."""
    state = {}
    for tensor in reader.tensors:
        weight = torch.from_numpy(gguf.dequantize(tensor.data, tensor.tensor_type).copy()).float()
        if tensor.name in _WHOLE:
            state[_WHOLE[tensor.name]] = weight
        elif tensor.name.startswith("blk."):
            _, layer, part, _ = tensor.name.split(".")
            if part in heads:
                weight = _halved(weight, heads[part])
            state[f"layers.{layer}.{_PARTS[part]}.weight"] = weight
    return state


def _halved(weight: Tensor, heads: int) -> Tensor:
    """From llama.cpp's order of a rotary head's rows (pairs side by side) to that of transformers (two halves)."""
    return weight.view(heads, weight.shape[0] // heads // 2, 2, -1).transpose(1, 2).reshape(weight.shape)


def _interleaved(weight: Tensor, heads: int) -> Tensor:
    """The inverse of ``_halved``."""
    return weight.view(heads, 2, weight.shape[0] // heads // 2, -1).transpose(1, 2).reshape(weight.shape)
