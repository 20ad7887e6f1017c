"""Open the retriever and the Reader that an operator names by a directory or a URL."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from searchain.errors import UsageError

if TYPE_CHECKING:
    from searchain.reading.reader import Reader
    from searchain.reading.thresholds import Thresholds
    from searchain.retrieval.base import Retriever
    from searchain.types import Passage

WEB_ALLOW = "SEARCHAIN_WEB_ALLOW"
"""The environment variable with networks, separated by commas, whose pages are read although they are not public."""
RANKED = 40
"""How many web passages per query are encoded: those that share most words with it."""


def open_remote(url: str) -> Retriever:
    """Return the retriever that ``--retriever`` names. Raises ``UsageError`` for no address."""
    from searchain.retrieval.remote import RemoteRetriever
    from searchain.types import WEB

    return _open_web(url) if url.startswith(WEB) else RemoteRetriever(url)


def open_reader(place: Path | str | None) -> tuple[Reader, Thresholds]:
    """Return the Reader in the directory or at the URL ``place`` with its thresholds; ``None`` is the embedded one.

    Raises:
        ReaderError: it cannot be loaded, or the server does not answer.
    """
    if isinstance(place, str):
        from searchain.reading.remote import RemoteReader

        distant = RemoteReader(place)
        return distant, distant.thresholds()
    from searchain.reading.reader import DprReader
    from searchain.reading.thresholds import read_thresholds

    if place is None:
        from searchain.embedded.minilm import embedded_reader

        place = embedded_reader()
    return DprReader(place), read_thresholds(place)


def _open_web(name: str) -> Retriever:
    """Return the search of the web by ``searxng=URL``, its passages ranked by the embedded checkpoint.

    Raises:
        UsageError: no address, or ``SEARCHAIN_WEB_ALLOW`` names no networks.
    """
    from searchain.retrieval.fetching import Fetcher, networks
    from searchain.retrieval.web import WebRetriever

    try:
        allowed = networks(os.environ.get(WEB_ALLOW, ""))
    except ValueError as error:
        raise UsageError(f"{WEB_ALLOW} names no networks: {error}; write it like 10.0.0.0/8,127.0.0.1") from None
    return WebRetriever(name, _score, Fetcher(allowed))


def _score(query: str, passages: Sequence[Passage]) -> list[float]:
    """Score passages without an index for ``query``; those that share the fewest words with it get −1."""
    from searchain.retrieval import checkpoint
    from searchain.retrieval.encoder import shared_encoder
    from searchain.retrieval.lexical import nearest

    encoder = shared_encoder(checkpoint.find(checkpoint.EMBEDDED))
    near = nearest(query, passages, RANKED)
    scores = dict(zip(near, encoder.maxsim(encoder.encode_query(query), near), strict=True))
    return [scores.get(passage, -1.0) for passage in passages]
