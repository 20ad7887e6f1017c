"""BERT and MPNet encoders with torch alone.

Every model that comes with the program is one of the two. transformers, which has them too, takes longer to import
than torch does.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULTS = {"num_attention_heads": 12, "num_hidden_layers": 12, "layer_norm_eps": 1e-12}
"""What a configuration leaves out where it is as usual."""
BUCKETS, FARTHEST = 32, 128
"""MPNet's kinds of distances between two tokens, and from which distance on all are one kind."""


@dataclass(frozen=True, slots=True)
class Names:
    """What the layers of attention are called in a checkpoint, and how it differs from others."""

    inputs: tuple[str, str, str]
    """Query, key, value."""
    output: str
    norm: str
    first: int = 0
    """The row of the first position."""
    is_written_out: bool = False
    """Whether attention is computed step by step, as transformers does it for this kind, to give the same bits."""


NAMES = {
    "bert": Names(
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        "attention.output.dense",
        "attention.output.LayerNorm",
    ),
    "mpnet": Names(
        ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
        "attention.attn.o",
        "attention.LayerNorm",
        first=2,
        is_written_out=True,
    ),
}


class TextEncoder:
    """An encoder of texts, for use; thread-safe.

    ``kind`` is ``bert`` or ``mpnet``, and ``config`` holds the facts of the checkpoint's ``config.json``. ``weights``
    stand under the names of transformers' ``BertModel`` or ``MPNetModel``; others are left alone. It computes in
    ``dtype``. Raises ``ValueError`` if a weight is missing.
    """

    def __init__(
        self, kind: str, config: Mapping[str, Any], weights: Mapping[str, Tensor], dtype: torch.dtype = torch.float32
    ) -> None:
        facts, self._names = DEFAULTS | dict(config), NAMES[kind]
        self._heads, self._epsilon = facts["num_attention_heads"], facts["layer_norm_eps"]
        self._layers = [f"encoder.layer.{layer}." for layer in range(facts["num_hidden_layers"])]
        linear = (*self._names.inputs, self._names.output, self._names.norm, "intermediate.dense", "output.dense")
        pairs = [f"{layer}{name}" for layer in self._layers for name in (*linear, "output.LayerNorm")]
        needed = {f"{name}.{half}" for name in ("embeddings.LayerNorm", *pairs) for half in ("weight", "bias")}
        extra = "encoder.relative_attention_bias" if kind == "mpnet" else "embeddings.token_type_embeddings"
        tables = ("embeddings.word_embeddings", "embeddings.position_embeddings", extra)
        needed |= {f"{name}.weight" for name in tables}
        if missing := needed - weights.keys():
            raise ValueError(f"the weights {min(missing)!r} are missing")
        self._weights = {name: weights[name].to(dtype) for name in needed}

    def __call__(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the states of the last layer [texts, tokens, dim] of token ids and their mask [texts, tokens].

        The texts of a batch are padded behind their ends.
        """
        weights, first = self._weights, self._names.first
        states = weights["embeddings.word_embeddings.weight"][ids]
        if (types := weights.get("embeddings.token_type_embeddings.weight")) is not None:
            states = states + types[0]
        states = states + weights["embeddings.position_embeddings.weight"][first : first + ids.shape[1]]
        states = self._norm("embeddings.LayerNorm", states)
        bias = self._bias(mask, states.dtype)
        for layer in self._layers:
            states = self._layer(layer, states, bias)
        return states

    def _layer(self, layer: str, states: Tensor, bias: Tensor | None) -> Tensor:
        query, key, value = (
            self._linear(f"{layer}{name}", states).unflatten(-1, (self._heads, -1)).transpose(1, 2)
            for name in self._names.inputs
        )
        if self._names.is_written_out:
            scores = query @ key.mT / math.sqrt(query.shape[-1]) + bias
            mixed = scores.softmax(-1) @ value
        else:
            mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        mixed = self._linear(f"{layer}{self._names.output}", mixed.transpose(1, 2).flatten(2))
        states = self._norm(f"{layer}{self._names.norm}", mixed + states)
        inner = functional.gelu(self._linear(f"{layer}intermediate.dense", states))
        return self._norm(f"{layer}output.LayerNorm", self._linear(f"{layer}output.dense", inner) + states)

    def _bias(self, mask: Tensor, dtype: torch.dtype) -> Tensor | None:
        """Return what is added to the attention of one token for another; ``None`` for nothing."""
        distances = self._weights.get("encoder.relative_attention_bias.weight")
        if distances is None and bool(mask.all()):
            return None
        padding = torch.where(mask.bool(), 0.0, torch.finfo(dtype).min)[:, None, None, :].to(dtype)
        if distances is None:
            return padding
        return distances[_buckets(mask.shape[1])].permute(2, 0, 1) + padding

    def _linear(self, name: str, states: Tensor) -> Tensor:
        return functional.linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, name: str, states: Tensor) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(states, weight.shape, weight, bias, self._epsilon)


def read(directory: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return the configuration and the weights of the checkpoint in ``directory``. Raises what reading them raises."""
    from safetensors.torch import load_file

    stored = directory / "model.safetensors"
    weights = load_file(stored) if stored.is_file() else torch.load(directory / "pytorch_model.bin", weights_only=True)
    return json.loads((directory / "config.json").read_text()), weights


def linear(weights: Mapping[str, Tensor], name: str) -> Callable[[Tensor], Tensor]:
    """Return the linear layer ``name``, in float32. Raises ``KeyError`` if it is missing."""
    weight, bias = (weights[f"{name}.{half}"].float() for half in ("weight", "bias"))
    return partial(functional.linear, weight=weight, bias=bias)


def number(tokens: Tokenizer, token: str) -> int:
    """Return the number of a token of the vocabulary. Raises ``ValueError`` if it is missing."""
    found = tokens.token_to_id(token)
    if found is None:
        raise ValueError(f"the token {token!r} is missing")
    return found


def bert_tokenizer(directory: Path) -> Tokenizer:
    """Return the tokenizer of a BERT checkpoint: ``tokenizer.json``, or else as ``vocab.txt`` needs it.

    Raises what reading them raises.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    if (stored := directory / "tokenizer.json").is_file():
        return Tokenizer.from_file(str(stored))
    config = directory / "tokenizer_config.json"
    facts = json.loads(config.read_text()) if config.is_file() else {}
    tokens = Tokenizer(models.WordPiece.from_file(str(directory / "vocab.txt"), unk_token="[UNK]"))
    tokens.normalizer = normalizers.BertNormalizer(
        handle_chinese_chars=facts.get("tokenize_chinese_chars", True),
        strip_accents=facts.get("strip_accents"),
        lowercase=facts.get("do_lower_case", True),
    )
    tokens.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokens


def _buckets(tokens: int) -> Tensor:
    """Return the kind of distance from each token to each: small ones apart, larger ones by their logarithm."""
    places = torch.arange(tokens)
    distance = places[:, None] - places[None, :]
    half, exact = BUCKETS // 2, BUCKETS // 4
    far = distance.abs()
    growth = torch.log(far.float() / exact) / torch.log(torch.tensor(FARTHEST / exact)) * (half - exact)
    large = (exact + growth.clamp(min=0).long()).clamp(max=half - 1)
    return (distance < 0).long() * half + torch.where(far < exact, far, large)
