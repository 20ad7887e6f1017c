"""Searching an index whose parts lie in several processes: each answers for its own parts, and one merges.

A query is encoded once; its vectors go to all shards, as they are (16 KB at most): rounded to float16 they swap
passages with about equal scores. The passages that a shard finds come back with their scores, so that the process
that merges opens no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from searchain.errors import UsageError
from searchain.retrieval import colbert, parts, registry
from searchain.types import Hit, Passage, is_own

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from searchain.retrieval.encoder import Encoder
    from searchain.retrieval.registry import Index


@dataclass(frozen=True, slots=True)
class PartFound:
    """What one part holds for a query, with the passages."""

    found: colbert.Found
    passages: dict[int, Passage]
    """By row: all that ``found`` names."""


def groups(index: Index) -> dict[str, tuple[str, ...]]:
    """The parts of ``index`` by the name of the shard that searches them, in the order of the index.

    Each shard of the index is one; the parts that are in none of its shards are one together.

    Raises:
        UsageError: it holds own documents, which come and go while it is searched.
    """
    if is_own(index.name) or index.waiting or index.removed:
        raise UsageError(f"index {index.name!r} holds own documents, which shards cannot search; leave out --ray")
    found = [tuple(part for part in shard.parts if part in index.parts) for shard in index.shards]
    held = {part for some in found for part in some}
    found.append(tuple(part for part in index.parts if part not in held))
    return {f"shard-{number}": some for number, some in enumerate(filter(None, found), 1)}


class Shard:
    """Some parts of an index, searched with queries that are encoded already; thread-safe."""

    def __init__(self, keys: Sequence[str]) -> None:
        """``keys``: the parts."""
        self._parts = [parts.open_part(registry.parts_root() / key) for key in keys]

    def find(self, query: str, vectors: NDArray[np.float32], k: int) -> list[PartFound]:
        """What each part holds for ``query``, encoded as ``vectors`` [tokens, dim]: at most ``k`` passages each."""
        encoded = torch.tensor(vectors)[None]  # a copy: what Ray hands over cannot be written to
        answers = []
        for part in self._parts:
            found = colbert.look_in(part, frozenset(), colbert.Query(query, encoded), k)
            rows = {row for _, row in found.best} | {row for row, is_proper in found.named if is_proper}
            answers.append(PartFound(found, {row: part.store[row] for row in rows}))
        return answers


def merged(encoder: Encoder, vectors: torch.Tensor, answers: Sequence[PartFound], k: int) -> list[Hit]:
    """The ``k`` best passages of all parts, best first, as ``ColbertRetriever`` finds them by meaning.

    Args:
        vectors: the query, [1, tokens, dim].
        answers: those of the parts, in the order of the index.
    """

    def passage(place: colbert.Place) -> Passage:
        number, row = place
        return answers[number].passages[row]

    best = colbert.merge(
        [answer.found for answer in answers], k, lambda places: encoder.maxsim(vectors, [*map(passage, places)])
    )
    return [Hit(passage(place), score, rank) for rank, (score, place) in enumerate(best, 1)]
