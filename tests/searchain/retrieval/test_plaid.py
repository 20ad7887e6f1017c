"""An index that colbert-ai builds, searched without it: loops over the vectors that colbert-ai reads find the same."""

import os
import subprocess
import sys
from functools import cache

import pytest
import torch

from searchain.errors import RetrievalError
from searchain.retrieval import plaid
from searchain.retrieval.vectors import VectorStore

PASSAGES, DIM = 300, 16


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Vectors in clusters, as those of texts are, and their index."""
    folder = tmp_path_factory.mktemp("plaid")
    random = torch.Generator().manual_seed(1)
    lengths = torch.randint(1, 30, (PASSAGES,), generator=random).tolist()
    themes = torch.randn(40, DIM, generator=random)
    vectors = themes[torch.randint(40, (sum(lengths),), generator=random)]
    vectors = torch.nn.functional.normalize(vectors + torch.randn(vectors.shape, generator=random) / 2, dim=1).half()
    store = VectorStore(folder / "blocks")
    store.put(vectors, lengths)
    plaid.build(folder / "plaid", store, PASSAGES)
    return folder, vectors.float().split(lengths)


COLBERT = """
import sys, torch
from colbert.indexing.codecs.residual import ResidualCodec
codec = ResidualCodec.load(sys.argv[1])
stored = ResidualCodec.Embeddings.load(sys.argv[1], 0)
torch.save((codec.decompress(stored), stored.codes.long(), codec.centroids), sys.argv[2])
"""


@cache
def stored(folder):
    """The vectors of an index by passage, as colbert-ai reads them; the centroid of each; and the centroids."""
    out = folder.with_suffix(".pt")
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-c", COLBERT, str(folder), str(out)], check=True, env=environment)
    vectors, codes, centroids = torch.load(out, weights_only=True)
    lengths = plaid.lengths_of_passages(folder, range(1))
    return vectors.split(lengths), codes.split(lengths), centroids


def by_loops(folder, query, cells, threshold, candidates):
    vectors, codes, centroids = stored(folder)
    near = centroids @ query.T
    looked_into = {cell for token in near.T for cell in token.topk(cells).indices.tolist()}
    rows = [row for row in range(PASSAGES) if looked_into & set(codes[row].tolist())]

    def of_centroids(row, least):
        counting = [code for code in codes[row].tolist() if near[code].max() >= least]
        return sum(max([near[code, token].item() for code in counting], default=-9999) for token in range(len(query)))

    for count, least in ((candidates, threshold), (candidates // 4, -1)):
        rows = sorted(rows, key=lambda row: -of_centroids(row, least))[:count]
    scores = {row: sum(max(0, (vectors[row] @ token).max().item()) for token in query) for row in rows}
    return sorted(((score, row) for row, score in scores.items()), reverse=True)


@pytest.mark.parametrize(("cells", "threshold", "candidates"), [(1, 0.5, 40), (2, 0.45, 80), (4, 0.9, 4_000)])
def test_a_search_finds_what_loops_find(index, cells, threshold, candidates):
    folder, vectors = index
    opened = plaid.PlaidIndex(folder / "plaid")
    for row in (0, 7, 150, 299):
        query = vectors[row][:9]
        found = opened.search(query, cells, threshold, candidates)
        expected = by_loops(folder / "plaid", query, cells, threshold, candidates)
        assert [score for score, _ in found] == pytest.approx([score for score, _ in expected], abs=1e-4)
        assert {place for _, place in found} == {place for _, place in expected}
        assert found[0][1] == row
        again = opened.scores(query, torch.tensor([place for _, place in found]))
        assert again.tolist() == pytest.approx([score for score, _ in found], abs=1e-4)


def test_a_build_that_fails_is_told_with_its_reason(tmp_path):
    with pytest.raises(RetrievalError, match="colbert-ai could not build the index in .*: FileNotFoundError: .*"):
        plaid.build(tmp_path / "plaid", VectorStore(tmp_path / "none"), 5)
