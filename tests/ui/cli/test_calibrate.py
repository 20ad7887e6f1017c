"""The search for the thresholds on numbers, and the command on a tiny model."""

import json

import pytest
from click.testing import CliRunner

from searchain.errors import UsageError
from searchain.reading.calibration import Candidate, calibrate
from searchain.reading.thresholds import Thresholds, read_thresholds
from storage.collections import access, ticks
from storage.database import Database
from tests.support.judged_runs import judged
from tests.support.tiny_reader import tiny_model
from ui.cli.calibrate import calibrate as command

F = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
ANSWERS = [False, False, True, False, True, True, True]


def test_theta_has_the_greatest_f1_and_the_floor_is_the_highest_that_refuses_rightly():
    found = calibrate(F, ANSWERS, start=-4.0, refusal=0.9)
    assert found.thresholds == Thresholds(theta=-2.0, floor=-2.0)
    by_threshold = {candidate.threshold: candidate for candidate in found.candidates}
    assert by_threshold[-2.0] == Candidate(-2.0, precision=4 / 5, recall=1.0, f1=8 / 9, refusal=1.0)
    assert by_threshold[0.0] == Candidate(0.0, precision=1.0, recall=3 / 4, f1=6 / 7, refusal=3 / 4)
    assert by_threshold[-4.0].refusal == 1.0
    assert found.candidates[0].threshold == -4.0
    assert found.candidates[-1].threshold == 3.0


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


def test_the_command_stores_what_it_found_with_the_reader(tmp_path):
    tiny_model(tmp_path / "reader", seed=1)
    data = tmp_path / "data.jsonl"
    data.write_text(
        "".join(
            json.dumps({"question": "Where?", "title": "Kyoto", "text": text, "answers": answers}) + "\n"
            for text, answers in (
                ("Kyoto is in Japan.", [{"text": "Japan", "start": 12}]),
                ("the company", []),
                ("Nintendo", []),
            )
        )
    )
    arguments = ["--data", str(data), "--reader", str(tmp_path / "reader"), "--start", "-20"]
    result = CliRunner().invoke(command, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    heading, *rows, last = result.stdout.splitlines()
    assert heading.split() == "threshold precision recall F1 no answer right below".split()
    stored = read_thresholds(tmp_path / "reader")
    assert f"{stored.theta:.1f}" in [row.split()[0] for row in rows if row.endswith(("θ", "floor"))]
    assert last == (
        f"theta {stored.theta:.1f}, floor {stored.floor:.1f} from 3 passages, stored in {tmp_path / 'reader'}"
    )
    assert (tmp_path / "reader" / "thresholds.json").is_file()


def test_a_reader_that_is_none_is_a_failure_in_one_line(tmp_path):
    result = CliRunner().invoke(command, ["--reader", str(tmp_path), "--data", __file__])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: line 1 of 'test_calibrate.py' is no reader record")
    assert result.stderr.count("\n") == 1


def test_a_collection_gets_its_tick_by_the_judgements_on_its_replies(tmp_path):
    db = tmp_path / "searchain.db"
    store = Database(db)
    mine = access.create(store, "local", "mine")
    judged(store, mine.index, [(0.7, "up")] * 12)
    arguments = ["--collection", "mine", "--db", str(db)]
    result = CliRunner().invoke(command, arguments)
    assert result.stdout.splitlines() == [
        "mine: 12 of 30 judged; at 30 the tick is yours",
        "threshold: that of all own documents",
    ]
    judged(store, mine.index, [(0.8, "up")] * 15 + [(0.75, "down")] * 3)
    result = CliRunner().invoke(command, arguments)
    assert result.stdout.splitlines() == ["mine: 30 judged; ✓ here: 27 of 30 were right [74, 97]", "threshold: 0.700"]
    assert ticks.threshold(store, mine.index) == 0.7
    judged(store, mine.index, [(0.9, "down")] * 30)
    result = CliRunner().invoke(command, arguments)
    assert result.stdout.splitlines()[-1] == "threshold: none, no reply bears a tick"
    store.close()
    missing = CliRunner().invoke(command, ["--collection", "other", "--db", str(db)])
    assert (missing.exit_code, missing.stderr.partition(";")[0]) == (2, "error: there is no collection 'other'")
