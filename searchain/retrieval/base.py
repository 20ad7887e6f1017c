"""What the pipeline asks of a retriever."""

from __future__ import annotations

from typing import Protocol

from searchain.types import Hit


class Retriever(Protocol):
    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` best passages for ``query``, best first, fewer when the corpus is smaller. Thread-safe.

        Raises:
            RetrievalError: the index or the remote searcher failed, with a message for the user.
        """
