"""The Reader: an answer span and a relevance logit from every passage.

The model has the form of DPR's reader (Karpukhin et al. 2020): one BERT encoder over
``[CLS] query [SEP] title [SEP] text``, start and end logits per token, one relevance logit f per input. ``DprReader``
loads the embedded Reader and any other local DPR reader alike. Torch is imported when a Reader is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from searchain.embedded.minilm import embedded_reader
from searchain.errors import ReaderError
from searchain.language.answer_kinds import AnswerKind, fits, kind_asked
from searchain.language.descriptions import LABEL, after_description
from searchain.language.qualifiers import is_of_another
from searchain.language.text import tokens as tokens_of
from searchain.reading.cells import within_cell
from searchain.reading.objects import whole_object
from searchain.reading.spans import balanced, best_spans, log_shares, trimmed, whole_number, windows, word_edges
from searchain.types import Passage, Reading, Span

if TYPE_CHECKING:
    from tokenizers import Encoding

__all__ = ["DprReader", "Reader", "embedded_reader"]

CANDIDATES = 12
"""Spans of a passage that are looked at for one that can answer the query."""
OTHERS, POOL = 2, 60
"""Other places of a passage that are kept, and how many spans they are chosen from."""
WITHIN = 4.0
"""How far below the best span, in logits, such a one may lie."""
LEAST = -12.0
"""The log-probability that stands for a span that is not among the candidates."""
LONGEST_ANSWER = 400
"""Characters: of a word that no vocabulary holds, one token is the whole."""
QUERY_TOKENS = 64
"""A longer query is cut: the passage has the answer, and needs the room."""
TITLE_TOKENS = 32


class Reader(Protocol):
    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        """What each passage answers to ``query``: one reading per passage, in order, in one batch. Thread-safe.

        Raises:
            ReaderError: the model failed, with a message for the user.
        """


@dataclass(frozen=True, slots=True)
class _Window:
    """One model input: tokens ``first:last`` of passage number ``passage`` after ``head`` tokens of query and title."""

    ids: tuple[int, ...]
    head: int
    passage: int
    first: int
    last: int


class DprReader:
    """A DPR reader from a local checkpoint directory, on the CPU.

    Args:
        directory: ``config.json``, weights and ``vocab.txt`` or ``tokenizer.json``, as ``transformers`` saves them.
        longest: tokens that an answer may have; 20 read better than 30 on the development data (F1 + 0.6).
        window: tokens of one model input; longer passages are read in overlapping windows, and the reading is that of
            the window with the greatest f.
        overlap: passage tokens that neighbouring windows share.
        half: run the encoder in bfloat16; default: where the CPU multiplies in it, at a third of the time.

    Raises:
        ReaderError: no DPR reader can be loaded from ``directory``.
    """

    def __init__(
        self, directory: Path, *, longest: int = 20, window: int = 320, overlap: int = 96, half: bool | None = None
    ) -> None:
        import torch
        from transformers import BertTokenizer, DPRReader
        from transformers.utils import logging

        directory = Path(directory)
        if not (directory / "config.json").is_file():
            raise ReaderError(
                f"no Reader at {str(directory)!r}: config.json is missing; name a local DPR reader directory"
            )
        verbosity = logging.get_verbosity()
        logging.disable_progress_bar()
        logging.set_verbosity(logging.CRITICAL)  # transformers reports on weights that the form does not use
        try:
            loaded: Any = DPRReader.from_pretrained(  # a pair, which its type does not say
                directory, local_files_only=True, dtype=torch.float32, output_loading_info=True
            )
            model, found = loaded
            tokenizer = BertTokenizer.from_pretrained(directory, local_files_only=True)
        except Exception as error:  # transformers, safetensors and tokenizers raise many kinds for a bad file
            raise ReaderError(
                f"the Reader at {str(directory)!r} cannot be loaded ({_line(error)}); name a local DPR reader directory"
            ) from error
        finally:
            logging.set_verbosity(verbosity)
        if found["missing_keys"]:
            raise ReaderError(
                f"the Reader at {str(directory)!r} lacks the weights {min(found['missing_keys'])!r}; "
                "name the directory of a DPR reader, not of another model"
            )
        if half is None:
            half = any(has for name, has in torch.cpu.get_capabilities().items() if name.endswith("bf16"))
        self._parts = model.eval().span_predictor
        self._parts.encoder.to(torch.bfloat16 if half else torch.float32)
        self._cls, self._sep, self._pad = tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.pad_token_id
        self._tokens = tokenizer.backend_tokenizer
        self._tokens.no_truncation()
        self._tokens.no_padding()
        self._tokens.encode_special_tokens = True  # a literal "[SEP]" in a passage is text
        self._longest, self._overlap = longest, overlap
        self._reads_kinds = True
        self._window = min(window, model.config.max_position_embeddings)
        self._query_room, self._title_room = min(QUERY_TOKENS, self._window // 4), min(TITLE_TOKENS, self._window // 8)

    @property
    def plain(self) -> DprReader:
        """The same Reader, but its reading is the likeliest span, whatever kind of answer the query asks for."""
        reader = copy(self)
        reader._reads_kinds = False
        return reader

    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        """One reading per passage, in order. No part of a passage is left out, and
        ``answer == passage.text[start:end]`` always."""
        if not passages:
            return []
        query_ids = self._encode([query])[0].ids[: self._query_room]
        titles = self._encode([passage.title for passage in passages])
        texts = self._encode([passage.text for passage in passages])
        inputs = [
            window
            for number, (title, text) in enumerate(zip(titles, texts, strict=True))
            for window in self._windows(number, query_ids, title.ids[: self._title_room], text.ids)
        ]
        starts, ends, relevance = self._forward(inputs)
        best: dict[int, int] = {}
        for number, window in enumerate(inputs):
            if window.passage not in best or relevance[number] > relevance[best[window.passage]]:
                best[window.passage] = number
        return [
            self._reading(
                query,
                passages[place],
                texts[place],
                inputs[number],
                starts[number],
                ends[number],
                float(relevance[number]),
            )
            for place, number in sorted(best.items())
        ]

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        return self._tokens.encode_batch(list(texts), add_special_tokens=False)

    def _windows(self, number: int, query: Sequence[int], title: Sequence[int], text: Sequence[int]) -> list[_Window]:
        head = (self._cls, *query, self._sep, *title, self._sep)
        room = self._window - len(head)
        return [
            _Window((*head, *text[first:last]), len(head), number, first, last)
            for first, last in windows(len(text), room, min(self._overlap, room // 2))
        ]

    def _forward(self, inputs: Sequence[_Window]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Start logits [N, L], end logits [N, L] and relevance [N] of all windows, in one batch."""
        import torch

        ids = np.full((len(inputs), max(len(window.ids) for window in inputs)), self._pad, dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, window in enumerate(inputs):
            ids[number, : len(window.ids)] = window.ids
            mask[number, : len(window.ids)] = 1
        try:
            with torch.inference_mode():
                hidden = self._parts.encoder(torch.from_numpy(ids), attention_mask=torch.from_numpy(mask))[0].float()
                spans, relevance = self._parts.qa_outputs(hidden), self._parts.qa_classifier(hidden[:, 0])
        except (RuntimeError, IndexError) as error:
            raise ReaderError(
                f"the Reader failed on {len(inputs)} passages ({_line(error)}); try fewer passages"
            ) from error
        return spans[..., 0].numpy(), spans[..., 1].numpy(), relevance[:, 0].numpy()

    def _reading(
        self,
        query: str,
        passage: Passage,
        text: Encoding,
        window: _Window,
        start: np.ndarray,
        end: np.ndarray,
        confidence: float,
    ) -> Reading:
        """The best span that can answer the query; the best of all where none of the first few can."""
        tokens = slice(window.head, window.head + window.last - window.first)
        may_start, may_end = word_edges(text.word_ids)
        start, end = log_shares(start[tokens]), log_shares(end[tokens])
        found = best_spans(
            start,
            end,
            may_start[window.first : window.last],
            may_end[window.first : window.last],
            self._longest,
            POOL,
        )
        lead = after_description(passage.text)  # no answer begins in a description and ends behind it
        label = len(LABEL) if lead else 0  # and none is a part of the words that announce it
        spans: list[tuple[Span, float]] = []
        for first, last in found:
            place = trimmed(passage.text, text.offsets[window.first + first][0], text.offsets[window.first + last][1])
            if place is None or place[0] < label or place[0] < lead < place[1]:
                continue
            place = within_cell(passage.text, *place)
            if self._reads_kinds:
                place = balanced(passage.text, *whole_number(passage.text, *place))
            span = Span(*place)
            if span.end - span.start <= LONGEST_ANSWER and all(span != other for other, _ in spans):
                spans.append((span, float(start[first] + end[last])))
        if not spans:
            return Reading("", None, confidence)

        def answer(span: Span) -> str:
            return passage.text[span.start : span.end]

        likely = spans[:CANDIDATES]
        near = [span for span, likelihood in likely if likelihood >= spans[0][1] - WITHIN]
        likelihood = dict(spans)

        def reading(span: Span) -> Reading:
            words = set(tokens_of(answer(span)))
            rivals = [other for rival, other in likely if words.isdisjoint(tokens_of(answer(rival)))]
            lead = likelihood[span] - max(rivals, default=LEAST)
            return Reading(answer(span), span, confidence, likelihood[span], lead)

        is_figure = kind_asked(query) is AnswerKind.NUMBER

        def may_answer(span: Span) -> bool:
            return fits(query, answer(span)) and not (is_figure and is_of_another(query, passage, span))

        fitting = (span for span in near if self._reads_kinds and may_answer(span))
        chosen = [next(fitting, spans[0][0])]
        if self._reads_kinds and is_figure:
            spans.sort(key=lambda one: not may_answer(one[0]))
        for span, _ in spans:
            if len(chosen) > OTHERS:
                break
            if all(span.end <= one.start or one.end <= span.start for one in chosen):
                chosen.append(span)
        best, *others = map(reading, chosen)
        whole = whole_object(query, passage.text, chosen[0]) if self._reads_kinds else chosen[0]
        return replace(best, answer=answer(whole), span=whole, others=tuple(others))


def _line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:200] or type(error).__name__
