"""Make colbert-ai 0.2.22 run with transformers 5, without output, on the CPU.

Only this module imports ``colbert``; other modules import its names from here. The changes and their reasons:

- ``HF_ColBERT`` calls ``init_weights()`` but never ``post_init()``, without which transformers 5 cannot load weights.
- colbert builds that class three times per checkpoint; it is built once here.
- colbert writes its progress to standard output, where ``ask --json`` writes its object: it goes to the debug log.
- colbert decides for a GPU by itself and forces multiprocessing to ``spawn`` for the whole process: both are undone.
"""

from __future__ import annotations

import functools
import logging
import multiprocessing
import sys
import warnings
from typing import Any

import torch

_start_method = multiprocessing.get_start_method(allow_none=True)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from colbert.indexing.codecs.residual import ResidualCodec
    from colbert.indexing.collection_indexer import CollectionIndexer
    from colbert.indexing.index_saver import IndexSaver
    from colbert.infra import ColBERTConfig, Run, RunConfig
    from colbert.infra.config.settings import RunSettings
    from colbert.modeling import base_colbert, hf_colbert
    from colbert.modeling.checkpoint import Checkpoint
    from colbert.modeling.colbert import ColBERT
    from colbert.modeling.tokenization import doc_tokenization, query_tokenization
    from colbert.search.index_storage import IndexScorer
    from colbert.search.strided_tensor import StridedTensor
    from colbert.utils.amp import MixedPrecisionManager
multiprocessing.set_start_method(_start_method, force=True)

__all__ = [
    "Checkpoint",
    "ColBERT",
    "ColBERTConfig",
    "CollectionIndexer",
    "IndexSaver",
    "IndexScorer",
    "MixedPrecisionManager",
    "ResidualCodec",
    "Run",
    "RunConfig",
    "StridedTensor",
]

log = logging.getLogger("colbert")
_build_class = hf_colbert.class_factory


@functools.cache
def _class_factory(name_or_path: str) -> type:
    """Return ``HF_ColBERT`` for a checkpoint, with an ``init_weights`` that runs ``post_init`` the first time."""
    cls = _build_class(name_or_path)
    init_weights = cls.init_weights

    def post_init_once(self: Any) -> None:
        if self.__dict__.get("is_post_initialised"):
            init_weights(self)
        else:
            self.is_post_initialised = True
            self.post_init()

    cls.init_weights = post_init_once
    return cls


def _to_log(*words: object, **_: object) -> None:
    log.debug(" ".join(map(str, words)).strip())


def _without_bar(iterable: Any, *_: object, **__: object) -> Any:
    return iterable


vars(_without_bar)["tqdm"] = _without_bar  # modules of colbert say `tqdm(…)` or `tqdm.tqdm(…)`


def _apply() -> None:
    for module in (hf_colbert, base_colbert, query_tokenization, doc_tokenization):
        module.class_factory = _class_factory
    for module in (base_colbert, query_tokenization, doc_tokenization):
        module.DEVICE = torch.device("cpu")
    RunSettings.total_visible_gpus = 0
    for name, module in list(sys.modules.items()):
        if name.startswith("colbert."):
            vars(module)["print"] = _to_log
            if hasattr(module, "tqdm"):
                vars(module)["tqdm"] = _without_bar


_apply()
