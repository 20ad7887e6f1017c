"""The large Reader, which reads the likeliest passages again: better than the small one, and eight times as slowly.

An MPNet encoder (Song et al. 2020) over ``<s> query </s></s> title </s> text``, with the heads of the small Reader. It
never reads alone: how likely an answer is right follows from both readings (``searchain.verification.large_reading``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from searchain.embedded.mpnet import HEADS, PAD, head
from searchain.errors import ReaderError
from searchain.reading.reader import multiplies_in_half, silenced
from searchain.reading.span_reader import SpanReader, Window, first_line

if TYPE_CHECKING:
    from torch import Tensor


class LargeReader(SpanReader):
    """A Reader with an MPNet encoder, on the CPU.

    Args:
        directory: what ``searchain.embedded.mpnet.large_reader`` makes.
        longest, window, overlap, half: as ``DprReader`` takes them.

    Raises:
        ReaderError: the files cannot be loaded.
    """

    def __init__(
        self, directory: Path, *, longest: int = 20, window: int = 320, overlap: int = 96, half: bool | None = None
    ) -> None:
        import torch
        from safetensors import safe_open
        from tokenizers import Tokenizer
        from transformers import MPNetModel

        if half is None:
            half = multiplies_in_half()
        try:
            with silenced():
                loaded: Any = MPNetModel.from_pretrained(  # a pair, which its type does not say
                    directory,
                    local_files_only=True,
                    add_pooling_layer=False,
                    dtype=torch.bfloat16 if half else torch.float32,
                    output_loading_info=True,
                )
            encoder, found = loaded
            if found["missing_keys"]:
                raise ValueError(f"the weights {min(found['missing_keys'])!r} are missing")
            with safe_open(directory / "model.safetensors", "pt") as weights:
                heads = [_linear(weights, name) for name in HEADS]
            tokens = Tokenizer.from_file(str(directory / "tokenizer.json"))
        except Exception as error:  # transformers, safetensors and tokenizers raise many kinds for a bad file
            raise ReaderError(
                f"the large Reader at {str(directory)!r} cannot be loaded ({first_line(error)}); "
                "remove that folder, and it is made anew"
            ) from error
        self._encoder = encoder.eval()
        super().__init__(tokens, (heads[0], heads[1]), pad=PAD, longest=longest, window=window, overlap=overlap)

    def _forward(self, inputs: Sequence[Window]) -> list[tuple[np.ndarray, np.ndarray, float]]:
        """Read each window by itself; padding a batch to its longest window costs more time than batching saves."""
        forward = super()._forward
        return [logits for window in inputs for logits in forward([window])]

    def _head(self, query: Sequence[int], title: Sequence[int]) -> tuple[int, ...]:
        return head(query, title)

    def _hidden(self, ids: Tensor, mask: Tensor) -> Tensor:
        return self._encoder(ids, attention_mask=mask)[0].float()


def _linear(weights: Any, name: str) -> Any:
    """Return the linear layer ``name`` of an open safetensors file, in float32."""
    import torch

    weight, bias = weights.get_tensor(f"{name}.weight").float(), weights.get_tensor(f"{name}.bias").float()
    layer = torch.nn.Linear(weight.shape[1], weight.shape[0])
    layer.load_state_dict({"weight": weight, "bias": bias})
    return layer.eval()
