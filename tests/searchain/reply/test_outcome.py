"""What a path answers, and whether all of it is settled."""

import pytest

from searchain.reply.outcome import final_answer_of, status_of
from searchain.types import Status, TaskKind, Verdict
from tests.support.stories import path_node


@pytest.mark.parametrize(
    ("written", "task", "expected"),
    [
        ("", "multihop", "Kyoto"),
        ("Kyoto", "multihop", "Kyoto"),
        ("Kyoto [k123].", "multihop", "Kyoto"),
        ("Atlantis", "multihop", "Kyoto"),
        ("Nintendo", "multihop", "Nintendo"),
        ("Yes, it is.", "yesno", "yes"),
        ("SUPPORTS", "factcheck", "SUPPORTS"),
        ("false", "factcheck", "REFUTES"),
        ("", "yesno", ""),
        ("no", "factcheck", "REFUTES"),
        ("The claim is refuted.", "factcheck", "REFUTES"),
        ("The claim is not refuted.", "factcheck", ""),
        ("Kyoto has many temples.", "longform", "Kyoto has many temples"),
    ],
)
def test_the_final_answer_rests_on_the_path(written, task, expected):
    assert final_answer_of([path_node()], TaskKind(task), written) == expected


def test_status_names_the_open_step():
    assert status_of([path_node()], "Kyoto") == (Status.ANSWERED, "")
    status, message = status_of([path_node(Verdict.UNCONFIRMED)], "Kyoto")
    assert status is Status.PARTIAL
    assert "In which city is Nintendo?" in message
    assert "Nintendo" in message
    assert status_of([path_node(Verdict.UNCONFIRMED, answer=None)], "")[0] is Status.NOT_FOUND
    assert status_of([], "")[0] is Status.NOT_FOUND


@pytest.mark.parametrize(
    ("question", "is_cut", "status", "message"),
    [
        ("In which city is Nintendo?", False, Status.ANSWERED, ""),
        ("And where is it?", False, Status.ANSWERED, ""),  # it names nothing
        ("Hello!", False, Status.PARTIAL, "no step asks about what the question names"),
        (
            "On which island is the city of Nintendo?",
            True,
            Status.PARTIAL,
            "the rounds ended at the step 'In which city is Nintendo?', and more may have to follow",
        ),
    ],
)
def test_a_settled_path_is_no_answer_where_it_misses_the_question(question, is_cut, status, message):
    assert status_of([path_node()], "Kyoto", question, is_cut=is_cut) == (status, message)
