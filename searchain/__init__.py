"""Search-in-the-Chain (WWW '24): plan a chain of queries, check every node against passages, trace a cited reply.

The names below are the public Python interface (docs/library.md); all else may change. Each is loaded when it is first
used, because set-up imports this package before anything is installed.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

# torch keeps what it prepared for each shape of input, 1,024 of them, twice, and for each thread: texts have so many
# lengths that this took 1.4 MB a sentence, and saved no time. It reads both limits when it starts.
for _cache in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
    os.environ.setdefault(_cache, "32")

if TYPE_CHECKING:
    from searchain.assemble import open_checker, open_searchain
    from searchain.check.checker import Checker
    from searchain.events import Turn, fold
    from searchain.llm.base import Abilities, LanguageModel
    from searchain.pipeline import SearChain
    from searchain.proof.verify import Verified, verify
    from searchain.reading.reader import Reader
    from searchain.retrieval.base import Retriever
    from searchain.settings import Settings
    from searchain.types import Hit, Message, Outcome, Passage, Reading, Source, Span, Status, Usage, Verdict
else:
    _HELD = {
        "assemble": "open_checker open_searchain",
        "check.checker": "Checker",
        "events": "Turn fold",
        "llm.base": "Abilities LanguageModel",
        "pipeline": "SearChain",
        "proof.verify": "Verified verify",
        "reading.reader": "Reader",
        "retrieval.base": "Retriever",
        "settings": "Settings",
        "types": "Hit Message Outcome Passage Reading Source Span Status Usage Verdict",
    }
    _PLACES = {name: module for module, names in _HELD.items() for name in names.split()}

    def __getattr__(name: str) -> object:
        """Load one public name."""
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"searchain.{_PLACES[name]}"), name)


__all__ = [
    "Abilities",
    "Checker",
    "Hit",
    "LanguageModel",
    "Message",
    "Outcome",
    "Passage",
    "Reader",
    "Reading",
    "Retriever",
    "SearChain",
    "Settings",
    "Source",
    "Span",
    "Status",
    "Turn",
    "Usage",
    "Verdict",
    "Verified",
    "fold",
    "open_checker",
    "open_searchain",
    "verify",
]
