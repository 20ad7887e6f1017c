"""Claims → length-sorted batches of token ids, as the stance model reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from searchain.embedded.minilm import CLS, SEP
from searchain.reading.stance import LABELS, STATEMENT_TOKENS, TITLE_TOKENS
from searchain.training.stance_data import Claim


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
    rng = random.Random(seed)
    order = list(range(len(rows)))
    rng.shuffle(order)
    pools = [
        sorted(order[start : start + size * 40], key=lambda number: len(rows[number][0]))
        for start in range(0, len(order), size * 40)
    ]
    groups = [pool[start : start + size] for pool in pools for start in range(0, len(pool), size)]
    rng.shuffle(groups)
    for group in groups:
        yield _batch([rows[number] for number in group])


def _batch(rows: Sequence[tuple[tuple[int, ...], int]]) -> Batch:
    ids = np.zeros((len(rows), max(len(row) for row, _ in rows)), dtype=np.int64)
    mask = np.zeros_like(ids)
    for number, (row, _) in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return Batch(ids, mask, np.array([label for _, label in rows], dtype=np.int64))
