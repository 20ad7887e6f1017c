"""Labels laid over the default knowledge items: split, joined, moved, removed."""

import pytest

from searchain.annotation.agreement import MISSING
from searchain.annotation.protocol import Backing, KnowledgeItem, Labels
from searchain.annotation.units import NEED, PLACE, SCALE, SUPPORT, Grid, needs, ratings, supports
from searchain.types import Span, Support
from tests.searchain.annotation.test_measures import UNMARKED, item, judged, labels

COMPLETE, PARTIAL, NONE = Backing.COMPLETE, Backing.PARTIAL, Backing.NONE


def stretches(*parts: tuple[int, int, Backing | None]) -> Labels:
    return Labels(tuple(KnowledgeItem(f"k{number}", *part) for number, part in enumerate(parts, 1)))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # "Nintendo sits in Kyoto [1][2]. Kyoto lies on Honshu [3]. Honshu is large. Ask me more."
        (labels(COMPLETE, PARTIAL), [COMPLETE, PARTIAL, None, None]),
        # joined: one word for both
        (stretches((0, 55, NONE)), [NONE, NONE, None, None]),
        # split: the part without a mark has no support, and no vote
        (stretches((0, 13, COMPLETE), (14, 22, NONE), (31, 51, PARTIAL)), [NONE, PARTIAL, None, None]),
        # a stretch without a word of its own leaves the vote to the others
        (stretches((0, 13, None), (14, 22, PARTIAL)), [PARTIAL, None, None, None]),
        # moved limits
        (stretches((9, 30, COMPLETE), (37, 56, PARTIAL)), [COMPLETE, PARTIAL, None, None]),
        # removed
        (stretches((31, 51, COMPLETE)), [None, COMPLETE, None, None]),
        (Labels(), [None] * 4),
    ],
)
def test_support_is_aligned_by_characters(said, expected):
    assert supports(Grid.of(item()), said) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Nintendo sits [1] in Kyoto [2].", COMPLETE),  # 12 letters against 7
        ("Nara lies [1] on Honshu [2].", NONE),  # 8 letters each: the weaker one
    ],
)
def test_of_two_parts_with_marks_the_longer_one_counts(answer, expected):
    cut, end = answer.index(" ["), answer.index(" [2]")
    said = stretches((0, cut, COMPLETE), (cut + 5, end, NONE))
    assert supports(Grid.of(item(answer, (Span(0, len(answer)),), states=(Support.WEAK,))), said) == [expected]


def test_the_need_of_a_mark_is_asked_where_there_is_none():
    assert needs(Grid.of(item()), labels(COMPLETE, PARTIAL, missing=("k3",))) == [None, None, "needs one", "needs none"]


def test_annotators_become_columns_and_what_was_not_judged_is_missing():
    found = ratings(
        [
            judged("ben", labels(COMPLETE, Backing.CANNOT_TELL)),
            judged("ada", labels(NONE, Backing.CONTRADICTS)),
            judged("ada", labels(places=(), missing=("k1",), of=UNMARKED), UNMARKED),
        ],
        {"i1": labels(COMPLETE, PARTIAL)},
    )
    support, scale, place, need = found[SUPPORT], found[SCALE], found[PLACE], found[NEED]
    assert (support.annotators, support.items) == (("ada", "ben"), ("i1",) * 4 + ("i2",) * 2)
    assert support.categories == ("contradicts", "none", "cannot_tell", "partial", "complete")
    assert support.values.tolist() == [[1, 4], [0, 2]] + [[MISSING] * 2] * 4
    assert support.gold.tolist() == [4, 3] + [MISSING] * 4
    assert scale.categories == ("contradicts", "none", "partial", "complete")
    assert scale.values.tolist() == [[1, 3], [0, MISSING]] + [[MISSING] * 2] * 4
    assert place.values.tolist() == [[2, 2], [0, 0], [2, 2]]
    assert place.gold.tolist() == [2, 0, 2]
    assert need.values.tolist() == [[MISSING] * 2] * 2 + [[1, 1]] * 2 + [[0, MISSING], [1, MISSING]]
