from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from searchain.reading.spans import best_spans, trimmed, windows

LOGITS = st.floats(-50, 50, width=32)


@given(st.integers(0, 2000), st.integers(2, 300), st.data())
def test_windows_leave_no_token_out_and_overlap(length, room, data):
    overlap = data.draw(st.integers(0, room - 1))
    found = windows(length, room, overlap)
    assert (found[0][0], found[-1][1]) == (0, length)
    assert all(end - start <= room for start, end in found)
    assert all(last_end - start >= overlap for (_, last_end), (start, _) in pairwise(found))


@pytest.mark.parametrize("overlap", [-1, 10, 11])
def test_windows_that_never_advance_are_refused(overlap):
    with pytest.raises(ValueError, match="cannot overlap"):
        windows(100, 10, overlap)


@given(
    st.integers(1, 40).flatmap(
        lambda length: st.tuples(*[arrays(np.float32, length, elements=LOGITS)] * 2, *[arrays(np.bool_, length)] * 2)
    ),
    st.integers(1, 12),
)
def test_the_best_spans_equal_the_search_over_all_pairs(columns, longest):
    start, end, may_start, may_end = columns
    pairs = [
        (first, last)
        for first in range(len(start))
        for last in range(first, min(first + longest, len(start)))
        if may_start[first] and may_end[last]
    ]
    best = sorted(pairs, key=lambda pair: -(float(start[pair[0]]) + float(end[pair[1]])))[:4]
    assert best_spans(start, end, may_start, may_end, longest, 4) == best


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("in Kyoto now", 2, 9, "Kyoto"),
        ("  \n ", 0, 4, None),
        ("Kyoto", 3, 3, None),
        ("Cafe\u0301 Noir", 0, 4, "Cafe\u0301"),
        ("\U0001f469\u200d\U0001f52c won", 0, 1, "\U0001f469\u200d\U0001f52c"),
    ],
)
def test_trimmed(text, start, end, expected):
    place = trimmed(text, start, end)
    assert (place and text[slice(*place)]) == expected
