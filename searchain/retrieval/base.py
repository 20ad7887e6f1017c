"""The protocols of a retriever, and of a retriever whose passages are spread over several shards."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from searchain.types import Hit

Progress = Callable[[str, int, int], None]
"""A callback with (description of the work, amount done, total amount)."""


class Retriever(Protocol):
    def search(self, query: str, k: int) -> list[Hit]:
        """Return the ``k`` best passages for ``query``, best first, fewer when the corpus is smaller. Thread-safe.

        Raises ``RetrievalError``, with a message for the user, if the index or the remote searcher failed.
        """


@dataclass(frozen=True, slots=True)
class Answer:
    """The hits of the shards that answered, and the shards that did not."""

    hits: list[Hit]
    missing: dict[str, str]
    """The shards that did not answer, each with the reason."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """A group of equal processes in a cluster."""

    name: str
    status: str
    """``healthy``, ``updating`` while they start, ``unhealthy`` and others of Ray Serve's."""
    running: int
    """How many of the processes run."""


@runtime_checkable
class ShardedRetriever(Protocol):
    """A retriever that asks several shards, each of which may be missing."""

    def search(self, query: str, k: int) -> list[Hit]:
        """Search as ``Retriever.search`` does; raise ``RetrievalError`` if a shard is missing."""

    def find(self, query: str, k: int) -> Answer:
        """Search the shards that answer; return their best passages and the missing shards."""

    def deployments(self) -> list[Deployment]:
        """Return the deployments of the shards and of all other processes that take part in a search."""
