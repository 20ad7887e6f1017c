"""The search for the thresholds on numbers, and the records that it reads."""

import pytest

from lab.training.calibration import Candidate, Record, calibrate, read_records
from searchain.errors import UsageError
from searchain.reading.thresholds import Thresholds
from searchain.types import Passage, Span
from tests.support.json_lines import write_lines

F = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
ANSWERS = [False, False, True, False, True, True, True]


def test_theta_has_the_greatest_f1_and_the_floor_is_the_highest_that_refuses_rightly():
    found = calibrate(F, ANSWERS, start=-4.0, refusal=0.9)
    assert found.thresholds == Thresholds(theta=-2.0, floor=-2.0)
    by_threshold = {candidate.threshold: candidate for candidate in found.candidates}
    assert by_threshold[-2.0] == Candidate(-2.0, precision=4 / 5, recall=1.0, f1=8 / 9, refusal=1.0)
    assert by_threshold[0.0] == Candidate(0.0, precision=1.0, recall=3 / 4, f1=6 / 7, refusal=3 / 4)
    assert by_threshold[-4.0].refusal == 1.0
    assert (found.candidates[0].threshold, found.candidates[-1].threshold) == (-4.0, 3.0)


@pytest.mark.parametrize(
    ("f", "answers", "message"),
    [
        ([1.0, 2.0], [True, True], "passages that do not"),
        ([], [], "passages that answer"),
        ([-9.0, -8.0], [True, False], "start lower"),
    ],
)
def test_useless_data(f, answers, message):
    with pytest.raises(UsageError, match=message):
        calibrate(f, answers, start=-5.0, refusal=0.9)


ABOUT = {"id": 7, "title": "Nintendo", "text": "In Kyoto.", "license": "CC0"}
LINE = ABOUT | {"question": "Where?", "answers": [{"text": "Kyoto", "start": 3}]}
RECORD = Record("Where?", Passage("7", "Nintendo", "In Kyoto."), (Span(3, 8),), "CC0")


def test_read_records(tmp_path):
    lines = [LINE, "", {"question": "Who?", "title": "", "text": "", "answers": []}]
    for name in ("a.jsonl", "a.jsonl.gz"):
        read = read_records(write_lines(tmp_path / name, lines))
        assert read == [RECORD, Record("Who?", Passage("", "", ""), ())]
    assert RECORD.answers == ("Kyoto",)


@pytest.mark.parametrize(("name", "content"), [("a.jsonl.gz", b"not gzip"), ("a.jsonl", b"\xff\xfe\xfa")])
def test_a_file_of_another_kind(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        read_records(tmp_path / name)
