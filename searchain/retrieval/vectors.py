"""Store token vectors of passages on disk in blocks, from which an interrupted build continues."""

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from searchain.files.writing import write_whole
from searchain.retrieval.base import Progress
from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.types import Passage

BLOCK = 1_024
"""Passages per block; about 24 MB of vectors."""


def save(path: Path, vectors: torch.Tensor, lengths: Sequence[int]) -> None:
    """Write one file: ``vectors`` [all tokens, dim] and how many of them each passage has."""
    save_file({"vectors": vectors.contiguous(), "lengths": torch.tensor(list(lengths), dtype=torch.int32)}, path)


def load(path: Path) -> tuple[torch.Tensor, torch.Tensor]:
    """Read the vectors and lengths that ``save`` wrote."""
    tensors = load_file(path)
    return tensors["vectors"], tensors["lengths"]


def blocks(count: int) -> int:
    """Return how many blocks ``count`` passages take."""
    return -(-count // BLOCK)


class VectorStore:
    """The vectors of passages 0..n-1, ``BLOCK`` passages per file."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._lengths: dict[int, list[int]] = {}

    def encode(self, encoder: Encoder, passages: Sequence[Passage], progress: Progress | None = None) -> None:
        """Write the vectors of ``passages``; blocks that an earlier run finished are kept."""
        for block in range(blocks(len(passages))):
            if progress:
                progress("encoding passages", block * BLOCK, len(passages))
            self.encode_block(encoder, passages, block)
        if progress:
            progress("encoding passages", len(passages), len(passages))

    def encode_block(self, encoder: Encoder, passages: Sequence[Passage], block: int) -> None:
        """Encode one block of ``passages`` and write its vectors, unless its file exists."""
        path = self._path(block)
        if path.is_file():
            return
        self.directory.mkdir(parents=True, exist_ok=True)
        inside = passages[block * BLOCK : (block + 1) * BLOCK]
        vectors, lengths = encoder.encode_passages([encoded_text(passage) for passage in inside])
        with write_whole(path) as draft:
            save(draft, vectors, lengths)

    def get(self, positions: range) -> tuple[torch.Tensor, list[int]]:
        """Return the vectors [all tokens, dim] float16 of the passages ``positions``, and the tokens of each."""
        parts, lengths = [], []
        for block in range(positions.start // BLOCK, (positions.stop - 1) // BLOCK + 1):
            low = max(positions.start - block * BLOCK, 0)
            high = min(positions.stop - block * BLOCK, BLOCK)
            all_lengths = self.lengths(block)
            start, stop = sum(all_lengths[:low]), sum(all_lengths[:high])
            with safe_open(self._path(block), framework="pt") as file:
                parts.append(file.get_slice("vectors")[start:stop])
            lengths += all_lengths[low:high]
        return torch.cat(parts), lengths

    def put(self, vectors: torch.Tensor, lengths: Sequence[int]) -> None:
        """Write given vectors, replacing those of the store."""
        self.directory.mkdir(parents=True, exist_ok=True)
        offset = 0
        for start in range(0, len(lengths), BLOCK):
            sizes = lengths[start : start + BLOCK]
            save(self._path(start // BLOCK), vectors[offset : offset + sum(sizes)], sizes)
            offset += sum(sizes)

    def lengths(self, block: int) -> list[int]:
        if block not in self._lengths:
            with safe_open(self._path(block), framework="pt") as file:
                self._lengths[block] = file.get_tensor("lengths").tolist()
        return self._lengths[block]

    def _path(self, block: int) -> Path:
        return self.directory / f"{block:06}.safetensors"
