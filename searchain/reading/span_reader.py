"""Read with an encoder: from token ids to an answer span and a relevance logit per passage.

All Readers of the program share this code: it cuts long passages into windows, chooses the span that can answer the
query, and keeps the next best spans.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from searchain.errors import ReaderError
from searchain.language.answer_kinds import fits
from searchain.language.descriptions import LABEL, after_description
from searchain.language.text import tokens as tokens_of
from searchain.reading.lists import within_cell, within_sentence
from searchain.reading.spans import balanced, best_spans, log_shares, trimmed, whole_number, windows, word_edges
from searchain.types import Passage, Reading, Span

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

    from searchain.embedded.text_encoder import TextEncoder

CANDIDATES = 12
"""How many spans of a passage are searched for one that can answer the query."""
OTHERS, POOL = 2, 60
"""How many other spans of a passage are kept, and from how many they are chosen."""
WITHIN = 4.0
"""How many logits below the best span one that can answer the query may lie."""
LEAST = -12.0
"""The log-probability that stands for a span that is not among the candidates."""
LONGEST_TOKENS = 20
"""Most tokens of an answer; 20 read better than 30 on the development data (F1 + 0.6)."""
LONGEST_ANSWER = 400
"""Most characters of an answer; a word of any length that the vocabulary lacks is a single token."""
QUERY_TOKENS = 64
"""Most tokens of a query; a longer one is cut, to leave room for the passage."""
TITLE_TOKENS = 32


@dataclass(frozen=True, slots=True)
class Window:
    """One model input: tokens ``first:last`` of passage number ``passage`` after ``head`` tokens of query and title."""

    ids: tuple[int, ...]
    head: int
    passage: int
    first: int
    last: int


class SpanReader:
    """A Reader: an encoder over query, title and text with two heads, for start and end logits and the relevance f.

    A subclass sets the encoder, and gives the form of its input (``_head``).

    Args:
        tokens: the encoder's tokenizer.
        heads: ``qa_outputs`` and ``qa_classifier``, linear layers of torch.
        pad: the id of the padding token.
        window: tokens of one model input; longer passages are read in overlapping windows, and the reading is that of
            the window with the greatest f.
        overlap: passage tokens that neighbouring windows share.
    """

    _encoder: TextEncoder

    def __init__(
        self, tokens: Tokenizer, heads: tuple[Any, Any], *, pad: int, window: int = 320, overlap: int = 96
    ) -> None:
        self._tokens = tokens
        self._tokens.no_truncation()
        self._tokens.no_padding()
        self._tokens.encode_special_tokens = True  # a literal "[SEP]" in a passage is text
        self._spans, self._relevance = heads
        self._pad, self._window, self._overlap = pad, window, overlap
        self._reads_kinds = True
        self._query_room, self._title_room = min(QUERY_TOKENS, window // 4), min(TITLE_TOKENS, window // 8)

    @abstractmethod
    def _head(self, query: Sequence[int], title: Sequence[int]) -> tuple[int, ...]:
        """Return the tokens that stand before those of the passage."""

    @property
    def plain(self) -> Self:
        """The same Reader, but always with the likeliest span, even one of the wrong kind for the query."""
        reader = copy(self)
        reader._reads_kinds = False
        return reader

    def read(self, query: str, passages: Sequence[Passage]) -> list[Reading]:
        """Return one reading per passage, in order. All of a passage is read.

        Each answer is exactly ``passage.text[span.start:span.end]``."""
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
        best: dict[int, tuple[Window, tuple[np.ndarray, np.ndarray, float]]] = {}
        for window, logits in zip(inputs, self._forward(inputs), strict=True):
            if window.passage not in best or logits[2] > best[window.passage][1][2]:
                best[window.passage] = window, logits
        chosen = sorted(best.items())
        return [self._reading(query, passages[n], texts[n], window, *logits) for n, (window, logits) in chosen]

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        return self._tokens.encode_batch(list(texts), add_special_tokens=False)

    def _windows(self, number: int, query: Sequence[int], title: Sequence[int], text: Sequence[int]) -> list[Window]:
        head = self._head(query, title)
        room = self._window - len(head)
        parts = windows(len(text), room, min(self._overlap, room // 2))
        return [Window((*head, *text[first:last]), len(head), number, first, last) for first, last in parts]

    def _forward(self, inputs: Sequence[Window]) -> list[tuple[np.ndarray, np.ndarray, float]]:
        """Return start logits [L], end logits [L] and relevance logit of each window, in one batch."""
        import torch

        ids = np.full((len(inputs), max(len(window.ids) for window in inputs)), self._pad, dtype=np.int64)
        mask = np.zeros_like(ids)
        for number, window in enumerate(inputs):
            ids[number, : len(window.ids)] = window.ids
            mask[number, : len(window.ids)] = 1
        try:
            with torch.inference_mode():
                hidden = self._encoder(torch.from_numpy(ids), torch.from_numpy(mask)).float()
                spans, relevance = self._spans(hidden), self._relevance(hidden[:, 0])
        except (RuntimeError, IndexError) as error:
            raise ReaderError(
                f"the Reader failed on {len(inputs)} passages ({first_line(error)}); try fewer passages"
            ) from error
        starts, ends = spans[..., 0].numpy(), spans[..., 1].numpy()
        return list(zip(starts, ends, relevance[:, 0].tolist(), strict=True))

    def _reading(
        self,
        query: str,
        passage: Passage,
        text: Encoding,
        window: Window,
        start: np.ndarray,
        end: np.ndarray,
        confidence: float,
    ) -> Reading:
        """Return the likeliest span that can answer the query, or the likeliest of all if none of the first few can."""
        tokens = slice(window.head, window.head + window.last - window.first)
        may_start, may_end = word_edges(text.word_ids)
        start, end = log_shares(start[tokens]), log_shares(end[tokens])
        inside = slice(window.first, window.last)
        found = best_spans(start, end, may_start[inside], may_end[inside], LONGEST_TOKENS, POOL)
        spans: dict[Span, float] = {}
        for first, last in found:
            at = text.offsets[window.first + first][0], text.offsets[window.first + last][1]
            if span := self._span(passage.text, *at):
                spans.setdefault(span, float(start[first] + end[last]))
        if not spans:
            return Reading("", None, confidence)

        def answer(span: Span) -> str:
            return passage.text[span.start : span.end]

        likely = list(spans.items())[:CANDIDATES]
        first_span, most = likely[0]
        near = [span for span, likelihood in likely if likelihood >= most - WITHIN]

        def reading(span: Span) -> Reading:
            words = set(tokens_of(answer(span)))
            rivals = [other for rival, other in likely if words.isdisjoint(tokens_of(answer(rival)))]
            lead = spans[span] - max(rivals, default=LEAST)
            said = span if passage.place is None else within_sentence(passage.text, span)
            return Reading(answer(said), said, confidence, spans[span], lead)

        fitting = (span for span in near if self._reads_kinds and fits(query, answer(span)))
        chosen = [next(fitting, first_span)]
        for span in spans:
            if len(chosen) > OTHERS:
                break
            if all(span.end <= one.start or one.end <= span.start for one in chosen):
                chosen.append(span)
        best, *others = map(reading, chosen)
        return replace(best, others=tuple(others))

    def _span(self, body: str, start: int, end: int) -> Span | None:
        """Return the span trimmed to an answer; ``None`` if it is too long or crosses a limit of the description."""
        lead = after_description(body)  # no answer begins in a description and ends behind it
        label = len(LABEL) if lead else 0  # and none is a part of the words that announce it
        place = trimmed(body, start, end)
        if place is None or place[0] < label or place[0] < lead < place[1]:
            return None
        place = within_cell(body, *place)
        span = Span(*(balanced(body, *whole_number(body, *place)) if self._reads_kinds else place))
        return span if span.end - span.start <= LONGEST_ANSWER else None


def first_line(error: Exception) -> str:
    """Return the first line of a library's error message."""
    return str(error).strip().split("\n")[0][:200] or type(error).__name__
