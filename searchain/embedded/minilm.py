"""The embedded Reader: all-MiniLM-L6-v2 from its package plus the project's own deltas, written as a DPR reader.

The result is an ordinary local checkpoint directory of the form that ``transformers.DPRReader`` loads, so the
embedded Reader and any other DPR reader take the same path. Torch is imported only when something is built.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.embedded import assets
from searchain.embedded.assets import merged, read_adapter

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer
    from torch import Tensor
    from transformers import DPRConfig

    from searchain.embedded.text_encoder import TextEncoder

WEIGHTS = Path(__file__).parent.parent / "weights" / "reader"
"""The committed deltas: ``adapter.safetensors``, ``thresholds.json``, ``training.json``."""
CALIBRATION_DATA = WEIGHTS / "calibration.jsonl.gz"
"""Records that the Reader was not trained on."""
ENCODER = "span_predictor.encoder.bert_model."
CLS, SEP = 101, 102
"""Token numbers in BERT's English vocabulary, which MiniLM has; the padding is 0."""


def embedded_reader() -> Path:
    """Return the directory of the embedded Reader; make it on first use. Raises as ``assets.made_reader``."""
    return assets.made_reader("embedded Reader", WEIGHTS, (assets.MINILM_WEIGHTS,), write_reader, "thresholds.json")


def write_reader(directory: Path, adapter: Path) -> None:
    """Write base weights plus the deltas in ``adapter`` as a DPR reader checkpoint into ``directory``.

    Raises ``SetupError`` if ``adapter`` is damaged.
    """
    from safetensors.torch import save_file

    deltas = read_adapter(adapter)
    directory.mkdir(parents=True)
    save_file(merged(base_state(), deltas), directory / "model.safetensors", metadata={"format": "pt"})
    (directory / "config.json").write_text(json.dumps(reader_config().to_diff_dict(), indent=2))
    shutil.copy(assets.find(assets.MINILM_VOCABULARY), directory / "vocab.txt")
    (directory / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 512})
    )


def reader_config() -> DPRConfig:
    """Return the DPR form of MiniLM's configuration: 6 layers of 384, no projection."""
    from transformers import DPRConfig

    facts = json.loads(assets.find(assets.MINILM_CONFIG).read_text())
    names = (
        "vocab_size hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act "
        "max_position_embeddings type_vocab_size layer_norm_eps pad_token_id".split()
    )
    return DPRConfig(**{name: facts[name] for name in names}, projection_dim=0, architectures=["DPRReader"])


def base_state() -> dict[str, Tensor]:
    """Load MiniLM's encoder weights under the names of ``DPRReader``; the heads are not among them."""
    return {ENCODER + name: tensor for name, tensor in minilm_weights().items() if not name.startswith("pooler.")}


@cache
def minilm_weights() -> Mapping[str, Tensor]:
    """Load MiniLM's weights, with those of its pooler, under the names of ``BertModel``.

    They are loaded once: all models made of them share what their deltas leave as it is, such as the 47 MB of words.
    """
    from safetensors.torch import load_file

    weights = load_file(assets.find(assets.MINILM_WEIGHTS))
    return {name: tensor for name, tensor in weights.items() if not name.endswith("position_ids")}


def minilm(state: Mapping[str, Tensor] | None = None, dtype: torch.dtype | None = None) -> TextEncoder:
    """Build MiniLM's encoder from weights under the names of ``DPRReader``, by default ``base_state``.

    It computes in ``dtype``, by default float32.
    """
    import torch

    from searchain.embedded.text_encoder import TextEncoder

    facts = json.loads(assets.find(assets.MINILM_CONFIG).read_text())
    weights = {name.removeprefix(ENCODER): tensor for name, tensor in (state or base_state()).items()}
    return TextEncoder("bert", facts, weights, dtype or torch.float32)


def minilm_tokenizer() -> Tokenizer:
    """Load MiniLM's tokenizer, which neither cuts nor pads; a special token written in a text is text."""
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_file(str(assets.find(assets.MINILM_TOKENIZER)))
    tokens.no_truncation()
    tokens.no_padding()
    tokens.encode_special_tokens = True
    return tokens
