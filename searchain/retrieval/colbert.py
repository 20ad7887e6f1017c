"""Search the parts of an index by ColBERT's late interaction and by words, joined by reciprocal rank.

A part above ``parts.EXACT_LIMIT`` passages is a PLAID index (Santhanam et al. 2022). A smaller one is scored exactly,
since k-means needs more vectors. The score of a hit is always that of late interaction, a sum of cosines, however the
hit was found.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import torch
from safetensors.torch import load_file

from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.retrieval.lexical import NamedArticles, Words, fused, weighed
from searchain.retrieval.plaid import PlaidIndex
from searchain.retrieval.store import PassageStore, read_documents
from searchain.types import Hit, Passage, Search

SPARE = 64
"""Most extra hits requested at first because documents were removed; the request doubles until k hits remain."""
HITS_A_NAME = 5
"""One of this many hits may be an article that the query names but the search did not find."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched: a text, its token vectors, and its words with what they weigh."""

    text: str
    vectors: torch.Tensor
    """[1, tokens, dim]"""
    words: Mapping[str, float] = field(default_factory=dict)


class Part(ABC):
    """Some passages that can be scored."""

    def __init__(self, directory: Path) -> None:
        self.store = PassageStore(directory)
        self.named, self.words = NamedArticles(self.store), Words(self.store, directory)
        self.documents = read_documents(directory)

    @abstractmethod
    def search(self, query: Query, k: int) -> list[tuple[float, int]]:
        """Return at most ``k`` (score, row), best first."""

    @abstractmethod
    def scores(self, query: torch.Tensor, rows: Sequence[int]) -> list[float]:
        """Return the scores of ``rows`` for ``query`` [1, tokens, dim], as ``search`` gives them."""


class View(Protocol):
    """One generation of an index."""

    name: str
    generation: int

    def now(self) -> Sequence[tuple[Part, frozenset[int]]]:
        """Return its parts, each with the rows of removed documents."""

    def passages_of(self, document: str) -> Iterator[Passage]:
        """Yield the passages of one document in order."""


Place = tuple[int, int]
"""(number of a searched part, row in that part)."""


@dataclass(frozen=True, slots=True)
class Found:
    """The search result of one part."""

    best: list[tuple[float, int]]
    """Score and row, best first."""
    named: list[tuple[int, bool]]
    """The rows of the articles that the query names, each with whether its name is a proper name."""
    by_words: list[tuple[tuple[float, int], float]] = field(default_factory=list)
    """BM25's score and row, best first, each with the score of late interaction."""


class ColbertRetriever:
    """Searches the parts of one or more indexes with the checkpoint that made them; thread-safe.

    It always searches the parts that existed when it was made, without documents removed since. Passages that still
    wait to be encoded are found by their words and encoded at that moment.
    """

    def __init__(self, encoder: Encoder, views: Sequence[View], search: Search = "meaning") -> None:
        self._encoder, self._views, self._by = encoder, tuple(views), search

    @property
    def generations(self) -> dict[str, int]:
        """Index → the number of its searched generation, for indexes that change."""
        return {view.name: view.generation for view in self._views if view.generation}

    @property
    def by_words(self) -> frozenset[str]:
        """The indexes of which some passages are found by their words alone, because they are still to be encoded."""
        return frozenset(
            view.name for view in self._views if any(isinstance(part, WaitingPart) for part, _ in view.now())
        )

    def __len__(self) -> int:
        return sum(len(part.store) - len(gone) for view in self._views for part, gone in view.now())

    def __iter__(self) -> Iterator[Passage]:
        for view in self._views:
            for part, gone in view.now():
                yield from (part.store[row] for row in range(len(part.store)) if row not in gone)

    def passages_of(self, document: str) -> Iterator[Passage]:
        """Yield the passages of one document in order."""
        for view in self._views:
            yield from view.passages_of(document)

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best passages, best first; none for an empty query."""
        if k < 1 or not query.strip():
            return []
        searched = [held for view in self._views for held in view.now()]
        counted = [part.words for part, _ in searched if self._by != "meaning" or isinstance(part, WaitingPart)]
        with _one_thread():
            asked = Query(query, self._encoder.encode_query(query), weighed(query, counted))
            found = [look_in(part, gone, asked, k, self._by) for part, gone in searched]
            stores = [part.store for part, _ in searched]
            score = partial(self._encoder.maxsim, asked.vectors)
            best = merge(found, k, lambda places: score([stores[number][row] for number, row in places]))
        return [Hit(stores[number][row], score, rank) for rank, (score, (number, row)) in enumerate(best, 1)]


def look_in(part: Part, gone: frozenset[int], query: Query, k: int, search: Search = "meaning") -> Found:
    """Search ``part`` for ``query``; leave the rows ``gone`` out."""
    size = len(part.store)
    best = _best(partial(part.search, query), k, gone, size) if search != "words" else []
    if isinstance(part, WaitingPart):  # only what stays is encoded
        best = part.by_meaning(query, best)
    worded = _best(partial(part.words.search, query.words), k, gone, size) if search != "meaning" else []
    scores = part.scores(query.vectors, [row for _, row in worded])
    named = part.named.rows(query.text) if k >= HITS_A_NAME else []
    there = [(row, is_proper) for row, is_proper in named if row not in gone]
    return Found(best, there, list(zip(worded, scores, strict=True)))


def merge(
    found: Sequence[Found], k: int, score: Callable[[Sequence[Place]], Sequence[float]]
) -> list[tuple[float, Place]]:
    """Return the ``k`` best places of several parts, best first; ``score`` scores passages that no part scored.

    The first ``k`` by meaning and the first ``k`` by words are joined by reciprocal rank. Up to a fifth of the hits,
    the last ones, are replaced by articles that the query names. None is replaced if the search found one of the named
    articles itself.
    """
    best = _joined(found, k)
    all_named = [((number, row), is_proper) for number, one in enumerate(found) for row, is_proper in one.named]
    if not {place for place, _ in all_named}.isdisjoint(place for _, place in best):
        return best
    named = [place for place, is_proper in all_named if is_proper][: k // HITS_A_NAME]
    if not named:
        return best
    kept = best[: len(best) - len(named)] if len(best) >= HITS_A_NAME else best
    with_named = [*kept, *zip(score(named), named, strict=True)]
    is_by_score = not any(one.by_words for one in found)
    return sorted(with_named, key=lambda hit: -hit[0]) if is_by_score else with_named


def _joined(found: Sequence[Found], k: int) -> list[tuple[float, Place]]:
    """Return the ``k`` best places of both rankings with their scores."""
    meant = [(value, (number, row)) for number, one in enumerate(found) for value, row in one.best]
    worded = [(weight, (number, row)) for number, one in enumerate(found) for (weight, row), _ in one.by_words]
    scores = {(number, row): value for number, one in enumerate(found) for (_, row), value in one.by_words}
    scores |= {place: value for value, place in meant}
    rankings = (sorted(some, key=lambda hit: -hit[0])[:k] for some in (meant, worded))
    joined = fused([place for _, place in ranking] for ranking in rankings)
    return [(scores[place], place) for place in joined[:k]]


def _best(
    search: Callable[[int], list[tuple[float, int]]], k: int, gone: frozenset[int], size: int
) -> list[tuple[float, int]]:
    """Return the ``k`` best rows that are not ``gone``; request more rows until enough remain."""
    asked = k + min(len(gone), SPARE)
    while True:
        found = search(asked)
        left = [(score, row) for score, row in found if row not in gone]
        if len(left) >= k or len(found) < asked or asked >= size:
            return left[:k]
        asked *= 2


class ExactPart(Part):
    """A small part: all token vectors are in memory, and every passage is scored."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        tensors = load_file(directory / "vectors.safetensors")
        self._vectors, self._lengths = tensors["vectors"].float(), tensors["lengths"].long()

    def search(self, query: Query, k: int) -> list[tuple[float, int]]:
        with torch.inference_mode():
            similarity = self._vectors @ query.vectors[0].T
            scores = torch.segment_reduce(similarity, "max", lengths=self._lengths).sum(-1)
            best = scores.topk(min(k, len(scores)))
        return list(zip(best.values.tolist(), best.indices.tolist(), strict=True))

    def scores(self, query: torch.Tensor, rows: Sequence[int]) -> list[float]:
        with torch.inference_mode():
            starts = self._lengths.cumsum(0) - self._lengths
            parts = [self._vectors[starts[row] : starts[row] + self._lengths[row]] for row in rows]
            return [_late_interaction(vectors, query) for vectors in parts]


class PlaidPart(Part):
    """A large part, a PLAID index: centroids find candidates, and the best of these are scored with residuals."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self._index = PlaidIndex(directory / "plaid")

    def search(self, query: Query, k: int) -> list[tuple[float, int]]:
        k, centroids = min(k, len(self.store)), self._index.centroids
        # Wider than ColBERT's defaults (1 cell, 256 passages, threshold 0.5 for k <= 10): for 2 ms more, 85 %
        # instead of 78 % of titles come into the first 10 (lab/benchmarks/retrieval.py).
        cells, threshold, candidates = (2, 0.45, 512) if k <= 10 else (2, 0.45, 1024) if k <= 100 else (4, 0.4, 8 * k)
        while True:
            best = self._index.search(query.vectors[0], min(cells, centroids), threshold, candidates)
            if len(best) >= k or cells >= centroids:
                return best[:k]
            cells *= 4

    def scores(self, query: torch.Tensor, rows: Sequence[int]) -> list[float]:
        return self._index.scores(query[0], torch.tensor(rows)).tolist() if rows else []


class WaitingPart(Part):
    """A part whose passages have no vectors yet: those that its words find are encoded when they are found."""

    def __init__(self, directory: Path, encoder: Encoder) -> None:
        super().__init__(directory)
        self._encoder = encoder
        self._vectors: dict[int, torch.Tensor] = {}

    def search(self, query: Query, k: int) -> list[tuple[float, int]]:
        """Return at most ``k`` (BM25's score, row), best first."""
        return self.words.search(query.words, k)

    def by_meaning(self, query: Query, found: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
        """Return the rows of ``found`` with their scores of late interaction, best first."""
        rows = [row for _, row in found]
        return sorted(zip(self.scores(query.vectors, rows), rows, strict=True), reverse=True)

    def scores(self, query: torch.Tensor, rows: Sequence[int]) -> list[float]:
        if new := [row for row in rows if row not in self._vectors]:
            vectors, lengths = self._encoder.encode_passages([encoded_text(self.store[row]) for row in new])
            self._vectors |= dict(zip(new, vectors.float().split(lengths), strict=True))
        with torch.inference_mode():
            return [_late_interaction(self._vectors[row], query) for row in rows]


def _late_interaction(vectors: torch.Tensor, query: torch.Tensor) -> float:
    return float((vectors @ query[0].T).amax(0).sum())


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit torch to one thread: a search is too short to split, and waiting for a busy core costs 0.5 s."""
    threads = torch.get_num_threads()
    if threads == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
