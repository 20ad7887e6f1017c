"""What a run looks like in a terminal, and what its passages and methods look like everywhere."""

from dataclasses import replace

from searchain.events import Candidate, CandidatesWeighed, Turn, fold
from searchain.types import Source, Span, Verdict
from tests.support.stories import KYOTO, nintendo
from ui.show import terminal
from ui.show.passages import captioned
from ui.show.signs import heading


def test_a_disputed_step_shows_both_answers_and_a_compared_turn_its_method():
    turn = fold(nintendo())
    nodes = tuple(
        replace(node, answer="Tokyo", verdict=Verdict.DISPUTED) if node.id == "n3" else node for node in turn.nodes
    )
    shown = "└─ ≠ the article disagrees: Where is the headquarters of Nintendo? → Tokyo ≠ Kyoto [Nintendo, f = 6.2]"
    assert shown in list(terminal.transcript(replace(turn, nodes=nodes)))
    turn = Turn(question="Where is Kyoto?", system="cot")
    assert heading(turn) == "Where is Kyoto?"
    assert heading(replace(turn, beside="t1")) == "Where is Kyoto? (Let the model think aloud, from memory)"


def test_spans_at_the_edges_and_spans_that_overlap():
    assert captioned("Kyoto City", [Span(0, 5), Span(0, 10), Span(2, 4)]) == ([], [("Kyoto", True), (" City", True)])
    assert captioned("Kyoto", []) == ([], [("Kyoto", False)])
    for span, quote in (
        (Span(0, 5), "    “«Kyoto», officially"),
        (Span(len(KYOTO.text) - 8, len(KYOTO.text)), "«million.»”"),
    ):
        _, shown = terminal.sources(Turn(sources=(Source(1, KYOTO, span, 1.0, "q", Verdict.AGREED, "n1"),)))
        assert quote in shown


def test_answers_that_were_weighed_are_one_line():
    tokyo, kyoto = Candidate("chain", "n2", "Tokyo", None), Candidate("chain", "n4", "Kyoto", 0.31)
    candidates = (kyoto, Candidate("question", "n1", "Hon\x1b[31mshu\nx", 0.62), tokyo)
    weighed = CandidatesWeighed(candidates=candidates, chosen=1)
    told = "three answers were weighed: Honshu x from the question itself, about 6 in 10 (62 %); Kyoto from the chain, about 3 in 10 (31 %); Tokyo from the chain"
    line = terminal.progress(weighed, fold([weighed]))
    assert line is not None
    assert line.strip() == told
    assert told in terminal.transcript(fold([*nintendo(), weighed]))
    alone = CandidatesWeighed(candidates=weighed.candidates[:1], chosen=0)
    told = "  one answer was weighed: Kyoto from the chain, about 3 in 10 (31 %)"
    assert terminal.progress(alone, fold([alone])) == told
