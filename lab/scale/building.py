"""Building an index in the processes of a cluster: workers encode blocks of passages, and compress whole shards.

This process reads the sources, stores each shard in the draft of its part, and hands out numbers of blocks. A worker
reads the passages of a block from that folder and writes their vectors into it, so that no vector passes through this
process, and a build that was killed goes on from the blocks that are there, with a cluster or without. The folder
(``$SEARCHAIN_HOME``) must be the same on all machines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray
from filelock import FileLock
from ray.util import ActorPool

from lab.scale import cluster
from searchain.retrieval import parts
from searchain.retrieval.base import Progress
from searchain.retrieval.vectors import BLOCK, blocks
from searchain.types import Passage

WORKERS_PER_SHARD = 8
"""Workers for which one shard more is begun before the first is complete; each takes 24 GB of disk meanwhile."""


@contextmanager
def building(address: str, progress: Progress | None = None, workers: int | None = None) -> Iterator[ClusterBuilder]:
    """A builder on the cluster at ``address``, with one worker for each core unless ``workers`` says otherwise.

    Raises:
        UsageError, SetupError: as ``cluster.joined``.
    """
    with cluster.joined(address) as cores:
        builder = ClusterBuilder(workers or cores, progress)
        try:
            yield builder
        finally:
            builder.close()


class Worker:
    """One process of the cluster, on one core."""

    def __init__(self, checkpoint: Path) -> None:
        from searchain.retrieval.encoder import shared_encoder

        self._encoder = shared_encoder(checkpoint)

    def encode(self, draft: Path, block: int) -> tuple[Path, bool]:
        """Write the vectors of one block into ``draft``; returns the draft, and that it is not complete."""
        from searchain.retrieval.vectors import VectorStore

        VectorStore(draft / parts.BLOCKS).encode_block(self._encoder, _passages(draft), block)
        return draft, False

    def compress(self, draft: Path) -> tuple[Path, bool]:
        """Complete ``draft``; returns it, and that it is complete."""
        if not (draft / parts.COMPLETE).is_file():  # else it was complete when the process was lost
            parts.compress(draft, _passages(draft))
        return draft, True


def _passages(draft: Path) -> Sequence[Passage]:
    from searchain.retrieval.store import PassageStore

    return PassageStore(draft)


@dataclass(slots=True)
class _Shard:
    lock: FileLock
    passages: int
    blocks_left: int


class ClusterBuilder:
    """As ``indexes.Builder``. Ray starts a lost worker again and gives it the same task."""

    def __init__(self, workers: int, progress: Progress | None = None) -> None:
        self._count, self._progress = workers, progress
        self.workers: list[Any] = []
        self._pool: ActorPool | None = None
        self._shards: dict[Path, _Shard] = {}

    def build(self, root: Path, key: str, passages: Sequence[Passage], checkpoint: Path) -> None:
        pool = self._pool = self._pool or self._start(checkpoint)
        lock = parts.lock(root, key)
        lock.acquire()
        if parts.is_there(root, key):
            lock.release()
            return
        draft = parts.begin(root, key, passages)
        self._shards[draft] = _Shard(lock, len(passages), blocks(len(passages)))
        for block in range(blocks(len(passages))):
            pool.submit(lambda worker, task: worker.encode.remote(*task), (draft, block))
        while len(self._shards) > 1 + self._count // WORKERS_PER_SHARD:
            self._take(pool)

    def warm(self, checkpoint: Path) -> None:
        """Start the workers now, and return when each has loaded ``checkpoint``."""
        self._pool = self._pool or self._start(checkpoint)
        ray.get([worker.__ray_ready__.remote() for worker in self.workers])

    def wait(self) -> None:
        while self._pool is not None and self._pool.has_next():
            self._take(self._pool)

    def close(self) -> None:
        """Let go of what is not complete; the next build goes on from it."""
        for shard in self._shards.values():
            shard.lock.release()
        self._shards.clear()

    def _start(self, checkpoint: Path) -> ActorPool:
        kind = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(Worker)
        self.workers = [kind.remote(checkpoint) for _ in range(self._count)]
        return ActorPool(self.workers)

    def _take(self, pool: ActorPool) -> None:
        """Wait for the end of one task, and do what comes after it."""
        draft, is_complete = pool.get_next_unordered()
        shard = self._shards[draft]
        if is_complete:
            self._shards.pop(draft).lock.release()
            return
        shard.blocks_left -= 1
        if self._progress:
            done = min(shard.passages, shard.passages - shard.blocks_left * BLOCK)
            self._progress("encoding passages", max(0, done), shard.passages)
        if not shard.blocks_left:
            pool.submit(lambda worker, draft: worker.compress.remote(draft), draft)
