"""Turn the bounding boxes of words into highlights: neighbours on one line are joined to one box."""

from __future__ import annotations

from collections.abc import Sequence

from searchain.documents.parsed import Box

_MARGIN = 0.12
"""The share of its height by which a highlight is extended at its top and bottom."""


def marks(boxes: Sequence[Box], width: float, height: float) -> list[Box]:
    """Join the boxes of each line, such as words in bold and plain letters, and add a margin.

    Lines may be horizontal or vertical; the longer side of the boxes decides. Parts outside the page are cut off.

    Args:
        width, height: the size of the page, in any unit.
    """
    wide = sum((box[2] - box[0]) * width for box in boxes)
    high = sum((box[3] - box[1]) * height for box in boxes)
    if wide >= high:
        return _clamped(_joined(boxes))
    return _clamped([_swapped(box) for box in _joined([_swapped(box) for box in boxes])])


def _joined(boxes: Sequence[Box]) -> list[Box]:
    joined: list[Box] = []
    for left, top, right, bottom in boxes:
        more = _MARGIN * (bottom - top)
        box = left, top - more, right, bottom + more
        if joined and _on_one_line(joined[-1], box):
            last = joined.pop()
            box = min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3])
        joined.append(box)
    return joined


def _on_one_line(one: Box, other: Box) -> bool:
    height = min(one[3] - one[1], other[3] - other[1])
    overlap = min(one[3], other[3]) - max(one[1], other[1])
    return overlap > 0.5 * height and max(other[0] - one[2], one[0] - other[2]) < 2 * height


def _swapped(box: Box) -> Box:
    return box[1], box[0], box[3], box[2]


def _clamped(boxes: Sequence[Box]) -> list[Box]:
    found = []
    for box in boxes:
        left, top, right, bottom = (round(min(max(share, 0.0), 1.0), 5) for share in box)
        if left < right and top < bottom:
            found.append((left, top, right, bottom))
    return found
