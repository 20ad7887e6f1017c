"""The corpora of proofs: what an index was made of, and whether it holds a passage."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

from searchain.embedded.assets import WIKIPEDIA_LEADS
from searchain.errors import SearChainError
from searchain.proof.form import Corpus, sha256
from searchain.retrieval import registry
from searchain.retrieval.corpus import DEFAULT, default_corpus
from searchain.retrieval.store import PassageStore
from searchain.types import Passage

MOST = 1_000_000
"""The most passages that are looked through."""


def corpus_of(index: str) -> Corpus | None:
    """Return what ``index`` is made of; ``None`` if it is not on this machine."""
    try:
        if index == DEFAULT:
            asset = WIKIPEDIA_LEADS
            return Corpus(index=index, name=asset.package, version=version(asset.package), sha256=asset.sha256)
        made = registry.get(index)
    except (SearChainError, ImportError):
        return None
    name = ", ".join(made.sources)
    return Corpus(index=index, name=name, version=made.created, sha256=sha256("\n".join(made.parts)))


def held(index: str, titles: Iterable[str]) -> dict[str, set[str]] | None:
    """Map each title to the texts of the passages that bear it in ``index``.

    Return ``None`` if the index is not on this machine, or too large.
    """
    texts: dict[str, set[str]] = {title: set() for title in titles}
    try:
        if index != DEFAULT and registry.get(index).passages > MOST:
            return None
        for passage in _passages(index):
            if passage.title in texts:
                texts[passage.title].add(passage.text)
    except (SearChainError, OSError, ValueError):
        return None
    return texts


def _passages(index: str) -> Iterable[Passage]:
    if index == DEFAULT:
        return default_corpus().passages
    stores = (PassageStore(registry.parts_root() / part) for part in registry.get(index).parts)
    return (passage for store in stores for passage in store)
