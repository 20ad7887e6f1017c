"""Claims → length-sorted batches of token ids, as the stance model reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from lab.training.reader_data import groups_of_like_length, padded
from lab.training.stance_data import Claim
from searchain.embedded.minilm import CLS, SEP
from searchain.reading.stance import LABELS, STATEMENT_TOKENS, TITLE_TOKENS


@dataclass(frozen=True, slots=True)
class Batch:
    """``input_ids``, ``attention_mask``: [N, L]; ``labels``: [N], places in ``searchain.reading.stance.LABELS``."""

    input_ids: np.ndarray
    attention_mask: np.ndarray
    labels: np.ndarray


def encode(tokens: Tokenizer, claims: Sequence[Claim], max_length: int) -> list[tuple[tuple[int, ...], int]]:
    """Token ids and label of every claim; a text that does not fit is cut at its end."""

    def ids(texts: Iterator[str]) -> list[list[int]]:
        return [item.ids for item in tokens.encode_batch(list(texts), add_special_tokens=False)]

    parts = zip(
        ids(claim.statement for claim in claims),
        ids(claim.passage.title for claim in claims),
        ids(claim.passage.text for claim in claims),
        claims,
        strict=True,
    )
    return [
        (
            (CLS, *statement[:STATEMENT_TOKENS], SEP, *title[:TITLE_TOKENS], SEP, *text)[:max_length],
            LABELS.index(claim.label),
        )
        for statement, title, text, claim in parts
    ]


def batches(rows: Sequence[tuple[tuple[int, ...], int]], *, size: int, seed: int) -> Iterator[Batch]:
    """All rows once, in a random order of batches of like length. The same seed gives the same batches."""
    for group in groups_of_like_length([len(row) for row, _ in rows], size, random.Random(seed)):
        ids, mask = padded([rows[number][0] for number in group])
        yield Batch(ids, mask, np.array([rows[number][1] for number in group], dtype=np.int64))
