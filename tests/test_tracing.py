"""What a path answers, and whether all of it is settled."""

import pytest

from searchain.tracing import final_answer_of, status_of
from searchain.types import Status, TaskKind, Verdict
from tests.told_path import node


@pytest.mark.parametrize(("written", "task", "expected"), [
    ("", "multihop", "Kyoto"), ("Kyoto", "multihop", "Kyoto"), ("Kyoto [k123].", "multihop", "Kyoto"),
    ("Atlantis", "multihop", "Kyoto"), ("Nintendo", "multihop", "Nintendo"),
    ("Yes, it is.", "yesno", "yes"), ("SUPPORTS", "factcheck", "SUPPORTS"), ("false", "factcheck", "REFUTES"), ("", "yesno", ""),
    ("no", "factcheck", "REFUTES"), ("The claim is refuted.", "factcheck", "REFUTES"), ("The claim is not refuted.", "factcheck", ""), ("Kyoto has many temples.", "longform", "Kyoto has many temples"),
])
def test_the_final_answer_rests_on_the_path(written, task, expected):
    assert final_answer_of([node()], TaskKind(task), written) == expected


def test_status_names_the_open_step():
    assert status_of([node()], "Kyoto") == (Status.ANSWERED, "")
    status, message = status_of([node(Verdict.UNCONFIRMED)], "Kyoto")
    assert status is Status.PARTIAL and "In which city is Nintendo?" in message and "Nintendo" in message
    assert status_of([node(Verdict.UNCONFIRMED, answer=None)], "")[0] is Status.NOT_FOUND
    assert status_of([], "")[0] is Status.NOT_FOUND
