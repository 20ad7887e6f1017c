from searchain.types import Span
from ui.show.passages import captioned


def test_spans_that_overlap_are_marked_once():
    assert captioned("Kyoto City", [Span(0, 5), Span(0, 10), Span(2, 4)]) == ([], [("Kyoto", True), (" City", True)])
    assert captioned("Kyoto", []) == ([], [("Kyoto", False)])
