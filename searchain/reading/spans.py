"""Compute answer spans from start and end logits, and windows over long passages. Pure functions on NumPy arrays."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

JOINER = "\N{ZERO WIDTH JOINER}"


def windows(length: int, room: int, overlap: int) -> list[tuple[int, int]]:
    """Return half-open windows of at most ``room`` tokens that together cover ``length`` tokens.

    Neighbours share at least ``overlap`` tokens. The last window is full too, so that its tokens have context. An empty
    passage has one empty window.
    """
    if not 0 <= overlap < room:
        raise ValueError(f"windows of {room} tokens cannot overlap by {overlap}")
    if length <= room:
        return [(0, length)]
    starts = [*range(0, length - room, room - overlap), length - room]
    return [(start, start + room) for start in starts]


def best_spans(
    start: np.ndarray, end: np.ndarray, may_start: np.ndarray, may_end: np.ndarray, longest: int, count: int
) -> list[tuple[int, int]]:
    """Return up to ``count`` spans (first, last) by falling score ``start[first] + end[last]``.

    A span has at most ``longest`` tokens.
    All arrays are [L] and cover the passage's tokens only; ``may_start`` and ``may_end`` say where a span may start and
    end. Empty when no span is allowed. The earliest and then shortest span wins a tie.
    """
    length = len(start)
    if not length:
        return []
    starts = np.where(may_start, start.astype(np.float64), -np.inf)
    ends = np.where(may_end, end.astype(np.float64), -np.inf)
    scores = np.full((length, min(longest, length)), -np.inf)
    for more in range(scores.shape[1]):
        scores[: length - more, more] = starts[: length - more] + ends[more:]
    order = np.argsort(-scores, axis=None, kind="stable")[:count]
    pairs = (divmod(int(place), scores.shape[1]) for place in order)
    return [(first, first + more) for first, more in pairs if scores[first, more] > -np.inf]


def log_shares(logits: np.ndarray) -> np.ndarray:
    """Return the log-softmax of ``logits``; [L] to [L]."""
    logits = logits.astype(np.float64)
    return logits - np.logaddexp.reduce(logits) if len(logits) else logits


def word_edges(words: Sequence[int | None]) -> tuple[np.ndarray, np.ndarray]:
    """Return which tokens begin a word and which end one, from each token's word number (``None``: no word)."""
    numbers = np.array([-1 if word is None else word for word in words], dtype=np.int64)
    if not len(numbers):
        return np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
    differs = numbers[1:] != numbers[:-1]
    is_word = numbers >= 0
    return np.append(True, differs) & is_word, np.append(differs, True) & is_word


LONGEST_NUMBER = 24
"""Most characters of a number."""
_NUMBER = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?")


def whole_number(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen the span ``start``, ``end`` so that it cuts no number.

    >>> whole_number("at 8,611.5 metres", 5, 8), whole_number("1939,1945", 0, 4)
    ((3, 10), (0, 4))
    """
    for number in _NUMBER.finditer(text, max(0, start - LONGEST_NUMBER), min(len(text), end + LONGEST_NUMBER)):
        if number.start() < start < number.end():
            start = number.start()
        if number.start() < end < number.end():
            end = number.end()
    return start, end


def balanced(text: str, start: int, end: int) -> tuple[int, int]:
    """Close the last open bracket of the span if its ``)`` follows directly, else cut the span before that bracket.

    A span that begins within brackets ends with them.

    >>> balanced("632 km2 (244 sq mi) of land", 0, 18), balanced("632 km2 (244 sq mi) of land", 0, 12)
    ((0, 19), (0, 7))
    >>> balanced("the party (CCP) in the war", 11, 22), balanced("a) two keys", 0, 11)
    ((11, 14), (0, 11))
    """
    closed = text.find(")", start + 1, end)
    is_within = text.rfind("(", 0, start) > max(text.rfind(")", 0, start), text.rfind("\n", 0, start))
    if is_within and closed >= 0 and text.find("(", start, closed) < 0:
        return start, start + len(text[start:closed].rstrip())
    opened = text.rfind("(", start, end)
    if opened <= start or text.find(")", opened, end) >= 0:
        return start, end
    if text[end : end + 1] == ")":
        return start, end + 1
    return start, start + len(text[start:opened].rstrip())


def trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Trim white space off the span and complete its last character (accents, joined emoji).
    ``None`` when nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        return None
    while end < len(text) and (unicodedata.category(text[end]).startswith("M") or JOINER in text[end - 1 : end + 1]):
        end += 1
    return start, end
