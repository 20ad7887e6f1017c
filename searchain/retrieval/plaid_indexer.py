"""``python -m searchain.retrieval.plaid_indexer INDEX VECTORS COUNT``: build a PLAID index with colbert-ai's indexer.

The only module that imports ``colbert``. Its codec and indexer run on the CPU without a compiled extension. Its own
run encodes small collections twice and holds all vectors in memory; here its steps (plan, train, compress, invert)
read the stored vectors of a few thousand passages at a time.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import faiss
import numpy as np
import torch
from colbert.indexing.codecs.residual import ResidualCodec
from colbert.indexing.collection_indexer import CollectionIndexer
from colbert.indexing.index_saver import IndexSaver
from colbert.infra import ColBERTConfig, Run, RunConfig

from searchain.files.processes import end_with_parent
from searchain.retrieval.plaid import STEP
from searchain.retrieval.vectors import BLOCK, VectorStore

NBITS = 2
"""Bits per dimension of the residuals; 4 nearly doubles the index without a clear gain."""
CHUNK = 5_000
"""How many passages are compressed at a time."""
POINTS_PER_CENTROID = 64
"""How many vectors per centroid k-means is trained on; faiss asks for at least 39."""
ROWS = 16_384
"""Most vectors that are compared with all centroids at a time."""
SIMILARITIES = ROWS * 8_192
"""Most similarities in memory at a time (0.5 GB)."""
HELD_OUT, MOST_HELD_OUT = 0.05, 50_000
"""The share of the sample, and how many vectors at most, on which the residuals are measured, as colbert does."""
SEED = 12345


def main() -> None:
    """Build the index that the command line names, and print each step that is done."""
    end_with_parent()
    directory, vectors, count = sys.argv[1:]
    build(Path(directory), VectorStore(Path(vectors)), int(count))


def build(directory: Path, vectors: VectorStore, count: int) -> None:
    """Write the PLAID index of passages 0..count-1 into ``directory``, an empty folder."""
    dim = vectors.get(range(1))[0].shape[1]
    config = ColBERTConfig(dim=dim, nbits=NBITS, index_path=str(directory), rank=0, nranks=1)
    random.seed(SEED)
    torch.manual_seed(SEED)
    with Run().context(RunConfig(rank=0, nranks=1)), torch.inference_mode():
        indexer = _Indexer(config, vectors, count)
        steps = (indexer.setup, lambda: indexer.train([]), indexer.index, indexer.finalize)
        for done, step in enumerate(steps):
            print(f"{STEP}{done} {len(steps)}")
            step()
    print(f"{STEP}{len(steps)} {len(steps)}")


class _Indexer(CollectionIndexer):
    """colbert's indexer, changed to read stored vectors instead of texts and a checkpoint."""

    def __init__(self, config: ColBERTConfig, vectors: VectorStore, count: int) -> None:
        self.verbose, self.config, self.rank, self.nranks, self.use_gpu = 0, config, 0, 1, False
        self.collection = self.encoder = _Stored(vectors, count)
        self.saver = _Saver(config)

    def setup(self) -> None:
        """Plan the index, and read the vectors for k-means into one array, in the order in which colbert shuffles them.

        colbert holds the vectors of all sampled passages three times while it shuffles them, 12 GB for a million
        passages. This array of 4 GB holds only the half of them that k-means uses.
        """
        vectors, count = self.encoder.vectors, len(self.collection)
        self.num_chunks = -(-count // CHUNK)
        sampled = self._sample_pids()
        lengths = [vectors.lengths(pid // BLOCK)[pid % BLOCK] for pid in sampled]
        total, self.avg_doclen_est = sum(lengths), sum(lengths) / len(lengths)
        self.num_embeddings_est = count * self.avg_doclen_est
        self.num_partitions = int(2 ** np.floor(np.log2(16 * np.sqrt(self.num_embeddings_est))))
        self._save_plan()
        held_out = int(min(HELD_OUT * total, MOST_HELD_OUT))
        trained = min(POINTS_PER_CENTROID * self.num_partitions, total - held_out)
        places = torch.full((total,), -1)  # of each vector of the sample in the array; -1: it is not looked at
        shuffled = torch.randperm(total)
        places[shuffled[:trained]] = torch.arange(trained)
        places[shuffled[total - held_out :]] = torch.arange(trained, trained + held_out)
        self._sample = torch.empty(trained + held_out, self.config.dim), trained
        done = 0
        for _, _, positions in self.collection.enumerate_batches(self.rank):
            rows, sizes = vectors.get(positions)
            rows = rows[torch.tensor([pid in sampled for pid in positions]).repeat_interleave(torch.tensor(sizes))]
            to = places[done : done + len(rows)]
            self._sample[0][to[to >= 0]] = rows[to >= 0].float()
            done += len(rows)

    def _concatenate_and_split_sample(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the vectors for k-means, and those on which the residuals are measured."""
        (sample, trained), self._sample = self._sample, (torch.empty(0), 0)
        return sample[:trained], sample[trained:].clone()  # a copy: else it keeps the whole array

    def _train_kmeans(self, sample: torch.Tensor, shared_lists: list) -> torch.Tensor:
        """Train k-means as colbert does, on a quarter of the vectors."""
        kmeans = faiss.Kmeans(
            self.config.dim,
            self.num_partitions,
            niter=self.config.kmeans_niters,
            seed=SEED,
            max_points_per_centroid=POINTS_PER_CENTROID,
            min_points_per_centroid=1,
        )
        kmeans.train(sample.numpy())
        return torch.nn.functional.normalize(torch.from_numpy(kmeans.centroids), dim=-1)


class _Saver(IndexSaver):
    def load_codec(self) -> ResidualCodec:
        return _Codec.load(index_path=self.config.index_path_)


class _Codec(ResidualCodec):
    def compress_into_codes(self, embs: torch.Tensor, out_device: torch.device) -> torch.Tensor:
        """Return the nearest centroid of each vector, as colbert does, in half the time and a quarter of the memory."""
        rows = min(ROWS, max(1, SIMILARITIES // len(self.centroids)))
        return torch.cat([(batch.float() @ self.centroids.T).argmax(dim=1) for batch in embs.split(rows)])


class _Stored:
    """Give colbert positions in the place of passages, and their stored vectors in the place of encoding them."""

    def __init__(self, vectors: VectorStore, count: int) -> None:
        self.vectors, self._count = vectors, count

    def __len__(self) -> int:
        return self._count

    def get_chunksize(self) -> int:
        return CHUNK

    def enumerate_batches(self, rank: int) -> Iterator[tuple[int, int, range]]:
        for chunk, start in enumerate(range(0, self._count, CHUNK)):
            yield chunk, start, range(start, min(start + CHUNK, self._count))

    def encode_passages(self, positions: range) -> tuple[torch.Tensor, list[int]]:
        embeddings, lengths = self.vectors.get(positions)
        return embeddings.float(), lengths


if __name__ == "__main__":
    main()
