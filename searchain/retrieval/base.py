"""What the pipeline asks of a retriever, and a server of one whose passages are in several shards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from searchain.types import Hit


class Retriever(Protocol):
    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best passages for ``query``, best first, fewer when the corpus is smaller. Thread-safe.

        Raises:
            RetrievalError: the index or the remote searcher failed, with a message for the user.
        """


@dataclass(frozen=True, slots=True)
class Answer:
    """What the shards that answered found."""

    hits: list[Hit]
    missing: dict[str, str]
    """The shards that did not answer, each with the reason."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """Some equal processes of a cluster."""

    name: str
    status: str
    """``healthy``, ``updating`` while they start, ``unhealthy`` and others of Ray Serve's."""
    running: int
    """How many of the processes run."""


@runtime_checkable
class ShardedRetriever(Protocol):
    """A retriever that asks several shards, each of which may be missing."""

    def search(self, query: str, k: int) -> list[Hit]:
        """As ``Retriever.search``; fails where a shard is missing."""

    def find(self, query: str, k: int) -> Answer:
        """Return the best passages of the shards that answer."""

    def deployments(self) -> list[Deployment]:
        """Return the shards, and what else takes part in a search."""
