"""Search a PLAID index (Santhanam et al. 2022): centroids find candidates, and the best of them are scored in full.

Each token vector is stored as the number of its nearest centroid and a residual of two bits per dimension. The files
are those of colbert-ai 0.2, which writes them; it searches only with extensions that are compiled on the machine.
"""

import json
import logging
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from searchain.errors import RetrievalError
from searchain.files.processes import environment
from searchain.retrieval.base import Progress
from searchain.retrieval.vectors import VectorStore

WITHOUT_CENTROID = -9999
"""What a token of the query adds to the score of a passage none of whose centroids is near enough to the query."""
FULLY_SCORED = 4
"""One of so many candidates is scored with its residuals."""
BLOCK = 16
"""Passages that are scored at a time: their vectors stay in the processor's cache."""


class Segments:
    """Where the rows of each item begin in a table, and how many it has."""

    def __init__(self, lengths: Tensor) -> None:
        self.lengths = lengths.long()
        self._starts = self.lengths.cumsum(0) - self.lengths

    def positions(self, items: Tensor) -> tuple[Tensor, Tensor]:
        """Return the rows of all ``items``, one after the other, and how many each has."""
        lengths = self.lengths[items]
        ends = lengths.cumsum(0)
        shifts = (self._starts[items] - ends + lengths).repeat_interleave(lengths)
        return torch.arange(len(shifts)) + shifts, lengths


class PlaidIndex:
    """The index in ``directory``, in memory; thread-safe."""

    def __init__(self, directory: Path) -> None:
        chunks = range(json.loads((directory / "metadata.json").read_text())["num_chunks"])
        passages, lengths = load(directory / "ivf.pid.pt")
        self._passages_of_cells, self._cells = passages, Segments(lengths)
        self._vectors = Segments(torch.tensor(lengths_of_passages(directory, chunks)))
        self._codes, self._residuals = (
            torch.cat([load(directory / f"{chunk}.{name}.pt") for chunk in chunks]) for name in ("codes", "residuals")
        )
        self._centroids = load(directory / "centroids.pt").float()
        _, of_buckets = load(directory / "buckets.pt")
        self._values = _values_of_bytes(of_buckets.float())

    @property
    def centroids(self) -> int:
        return len(self._centroids)

    @torch.inference_mode()
    def search(self, query: Tensor, cells: int, threshold: float, candidates: int) -> list[tuple[float, int]]:
        """Return (score, row) of the best passages, best first, at most ``candidates`` / 4.

        Args:
            query: [tokens, dim].
            cells: how many centroids each token looks into.
            threshold: centroids less similar to all tokens do not count when the candidates are chosen.
            candidates: how many passages are compared by all their centroids.
        """
        near = self._centroids @ query.T
        looked_into = near.topk(cells, dim=0, sorted=False).indices.unique()
        rows = self._passages_of_cells[self._cells.positions(looked_into)[0]].unique().long()
        rows = self._nearest(rows, near, candidates, near.amax(1) >= threshold)
        rows = self._nearest(rows, near, candidates // FULLY_SCORED)
        return sorted(zip(self.scores(query, rows).tolist(), rows.tolist(), strict=True), key=lambda hit: -hit[0])

    @torch.inference_mode()
    def scores(self, query: Tensor, rows: Tensor) -> Tensor:
        """Return the score of each of ``rows``: for each token of ``query`` [tokens, dim] the most similar vector's."""
        return torch.cat([self._most_similar(query, some) for some in rows.split(BLOCK)]).sum(1)

    def _most_similar(self, query: Tensor, rows: Tensor) -> Tensor:
        positions, lengths = self._vectors.positions(rows)
        vectors = self._centroids.index_select(0, self._codes.index_select(0, positions))
        residuals = self._residuals.index_select(0, positions).flatten().int()
        vectors.view(-1, self._values.shape[1]).add_(self._values.index_select(0, residuals))
        similarity = (vectors @ query.T).div_(vectors.norm(dim=1, keepdim=True))
        return torch.segment_reduce(similarity, "max", lengths=lengths, initial=0)

    def _nearest(self, rows: Tensor, near: Tensor, count: int, counts: Tensor | None = None) -> Tensor:
        """Return the ``count`` best of ``rows`` by the centroids of their vectors.

        ``near``: the similarity of each centroid to each token of the query. ``counts``: the centroids that count; by
        default all.
        """
        positions, lengths = self._vectors.positions(rows)
        codes = self._codes.index_select(0, positions)
        if counts is not None:
            stays = counts.index_select(0, codes)
            codes = codes.masked_select(stays)
            lengths = torch.segment_reduce(stays.float(), "sum", lengths=lengths).long()
        similarity = torch.segment_reduce(near.index_select(0, codes), "max", lengths=lengths, initial=WITHOUT_CENTROID)
        return rows[similarity.sum(1).sort(descending=True, stable=True).indices[:count]]


def _values_of_bytes(of_buckets: Tensor) -> Tensor:
    """Return the values of the residuals that each byte holds, [256, 8 / nbits], by the value of each bucket."""
    nbits = (len(of_buckets) - 1).bit_length()
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).reshape(256, -1, nbits)
    return of_buckets[torch.from_numpy(bits @ (1 << np.arange(nbits)))]


def load(path: Path) -> Any:
    return torch.load(path, weights_only=True)


def lengths_of_passages(directory: Path, chunks: range) -> list[int]:
    """Return how many vectors each passage has."""
    return [length for chunk in chunks for length in json.loads((directory / f"doclens.{chunk}.json").read_text())]


log = logging.getLogger("colbert")
STEP = "step "
"""How a line begins that tells how many steps are done, of all steps; colbert-ai writes others beside it."""


def build(directory: Path, vectors: VectorStore, count: int, progress: Progress | None = None) -> None:
    """Write the PLAID index of passages 0..count-1 into ``directory``, which must not exist.

    colbert-ai gets a process of its own: it imports its trainer, takes every GPU, and prints. Raises ``RetrievalError``
    if that process failed.
    """
    directory.mkdir(parents=True)
    work = "searchain.retrieval.plaid_indexer", str(directory), str(vectors.directory), str(count)
    last = ""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", *work],
        text=True,
        errors="replace",
        stdin=subprocess.PIPE,  # closed when this process ends, however it ends
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**environment(), "CUDA_VISIBLE_DEVICES": "", "TQDM_DISABLE": "1"},
    ) as process:
        for line in process.stdout or ():
            if line.startswith(STEP):
                done, total = map(int, line.removeprefix(STEP).split())
                if progress:
                    progress("building the PLAID index", done, total)
            elif line.strip():
                last = line.strip()
                log.debug(last)
    if process.returncode:
        raise RetrievalError(f"colbert-ai could not build the index in {str(directory)!r}: {last}")


@torch.inference_mode()
def strip(source: Path, directory: Path, rows: Sequence[int]) -> None:
    """Copy the passages ``rows``, ascending, of the index ``source`` into ``directory``, with the same centroids.

    Nothing is encoded or compressed again, so the passages keep their scores.
    """
    directory.mkdir(parents=True)
    for name in ("avg_residual.pt", "buckets.pt", "centroids.pt"):
        shutil.copyfile(source / name, directory / name)
    facts = json.loads((source / "metadata.json").read_text())
    lengths = torch.tensor(lengths_of_passages(source, range(facts["num_chunks"])))
    stays = torch.zeros(len(lengths), dtype=torch.bool)
    stays[list(rows)] = True
    offset = 0
    for chunk in range(facts["num_chunks"]):
        here = slice(offset, offset + len(lengths_of_passages(source, range(chunk, chunk + 1))))
        of_vectors = stays[here].repeat_interleave(lengths[here])
        for name in ("codes", "residuals"):
            torch.save(load(source / f"{chunk}.{name}.pt")[of_vectors].clone(), directory / f"{chunk}.{name}.pt")
        (directory / f"doclens.{chunk}.json").write_text(json.dumps(lengths[here][stays[here]].tolist()))
        offset = here.stop
    passages, in_cells = load(source / "ivf.pid.pt")
    passages = passages[: int(in_cells.sum())]  # colbert-ai lets zeros follow
    left = stays[passages.long()]
    renumbered = (stays.cumsum(0) - 1)[passages[left].long()].to(passages.dtype)
    sizes = torch.segment_reduce(left.float(), "sum", lengths=in_cells.long(), initial=0).to(in_cells.dtype)
    torch.save((renumbered, sizes), directory / "ivf.pid.pt")
    vectors = int(lengths[stays].sum())
    facts |= {"num_embeddings": vectors, "avg_doclen": vectors / len(rows)}
    (directory / "metadata.json").write_text(json.dumps(facts, indent=4))
