"""The large Reader, which reads the likeliest passages again: better than the small one, and eight times as slowly.

An MPNet encoder (Song et al. 2020) over ``<s> query </s></s> title </s> text``, with the heads of the small Reader. It
never reads alone: how likely an answer is right follows from both readings (``searchain.verification.large_reading``).
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from searchain.embedded.mpnet import HEADS, PAD, head
from searchain.errors import ReaderError
from searchain.files.checkout import SET_UP
from searchain.reading.reader import multiplies_in_half
from searchain.reading.span_reader import SpanReader, Window, first_line


class LargeReader(SpanReader):
    """A Reader with an MPNet encoder, on the CPU.

    ``directory`` is what ``searchain.embedded.mpnet.large_reader`` makes. Raises ``ReaderError`` if the files cannot be
    loaded.
    """

    def __init__(self, directory: Path) -> None:
        import torch
        from tokenizers import Tokenizer

        from searchain.embedded.text_encoder import TextEncoder, linear, read

        precision = torch.bfloat16 if multiplies_in_half() else torch.float32
        try:
            config, weights = read(directory)
            self._encoder = TextEncoder("mpnet", config, weights, precision)
            spans, relevance = (linear(weights, name) for name in HEADS)
            tokens = Tokenizer.from_file(str(directory / "tokenizer.json"))
        except Exception as error:  # torch, safetensors and tokenizers raise many kinds for a bad file
            raise ReaderError(
                f"the large Reader at {str(directory)!r} cannot be loaded ({first_line(error)}); "
                f"remove that folder, then run: {SET_UP}"
            ) from error
        super().__init__(tokens, (spans, relevance), pad=PAD)

    def _forward(self, inputs: Sequence[Window]) -> list[tuple[np.ndarray, np.ndarray, float]]:
        """Read each window by itself; padding a batch to its longest window costs more time than batching saves."""
        forward = super()._forward
        return [logits for window in inputs for logits in forward([window])]

    def _head(self, query: Sequence[int], title: Sequence[int]) -> tuple[int, ...]:
        return head(query, title)
