"""Put together what checks texts; no language model takes part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from searchain.check.checker import Checker
from searchain.check.claims import ClaimHead
from searchain.check.judging import Judge
from searchain.documents.own import OwnFile
from searchain.reading.reader import Reader
from searchain.reading.similarity import QueryEncoder
from searchain.reading.stance import Stance
from searchain.retrieval.base import Retriever


def checker_of(
    retriever: Retriever,
    similarity: QueryEncoder,
    stance: Stance,
    reader: Reader,
    index: str,
    files: Callable[[], Mapping[str, OwnFile]] = dict,
) -> Checker:
    """Make what checks texts against ``retriever``, with ``reader`` to read the values in its passages."""
    judge, head = Judge(similarity, stance, reader), ClaimHead(similarity)
    return Checker(retriever, judge, head, index=index, files=files)
