"""Searching: ColBERT's late interaction over the parts of an index.

A part above ``parts.EXACT_LIMIT`` passages is a PLAID index (Santhanam et al. 2022); a smaller one is scored exactly,
since k-means needs more vectors than a few passages have. Scores of both are sums of cosines and compare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Protocol

import torch
from safetensors.torch import load_file

from searchain.retrieval.compat import ColBERTConfig, IndexScorer
from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.retrieval.lexical import WordsPart
from searchain.retrieval.store import PassageStore
from searchain.retrieval.titles import NamedArticles
from searchain.types import Hit, Passage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SPARE = 64
"""Hits beyond k that are asked for at first where documents have gone; the number doubles until k remain."""
HITS_A_NAME = 5
"""For so many hits one may be an article that the query names and that was not found."""


class Part(Protocol):
    """Some passages that can be scored."""

    store: PassageStore
    named: NamedArticles

    def search(self, query: torch.Tensor, k: int) -> list[tuple[float, int]]:
        """At most ``k`` (score, position), best first, for ``query`` [1, tokens, dim]."""


class View(Protocol):
    """One generation of an index."""

    name: str
    generation: int

    def now(self) -> Sequence[tuple[Part | WordsPart, frozenset[int]]]:
        """Its parts, each with the rows that must not be found any more."""


_Scored = tuple[float, "Part | WordsPart", int]
"""Score, part and row."""


class ColbertRetriever:
    """Searches the parts of one or more indexes with the checkpoint that made them; thread-safe.

    It searches what was there when it was made, as long as it lives, less the documents that went meanwhile. Passages
    that still wait to be encoded are found by their words; the few that are found are encoded then and there.
    """

    def __init__(self, encoder: Encoder, views: Sequence[View]) -> None:
        self._encoder, self._views = encoder, tuple(views)

    @property
    def generations(self) -> dict[str, int]:
        """Index → which generation of it is searched, for indexes that change."""
        return {view.name: view.generation for view in self._views if view.generation}

    def __len__(self) -> int:
        return sum(len(part.store) - len(gone) for view in self._views for part, gone in view.now())

    def __iter__(self) -> Iterator[Passage]:
        for view in self._views:
            for part, gone in view.now():
                yield from (part.store[row] for row in range(len(part.store)) if row not in gone)

    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` best passages, best first; none for an empty query."""
        if k < 1 or not query.strip():
            return []
        found: list[_Scored] = []
        with _one_thread():
            vectors = self._encoder.encode_query(query)
            for part, gone in (found for view in self._views for found in view.now()):
                size = len(part.store)
                if isinstance(part, WordsPart):
                    rows = [row for _, row in _best(partial(part.search, query), k, gone, size)]
                    found += [(score, part, row) for score, row in self._scored(part, rows, vectors)]
                else:
                    found += [(score, part, row) for score, row in _best(partial(part.search, vectors), k, gone, size)]
            found.sort(key=lambda hit: -hit[0])
            found = self._with_named(query, vectors, found[:k], k // HITS_A_NAME)
        return [Hit(part.store[row], score, rank) for rank, (score, part, row) in enumerate(found, 1)]

    def _with_named(self, query: str, vectors: torch.Tensor, found: list[_Scored], most: int) -> list[_Scored]:
        """Put at most ``most`` articles that ``query`` names in the place of the last of ``found``.

        Nothing changes where one of the articles that it names was found.
        """
        if most < 1:
            return found
        ids = {(id(part), row) for _, part, row in found}
        named: list[tuple[Part | WordsPart, int]] = []
        for part, gone in (held for view in self._views for held in view.now()):
            for row, is_proper in part.named.rows(query) if not isinstance(part, WordsPart) else ():
                if (id(part), row) in ids:
                    return found
                if is_proper and row not in gone:
                    named.append((part, row))
        if not (named := named[:most]):
            return found
        new, lengths = self._encoder.encode_passages([encoded_text(part.store[row]) for part, row in named])
        with torch.inference_mode():
            scores = [float((rows @ vectors[0].T).amax(0).sum()) for rows in new.float().split(lengths)]
        kept = found[: len(found) - len(named)] if len(found) >= HITS_A_NAME else found
        added = [(score, part, row) for score, (part, row) in zip(scores, named, strict=True)]
        return sorted([*kept, *added], key=lambda hit: -hit[0])

    def _scored(self, part: WordsPart, rows: Sequence[int], query: torch.Tensor) -> list[tuple[float, int]]:
        """Score some passages as if they were encoded already, so that all scores compare."""
        if new := [row for row in rows if row not in part.vectors]:
            vectors, lengths = self._encoder.encode_passages([encoded_text(part.store[row]) for row in new])
            part.vectors |= dict(zip(new, vectors.float().split(lengths), strict=True))
        with torch.inference_mode():
            return [(float((part.vectors[row] @ query[0].T).amax(0).sum()), row) for row in rows]


def _best(
    search: Callable[[int], list[tuple[float, int]]], k: int, gone: frozenset[int], size: int
) -> list[tuple[float, int]]:
    """The ``k`` best rows that are not ``gone``: a few more are asked for, until enough remain."""
    asked = k + min(len(gone), SPARE)
    while True:
        found = search(asked)
        left = [(score, row) for score, row in found if row not in gone]
        if len(left) >= k or len(found) < asked or asked >= size:
            return left[:k]
        asked *= 2


class ExactPart:
    """All token vectors in memory, every passage scored."""

    def __init__(self, directory: Path) -> None:
        tensors = load_file(directory / "vectors.safetensors")
        self.store = PassageStore(directory)
        self.named = NamedArticles(self.store)
        self._vectors, self._lengths = tensors["vectors"].float(), tensors["lengths"].long()

    def search(self, query: torch.Tensor, k: int) -> list[tuple[float, int]]:
        with torch.inference_mode():
            similarity = self._vectors @ query[0].T
            scores = torch.segment_reduce(similarity, "max", lengths=self._lengths).sum(-1)
            best = scores.topk(min(k, len(scores)))
        return list(zip(best.values.tolist(), best.indices.tolist(), strict=True))


class PlaidPart:
    """A PLAID index: candidates by centroid, then residuals of the most promising."""

    def __init__(self, directory: Path, encoder: Encoder) -> None:
        self.store = PassageStore(directory)
        self.named = NamedArticles(self.store)
        self._query_maxlen = encoder.config.query_maxlen
        self._scorer = IndexScorer(str(directory / "plaid"), use_gpu=False)

    def search(self, query: torch.Tensor, k: int) -> list[tuple[float, int]]:
        k = min(k, len(self.store))
        centroids = len(self._scorer.codec.centroids)
        cells, threshold, candidates = (2, 0.45, 512) if k <= 10 else (2, 0.45, 1024) if k <= 100 else (4, 0.4, 8 * k)
        while True:
            # Given at each search: colbert keeps what the first search's k led to. Wider than its defaults (1 cell,
            # 256 passages, threshold 0.5 for k <= 10): for 2 ms more, 85 % instead of 78 % of titles come into the
            # first 10 (benchmarks/retrieval.py); only a quarter of the candidates is scored with residuals.
            config = ColBERTConfig(
                query_maxlen=self._query_maxlen,
                ncells=min(cells, centroids),
                centroid_score_threshold=threshold,
                ndocs=candidates,
            )
            positions, scores = self._scorer.rank(config, query)
            if len(positions) >= k or cells >= centroids:
                return list(zip(scores[:k], positions[:k], strict=True))
            cells *= 4


@contextmanager
def _one_thread() -> Iterator[None]:
    """One torch thread in this thread: a search is too short to share, and waiting for a busy core costs 0.5 s."""
    threads = torch.get_num_threads()
    if threads == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
