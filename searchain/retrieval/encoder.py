"""Encode queries and passages to token vectors with a ColBERT checkpoint.

Passages are encoded in order of length, without padding to a common maximum.
"""

from __future__ import annotations

import json
import string
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoConfig, AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from searchain.errors import RetrievalError
from searchain.types import Passage

MAX_QUERY_CHARACTERS = 2_000
"""Most characters of a query that are tokenized; the checkpoint reads far fewer (``query_maxlen`` tokens)."""
TOKENS_PER_BATCH = 4_096
HAS_BFLOAT16 = torch.ops.mkldnn._is_mkldnn_bf16_supported()
"""Whether this processor multiplies in bfloat16, three times as fast as in float32; others only emulate it."""
_loading = threading.Lock()  # transformers' loading changes global state


@lru_cache(maxsize=2)
def shared_encoder(directory: Path) -> Encoder:
    """Return the encoder of ``directory``; it is loaded once per process."""
    return Encoder(directory)


@dataclass(frozen=True, slots=True)
class Form:
    """How a checkpoint reads queries and passages, from its ``artifact.metadata``; the defaults are ColBERT's."""

    query_maxlen: int = 32
    doc_maxlen: int = 220
    query_token_id: str = "[unused0]"
    doc_token_id: str = "[unused1]"
    mask_punctuation: bool = True
    attend_to_mask_tokens: bool = False

    @classmethod
    def load(cls, directory: Path) -> Form:
        facts = json.loads((directory / "artifact.metadata").read_text())
        names = [field.name for field in fields(cls)]
        return cls(**{name: facts[name] for name in names if facts.get(name) is not None})


class Encoder:
    """The ColBERT checkpoint in ``directory``: an encoder of texts and a projection; thread-safe."""

    def __init__(self, directory: Path) -> None:
        self._form = Form.load(directory)
        with _loading, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            transformers_logging.disable_progress_bar()
            self._tokenizer = AutoTokenizer.from_pretrained(directory)
            self.model, self.projection = load(directory)
        numbers = self._tokenizer.get_vocab()
        self._query_mark, self._passage_mark = numbers[self._form.query_token_id], numbers[self._form.doc_token_id]
        left_out = string.punctuation if self._form.mask_punctuation else ""
        encoded = [self._tokenizer.encode(sign, add_special_tokens=False)[0] for sign in left_out]
        self._left_out = torch.tensor([self._tokenizer.pad_token_id, *encoded])

    def encode_query(self, query: str) -> Tensor:
        """Return the token vectors of ``query``: [1, tokens, dim], each of length 1."""
        with torch.inference_mode():
            ids, mask = self.query_ids(query)
            return self._vectors(ids, mask, ids != self._tokenizer.pad_token_id)

    def encode_passages(self, texts: Sequence[str]) -> tuple[Tensor, list[int]]:
        """Return the token vectors of all ``texts`` in order ([tokens, dim] float16), and their number per text."""
        encoded = self.passage_ids(texts)
        order = sorted(range(len(encoded)), key=lambda i: len(encoded[i]))
        vectors: list[Tensor] = [torch.empty(0, dtype=torch.float16)] * len(encoded)
        with torch.inference_mode():
            for batch in _batches(order, encoded):
                padded = self._tokenizer.pad({"input_ids": [encoded[i] for i in batch]}, return_tensors="pt")
                kept = ~torch.isin(padded["input_ids"], self._left_out)
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BFLOAT16):
                    embeddings = self._vectors(padded["input_ids"], padded["attention_mask"], kept)
                for i, row, keep in zip(batch, embeddings.half(), kept, strict=True):
                    vectors[i] = row[keep]
        return torch.cat(vectors), [len(rows) for rows in vectors]

    def _vectors(self, ids: Tensor, mask: Tensor, kept: Tensor) -> Tensor:
        """Return one vector for each token, 0 for those not ``kept``."""
        states = self.model(ids, attention_mask=mask)[0]
        vectors = torch.nn.functional.linear(states, self.projection) * kept.unsqueeze(2).float()
        return torch.nn.functional.normalize(vectors, dim=2)

    def maxsim(self, query: torch.Tensor, passages: Sequence[Passage]) -> list[float]:
        """Encode and score each passage for ``query`` [1, tokens, dim]; an index gives the same scores."""
        vectors, lengths = self.encode_passages([encoded_text(passage) for passage in passages])
        with torch.inference_mode():
            return [float((rows @ query[0].T).amax(0).sum()) for rows in vectors.float().split(lengths)]

    def query_ids(self, query: str) -> tuple[Tensor, Tensor]:
        """Tokenize ``query``; return token ids and attention mask, [1, tokens] each.

        A checkpoint with a mask token of its own reads all its tokens: those that the query leaves are masks.
        """
        text = query[:MAX_QUERY_CHARACTERS].encode(errors="replace").decode()  # lone surrogates are no text
        (ids,) = self._marked([text], self._query_mark, self._form.query_maxlen)
        filling = self._tokenizer.mask_token_id
        if filling == self._tokenizer.pad_token_id:
            return torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.long)
        masks = self._form.query_maxlen - len(ids)
        attention = [1] * len(ids) + [int(self._form.attend_to_mask_tokens)] * masks
        return torch.tensor([[*ids, *[filling] * masks]]), torch.tensor([attention])

    def passage_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text, with ColBERT's passage marker."""
        return self._marked(list(texts), self._passage_mark, self._form.doc_maxlen)

    def _marked(self, texts: list[str], mark: int, limit: int) -> list[list[int]]:
        """Return the token ids of each text, at most ``limit``, with ``mark`` after the first."""
        encoded = self._tokenizer(texts, truncation=True, max_length=limit - 1)["input_ids"]
        return [[first, mark, *rest] for first, *rest in encoded]


def load(directory: Path) -> tuple[torch.nn.Module, Tensor]:
    """Return the encoder and the projection of a checkpoint.

    Raises:
        RetrievalError: weights are missing.
    """
    stored = directory / "model.safetensors"
    state = load_file(stored) if stored.is_file() else torch.load(directory / "pytorch_model.bin", weights_only=True)
    model = AutoModel.from_config(AutoConfig.from_pretrained(directory), dtype=torch.float32)
    own = {name.removeprefix(f"{model.base_model_prefix}."): tensor.float() for name, tensor in state.items()}
    projection = own.pop("linear.weight", None)
    missing = [name for name in model.load_state_dict(own, strict=False).missing_keys if "pooler" not in name]
    if projection is None or missing:
        lacking = missing[0] if missing else "linear.weight"
        raise RetrievalError(f"{str(directory)!r} is not a ColBERT checkpoint: it has no {lacking}")
    return model.eval(), projection


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
