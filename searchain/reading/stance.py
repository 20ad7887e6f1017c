"""Judge the stance of a passage: whether it supports a statement, refutes it or leaves it open.

A statement is a claim ("Kyoto lies on Honshu."), a yes/no question ("Is Kyoto on Honshu?") or a question with an answer
("On which island is Kyoto? Honshu"). The embedded model is all-MiniLM-L6-v2 from its package plus the project's own
deltas: an encoder over ``[CLS] statement [SEP] title [SEP] text``, and three logits from its first state. Yes/no
questions have deltas of their own, which learnt rules, minutes and manuals too. Torch comes with the first use.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from searchain.embedded.assets import merged, read_adapter
from searchain.embedded.minilm import CLS, SEP, base_state, minilm, minilm_tokenizer
from searchain.errors import ReaderError, SetupError
from searchain.language.descriptions import after_description
from searchain.language.sentences import split
from searchain.reading.reader import multiplies_in_half
from searchain.types import Opinion, Passage

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer
    from torch import Tensor

    from searchain.embedded.text_encoder import TextEncoder

WEIGHTS = Path(__file__).parent.parent / "weights" / "stance"
"""The folder of the committed deltas: ``adapter.safetensors``, ``training.json``."""
QUESTIONS = WEIGHTS.with_name("questions")
"""The same for yes/no questions."""
LABELS = ("supports", "refutes", "unknown")
"""The labels of the three logits, in order."""
HEAD = "stance."
STATEMENT_TOKENS = 64
"""Most tokens of a statement; a longer one is cut, to leave room for the passage."""
TITLE_TOKENS = 24
WINDOW = 192
"""Tokens of one model input. Longer passages are judged in windows of whole sentences, and the opinion is that of the
window with the greatest margin, for or against."""
LINES = 64
"""Tokens of one model input for a yes/no question and a passage of several lines."""
LEAST_ROOM = 32
"""Fewest tokens of a passage in one model input, however long statement and title are."""


class Stance(Protocol):
    def judge(self, statement: str, passages: Sequence[Passage]) -> list[Opinion]:
        """Judge whether each passage supports ``statement``: return one opinion per passage, in order.

        Thread-safe. Raises ``ReaderError`` if the model failed, with a message for the user, and ``SetupError`` if a
        model that loads at first use is missing or damaged.
        """


class ByKind:
    """Judges yes/no questions by one model, and all other statements by another one. Thread-safe if all parts are."""

    def __init__(self, statements: Stance, questions: Stance, asks: Callable[[str], bool]) -> None:
        """``asks`` tells whether a text is a yes/no question."""
        self._statements, self._questions, self._asks = statements, questions, asks

    def judge(self, statement: str, passages: Sequence[Passage]) -> list[Opinion]:
        """Return one opinion per passage, in order. Raises as the parts do."""
        return (self._questions if self._asks(statement) else self._statements).judge(statement, passages)

    def load(self) -> None:
        """Load both models, unless they are loaded, so that the first statement need not wait for them."""
        for one in (self._statements, self._questions):
            if isinstance(one, MiniLMStance):
                one.load()


def embedded_stance(weights: Path = WEIGHTS) -> Path:
    """Return the directory of the embedded stance model, that for statements by default.

    Raises ``SetupError`` if the committed deltas are missing.
    """
    if not (weights / "adapter.safetensors").is_file():
        raise SetupError(
            f"adapter.safetensors of the embedded stance model is missing from {str(weights)!r}; "
            "restore it from the repository"
        )
    return weights


class MiniLMStance:
    """The stance model, on the CPU; it loads at first use, since most questions need none. Thread-safe.

    ``directory`` holds ``adapter.safetensors``, in the form that ``searchain.embedded.assets.merged`` reads. ``lines``
    are the tokens of one model input for a passage of several lines, which may speak of several things. Raises
    ``SetupError`` at first use if the deltas or the base weights are missing or damaged.
    """

    def __init__(self, directory: Path, *, lines: int = WINDOW) -> None:
        self._directory, self._lines = directory, lines
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, TextEncoder, dict[str, Tensor]] | None = None

    def load(self) -> tuple[Tokenizer, TextEncoder, dict[str, Tensor]]:
        """Return tokenizer, encoder, and the layer that makes three logits of its first state; load them once."""
        with self._lock:
            if self._loaded is None:
                self._loaded = minilm_tokenizer(), *self._make_model()
            return self._loaded

    def _make_model(self) -> tuple[TextEncoder, dict[str, Tensor]]:
        import torch

        weights = merged(base_state(), read_adapter(self._directory / "adapter.safetensors"))
        head = {part: weights.pop(HEAD + part) for part in ("weight", "bias")}
        return minilm(weights, torch.bfloat16 if multiplies_in_half() else torch.float32), head

    def judge(self, statement: str, passages: Sequence[Passage]) -> list[Opinion]:
        """Return one opinion per passage, in order. All of a passage is read except its short description.

        Raises ``SetupError`` if the model cannot be loaded, and ``ReaderError`` if it failed, with a message for the
        user.
        """
        if not passages:
            return []
        head = (CLS, *self._encode([statement])[0].ids[:STATEMENT_TOKENS], SEP)
        titles = self._encode([passage.title for passage in passages])
        bodies = [passage.text[after_description(passage.text) :] for passage in passages]
        texts = self._encode(bodies)
        rows, owners = [], []
        for number, (body, title, text) in enumerate(zip(bodies, titles, texts, strict=True)):
            start = (*head, *title.ids[:TITLE_TOKENS], SEP)
            size = self._lines if "\n" in body.strip() else WINDOW
            for first, last in windows(sentence_ranges(body, text), max(size - len(start), LEAST_ROOM)):
                rows.append((*start, *text.ids[first:last]))
                owners.append(number)
        best: list[Opinion | None] = [None] * len(passages)
        for owner, opinion in zip(owners, self._forward(rows), strict=True):
            known = best[owner]
            if known is None or abs(opinion.margin) > abs(known.margin):
                best[owner] = opinion
        return [opinion for opinion in best if opinion is not None]

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        tokens, _, _ = self.load()
        return tokens.encode_batch(list(texts), add_special_tokens=False)

    def _forward(self, rows: Sequence[tuple[int, ...]]) -> list[Opinion]:
        import torch

        _, encoder, head = self.load()
        ids = np.zeros((len(rows), max(map(len, rows))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
        try:
            with torch.inference_mode():
                states = encoder(torch.from_numpy(ids), torch.from_numpy(mask))[:, 0].float()
                shares = torch.nn.functional.linear(states, **head).softmax(dim=1).tolist()
        except RuntimeError as error:
            raise ReaderError(
                f"the stance model failed on {len(rows)} inputs ({str(error).splitlines()[0][:200]}); "
                "try fewer passages"
            ) from error
        return [Opinion(*share) for share in shares]


def windows(sentences: Sequence[tuple[int, int]], room: int) -> list[tuple[int, int]]:
    """Join ``sentences`` (half-open token ranges) to half-open windows of at most ``room`` tokens.

    The windows cover all sentences. Each begins with the last sentence of the window before it, if there is room. A
    sentence longer than ``room`` is cut. Without sentences there is one empty window.
    """
    pieces = [(start, min(start + room, last)) for first, last in sentences for start in range(first, last, room)]
    found: list[tuple[int, int]] = []
    for place, (first, last) in enumerate(pieces):
        if found and last - found[-1][0] <= room:
            found[-1] = found[-1][0], last
        elif found and last - pieces[place - 1][0] <= room:
            found.append((pieces[place - 1][0], last))
        else:
            found.append((first, last))
    return found or [(0, 0)]


def sentence_ranges(text: str, encoding: Encoding) -> list[tuple[int, int]]:
    """Return the token ranges (half-open) of the sentences of ``text`` that have tokens."""
    ends = [end for _, end in split(text)]
    limits, token = [0], 0
    for end in ends:
        while token < len(encoding.ids) and encoding.offsets[token][0] < end:
            token += 1
        limits.append(token)
    limits[-1] = len(encoding.ids)
    return [(first, last) for first, last in zip(limits, limits[1:], strict=False) if first < last]
