"""The Reader: a model that gives an answer span and a relevance logit for every passage.

The model has the form of DPR's reader (Karpukhin et al. 2020): one BERT encoder over
``[CLS] query [SEP] title [SEP] text``, start and end logits per token, one relevance logit f per input. ``DprReader``
loads the embedded Reader or any other local DPR reader. Torch is imported when a Reader is made.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from searchain.embedded.minilm import ENCODER, embedded_reader
from searchain.errors import ReaderError
from searchain.reading.span_reader import SpanReader, first_line
from searchain.types import Passage, Reading

__all__ = ["DprReader", "Reader", "embedded_reader"]


class Reader(Protocol):
    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        """Read all ``passages`` in one batch; return one reading per passage, in order. Thread-safe.

        Raises:
            ReaderError: the model failed, with a message for the user.
        """


class DprReader(SpanReader):
    """A DPR reader from a local checkpoint directory, on the CPU.

    Args:
        directory: ``config.json``, weights and ``vocab.txt`` or ``tokenizer.json``, as ``transformers`` saves them.
        window: tokens of one model input; longer passages are read in overlapping windows, and the reading is that of
            the window with the greatest f.
        overlap: passage tokens that neighbouring windows share.
        half: run the encoder in bfloat16; default: where the CPU multiplies in it, at a third of the time.

    Raises:
        ReaderError: no DPR reader can be loaded from ``directory``.
    """

    def __init__(self, directory: Path, *, window: int = 320, overlap: int = 96, half: bool | None = None) -> None:
        import torch

        from searchain.embedded.text_encoder import TextEncoder, bert_tokenizer, linear, number, read

        directory = Path(directory)
        if not (directory / "config.json").is_file():
            raise ReaderError(
                f"no Reader at {str(directory)!r}: config.json is missing; name a local DPR reader directory"
            )
        if half is None:
            half = multiplies_in_half()
        try:
            config, weights = read(directory)
            own = {name.removeprefix(ENCODER): tensor for name, tensor in weights.items()}
            self._encoder = TextEncoder("bert", config, own, torch.bfloat16 if half else torch.float32)
            heads = linear(weights, "span_predictor.qa_outputs"), linear(weights, "span_predictor.qa_classifier")
            tokens = bert_tokenizer(directory)
            self._cls, self._sep, pad = (number(tokens, name) for name in ("[CLS]", "[SEP]", "[PAD]"))
        except Exception as error:  # torch, safetensors and tokenizers raise many kinds for a bad file
            raise ReaderError(
                f"the Reader at {str(directory)!r} cannot be loaded ({first_line(error)}); "
                "name a local DPR reader directory"
            ) from error
        longest_input = config.get("max_position_embeddings", 512)
        super().__init__(tokens, heads, pad=pad, window=min(window, longest_input), overlap=overlap)

    def _head(self, query: Sequence[int], title: Sequence[int]) -> tuple[int, ...]:
        return (self._cls, *query, self._sep, *title, self._sep)


def multiplies_in_half() -> bool:
    """Tell whether this machine's CPU multiplies in bfloat16, which takes a third of the time."""
    import torch

    return any(has for name, has in torch.cpu.get_capabilities().items() if name.endswith("bf16"))
