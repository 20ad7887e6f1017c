"""Make PLAID indexes: by colbert-ai in a process of its own, or from another index."""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from searchain.errors import RetrievalError
from searchain.files.processes import environment
from searchain.retrieval.base import Progress
from searchain.retrieval.plaid import lengths_of_passages, load
from searchain.retrieval.vectors import VectorStore

log = logging.getLogger("colbert")
STEP = "step "
"""How a line begins that tells how many steps are done, of all steps; colbert-ai writes others beside it."""


def build(directory: Path, vectors: VectorStore, count: int, progress: Progress | None = None) -> None:
    """Write the PLAID index of passages 0..count-1 into ``directory``, which must not exist.

    colbert-ai gets a process of its own: it imports its trainer, takes every GPU, and prints.

    Raises:
        RetrievalError: that process failed.
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
