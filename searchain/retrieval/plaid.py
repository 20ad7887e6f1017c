"""Building a PLAID index with colbert's indexer, from vectors that are encoded already.

colbert's own run encodes small collections twice and holds all vectors in memory; here its steps (plan, train,
compress, invert) read the stored vectors of a few thousand passages at a time.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import faiss
import torch

from searchain.retrieval.compat import ColBERTConfig, CollectionIndexer, IndexSaver, ResidualCodec, Run, RunConfig
from searchain.retrieval.encoder import Encoder
from searchain.retrieval.extensions import Progress
from searchain.retrieval.vectors import VectorStore

NBITS = 2
"""Bits per dimension of the residuals; 4 nearly doubles the index without a clear gain."""
CHUNK = 5_000
"""Passages that are compressed at a time."""
POINTS_PER_CENTROID = 64
"""How many vectors k-means looks at per centroid; faiss asks for at least 39."""
ROWS = 16_384
"""Vectors that are compared with all centroids at a time: 0.5 GB of similarities at 8,192 centroids."""
SEED = 12345


def build(
    directory: Path, encoder: Encoder, vectors: VectorStore, count: int, progress: Progress | None = None
) -> None:
    """Write the PLAID index of passages 0..count-1 into ``directory``, which must not exist."""
    directory.mkdir(parents=True)
    config = ColBERTConfig.from_existing(
        encoder.config, ColBERTConfig(nbits=NBITS, index_path=str(directory), rank=0, nranks=1)
    )
    state = random.getstate()
    with Run().context(RunConfig(rank=0, nranks=1)), torch.inference_mode(), torch.random.fork_rng(devices=[]):
        random.seed(SEED)
        torch.manual_seed(SEED)
        try:
            indexer = _Indexer(config, vectors, count)
            steps = (indexer.setup, lambda: indexer.train([]), indexer.index, indexer.finalize)
            for done, step in enumerate(steps):
                if progress:
                    progress("building the PLAID index", done, len(steps))
                step()
        finally:
            random.setstate(state)
    if progress:
        progress("building the PLAID index", len(steps), len(steps))


def strip(source: Path, directory: Path, rows: Sequence[int], encoder: Encoder) -> None:
    """Write into ``directory`` what ``source`` holds of the passages ``rows``, with the same centroids.

    Nothing is encoded or compressed anew, so the passages score as before.
    """
    directory.mkdir(parents=True)
    for name in ("avg_residual.pt", "buckets.pt", "centroids.pt"):
        shutil.copyfile(source / name, directory / name)
    keep = set(rows)
    plan = json.loads((source / "metadata.json").read_text())
    offset = done = 0
    for chunk in range(plan["num_chunks"]):
        lengths = json.loads((source / f"doclens.{chunk}.json").read_text())
        stays = torch.tensor([offset + row in keep for row in range(len(lengths))], dtype=torch.bool)
        of_vectors = stays.repeat_interleave(torch.tensor(lengths))
        for name in ("codes", "residuals"):
            values = torch.load(source / f"{chunk}.{name}.pt", weights_only=True)[of_vectors].clone()
            torch.save(values, directory / f"{chunk}.{name}.pt")
        left = [length for length, is_kept in zip(lengths, stays.tolist(), strict=True) if is_kept]
        (directory / f"doclens.{chunk}.json").write_text(json.dumps(left))
        said = {"passage_offset": done, "num_passages": len(left), "num_embeddings": sum(left)}
        (directory / f"{chunk}.metadata.json").write_text(json.dumps(said))
        offset, done = offset + len(lengths), done + len(left)
    config = ColBERTConfig.from_existing(
        encoder.config, ColBERTConfig(nbits=NBITS, index_path=str(directory), rank=0, nranks=1)
    )
    with Run().context(RunConfig(rank=0, nranks=1)), torch.inference_mode():
        _Indexer(config, None, len(rows), chunks=plan["num_chunks"], partitions=plan["num_partitions"]).finalize()


class _Indexer(CollectionIndexer):
    """colbert's indexer over positions and stored vectors instead of texts and a checkpoint."""

    def __init__(
        self, config: ColBERTConfig, vectors: VectorStore | None, count: int, chunks: int = 0, partitions: int = 0
    ) -> None:
        """``vectors`` is ``None`` for an index whose ``chunks`` and centroids are there already."""
        self.verbose, self.config, self.rank, self.nranks, self.use_gpu = 0, config, 0, 1, False
        self.collection, self.saver = _Positions(count), _Saver(config)
        self.encoder = _StoredVectors(vectors) if vectors else None
        self.num_chunks, self.num_partitions = chunks, partitions

    def _sample_embeddings(self, sampled_pids: set[int]) -> float:
        assert self.encoder is not None  # only an index that is being built samples
        embeddings, lengths = [], []
        for _, _, positions in self.collection.enumerate_batches(self.rank):
            rows, sizes = self.encoder.vectors.get(positions)
            chosen = torch.tensor([position in sampled_pids for position in positions])
            embeddings.append(rows[chosen.repeat_interleave(torch.tensor(sizes))])
            lengths += [size for size, is_chosen in zip(sizes, chosen.tolist(), strict=True) if is_chosen]
        sample = torch.cat(embeddings)
        torch.save(sample, Path(self.config.index_path_) / f"sample.{self.rank}.pt")
        self.num_sample_embs = len(sample)
        self.avg_doclen_est = sum(lengths) / len(lengths)
        return self.avg_doclen_est

    def _train_kmeans(self, sample: torch.Tensor, shared_lists: list) -> torch.Tensor:
        """Without faiss's report on standard output, and over a sample: 8,192 centroids need no million vectors."""
        kmeans = faiss.Kmeans(
            self.config.dim,
            self.num_partitions,
            niter=self.config.kmeans_niters,
            seed=SEED,
            max_points_per_centroid=POINTS_PER_CENTROID,
            min_points_per_centroid=1,
        )
        kmeans.train(sample[: POINTS_PER_CENTROID * self.num_partitions].float().numpy())  # shuffled by colbert
        return torch.nn.functional.normalize(torch.from_numpy(kmeans.centroids), dim=-1)


class _Saver(IndexSaver):
    def load_codec(self) -> ResidualCodec:
        return _Codec.load(index_path=self.config.index_path_)


class _Codec(ResidualCodec):
    def compress_into_codes(self, embs: torch.Tensor, out_device: torch.device) -> torch.Tensor:
        """The nearest centroid of each vector; the same as colbert's in half the time and a quarter of the memory."""
        return torch.cat([(batch.float() @ self.centroids.T).argmax(dim=1) for batch in embs.split(ROWS)])


class _Positions:
    """A collection whose passages are their own positions, in chunks."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    def get_chunksize(self) -> int:
        return CHUNK

    def enumerate_batches(self, rank: int) -> Iterator[tuple[int, int, range]]:
        for chunk, start in enumerate(range(0, self._count, CHUNK)):
            yield chunk, start, range(start, min(start + CHUNK, self._count))


class _StoredVectors:
    """What colbert asks of an encoder of passages, answered from disk."""

    def __init__(self, vectors: VectorStore) -> None:
        self.vectors = vectors

    def encode_passages(self, positions: range) -> tuple[torch.Tensor, list[int]]:
        embeddings, lengths = self.vectors.get(positions)
        return embeddings.float(), lengths
