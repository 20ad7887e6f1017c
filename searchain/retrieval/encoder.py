"""Encode queries and passages to token vectors with a ColBERT checkpoint.

Passages are encoded in order of length, without padding to a common maximum.
"""

from __future__ import annotations

import json
import string
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from searchain.embedded.text_encoder import NAMES, TextEncoder, number, read
from searchain.errors import RetrievalError
from searchain.types import Passage

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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
        with _loading:
            self._tokens, self._pad, self._filling = _tokenizer(directory)
            self._model, self._projection = _model(directory)
        self._tokens.no_truncation()
        self._tokens.no_padding()
        self._query_mark = number(self._tokens, self._form.query_token_id)
        self._passage_mark = number(self._tokens, self._form.doc_token_id)
        left_out = string.punctuation if self._form.mask_punctuation else ""
        encoded = [self._tokens.encode(sign, add_special_tokens=False).ids[0] for sign in left_out]
        self._left_out = torch.tensor([self._pad, *encoded])

    def encode_query(self, query: str) -> Tensor:
        """Return the token vectors of ``query``: [1, tokens, dim], each of length 1."""
        with torch.inference_mode():
            ids, mask = self.query_ids(query)
            return self._vectors(ids, mask, ids != self._pad)

    def encode_passages(self, texts: Sequence[str]) -> tuple[Tensor, list[int]]:
        """Return the token vectors of all ``texts`` in order ([tokens, dim] float16), and their number per text."""
        encoded = self._marked(list(texts), self._passage_mark, self._form.doc_maxlen)
        order = sorted(range(len(encoded)), key=lambda i: len(encoded[i]))
        vectors: list[Tensor] = [torch.empty(0, dtype=torch.float16)] * len(encoded)
        with torch.inference_mode():
            for batch in _batches(order, encoded):
                rows = [torch.tensor(encoded[i]) for i in batch]
                ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=self._pad)
                mask = torch.arange(ids.shape[1]) < torch.tensor([[len(row)] for row in rows])
                kept = ~torch.isin(ids, self._left_out)
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BFLOAT16):
                    embeddings = self._vectors(ids, mask, kept)
                for i, row, keep in zip(batch, embeddings.half(), kept, strict=True):
                    vectors[i] = row[keep]
        return torch.cat(vectors), [len(rows) for rows in vectors]

    def _vectors(self, ids: Tensor, mask: Tensor, kept: Tensor) -> Tensor:
        """Return one vector for each token, 0 for those not ``kept``."""
        vectors = torch.nn.functional.linear(self._model(ids, mask), self._projection) * kept.unsqueeze(2).float()
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
        if self._filling == self._pad:
            return torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.long)
        masks = self._form.query_maxlen - len(ids)
        attention = [1] * len(ids) + [int(self._form.attend_to_mask_tokens)] * masks
        return torch.tensor([[*ids, *[self._filling] * masks]]), torch.tensor([attention])

    def _marked(self, texts: list[str], mark: int, limit: int) -> list[list[int]]:
        """Return the token ids of each text, at most ``limit``, with ``mark`` after the first."""
        room, encoded = limit - 2, [row.ids for row in self._tokens.encode_batch(texts)]
        cut = [ids if len(ids) <= room + 1 else [*ids[:room], ids[-1]] for ids in encoded]
        return [[first, mark, *rest] for first, *rest in cut]


def _tokenizer(directory: Path) -> tuple[Tokenizer, int, int]:
    """Return the tokenizer of a checkpoint with the numbers of its padding and of its mask token."""
    from tokenizers import Tokenizer

    stored, config = directory / "tokenizer.json", directory / "tokenizer_config.json"
    facts = json.loads(config.read_text()) if config.is_file() else {}
    padding, filling = facts.get("pad_token"), facts.get("mask_token")
    if stored.is_file() and isinstance(padding, str) and isinstance(filling, str):
        tokens = Tokenizer.from_file(str(stored))
        return tokens, number(tokens, padding), number(tokens, filling)
    from transformers import AutoTokenizer  # here: only other checkpoints pay for its import

    found = AutoTokenizer.from_pretrained(directory)
    return found.backend_tokenizer, found.pad_token_id, found.mask_token_id


def _model(directory: Path) -> tuple[Callable[[Tensor, Tensor], Tensor], Tensor]:
    """Return the encoder and the projection of a checkpoint. Raises ``RetrievalError`` if weights are missing."""
    config, weights = read(directory)
    kind = config["model_type"]
    own = {name.removeprefix(f"{kind}."): tensor.float() for name, tensor in weights.items()}
    try:
        projection = own.pop("linear.weight")
        if kind in NAMES and config.get("hidden_act", "gelu") == "gelu":
            return TextEncoder(kind, config, own), projection
        return _other_model(directory, weights), projection
    except (KeyError, ValueError) as error:
        raise RetrievalError(f"{str(directory)!r} is not a ColBERT checkpoint: it lacks weights ({error})") from error


def _other_model(directory: Path, weights: dict[str, Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    """Return the encoder of a checkpoint of another kind. Raises ``ValueError`` if weights are missing."""
    from transformers import AutoConfig, AutoModel

    model = AutoModel.from_config(AutoConfig.from_pretrained(directory), dtype=torch.float32).eval()
    own = {name.removeprefix(f"{model.base_model_prefix}."): tensor.float() for name, tensor in weights.items()}
    if missing := [name for name in model.load_state_dict(own, strict=False).missing_keys if "pooler" not in name]:
        raise ValueError(missing[0])
    return lambda ids, mask: model(ids, attention_mask=mask)[0]


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
