from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from searchain.reading.spans import best_spans, trimmed, windows, word_edges

LOGITS = st.floats(-50, 50, width=32)


@pytest.mark.parametrize(
    ("length", "room", "overlap", "expected"),
    [
        (0, 10, 2, [(0, 0)]),
        (7, 10, 2, [(0, 7)]),
        (10, 10, 2, [(0, 10)]),
        (11, 10, 2, [(0, 10), (1, 11)]),
        (26, 10, 2, [(0, 10), (8, 18), (16, 26)]),
        (27, 10, 2, [(0, 10), (8, 18), (16, 26), (17, 27)]),
    ],
)
def test_windows(length, room, overlap, expected):
    assert windows(length, room, overlap) == expected


@given(st.integers(0, 2000), st.integers(2, 300), st.data())
def test_windows_leave_no_token_out_and_overlap(length, room, data):
    overlap = data.draw(st.integers(0, room - 1))
    found = windows(length, room, overlap)
    assert found[0][0] == 0
    assert found[-1][1] == length
    assert all(end - start <= room for start, end in found)
    assert all(last_end - start >= overlap for (_, last_end), (start, _) in pairwise(found))


@pytest.mark.parametrize("overlap", [-1, 10, 11])
def test_windows_that_never_advance_are_refused(overlap):
    with pytest.raises(ValueError, match="cannot overlap"):
        windows(100, 10, overlap)


@pytest.mark.parametrize(
    ("start", "end", "longest", "expected"),
    [
        ([0, 5, 0], [0, 0, 4], 3, (1, 2)),
        ([0, 0, 9], [9, 0, 1], 3, (2, 2)),  # the separate maxima would give last < first
        ([9, 0, 0], [0, 0, 9], 2, (0, 0)),  # the best pair is too long
        ([0, 0, 0], [0, 0, 0], 3, (0, 0)),
    ],
)
def test_the_best_span(start, end, longest, expected):
    every = np.ones(len(start), dtype=bool)
    assert best_spans(np.array(start, float), np.array(end, float), every, every, longest, 1) == [expected]


def test_no_tokens_have_no_span():
    assert best_spans(np.zeros(0), np.zeros(0), np.zeros(0, bool), np.zeros(0, bool), 3, 5) == []


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


def test_word_edges():
    may_start, may_end = word_edges([0, 0, 1, None, 2, 2, 2])
    assert may_start.tolist() == [True, False, True, False, True, False, False]
    assert may_end.tolist() == [False, True, True, False, False, False, True]
    assert [edge.tolist() for edge in word_edges([])] == [[], []]


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
