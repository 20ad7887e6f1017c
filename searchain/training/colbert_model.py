"""The embedded ColBERT checkpoint as it is trained: low-rank deltas of its linear layers, the projection, MaxSim.

Questions and passages are read exactly as the product reads them (``Encoder.query_ids``, ``Encoder.passage_ids``), the
encoder runs in bfloat16 as it does over passages, and padding and punctuation take no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.func import functional_call
from torch.nn import functional

from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.training.colbert_data import Batch
from searchain.training.low_rank import LowRank

PROJECTION = "linear.weight"
CHUNK = 12
"""Passages that are padded to a common length."""
NO = -1e4
"""The score of what takes no part."""


class TrainableColbert:
    """Trainable are deltas of ``rank`` on all matrices of the encoder's layers and on the projection; embeddings, layer
    norms and biases stay as they are. Parameters are float32. ``directory`` holds the untrained checkpoint."""

    def __init__(self, directory: Path, rank: int, device: str) -> None:
        self._reads, self._device = Encoder(directory), device
        colbert = self._reads.checkpoint
        state = {name: tensor.clone() for name, tensor in colbert.model.state_dict().items()}
        self._low_rank = LowRank(
            {
                name: tensor
                for name, tensor in state.items()
                if tensor.dim() == 2 and (".encoder.layer." in name or name == PROJECTION)
            },
            rank,
            device,
        )
        self._padding = colbert.pad_token
        ignored = {colbert.pad_token, *(token for token in colbert.skiplist if isinstance(token, int))}
        self._ignored = torch.tensor(sorted(ignored), device=device)
        self._bert = colbert.bert.to(device, torch.bfloat16).requires_grad_(False)  # in evaluation mode: no dropout
        self._bert.set_attn_implementation("eager")  # on a CPU the fused kernel's backward pass is slow

    @property
    def parameters(self) -> list[Tensor]:
        return self._low_rank.parameters

    def scores(self, questions: Sequence[str], texts: Sequence[str]) -> Tensor:
        """MaxSim of every question with every text: [questions, texts]."""
        weights = self._low_rank.weights()
        query, asked = self._vectors([self._reads.query_ids(text)[0][0].tolist() for text in questions], weights)
        ids = self._reads.passage_ids(texts)
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        columns = []
        for start in range(0, len(order), CHUNK):
            chunk = [ids[place] for place in order[start : start + CHUNK]]
            vectors, kept = self._vectors(chunk, weights, is_passage=True)
            similarity = torch.einsum("qid,ptd->qpit", query, vectors).masked_fill(~kept[None, :, None], NO)
            columns.append((similarity.amax(-1) * asked[:, None]).sum(-1))
        return torch.cat(columns, dim=1)[:, torch.tensor(order, device=self._device).argsort()]

    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy of each positive against all negatives in the batch; the mean over a question's positives,
        then over the questions."""
        scores = self.scores(batch.questions, [encoded_text(passage) for passage in batch.passages])
        positive, negative = (torch.from_numpy(array).to(self._device) for array in (batch.positive, batch.negative))
        against = scores.masked_fill(~negative, NO).logsumexp(1, keepdim=True)
        losses = functional.softplus(against - scores) * positive
        return (losses.sum(1) / positive.sum(1)).mean()

    def save(self, file: Path) -> None:
        """Write what training changed, in float16, in the form that ``searchain.adapters.merged`` reads: the deltas,
        and the projection whole (its base is computed, and may be rounded otherwise on another machine)."""
        state = {name: tensor for name, tensor in self._low_rank.state().items() if not name.startswith(PROJECTION)}
        state[PROJECTION] = self._low_rank.weights()[PROJECTION]
        draft = file.with_suffix(".draft")
        save_file({name: tensor.detach().half().cpu().contiguous() for name, tensor in state.items()}, draft)
        draft.replace(file)

    def _vectors(
        self, rows: Sequence[Sequence[int]], weights: dict[str, Tensor], *, is_passage: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Token vectors of unit length [rows, tokens, dim], and which of them count [rows, tokens]."""
        ids = torch.full((len(rows), max(map(len, rows))), self._padding)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = torch.tensor(row)
        ids = ids.to(self._device)
        seen = ids != self._padding
        layers = {
            name.removeprefix("bert."): tensor.bfloat16() for name, tensor in weights.items() if name != PROJECTION
        }
        hidden = functional_call(self._bert, layers, (ids, seen.long()))[0].float()
        vectors = functional.normalize(functional.linear(hidden, weights[PROJECTION]), dim=-1)
        return vectors, ~torch.isin(ids, self._ignored) if is_passage else seen
