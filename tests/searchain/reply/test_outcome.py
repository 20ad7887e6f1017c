"""What a path answers, and whether all of it is settled."""

import pytest

from searchain.reply.outcome import doubt, final_answer_of, outcome_of
from searchain.types import Sentence, Support, TaskKind, Verdict
from tests.support.json_lines import kept
from tests.support.stories import path_node


@pytest.mark.parametrize(("written", "task", "expected"), kept("outcomes.json")["final answers"])
def test_the_final_answer_rests_on_the_path(written, task, expected):
    assert final_answer_of([path_node()], TaskKind(task), written) == expected


@pytest.mark.parametrize(("answer", "probability", "reason", "expected"), kept("outcomes.json")["outcomes"])
def test_the_table_of_outcomes(answer, probability, reason, expected):
    assert outcome_of(answer, probability, 0.8, reason) == tuple(expected)


@pytest.mark.parametrize(("supports", "expected"), kept("outcomes.json")["supports"])
def test_a_text_is_quoted_if_its_sources_carry_each_sentence(supports, expected):
    sentences = [Sentence("It is so.", 0, 9, (), Support(support)) for support in supports]
    note = Sentence("Of the same name is “Kyoto (band)”.", 0, 9, (), Support.OWN)
    assert outcome_of("It is so.", sentences=sentences) == tuple(expected)
    assert outcome_of("It is so.", sentences=[*sentences, note]) == tuple(expected)


def test_the_open_step_is_named():
    message = doubt([path_node(Verdict.UNCONFIRMED)], "Kyoto")
    assert "In which city is Nintendo?" in message
    assert "Nintendo" in message
    assert "no answer to the step" in doubt([path_node(Verdict.UNCONFIRMED, answer=None)], "")
    assert doubt([], "") == "there was no step"


@pytest.mark.parametrize(
    ("question", "is_cut", "message"),
    [
        ("In which city is Nintendo?", False, ""),
        ("And where is it?", False, ""),  # it names nothing
        ("Hello!", False, "no step asks about what the question names"),
        (
            "On which island is the city of Nintendo?",
            True,
            "the rounds ended at the step 'In which city is Nintendo?', and more may have to follow",
        ),
    ],
)
def test_a_settled_path_is_in_doubt_where_it_misses_the_question(question, is_cut, message):
    assert doubt([path_node()], "Kyoto", question, is_cut=is_cut) == message
