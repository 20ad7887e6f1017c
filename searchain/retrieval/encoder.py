"""Encode queries and passages to token vectors with a ColBERT checkpoint.

Passages are encoded in order of length, without padding to a common maximum. The vectors are those of colbert's own
order, in a quarter of the time.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import torch
from transformers.utils import logging as transformers_logging

from searchain.retrieval import extensions
from searchain.retrieval.compat import Checkpoint, ColBERTConfig, MixedPrecisionManager
from searchain.types import Passage

MAX_QUERY_CHARACTERS = 2_000
"""Most characters of a query that are tokenized; the checkpoint reads far fewer (``query_maxlen`` tokens)."""
TOKENS_PER_BATCH = 4_096
HAS_BFLOAT16 = torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether this processor multiplies in bfloat16, three times as fast as in float32; others only emulate it."""
_loading = threading.Lock()  # colbert's and transformers' loading change global state


@lru_cache(maxsize=2)
def shared_encoder(directory: Path) -> Encoder:
    """Return the encoder of ``directory``; it is loaded once per process."""
    return Encoder(directory)


class Encoder:
    """The ColBERT checkpoint in ``directory``; thread-safe."""

    def __init__(self, directory: Path) -> None:
        extensions.load()
        with _loading, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            transformers_logging.disable_progress_bar()
            config = ColBERTConfig.load_from_checkpoint(str(directory))
            self.checkpoint = Checkpoint(str(directory), colbert_config=config, verbose=0)
        self.checkpoint.amp_manager = MixedPrecisionManager(False)  # CUDA's autocast warns at each call on a CPU
        self.config = self.checkpoint.colbert_config
        tokenizer = self.checkpoint.query_tokenizer
        self._is_augmented = tokenizer.mask_token_id != tokenizer.pad_token_id

    @property
    def dim(self) -> int:
        return self.config.dim

    def encode_query(self, query: str) -> torch.Tensor:
        """Return the token vectors of ``query``: [1, tokens, dim], each of length 1."""
        with torch.inference_mode():
            return self.checkpoint.query(*self.query_ids(query))

    def encode_passages(self, texts: Sequence[str]) -> tuple[torch.Tensor, list[int]]:
        """Return the token vectors of all ``texts`` in order ([tokens, dim] float16), and their number per text."""
        tokenizer = self.checkpoint.doc_tokenizer.tok
        encoded = self.passage_ids(texts)
        order = sorted(range(len(encoded)), key=lambda i: len(encoded[i]))
        vectors: list[torch.Tensor] = [torch.empty(0, dtype=torch.float16)] * len(encoded)
        with torch.inference_mode():
            for batch in _batches(order, encoded):
                padded = tokenizer.pad({"input_ids": [encoded[i] for i in batch]}, return_tensors="pt")
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BFLOAT16):
                    embeddings, kept = self.checkpoint.doc(
                        padded["input_ids"], padded["attention_mask"], keep_dims="return_mask"
                    )
                for i, row, keep in zip(batch, embeddings.half(), kept.squeeze(-1), strict=True):
                    vectors[i] = row[keep]
        return torch.cat(vectors), [len(rows) for rows in vectors]

    def maxsim(self, query: torch.Tensor, passages: Sequence[Passage]) -> list[float]:
        """Encode and score each passage for ``query`` [1, tokens, dim]; an index gives the same scores."""
        vectors, lengths = self.encode_passages([encoded_text(passage) for passage in passages])
        with torch.inference_mode():
            return [float((rows @ query[0].T).amax(0).sum()) for rows in vectors.float().split(lengths)]

    def query_ids(self, query: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokenize ``query``; return token ids and attention mask, [1, tokens] each."""
        text = query[:MAX_QUERY_CHARACTERS].encode(errors="replace").decode()  # lone surrogates are no text
        ids, mask = self.checkpoint.query_tokenizer.tensorize([text])
        if not self._is_augmented:
            tokens = int(mask.sum())
            ids, mask = ids[:, :tokens], mask[:, :tokens]
        return ids, mask

    def passage_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, with ColBERT's passage marker."""
        tokenizer = self.checkpoint.doc_tokenizer
        limit = self.config.doc_maxlen - 1  # the marker comes after [CLS]
        encoded = tokenizer.tok(list(texts), truncation=True, max_length=limit)["input_ids"]
        return [[first, tokenizer.D_marker_token_id, *rest] for first, *rest in encoded]


def encoded_text(passage: Passage) -> str:
    """Return title and text as ColBERT encodes them; the title improves ranking. No offset refers to this text."""
    return f"{passage.title} | {passage.text}" if passage.title else passage.text


def _batches(order: list[int], encoded: list[list[int]]) -> list[list[int]]:
    """Cut ``order`` (ascending in length) into batches of at most ``TOKENS_PER_BATCH`` tokens, padding included."""
    batches: list[list[int]] = [[]]
    for i in order:
        if batches[-1] and (len(batches[-1]) + 1) * len(encoded[i]) > TOKENS_PER_BATCH:
            batches.append([])
        batches[-1].append(i)
    return batches
