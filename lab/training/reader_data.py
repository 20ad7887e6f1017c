"""Training data for the Reader: hard negatives, and length-sorted batches of token ids."""

from __future__ import annotations

import heapq
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from lab.training.calibration import Record
from searchain.embedded import assets
from searchain.embedded.minilm import CLS, SEP
from searchain.reading.span_reader import QUERY_TOKENS, TITLE_TOKENS
from searchain.types import Passage, Span


@dataclass(frozen=True, slots=True)
class Example:
    """One question with one passage as token ids; ``gold`` is the answer's first and last passage token, or none."""

    query: tuple[int, ...]
    title: tuple[int, ...]
    text: tuple[int, ...]
    gold: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Batch:
    """``input_ids``, ``attention_mask`` and ``passage`` (True on passage tokens): [N, L]; ``start``, ``end``: [N], the
    gold positions, -100 without an answer; ``relevant``: [N], 1.0 where the passage answers."""

    input_ids: np.ndarray
    attention_mask: np.ndarray
    passage: np.ndarray
    start: np.ndarray
    end: np.ndarray
    relevant: np.ndarray


def licensed(records: Iterable[Record]) -> list[Record]:
    """Only records that may be used for weights that are passed on: a licence is stated for all of the record."""
    return [record for record in records if "no licence stated" not in record.license]


def leads() -> list[Passage]:
    """The embedded corpus: what the Reader will meet, so what its negatives should look like."""
    pages = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text(encoding="utf-8"))
    return [Passage("", page["title"], page["extract"]) for page in pages.values()]


def hard_negatives(records: Sequence[Record], passages: Sequence[Passage], *, count: int) -> list[list[Passage]]:
    """For every record up to ``count`` passages that share rare words with its question but hold none of its answers.

    Other paragraphs of the same article come out on top by themselves; records without an answer get none.
    """
    bags = [frozenset(_words(f"{passage.title} {passage.text}")) for passage in passages]
    frequency = Counter(word for bag in bags for word in bag)
    postings: dict[str, list[int]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for word in sorted(bag):
            if frequency[word] < max(len(passages) / 100, 5):
                postings[word].append(number)
    return [_near_misses(record, passages, postings, count) if record.spans else [] for record in records]


def _near_misses(
    record: Record, passages: Sequence[Passage], postings: dict[str, list[int]], count: int
) -> list[Passage]:
    scores: defaultdict[int, float] = defaultdict(float)
    for word in sorted(set(_words(f"{record.question} {record.passage.title}"))):
        for number in postings.get(word, ()):
            scores[number] += math.log(len(passages) / len(postings[word]))
    answers = [answer.lower() for answer in record.answers]
    best = (passages[number] for number in heapq.nlargest(count + 20, scores, key=scores.__getitem__))
    return [
        passage
        for passage in best
        if passage.text != record.passage.text and not any(answer in passage.text.lower() for answer in answers)
    ][:count]


def encode(tokens: Tokenizer, pairs: Sequence[tuple[str, Passage, Span | None]]) -> list[Example]:
    """An example for each question with a passage and the place of the answer in it, if it has one."""

    def ids(texts: Iterable[str], limit: int) -> list[tuple[int, ...]]:
        return [tuple(item.ids[:limit]) for item in tokens.encode_batch(list(texts), add_special_tokens=False)]

    queries = ids((question for question, _, _ in pairs), QUERY_TOKENS)
    titles = ids((passage.title for _, passage, _ in pairs), TITLE_TOKENS)
    texts = tokens.encode_batch([passage.text for _, passage, _ in pairs], add_special_tokens=False)
    return [
        Example(query, title, tuple(text.ids), _gold(text.offsets, span))
        for query, title, text, (_, _, span) in zip(queries, titles, texts, pairs, strict=True)
    ]


Head = Callable[[Example], tuple[int, ...]]
"""The tokens before those of the passage."""


def bert_head(example: Example) -> tuple[int, ...]:
    """Return ``[CLS] query [SEP] title [SEP]``."""
    return (CLS, *example.query, SEP, *example.title, SEP)


def batches(
    examples: Sequence[Example], *, size: int, max_length: int, seed: int, head: Head = bert_head, pad: int = 0
) -> Iterator[Batch]:
    """All examples once, in a random order of batches of like length. The same seed gives the same batches."""
    rng = random.Random(seed)
    for group in groups_of_like_length([len(example.text) for example in examples], size, rng):
        yield _batch([examples[number] for number in group], max_length, rng, head, pad)


def groups_of_like_length(lengths: Sequence[int], size: int, rng: random.Random) -> list[list[int]]:
    """Group the indices of ``lengths`` by similar length, ``size`` per group; return the groups in random order."""
    order = list(range(len(lengths)))
    rng.shuffle(order)
    pools = [sorted(order[at : at + size * 40], key=lengths.__getitem__) for at in range(0, len(order), size * 40)]
    groups = [pool[at : at + size] for pool in pools for at in range(0, len(pool), size)]
    rng.shuffle(groups)
    return groups


def padded(rows: Sequence[Sequence[int]], pad: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Token ids and mask of ``rows``, [N, L] each; behind the end of a row ``pad`` and 0."""
    ids = np.full((len(rows), max(map(len, rows))), pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)], mask[number, : len(row)] = row, 1
    return ids, mask


def _batch(
    examples: Sequence[Example], max_length: int, rng: random.Random, head_of: Head = bert_head, pad: int = 0
) -> Batch:
    rows, golds, heads = [], [], []
    for example in examples:
        head = head_of(example)
        room = max_length - len(head)
        first = _window(len(example.text), room, example.gold, rng)
        rows.append(head + example.text[first : first + room])
        heads.append(len(head))
        golds.append(
            (-100, -100)
            if example.gold is None
            else tuple(min(place - first + len(head), max_length - 1) for place in example.gold)
        )
    ids, mask = padded(rows, pad)
    passage = (mask == 1) & (np.arange(ids.shape[1]) >= np.array(heads)[:, None])
    first_tokens, last_tokens = np.array(golds, dtype=np.int64).T
    return Batch(ids, mask, passage, first_tokens, last_tokens, (first_tokens >= 0).astype(np.float32))


def _window(length: int, room: int, gold: tuple[int, int] | None, rng: random.Random) -> int:
    """Where a window of ``room`` tokens starts: anywhere in the passage, but around the answer."""
    low, high = (0, length - room) if gold is None else (max(0, gold[1] + 1 - room), min(gold[0], length - room))
    return rng.randint(min(low, high), high) if high > 0 else 0


def _gold(offsets: Sequence[tuple[int, int]], answer: Span | None) -> tuple[int, int] | None:
    if answer is None:
        return None
    inside = [number for number, (start, end) in enumerate(offsets) if end > answer.start and start < answer.end]
    return (inside[0], inside[-1]) if inside else None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
